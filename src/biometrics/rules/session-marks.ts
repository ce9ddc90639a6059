// What stands beside the decision of a session, because something was not decided or not compared: a function of its checks, of those
// that were made and those that were not, at the time and of its recordings since. Whatever shows a session takes it from here. Pure.
import { openPoints, type MadeCheck } from '../../marks/open-points.js';
import type { Decision } from '../model/outcome.js';
import {
  COOLING_OFF,
  NOT_ENROLLED,
  OPTED_OUT,
  type Factor,
  type Marks,
  type Session,
  type SessionPerson,
} from '../model/sessions.js';
import { hasComparedNobody, readsAsYes } from './open-check.js';

type Made = Pick<Factor, 'kind' | 'decision' | 'reason' | 'gkCollectionId'>;

const isComparison = ({ kind }: Made): boolean => kind === 'AUTHENTICATION' || kind === 'FRAUD_DETECTION';

/** Nobody's voice was there to compare with. */
const isOfNobody = (made: Made): boolean =>
  hasComparedNobody(made) || [NOT_ENROLLED, OPTED_OUT, COOLING_OFF].includes(made.reason);

const saysNoOther = (made: Made): boolean =>
  !isComparison(made) || readsAsYes(made.decision) || isOfNobody(made);

/** `own` and `later` come oldest first; of a live call, which is judged again and again, all is one recording. */
export function marksOf<T extends Made>(
  decision: Decision | undefined,
  { own, later, recordingOf }: { own: readonly T[]; later: readonly T[]; recordingOf: (made: T) => string },
): Marks {
  const keyOf = (made: T) => `${made.kind} ${made.gkCollectionId ?? ''} ${recordingOf(made)}`;
  const last = [...new Map(own.map((made) => [keyOf(made), made])).values()];
  // What is uncertain for another reason says so itself.
  if (!readsAsYes(decision) && !(decision === 'UNCERTAIN' && last.every(saysNoOther))) return {};
  const checkOf = (made: T): MadeCheck => ({
    kind: made.kind,
    decision: made.decision,
    list: made.gkCollectionId ?? '',
    recording: recordingOf(made),
    isOfNobody: isOfNobody(made),
  });
  const open = openPoints(own.map(checkOf), later.map(checkOf));
  const missing = open.missing.map(({ check }) => check);
  return {
    ...(open.undecided.length > 0 && { undecidedChecks: open.undecided }),
    ...(open.unchecked && { isUnchecked: true }),
    ...(missing.length > 0 && { missingChecks: missing }),
    ...((open.hasEmptyList || open.hasUnsureList || open.unlisted) && { isListOpen: true }),
  };
}

/** What a decision that reads as a yes rests on. */
const yesOf = ({ kind, decision }: Pick<Factor, 'kind' | 'decision'>): Decision | undefined => {
  if (decision === 'AUTHENTIC') return kind === 'AUTHENTICATION' ? decision : undefined;
  return decision === 'NO_RISK_DETECTED' ? decision : undefined;
};

/** Whether a decision reads as a yes, and no check of the session itself says so. */
export const isFromElsewhere = (
  decision: Decision | undefined,
  own: readonly Pick<Factor, 'kind' | 'decision'>[],
): boolean => readsAsYes(decision) && !own.some((made) => yesOf(made) === decision);

/** The session of the engagement in which the check was made that decided this one; undefined where none is known. */
export function decidedIn(
  { gkSessionId, decision }: Pick<Session, 'gkSessionId' | 'decision'>,
  made: readonly Pick<Factor, 'gkSessionId' | 'kind' | 'decision' | 'risk' | 'reliability'>[],
): string | undefined {
  return made.findLast(
    (factor) =>
      factor.gkSessionId !== gkSessionId &&
      yesOf(factor) === decision?.decision &&
      factor.risk === decision?.risk &&
      factor.reliability === decision?.reliability,
  )?.gkSessionId;
}

/**
 * Whether somebody was claimed, and the voice was compared with the print of somebody else, or recognized as theirs: a match says nothing of
 * whom it was to be. Where the claimed one was compared as well, only a match with another says so.
 */
export function hasOtherPerson(
  { claimedGkPersonId }: Pick<Session, 'claimedGkPersonId'>,
  persons: readonly SessionPerson[],
): boolean {
  if (claimedGkPersonId === undefined) return false;
  const compared = persons.filter(({ role }) => role !== 'ENROLLED');
  const others = compared.filter(({ gkPersonId }) => gkPersonId !== claimedGkPersonId);
  return others.some(({ isMatch }) => isMatch) || (others.length > 0 && others.length === compared.length);
}

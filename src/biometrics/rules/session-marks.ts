// What stands beside the decision of a session, because something was not decided or not compared: a function of its checks, of those
// that were made and those that were not, at the time and of its recordings since. Whatever shows a session takes it from here. Pure.
import type { Decision } from '../model/outcome.js';
import { COOLING_OFF, NOT_ENROLLED, OPTED_OUT, type Factor, type FactorKind } from '../model/sessions.js';
import { attackFactors, hasComparedNobody, readsAsYes } from './open-check.js';

export interface Marks {
  /** Attack checks that could not tell whether a live person spoke, and none of their kind could since. */
  undecidedChecks?: readonly FactorKind[];
  /** Something was compared, and nobody looked for attacks in it. */
  isUnchecked?: true;
  /** A watchlist was named, and there was nobody on it to compare with, or it could not be told; nor since. */
  isListOpen?: true;
}

type Made = Pick<Factor, 'kind' | 'decision' | 'reason' | 'gkCollectionId'>;

/** A recording that is no longer known may be any other: only what it was processed as is. */
const GONE = '?';
export const goneRecording = (gkProcessedAudioId: string): string => `${GONE}${gkProcessedAudioId}`;
const isGone = (recording: string): boolean => recording.startsWith(GONE);

const attackKinds = Object.values(attackFactors);
const isAttackCheck = ({ kind }: Made): boolean => attackKinds.some((attack) => attack === kind);
const isListCheck = ({ kind }: Made): boolean => kind === 'FRAUD_DETECTION';
const isComparison = (made: Made): boolean => made.kind === 'AUTHENTICATION' || isListCheck(made);

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
  const lastOf = (all: readonly T[]): T[] => {
    const keyOf = (made: T) => `${made.kind} ${made.gkCollectionId ?? ''} ${recordingOf(made)}`;
    const last = new Map(all.map((made) => [keyOf(made), made]));
    return all.filter((made) => last.get(keyOf(made)) === made);
  };
  // What is uncertain for another reason says so itself.
  if (!readsAsYes(decision) && !(decision === 'UNCERTAIN' && lastOf(own).every(saysNoOther))) return {};
  const isMatch = (made: T) => made.kind === 'AUTHENTICATION' && made.decision === 'AUTHENTIC';
  const matched = new Set(own.filter(isMatch).map(recordingOf));
  // The match may be of an earlier session of the engagement.
  const isAny = decision !== 'AUTHENTIC' || matched.size === 0 || [...matched].some(isGone);
  const counts = (made: T): boolean => isAny || matched.has(recordingOf(made));
  const heard = [...own, ...later].filter(isAttackCheck);
  const isHeard = (made: T): boolean =>
    heard.some((check) => {
      const [one, other] = [recordingOf(check), recordingOf(made)];
      return one === other || isGone(one) || isGone(other);
    });
  // What was found since is told as that.
  const isDecided = (made: T): boolean =>
    made.decision === 'NO_RISK_DETECTED' || (made.decision === 'FRAUD' && later.includes(made));
  const open = lastOf([...own, ...later]).filter((made) => !isDecided(made) && counts(made));
  const undecidedChecks = attackKinds.filter((kind) => open.some((made) => made.kind === kind));
  const compared = own.filter((made) => readsAsYes(made.decision) || isOfNobody(made)).filter(isComparison);
  return {
    ...(undecidedChecks.length > 0 && { undecidedChecks }),
    ...(compared.some((made) => counts(made) && !isHeard(made)) && { isUnchecked: true }),
    ...(open.some(isListCheck) && { isListOpen: true }),
  };
}

// The marks next to the decision of a session, for what was not decided or not compared: a function of its checks, those that
// were made and those that were not, during the session and of its recordings since. Everything that shows a session uses
// this. Pure.
import { openPoints, type MadeCheck } from '../../marks/open-points.js';
import { callerLeftOut, isOfCaller, judgeCaller, type WhoCalled } from '../../marks/who-called.js';
import type { Decision } from '../model/outcome.js';
import {
  COOLING_OFF,
  NOT_ENROLLED,
  OPTED_OUT,
  type CarriedMarks,
  type Factor,
  type MarkName,
  type Marks,
  type Session,
  type SessionAbout,
  type SessionMarks,
} from '../model/sessions.js';
import { hasComparedNobody, readsAsYes } from './open-check.js';
import { isOfNoCaller } from './session-standing.js';

type Made = Pick<Factor, 'kind' | 'decision' | 'reason' | 'gkCollectionId' | 'channel' | 'leftOut'>;

const isComparison = ({ kind }: Made): boolean => kind === 'AUTHENTICATION' || kind === 'FRAUD_DETECTION';

/** There was no voice to compare with. */
const isOfNobody = (made: Made): boolean =>
  hasComparedNobody(made) || [NOT_ENROLLED, OPTED_OUT, COOLING_OFF].includes(made.reason);

const saysNoOther = (made: Made): boolean =>
  !isComparison(made) || readsAsYes(made.decision) || isOfNobody(made);

interface Checks<T extends Made> {
  own: readonly T[];
  later: readonly T[];
  recordingOf: (made: T) => string;
}

/** `own` and `later` come oldest first; a live call, which is judged repeatedly, counts as one recording. */
export const marksOf = <T extends Made>(decision: Decision | undefined, made: Checks<T>): Marks => ({
  // Checks of an agent's channel say nothing about the caller.
  ...openMarks(decision, {
    ...made,
    own: made.own.filter(isOfCaller),
    later: made.later.filter(isOfCaller),
  }),
  ...leftOutMarks(decision, made),
});

/** Marks that do not depend on a positive decision. */
function leftOutMarks<T extends Made>(
  decision: Decision | undefined,
  { own, later, recordingOf }: Checks<T>,
): Marks {
  if (decision === undefined || decision === 'FRAUD') return {};
  const deciding = [...own, ...later].filter(({ kind }) => kind !== 'ENROLLMENT' && kind !== 'AUDIO');
  const made = deciding.map((one) => ({ ...one, list: listOf(one), recording: recordingOf(one) }));
  const asked = new Set(own.map((one) => `${one.kind} ${listOf(one)}`));
  // Later checks can answer what was open, but open nothing.
  const relevant = made.filter(({ kind, list }) => asked.has(`${kind} ${list}`));
  const leftOutCaller = callerLeftOut(relevant);
  const last = new Map(relevant.map((one) => [`${one.kind} ${one.list} ${one.recording}`, one]));
  const isFound = ({ decision: found }: Made): boolean => found === 'AUTHENTIC' || found === 'FRAUD';
  const hasLeftOutMembers = [...last.values()].some((one) => (one.leftOut ?? 0) > 0 && !isFound(one));
  return { ...(leftOutCaller && { leftOutCaller }), ...(hasLeftOutMembers && { hasLeftOutMembers }) };
}

/** The requested watchlist: comparing with one list is one question. */
const listOf = ({ kind, gkCollectionId = '' }: Made): string =>
  kind === 'FRAUD_DETECTION' ? gkCollectionId : '';

function openMarks<T extends Made>(
  decision: Decision | undefined,
  { own, later, recordingOf }: Checks<T>,
): Marks {
  const keyOf = (made: T) => `${made.kind} ${made.gkCollectionId ?? ''} ${recordingOf(made)}`;
  const last = [...new Map(own.map((made) => [keyOf(made), made])).values()];
  // If it is uncertain for another reason, that is already said.
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

type Decisive = Pick<Factor, 'kind' | 'decision'>;

/** The decision that a check gives; undefined if it leaves it open. */
const wordOf = ({ kind, decision }: Decisive): Decision | undefined => {
  if (decision === 'FRAUD' || decision === 'NO_RISK_DETECTED') return decision;
  const isDecided = decision === 'AUTHENTIC' || decision === 'NO_MATCH';
  return kind === 'AUTHENTICATION' && isDecided ? decision : undefined;
};

const hasWord = (decision: Decision | undefined): boolean =>
  readsAsYes(decision) || decision === 'FRAUD' || decision === 'NO_MATCH';

/** Whether there is a decision that no check of the session itself gives. */
export const isFromElsewhere = (decision: Decision | undefined, own: readonly Decisive[]): boolean =>
  hasWord(decision) && !own.some((made) => wordOf(made) === decision);

/** The session of the engagement whose check decided this one; undefined if none is known. */
export function decidedIn(
  { gkSessionId, decision }: Pick<Session, 'gkSessionId' | 'decision'>,
  made: readonly Pick<Factor, 'gkSessionId' | 'kind' | 'decision' | 'risk' | 'reliability'>[],
): string | undefined {
  const others = made.filter(
    (factor) => factor.gkSessionId !== gkSessionId && wordOf(factor) === decision?.decision,
  );
  const isIt = ({ risk, reliability }: Pick<Factor, 'risk' | 'reliability'>): boolean =>
    risk === decision?.risk && reliability === decision?.reliability;
  // If the person's data was erased, the score is gone.
  return (others.findLast(isIt) ?? others.findLast(({ risk }) => risk === undefined))?.gkSessionId;
}

/** Who called, by the comparisons of a session. A batch line may claim an unknown person. */
export function whoCalled(session: Session, about: Pick<SessionAbout, 'voices'> | undefined): WhoCalled {
  const { claimedGkPersonId: person = '', hadOtherPerson, claimEnd = 'UNDECIDED', details } = session;
  const isGone = isClaimGone(session);
  const isClaimed = person !== '' || isGone || details.batchLine !== undefined;
  const claim = { person, ...(isGone && { former: claimEnd }) };
  const caller = judgeCaller(isClaimed ? claim : undefined, about?.voices ?? []);
  // With the person's data, who was compared with whom was removed.
  return { ...caller, ...(hadOtherPerson && { hasOtherPerson: true }) };
}

/**
 * Somebody was claimed whose data was erased, and with it the claim; sessions kept as evidence of fraud still
 * have it.
 */
const isClaimGone = ({ claimedGkPersonId, isClaimErased }: Session): boolean =>
  claimedGkPersonId === undefined && isClaimErased === true;

/** What else has to be known about a claim. */
interface BesideClaim {
  persons?: SessionAbout['persons'] | undefined;
  isFromElsewhere?: boolean | undefined;
  /** The session that the decision comes from, if known. */
  carried?: CarriedMarks | undefined;
}

/**
 * Whether the claimed person was never compared, whatever was decided: then it is not known who called. If
 * their voice was enrolled instead, nobody had asked who it is.
 */
export function isClaimOpen(
  session: Session,
  { claimed, hasOtherPerson }: WhoCalled,
  { persons = [], isFromElsewhere, carried }: BesideClaim,
): boolean {
  const { claimedGkPersonId, details, decision } = session;
  if (hasOtherPerson) return false;
  if (isClaimGone(session)) return session.wasClaimOpen === true;
  // For a person who was not known yet, the batch line says whose voice it is.
  const isEnrolled = persons.some(
    ({ role, gkPersonId }) =>
      role === 'ENROLLED' && (gkPersonId === claimedGkPersonId || details.batchLine !== undefined),
  );
  if (claimed !== 'NOT_COMPARED' || isEnrolled || isOfNoCaller(session)) return false;
  return isFromElsewhere !== true || isClaimOpenThere(decision?.decision, carried);
}

/** For a decision made in another session. */
function isClaimOpenThere(decision: Decision | undefined, carried: CarriedMarks | undefined): boolean {
  if (!carried || carried.isOtherPerson || carried.isClaimCompared) return false;
  // For a deleted session, only an all-clear shows that nobody was compared.
  return carried.gkSessionId !== '' || decision === 'NO_RISK_DETECTED';
}

/** The names by which a session is found, including those taken over with its decision. */
export function markNames(marks: SessionMarks): MarkName[] {
  const { carried = {} } = marks;
  const has = (isSo: (of: Marks) => unknown): boolean => [marks, carried].some((of) => Boolean(isSo(of)));
  const names: Readonly<Record<MarkName, boolean>> = {
    UNDECIDED_CHECKS: has(({ undecidedChecks }) => undecidedChecks),
    UNCHECKED: has(({ isUnchecked }) => isUnchecked),
    MISSING_CHECKS: has(({ missingChecks }) => missingChecks),
    OPEN_LIST: has(({ isListOpen }) => isListOpen),
    MISMATCH: marks.hasMismatch === true,
    SECOND_VOICE: marks.hasSecondVoice === true,
    OTHER_PERSON: marks.hasOtherPerson === true,
    OTHER_CLAIMED: marks.carried?.isOtherPerson === true,
    SEVERAL_PERSONS: marks.hasSeveralPersons === true,
    OPEN_CLAIM: marks.isClaimOpen === true,
    LEFT_OUT_CALLER: has(({ leftOutCaller }) => leftOutCaller),
    LEFT_OUT_MEMBERS: has(({ hasLeftOutMembers }) => hasLeftOutMembers),
  };
  return (Object.keys(names) as MarkName[]).filter((name) => names[name]);
}

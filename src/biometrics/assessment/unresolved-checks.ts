// What the checks of a session leave open, recording by recording: attack checks that could not decide or were not made, and lists
// that were not fully compared. Pure.
import { COOLING_OFF, NOT_ENROLLED, OPTED_OUT, type Factor, type FactorKind } from '../model/sessions.js';
import { hasComparedNobody } from '../rules/open-check.js';
import { answeredByPrompt, hasPassedPrompt } from '../rules/prompt-wanted.js';

/** A check, and the recording that it heard. */
export interface Check extends Pick<
  Factor,
  | 'kind'
  | 'decision'
  | 'reason'
  | 'gkCollectionId'
  | 'notCompared'
  | 'bandwidth'
  | 'operation'
  | 'channel'
  | 'unreliableFor'
  | 'wantsPrompt'
> {
  /** A live call is judged repeatedly and counts as one. */
  recording: string;
}

export interface UnresolvedChecks {
  missing: readonly FactorKind[];
  unresolved: readonly FactorKind[];
  /** Cannot answer on any recording of the session. */
  unavailable: readonly FactorKind[];
  isListOpen: boolean;
}

const attackChecks = ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'] as const;
type AttackCheck = (typeof attackChecks)[number];
/** In the order in which they are told: checks made together have none of their own. */
export const decidingChecks: readonly FactorKind[] = ['AUTHENTICATION', 'FRAUD_DETECTION', ...attackChecks];

/** Of a recording that is gone, only what it was processed as is known: it may be any other. */
const DELETED = '?';
export const deletedRecording = (gkProcessedAudioId: string): string => `${DELETED}${gkProcessedAudioId}`;
const mayBeSame = (one: string, other: string): boolean =>
  one === other || one.startsWith(DELETED) || other.startsWith(DELETED);

const isListCheck = ({ kind }: Check): boolean => kind === 'FRAUD_DETECTION';
export const isAttackCheck = ({ kind }: Check): boolean => attackChecks.some((check) => check === kind);
const isDeciding = ({ kind }: Check): boolean => decidingChecks.includes(kind);
const isClear = ({ decision }: Check): boolean => decision === 'NO_RISK_DETECTED';
const isMatch = ({ kind, decision }: Check): boolean => kind === 'AUTHENTICATION' && decision === 'AUTHENTIC';

/** Comparing with one watchlist is one question. */
const questionOf = ({ kind, gkCollectionId = '' }: Check): string =>
  kind === 'FRAUD_DETECTION' ? `${kind} ${gkCollectionId}` : kind;

/** There was no voice to compare with. */
const isOfNobody = (made: Check): boolean =>
  hasComparedNobody(made) || [NOT_ENROLLED, OPTED_OUT, COOLING_OFF].includes(made.reason);

/** Whether a session is uncertain only because something is open, and not because of what was heard. */
export const isOnlyOpen = (own: readonly Check[]): boolean =>
  [...lastOf(own).values()].every(
    (made) => isAttackCheck(made) || !isDeciding(made) || isMatch(made) || isClear(made) || isOfNobody(made),
  );

/** Of each check of each recording. */
export const lastOf = (made: readonly Check[]): ReadonlyMap<string, Check> =>
  new Map(made.map((one) => [`${questionOf(one)} ${one.recording}`, one]));

/**
 * `own` and `later` come oldest first. The last result of each check of each recording counts. Later checks
 * answer what was open and open nothing; so does a later recording of the session that matched and passed the
 * same check.
 */
export function unresolvedIn(own: readonly Check[], later: readonly Check[]): UnresolvedChecks {
  const decided = own.filter(isDeciding);
  const recordings = [...new Set(decided.map(({ recording }) => recording))];
  // What a later check has found is reported as such.
  const answers = later.filter(
    (made) => isAttackCheck(made) || (isListCheck(made) && (isClear(made) || made.decision === 'FRAUD')),
  );
  const last = [...lastOf([...decided, ...answers]).values()];
  const matched = new Set(own.filter(isMatch).map(({ recording }) => recording));
  const isSettled = (recording: string, isSame: (made: Check) => boolean): boolean =>
    recordings
      .slice(recordings.indexOf(recording) + 1)
      .some(
        (next) =>
          matched.has(next) && last.some((made) => made.recording === next && isClear(made) && isSame(made)),
      );
  const isRepeated = answeredByPrompt(own);
  const open = last.filter(
    (made) =>
      recordings.includes(made.recording) &&
      !isClear(made) &&
      !isRepeated(made) &&
      !(made.decision === 'FRAUD' && later.includes(made)) &&
      !isSettled(made.recording, (other) => questionOf(other) === questionOf(made)),
  );
  const bandwidthOf = bandwidths(last);
  const isMade = (recording: string, isSought: (made: Check) => boolean): boolean =>
    last.some((made) => isSought(made) && mayBeSame(made.recording, recording));
  const isMissing = (check: AttackCheck, recording: string): boolean =>
    (check === 'SYNTHETIC_SPEECH' || bandwidthOf(recording) === 'wide') &&
    !isMade(recording, ({ kind }) => kind === check) &&
    !hasPassedPrompt(own, recording) &&
    !isSettled(recording, ({ kind }) => kind === check);
  const canAnswer = ({ kind, recording }: Check): boolean =>
    kind === 'SYNTHETIC_SPEECH' || bandwidthOf(recording) !== 'narrow';
  const isAnswered = last.some(
    (made) => made.kind === 'CHANNEL_PLAYBACK' && (isClear(made) || canAnswer(made)),
  );
  const isNarrow = recordings.length > 0 && recordings.every((one) => bandwidthOf(one) === 'narrow');
  return {
    missing: attackChecks.filter((check) => recordings.some((recording) => isMissing(check, recording))),
    unresolved: attackChecks.filter((check) => open.some((made) => made.kind === check && canAnswer(made))),
    unavailable: isNarrow && !isAnswered ? ['CHANNEL_PLAYBACK'] : [],
    isListOpen:
      open.some(isListCheck) ||
      isUnlisted(recordings, { asked: decided.filter(isListCheck), isMade, isSettled }),
  };
}

type Sought = (recording: string, isSought: (made: Check) => boolean) => boolean;

/** A recording was compared with no watchlist although another one was. */
function isUnlisted(
  recordings: readonly string[],
  { asked, isMade, isSettled }: { asked: readonly Check[]; isMade: Sought; isSettled: Sought },
): boolean {
  const lists = [...new Set(asked.map(questionOf))];
  // Since then only by the same watchlists: another one answers another question.
  const isListed = (recording: string): boolean =>
    asked.some((made) => mayBeSame(made.recording, recording)) ||
    lists.every((list) => isMade(recording, (made) => questionOf(made) === list));
  return (
    lists.length > 0 &&
    recordings.some((recording) => !isListed(recording) && !isSettled(recording, isListCheck))
  );
}

/** As the attack checks of a recording heard it; unknown where none had a score. */
const bandwidths =
  (made: readonly Check[]) =>
  (recording: string): Check['bandwidth'] => {
    const heard = made.flatMap((one) => (one.recording === recording ? (one.bandwidth ?? []) : []));
    return heard.includes('wide') ? 'wide' : heard[0];
  };

/** Nobody was found on a list, and some of its members could not be compared. */
export function hasUncomparedMembers(own: readonly Check[], later: readonly Check[]): boolean {
  const asked = new Set(own.map(questionOf));
  const last = lastOf([...own, ...later].filter((made) => asked.has(questionOf(made))));
  return [...last.values()].some(
    ({ notCompared = 0, decision }) => notCompared > 0 && decision !== 'AUTHENTIC' && decision !== 'FRAUD',
  );
}

/** Whether each check heard each channel of the caller by itself. */
export function isCallerIsolated(own: readonly Check[], later: readonly Check[]): boolean {
  const asked = new Set(own.filter(isDeciding).map(questionOf));
  const made = [...own, ...later].filter((one) => asked.has(questionOf(one)));
  const recordings = new Set(made.map(({ recording }) => recording));
  return [...recordings].every((recording) =>
    isIsolatedIn(made.filter((one) => one.recording === recording)),
  );
}

function isIsolatedIn(made: readonly Check[]): boolean {
  const channel = made.find((one) => one.channel)?.channel;
  if (!channel) return true;
  const { of, callers, isPartlyNamed } = channel;
  if (callers?.length === 0) return false;
  const sought = callers ?? Array.from({ length: of }, (_, at) => at + 1);
  // All of them as one are the callers if every channel is said to be a caller's.
  const mayMix = callers?.length === of && !isPartlyNamed;
  const questions = [...new Set(made.map(questionOf))];
  return sought.every((number) =>
    questions.every((question) =>
      made.some(
        (one) =>
          questionOf(one) === question &&
          (!one.channel || one.channel.heard === number || (mayMix && one.channel.heard === 0)),
      ),
    ),
  );
}

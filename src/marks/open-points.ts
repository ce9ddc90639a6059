// What the checks of a session leave open, by its recordings: attack checks that could not tell or were not made, and watchlists that were
// not compared. One rule for the lists of the server and the words of the console (docs/adr/0086-marks-beside-a-decision.md). Pure.

const attackChecks = ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'] as const;
type AttackCheck = (typeof attackChecks)[number];

export interface MadeCheck {
  kind: string;
  decision: string;
  /** The watchlist that was asked about; empty where there was none. */
  list: string;
  /** Of a live call, which is judged again and again, all is one recording: the empty one. */
  recording: string;
  /** Nobody's voice was there to compare with. */
  isOfNobody: boolean;
}

/** Of so many recordings that were checked. */
interface Share {
  open: number;
  all: number;
}

interface OpenPoints {
  /** Attack checks that could not tell whether a live person spoke. */
  undecided: AttackCheck[];
  /** Recordings whose voice was compared, and in which nobody looked for attacks. */
  unchecked?: Share;
  /** Attack checks that were not made of recordings of which the other one was. */
  missing: { check: AttackCheck; share: Share }[];
  /** Whether there was nobody to compare with on a watchlist that was named. */
  hasEmptyList: boolean;
  /** Whether a watchlist was compared, and it could not be told. */
  hasUnsureList: boolean;
  /** Recordings that were compared with no watchlist, where others were. */
  unlisted?: Share;
  /** On another watchlist, or in another recording, nobody was found. */
  hasClearList: boolean;
}

/** A recording that is no longer known may be any other: only what it was processed as is. */
const GONE = '?';
export const goneRecording = (gkProcessedAudioId: string): string => `${GONE}${gkProcessedAudioId}`;
const mayBeSame = (one: string, other: string): boolean =>
  one === other || one.startsWith(GONE) || other.startsWith(GONE);

const CLEAR = 'NO_RISK_DETECTED';
const FOUND = 'FRAUD';

const isListCheck = ({ kind }: MadeCheck): boolean => kind === 'FRAUD_DETECTION';
const isComparison = (made: MadeCheck): boolean => made.kind === 'AUTHENTICATION' || isListCheck(made);
const isAttackCheck = ({ kind }: MadeCheck): boolean => attackChecks.some((check) => check === kind);
const isClear = ({ decision }: MadeCheck): boolean => decision === CLEAR;
const isMatch = ({ kind, decision }: MadeCheck): boolean =>
  kind === 'AUTHENTICATION' && decision === 'AUTHENTIC';

/**
 * `own` and `later` come oldest first. Of each kind of check of one recording, and each watchlist, the last word counts; a watchlist that is
 * asked about after the session can answer what was open, and opens nothing. What is open in a recording counts, unless a later recording of
 * the session matched and passed the same check.
 */
export function openPoints(own: readonly MadeCheck[], later: readonly MadeCheck[]): OpenPoints {
  const decided = own.filter((made) => isComparison(made) || isAttackCheck(made));
  const recordings = [...new Set(decided.map(({ recording }) => recording))];
  // What was found since is told as that.
  const answers = later.filter((made) => isAttackCheck(made) || isClear(made) || made.decision === FOUND);
  const words = [...lastWords([...decided, ...answers]).values()];
  const wordsOn = (recording: string) => words.filter((made) => made.recording === recording);
  const matched = new Set(own.filter(isMatch).map(({ recording }) => recording));
  const isSettled = (recording: string, isPassed: (made: MadeCheck) => boolean): boolean =>
    recordings
      .slice(recordings.indexOf(recording) + 1)
      .some((next) => matched.has(next) && wordsOn(next).some((made) => isClear(made) && isPassed(made)));
  const isOpen = (made: MadeCheck): boolean =>
    recordings.includes(made.recording) &&
    !isClear(made) &&
    !(made.decision === FOUND && later.includes(made)) &&
    !isSettled(made.recording, ({ kind, list }) => kind === made.kind && list === made.list);
  const open = words.filter(isOpen);
  const openLists = open.filter(isListCheck);
  return {
    undecided: attackChecks.filter((check) => open.some(({ kind }) => kind === check)),
    ...missingIn({ recordings, words, isSettled, asked: decided.filter(isListCheck) }),
    hasEmptyList: openLists.some(({ isOfNobody }) => isOfNobody),
    hasUnsureList: openLists.some(({ isOfNobody }) => !isOfNobody),
    hasClearList: words.some((made) => isListCheck(made) && isClear(made)),
  };
}

function lastWords(made: readonly MadeCheck[]): ReadonlyMap<string, MadeCheck> {
  return new Map(made.map((one) => [`${one.kind} ${one.list} ${one.recording}`, one]));
}

interface Heard {
  /** In the order in which they were heard first. */
  recordings: readonly string[];
  words: readonly MadeCheck[];
  isSettled: (recording: string, isPassed: (made: MadeCheck) => boolean) => boolean;
  /** Watchlists in the session itself: where nobody asked about one, none is missing. */
  asked: readonly MadeCheck[];
}

/** What was not made of a recording. */
function missingIn({
  recordings,
  words,
  isSettled,
  asked,
}: Heard): Pick<OpenPoints, 'unchecked' | 'missing' | 'unlisted'> {
  const isMadeOf = (recording: string, isSought: (made: MadeCheck) => boolean): boolean =>
    words.some((made) => isSought(made) && mayBeSame(made.recording, recording));
  const isLeftOut = (recording: string, check: AttackCheck): boolean =>
    !isMadeOf(recording, ({ kind }) => kind === check) && !isSettled(recording, ({ kind }) => kind === check);
  const isHeard = (recording: string): boolean => isMadeOf(recording, isAttackCheck);
  const compared = recordings.filter((recording) =>
    words.some((made) => isComparison(made) && made.recording === recording),
  );
  const unchecked = compared.filter(
    (recording) => !isHeard(recording) && attackChecks.some((check) => isLeftOut(recording, check)),
  );
  const heard = recordings.filter(isHeard);
  const lists = [...new Set(asked.map(({ list }) => list))];
  // Since then only by the same watchlists: another one answers another question.
  const isListed = (recording: string): boolean =>
    asked.some((made) => mayBeSame(made.recording, recording)) ||
    lists.every((list) => isMadeOf(recording, (made) => isListCheck(made) && made.list === list));
  const unlisted = recordings.filter(
    (recording) => lists.length > 0 && !isListed(recording) && !isSettled(recording, isListCheck),
  );
  const shareOf = (some: readonly string[], all: readonly string[]): Share => ({
    open: some.length,
    all: all.length,
  });
  return {
    ...(unchecked.length > 0 && { unchecked: shareOf(unchecked, compared) }),
    missing: attackChecks.flatMap((check) => {
      const without = heard.filter((recording) => isLeftOut(recording, check));
      return without.length > 0 ? [{ check, share: shareOf(without, recordings) }] : [];
    }),
    ...(unlisted.length > 0 && { unlisted: shareOf(unlisted, recordings) }),
  };
}

// Who called, as far as the checks of a session can tell: how the comparisons with the person claimed ended, who else matched, and whether
// it was the caller who was heard. One rule for the lists of the server, its marks and the words of the console
// (docs/adr/0086-marks-beside-a-decision.md). Pure.

/** How a comparison ended, and all those with one person together. */
export type End = 'MATCHED' | 'NO_MATCH' | 'UNDECIDED';

/** How it went with the person claimed. */
export type ClaimEnd = End | 'NOT_COMPARED';

/** Which channel of a recording was heard, where somebody has said whose they are, or there are several. */
export interface HeardChannel {
  /** From 1; 0: all of them as one. */
  heard: number;
  of: number;
  /** Those on which the caller speaks; absent where nobody has said whose they are. */
  callers?: readonly number[];
  /** Of some of them nobody has said whose they are; these may be a caller's. */
  isPartlyNamed?: boolean;
}

/** The voice was compared with somebody's. */
export interface ComparedVoice {
  /** With a single print: whose it is; among several: who was recognized, if anybody was. Empty where that is not known any more. */
  person: string;
  /** With a single print. */
  isOne: boolean;
  end: End;
  /** Among several: whether the person claimed was one of them; absent where that was not noted. */
  hasClaimed?: boolean;
  channel?: HeardChannel | undefined;
}

/** Who was claimed. */
interface Claim {
  /** Empty where nobody of that name is known, or the person's data was erased. */
  person: string;
  /** How it had ended with somebody whose data was erased since: the comparisons cannot tell it any more. */
  former?: ClaimEnd;
}

export interface WhoCalled {
  /** Absent where nobody was claimed. */
  claimed?: ClaimEnd;
  /** Everybody who matched, the one claimed too; one whose data was erased is the empty one. */
  matched: readonly string[];
  /** Somebody was claimed, and somebody else matched, or only others were compared. */
  hasOtherPerson: boolean;
  /** More than one person matched. */
  hasSeveralPersons: boolean;
}

/** It was the channel of an agent, or of a machine, and says nothing of the caller. */
export const isOfCaller = ({ channel }: { channel?: HeardChannel | undefined }): boolean =>
  !channel?.callers || channel.heard === 0 || channel.callers.includes(channel.heard);

export function judgeCaller(claim: Claim | undefined, voices: readonly ComparedVoice[]): WhoCalled {
  const heard = voices.filter(isOfCaller);
  const matched = [...new Set(heard.flatMap(({ end, person }) => (end === 'MATCHED' ? person : [])))];
  const claimed = claim && (claim.former ?? claimEnd(claim, heard));
  const isOther = (person: string): boolean => person === '' || person !== claim?.person;
  // Whoever was erased may be the one who was claimed.
  const others = claim?.former ? matched.filter(Boolean) : matched.filter(isOther);
  return {
    ...(claimed && { claimed }),
    matched,
    hasOtherPerson: claimed !== undefined && (others.length > 0 || isOnlyOthers(claimed, heard)),
    hasSeveralPersons: matched.length > 1,
  };
}

/**
 * Whom a match was about, or a clear no: each once. One whose data was erased is the empty one. Comparisons with several say nothing of a
 * single one who did not match.
 */
export function decidedPersons(end: Exclude<End, 'UNDECIDED'>, voices: readonly ComparedVoice[]): string[] {
  const heard = voices.filter(isOfCaller);
  const matched = heard.flatMap((voice) => (voice.end === 'MATCHED' ? voice.person : []));
  const unlike = heard.flatMap((voice) => (voice.isOne && voice.end === 'NO_MATCH' ? voice.person : []));
  return [...new Set(end === 'MATCHED' ? matched : unlike.filter((person) => !matched.includes(person)))];
}

/** Who is claimed in a session that took over a decision. */
interface ClaimBeside {
  /** Empty where nobody of that name is known, or the person's data was erased. */
  person: string;
  isErased?: boolean;
  /** As it was when the person was erased. */
  wasOther?: boolean;
}

/** Whether somebody is claimed, and the decision that was taken over is about others. */
export function isOtherClaimed(claim: ClaimBeside | undefined, decided: readonly string[]): boolean {
  if (!claim || decided.length === 0) return false;
  if (claim.wasOther) return true;
  // Two who are erased may be the same; whoever is still known is somebody else than one who is erased.
  if (claim.isErased) return !decided.includes('');
  return claim.person === '' || !decided.includes(claim.person);
}

const isOnlyOthers = (claimed: ClaimEnd, heard: readonly ComparedVoice[]): boolean =>
  claimed === 'NOT_COMPARED' && heard.length > 0;

/** A match says more than what else was tried, and a clear no more than what could not be told. */
const ends: readonly End[] = ['MATCHED', 'NO_MATCH', 'UNDECIDED'];

function claimEnd({ person }: Claim, heard: readonly ComparedVoice[]): ClaimEnd {
  const theirs = heard.flatMap((voice) => endFor(person, voice) ?? []);
  return ends.find((end) => theirs.includes(end)) ?? 'NOT_COMPARED';
}

/** What one comparison says of somebody; nothing where it is about others alone. */
function endFor(claimed: string, { person, isOne, end, hasClaimed }: ComparedVoice): End | undefined {
  if (claimed !== '' && person === claimed && (isOne || end === 'MATCHED')) return end;
  if (isOne) return undefined;
  if (hasClaimed === undefined) return claimed === '' ? undefined : 'UNDECIDED';
  if (!hasClaimed) return undefined;
  return end === 'UNDECIDED' ? end : 'NO_MATCH';
}

/** What was made of a channel: comparisons are one kind, and each watchlist one. */
interface MadeOfChannel {
  kind: string;
  list: string;
  recording: string;
  channel?: HeardChannel | undefined;
}

/**
 * Why what was made of a recording says less of the caller than it seems to. CALLER: it was not made of a channel of the caller; MIXED: only of
 * all channels as one, with that of an agent or a machine; UNKNOWN and TOGETHER are the same where nobody has said on which channel the caller speaks.
 */
const leftOuts = ['CALLER', 'MIXED', 'UNKNOWN', 'TOGETHER'] as const;
export type LeftOut = (typeof leftOuts)[number];

/** The gravest of all recordings. */
export function callerLeftOut(made: readonly MadeOfChannel[]): LeftOut | undefined {
  const recordings = new Set(made.map(({ recording }) => recording));
  const found = [...recordings].flatMap(
    (recording) => leftOutOf(made.filter((one) => one.recording === recording)) ?? [],
  );
  return leftOuts.find((left) => found.includes(left));
}

function leftOutOf(made: readonly MadeOfChannel[]): LeftOut | undefined {
  const channel = made.find((one) => one.channel)?.channel;
  if (!channel) return undefined;
  const { of, callers, isPartlyNamed } = channel;
  if (callers?.length === 0) return 'CALLER';
  const sought = callers ?? Array.from({ length: of }, (_, at) => at + 1);
  const asked = new Set(made.map(({ kind, list }) => `${kind} ${list}`));
  const isEachHeard = (isHeard: (heard: number, number: number) => boolean): boolean =>
    sought.every((number) =>
      [...asked].every((what) =>
        made.some(
          (one) => `${one.kind} ${one.list}` === what && (!one.channel || isHeard(one.channel.heard, number)),
        ),
      ),
    );
  if (!isEachHeard((heard, number) => heard === 0 || heard === number)) return callers ? 'CALLER' : 'UNKNOWN';
  if (isEachHeard((heard, number) => heard === number)) return undefined;
  if (callers && callers.length < of) return 'MIXED';
  // Where every channel is said to be a caller's, all of them as one are the callers.
  return callers && !isPartlyNamed ? undefined : 'TOGETHER';
}

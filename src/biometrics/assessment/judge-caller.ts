// Who called, as far as comparisons can tell: how those with the person claimed ended, and who else matched. Pure.
import type { ClaimEnd, ComparedVoice, End } from '../model/compared-voices.js';
import { isOfCaller } from '../rules/heard-channel.js';

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

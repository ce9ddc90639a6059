// A session of a list in words, as the list and the spreadsheet say them: whom it is about, and what came of it.
import type { DecisionJson, EngagementVerdictJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { SessionEntryJson, SessionPersonJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import { decisionWord, type DecisionTone } from './advice.js';
import { consoleTypes } from './operations.js';

const { roles } = sessions.list;
const carriedWords: Readonly<Record<string, string>> = sessions.session.verdict.carried.words;

/**
 * Of those whose voiceprints were named in a session: whose matched, then who was not only enrolled in it, and of these who was named last;
 * somebody else than the one claimed before that one.
 */
export function callerAmong(
  persons: readonly SessionPersonJson[],
  claimed?: string,
): SessionPersonJson | undefined {
  const compared = comparedAmong(persons);
  const matched = compared.filter(({ isMatch }) => isMatch);
  const among = matched.length > 0 ? matched : compared;
  return among.findLast(({ gkPersonId }) => gkPersonId?.value !== claimed) ?? among.at(-1) ?? persons.at(-1);
}

/** Those who were not only enrolled. */
export const comparedAmong = (persons: readonly SessionPersonJson[]): SessionPersonJson[] =>
  persons.filter(({ role }) => role !== 'SESSION_PERSON_ROLE_ENROLLED');

/** How the comparisons with somebody ended. */
export type Ended = 'match' | 'mismatch' | 'open';

/** Undefined where nothing was compared with theirs. */
export function endOf(persons: readonly SessionPersonJson[], gkId: string | undefined): Ended | undefined {
  const theirs = comparedAmong(persons).filter(({ gkPersonId }) => gkPersonId?.value === gkId);
  if (theirs.length === 0) return undefined;
  if (theirs.some(({ isMatch }) => isMatch)) return 'match';
  return theirs.some(({ isMismatch }) => isMismatch) ? 'mismatch' : 'open';
}

export interface ShownPerson {
  id: string;
  name: string;
  how: string;
}

/** Whom a session is about: whom the caller claims to be or, where the voice was compared with another or nobody said so, whose voiceprint it was. */
export function personOf(entry: SessionEntryJson): ShownPerson {
  const { claimedPersonId, hasOtherPerson, persons = [], details } = entry;
  if (claimedPersonId && !hasOtherPerson) return claimOf(entry);
  const caller = callerAmong(persons, details?.claimedGkPersonId?.value);
  const { personId = '', name = '' } = caller ?? {};
  return { id: personId, name, how: howIn(entry, caller) };
}

/** How a session knows somebody; beside somebody else who was claimed, also that the voice is theirs. */
function howIn({ hasOtherPerson }: SessionEntryJson, person: SessionPersonJson | undefined): string {
  const { role = 'SESSION_PERSON_ROLE_UNSPECIFIED', isMatch } = person ?? {};
  return hasOtherPerson && isMatch && role === 'SESSION_PERSON_ROLE_VERIFIED' ? roles.matched : roles[role];
}

/** Whom the caller claims to be. */
export const claimOf = (entry: SessionEntryJson): ShownPerson => ({
  id: entry.claimedPersonId ?? '',
  name: entry.claimedPersonName ?? '',
  how: claimWords(entry),
});

/** Beside somebody else, whom the voice was compared with: how the comparison with the one claimed ended. */
function claimWords({ hasOtherPerson, persons = [], details }: SessionEntryJson): string {
  const ended = hasOtherPerson ? endOf(persons, details?.claimedGkPersonId?.value) : undefined;
  if (ended === 'mismatch') return roles.claimedUnlike;
  return ended === 'match' ? roles.claimedToo : roles.claimed;
}

/** As whom the caller was verified in another session, where the decision comes from there: by the own IDs. */
export const verifiedEarlier = ({ carried }: Marked): string =>
  [...new Set((carried?.persons ?? []).map(({ personId = '' }) => personId))].join(', ');

/** Who or what was found after the call, in words. */
export const foundLaterIn = ({ foundLater = [] }: SessionEntryJson): string[] =>
  foundLater.map(({ check = '', fraudster }) =>
    fraudster
      ? [fraudster.fraudsterId, fraudster.name].filter(Boolean).join(', ')
      : (t.attackNames[check] ?? check),
  );

/** Attack checks that could not tell whether a live person spoke, in words. */
export const undecidedIn = ({ undecidedChecks = [] }: SessionEntryJson): string[] =>
  undecidedChecks.map((check) => t.attackNames[check] ?? check);

/** Attack checks that were not made where the other one was, in words. */
export const missingIn = ({ missingChecks = [] }: SessionEntryJson): string[] =>
  missingChecks.map((check) => t.attackNames[check] ?? check);

/** What keeps a decision from being relied on: something was not decided, or not compared. */
export type Marked = Pick<
  SessionEntryJson,
  | 'undecidedChecks'
  | 'withoutAttackChecks'
  | 'missingChecks'
  | 'withoutWatchlist'
  | 'hasOtherPerson'
  | 'carried'
>;

/** With what was left open where the decision comes from. */
export function allMarks(marks: Marked): Marked {
  const { carried } = marks;
  if (!carried) return marks;
  const both = (one: readonly string[] = [], other: readonly string[] = []): string[] => [
    ...new Set([...one, ...other]),
  ];
  return {
    ...marks,
    undecidedChecks: both(marks.undecidedChecks, carried.undecidedChecks),
    missingChecks: both(marks.missingChecks, carried.missingChecks),
    withoutAttackChecks: [marks.withoutAttackChecks, carried.withoutAttackChecks].includes(true),
    withoutWatchlist: [marks.withoutWatchlist, carried.withoutWatchlist].includes(true),
  };
}

export const isMarked = (marks: Marked): boolean =>
  marks.carried !== undefined ||
  [marks.undecidedChecks, marks.missingChecks].some((checks = []) => checks.length > 0) ||
  [marks.withoutAttackChecks, marks.withoutWatchlist, marks.hasOtherPerson].includes(true);

/** How a session knows one person whom it is about. */
export function roleOf(entry: SessionEntryJson, gkPersonId: string): string {
  const { details, persons = [] } = entry;
  if (details?.claimedGkPersonId?.value === gkPersonId) return claimWords(entry);
  return howIn(
    entry,
    persons.find((person) => person.gkPersonId?.value === gkPersonId),
  );
}

/** An analyst has recorded so. */
export const isJudgedFraud = (verdict: EngagementVerdictJson | undefined): boolean =>
  verdict === 'ENGAGEMENT_VERDICT_FRAUD';

export const isUndecided = (decision: DecisionJson | undefined): boolean =>
  !decision || decision === 'DECISION_UNCERTAIN';

/**
 * Of a whole session; green only where nothing was left open. One that only collected recordings, or served the work of somebody in the console, has decided nothing; nor
 * is there a doubt about a voice where nothing was checked.
 */
export function sessionWord({
  session,
  checks,
  marks = {},
  isFraud = false,
}: {
  session: SessionDetailsForReadJson | undefined;
  checks: number;
  marks?: Marked;
  /** An analyst has judged it as fraud. */
  isFraud?: boolean;
}): { word: string; tone: DecisionTone } | undefined {
  const decision = session?.riskInfo?.decision;
  const isOpen = isUndecided(decision);
  if (session?.sessionIntent === 'SESSION_INTENT_ENROLLMENT' && isOpen)
    return { word: t.enrollment, tone: 'neutral' };
  if (isOpen && consoleTypes.some((type) => type === session?.sessionType)) return undefined;
  if (marks.carried && decision)
    return { word: carriedWords[decision] ?? decisionWord(decision).word, tone: 'neutral' };
  const { word, tone } = decisionWord(isOpen && checks === 0 ? undefined : decision);
  return { word, tone: tone === 'good' && (isFraud || isMarked(marks)) ? 'neutral' : tone };
}

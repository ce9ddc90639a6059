// A session in words, for the list and the spreadsheet: whom it is about, and its outcome.
import type { DecisionJson, EngagementVerdictJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type {
  SessionEntryJson,
  SessionFraudsterJson,
  SessionPersonJson,
} from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import { decisionWord, type DecisionTone } from './advice.js';
import { consoleTypes } from './operations.js';

const { roles } = sessions.list;
const carriedWords: Readonly<Record<string, string>> = sessions.session.verdict.carried.words;

/** Persons who were compared as the caller: not merely enrolled, and not on an agent's channel. */
export const comparedAmong = (persons: readonly SessionPersonJson[]): SessionPersonJson[] =>
  persons.filter(({ role, isAgent }) => role !== 'SESSION_PERSON_ROLE_ENROLLED' && !isAgent);

/** Each person who matches as the caller, once, except the one claimed. */
export function matchedAmong(persons: readonly SessionPersonJson[], claimed?: string): SessionPersonJson[] {
  const matched = comparedAmong(persons).filter(
    ({ isMatch, gkPersonId }) => isMatch && (!claimed || gkPersonId?.value !== claimed),
  );
  return [...new Map(matched.map((person) => [person.gkPersonId?.value, person])).values()];
}

/** What a list and the page of a session both know about the caller. */
export type WhoCalled = Pick<
  SessionEntryJson,
  | 'persons'
  | 'claimedPersonId'
  | 'claimedPersonName'
  | 'claimedResult'
  | 'hasOtherPerson'
  | 'hasSeveralPersons'
  | 'withoutClaimed'
  | 'isClaimErased'
  | 'carried'
> & { details?: SessionDetailsForReadJson | undefined };

const claimedIn = ({ details }: WhoCalled): string | undefined => details?.claimedGkPersonId?.value;
const hasClaim = ({ claimedPersonId, isClaimErased }: WhoCalled): boolean =>
  Boolean(claimedPersonId) || isClaimErased === true;
const decisionIn = ({ details }: WhoCalled): DecisionJson | undefined => details?.riskInfo?.decision;

/** The decision is "no match", but somebody matches nevertheless. */
export const isAlsoMatch = (who: WhoCalled): boolean =>
  decisionIn(who) === 'DECISION_NO_MATCH' && comparedAmong(who.persons ?? []).some(({ isMatch }) => isMatch);

/**
 * Whose voice it was, if somebody other than the claimed person matches, or nobody was claimed: everybody who
 * matches, else the last person compared, else the person enrolled.
 */
export function callersIn(who: WhoCalled): SessionPersonJson[] {
  const { persons = [] } = who;
  const matched = matchedAmong(persons, claimedIn(who));
  if (matched.length > 0) return matched;
  if (hasClaim(who) && !who.hasOtherPerson) return [];
  const last =
    comparedAmong(persons).findLast(({ gkPersonId }) => gkPersonId?.value !== claimedIn(who)) ??
    (hasClaim(who) ? undefined : persons.findLast(({ isAgent }) => !isAgent));
  return last ? [last] : [];
}

interface ShownPerson {
  id: string;
  name: string;
  how: string;
}

/**
 * The persons of a session: whom the voice matches, or was compared with, if that is not the person claimed;
 * and the person claimed.
 */
export function peopleIn(who: WhoCalled): ShownPerson[] {
  const callers = callersIn(who).map((person) => shownAs(person, howIn(who, person)));
  const agents = (who.persons ?? [])
    .filter(({ isAgent, isMatch }) => isAgent && isMatch)
    .map((person) => shownAs(person, roles.agent));
  return [...callers, ...(hasClaim(who) ? [claimOf(who)] : []), ...agents];
}

/** A person without a name any more is shown as such. */
const shownAs = ({ personId, name = '' }: SessionPersonJson, how: string): ShownPerson => ({
  ...{ id: personId || sessions.list.erasedPerson, name, how },
});

/** For a spreadsheet: the first of each, in one field. */
export function personOf(who: WhoCalled): ShownPerson {
  const callers = callersIn(who);
  const shown =
    callers.length > 0
      ? callers.map((person) => shownAs(person, howIn(who, person)))
      : hasClaim(who)
        ? [claimOf(who)]
        : [];
  const joined = (values: string[]): string => [...new Set(values.filter(Boolean))].join('; ');
  return {
    id: joined(shown.map(({ id }) => id)),
    name: joined(shown.map(({ name }) => name)),
    how: joined(shown.map(({ how }) => how)),
  };
}

/** The person's role in the session; if that is not everything, also that the voice is theirs. */
function howIn(who: WhoCalled, person: SessionPersonJson | undefined): string {
  const { role = 'SESSION_PERSON_ROLE_UNSPECIFIED', isMatch, isAgent } = person ?? {};
  if (isAgent) return roles.agent;
  const isTold = who.hasOtherPerson || who.hasSeveralPersons || decisionIn(who) !== 'DECISION_AUTHENTIC';
  return isTold && isMatch && role === 'SESSION_PERSON_ROLE_VERIFIED' ? roles.matched : roles[role];
}

/** Whom the caller claims to be. */
export const claimOf = (who: WhoCalled): ShownPerson => ({
  id: who.claimedPersonId || (who.isClaimErased ? sessions.list.erasedPerson : ''),
  name: who.claimedPersonName ?? '',
  how: claimWords(who),
});

/** Includes the result of the comparison with the claimed person, if the decision alone does not say it. */
function claimWords(who: WhoCalled): string {
  const { claimedResult, hasOtherPerson, persons = [], carried } = who;
  const decision = carried ? undefined : decisionIn(who);
  if (claimedResult === 'MATCHED') {
    if (matchedAmong(persons, claimedIn(who)).length > 0) return roles.claimedToo;
    return decision === 'DECISION_AUTHENTIC' ? roles.claimed : roles.claimedMatches;
  }
  if (claimedResult === 'NO_MATCH')
    return decision === 'DECISION_NO_MATCH' && !hasOtherPerson ? roles.claimed : roles.claimedUnlike;
  const isDecided = decision === 'DECISION_AUTHENTIC' || decision === 'DECISION_NO_MATCH';
  if (claimedResult !== 'NOT_COMPARED') return roles.claimed;
  // In the words of the filter that finds it.
  if (hasOtherPerson) return roles.claimedOther;
  return isDecided || who.withoutClaimed ? roles.claimedNotCompared : roles.claimed;
}

/** If the decision comes from another session, whom that session was about, by own IDs. */
export const decidedEarlierOf = ({ carried }: Pick<Marked, 'carried'>): string =>
  [...new Set((carried?.persons ?? []).map(({ personId = '' }) => personId))].join(', ');

/** The person as whom the caller was verified in another session. */
export const verifiedEarlier = (who: WhoCalled): string =>
  decisionIn(who) === 'DECISION_AUTHENTIC' ? decidedEarlierOf(who) : '';

/** By own ID and name; a deleted one is shown as such. */
export const fraudsterWords = ({ fraudsterId = '', name, isDeleted }: SessionFraudsterJson): string =>
  isDeleted ? t.deletedName(fraudsterId) : [fraudsterId, name].filter(Boolean).join(', ');

/** What became known after a call. */
type Since = Pick<SessionEntryJson, 'foundLater' | 'madeFraudsters'>;

/** In the session itself, and in the one that its decision comes from. */
export function allSince({ carried, ...own }: Since & Pick<Marked, 'carried'>): Required<Since> {
  const both = [own, carried ?? {}];
  const made = both.flatMap(({ madeFraudsters = [] }) => madeFraudsters);
  return {
    foundLater: both.flatMap(({ foundLater = [] }) => foundLater),
    madeFraudsters: [...new Map(made.map((one) => [fraudsterWords(one), one])).values()],
  };
}

/** Who or what was found after the call, in words. */
export const foundLaterIn = ({ foundLater = [] }: Since): string[] =>
  foundLater.map(({ check = '', fraudster }) =>
    fraudster ? fraudsterWords(fraudster) : (t.attackNames[check] ?? check),
  );

/** Attack checks that could not tell whether a live person spoke, in words. */
export const undecidedIn = ({ undecidedChecks = [] }: SessionEntryJson): string[] =>
  undecidedChecks.map((check) => t.attackNames[check] ?? check);

/** Attack checks that were not made although the other one was, in words. */
export const missingIn = ({ missingChecks = [] }: SessionEntryJson): string[] =>
  missingChecks.map((check) => t.attackNames[check] ?? check);

/** How much of the caller's audio was checked; nothing if all of it. */
const leftOutWords: Readonly<Record<string, string>> = {
  CALLER: sessions.session.callerNotChecked,
  MIXED: sessions.session.verdict.leftOut.MIXED.badge,
  UNKNOWN: sessions.session.channelNotChecked,
  TOGETHER: sessions.session.verdict.leftOut.TOGETHER.badge,
};
export const leftOutIn = ({ leftOutCaller = '' }: Pick<SessionEntryJson, 'leftOutCaller'>): string =>
  leftOutWords[leftOutCaller] ?? '';

/** Whether the caller is known to be on another channel than the one heard, or on one of several. */
export const isLeftOut = ({ leftOutCaller = '' }: Pick<SessionEntryJson, 'leftOutCaller'>): boolean =>
  leftOutCaller === 'CALLER' || leftOutCaller === 'MIXED';

/** What keeps a decision from being relied on: something was not decided, or not compared. */
export type Marked = Pick<
  SessionEntryJson,
  | 'undecidedChecks'
  | 'withoutAttackChecks'
  | 'missingChecks'
  | 'withoutWatchlist'
  | 'hasOtherPerson'
  | 'hasSeveralPersons'
  | 'withoutClaimed'
  | 'leftOutCaller'
  | 'hasLeftOutMembers'
  | 'hasMismatch'
  | 'hasSecondVoice'
  | 'claimedResult'
  | 'carried'
  | 'isErased'
> &
  Since;

/** Includes what was left open in the session that the decision comes from. */
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
    hasLeftOutMembers: [marks.hasLeftOutMembers, carried.hasLeftOutMembers].includes(true),
    ...((marks.leftOutCaller || carried.leftOutCaller) && {
      leftOutCaller: marks.leftOutCaller || carried.leftOutCaller,
    }),
  };
}

export const isMarked = (marks: Marked): boolean =>
  marks.carried !== undefined ||
  [marks.undecidedChecks, marks.missingChecks].some((checks = []) => checks.length > 0) ||
  Boolean(marks.leftOutCaller) ||
  Object.values(allSince(marks)).some(({ length }) => length > 0) ||
  [
    marks.withoutAttackChecks,
    marks.withoutWatchlist,
    marks.hasOtherPerson,
    marks.hasSeveralPersons,
    marks.withoutClaimed,
    marks.hasLeftOutMembers,
    marks.hasMismatch,
    marks.hasSecondVoice,
    // Whose voice it was, and what was found in it since, is no longer known.
    marks.isErased,
  ].includes(true);

/** A match must be with the claimed person, or with the only one who matches. */
const isDoubtful = (decision: DecisionJson | undefined, marks: Marked): boolean =>
  isMarked(marks) ||
  (decision === 'DECISION_AUTHENTIC' && Boolean(marks.claimedResult) && marks.claimedResult !== 'MATCHED');

/** The role of one person in a session. */
export function roleOf(entry: SessionEntryJson, gkPersonId: string): string {
  const { persons = [] } = entry;
  if (claimedIn(entry) === gkPersonId) return claimWords(entry);
  const theirs = persons.filter((person) => person.gkPersonId?.value === gkPersonId);
  return howIn(
    entry,
    theirs.find(({ isMatch, isAgent }) => isMatch && !isAgent) ??
      theirs.find(({ isAgent }) => !isAgent) ??
      theirs[0],
  );
}

/** An analyst has recorded it. */
export const isJudgedFraud = (verdict: EngagementVerdictJson | undefined): boolean =>
  verdict === 'ENGAGEMENT_VERDICT_FRAUD';

export const isJudgedGenuine = (verdict: EngagementVerdictJson | undefined): boolean =>
  verdict === 'ENGAGEMENT_VERDICT_AUTHENTIC';

export const isUndecided = (decision: DecisionJson | undefined): boolean =>
  !decision || decision === 'DECISION_UNCERTAIN';

/**
 * The outcome of a whole session; green only if nothing was left open. A session that only collected
 * recordings, or served somebody's work in the console, has decided nothing; and without any check there is
 * no doubt about a voice.
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
  const { word, tone } = decisionWord(isOpen && checks === 0 ? undefined : decision);
  const said = (marks.carried && decision && carriedWords[decision]) || word;
  return { word: said, tone: tone === 'good' && (isFraud || isDoubtful(decision, marks)) ? 'neutral' : tone };
}

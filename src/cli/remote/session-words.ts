// What `voxgate session` says of a session in words: who it is about and what is left open beside its decision. The lists and pages of
// the console say the same (docs/adr/0086-marks-beside-a-decision.md).
import type { DecisionJson } from '../../gen/vendor/biosec/v1/common_pb.js';
import type {
  CarriedDecisionJson,
  EngagementFraudsterJson,
  EnrolledAsJson,
  LaterFindingJson,
  SessionEntryJson,
  SessionFraudsterJson,
  SessionPersonJson,
} from '../../gen/voxgate/biosec/v1/activity_pb.js';

const ERASED = 'a person whose data was erased';

const wordsOf = (constant: string): string => constant.toLowerCase().replaceAll('_', ' ');

const namesOf = (fraudsters: SessionEntryJson['fraudsters'] = []): string =>
  fraudsters.map(fraudsterWords).join(', ');

const fraudsterWords = ({ fraudsterId = '', isDeleted }: SessionFraudsterJson): string =>
  isDeleted ? `${fraudsterId} (deleted)` : fraudsterId;

const findingWords = ({ check = '', fraudster }: LaterFindingJson): string =>
  fraudster ? fraudsterWords(fraudster) : wordsOf(check);

/** Such as AUTHENTIC; one that comes from another session of the engagement says so. */
export function decisionIn({ details, carried }: SessionEntryJson): string {
  const decision: DecisionJson | undefined = details?.riskInfo?.decision;
  if (!decision || decision === 'DECISION_UNSPECIFIED') return '';
  const word = decision.replace('DECISION_', '');
  return carried ? `${word} in an earlier session` : word;
}

/** What people found out afterwards, with the money involved. */
export function outcomeIn({ verdict, amount }: SessionEntryJson): string {
  if (!verdict || verdict === 'ENGAGEMENT_VERDICT_UNSPECIFIED') return '';
  return [
    `outcome ${wordsOf(verdict.replace('ENGAGEMENT_VERDICT_', ''))}`,
    ...(amount === undefined || amount === null ? [] : [`amount ${amount}`]),
  ].join(', ');
}

/** How the voice and a person go together. */
function howOf({ role, isMatch, isMismatch, isAgent }: SessionPersonJson): string {
  if (isAgent) return 'on the channel of the agent';
  if (role === 'SESSION_PERSON_ROLE_ENROLLED') return 'enrolled';
  if (isMatch && isMismatch) return 'matched and also did not';
  if (isMatch) return role === 'SESSION_PERSON_ROLE_RECOGNIZED' ? 'recognized' : 'matched';
  return isMismatch ? 'did not match' : 'compared';
}

/** Everybody by their own ID, each with what is known of them: claimed, compared, matched. */
export function peopleIn(entry: SessionEntryJson): string[] {
  const { details, claimedPersonId = '', persons = [], fraudsters = [], enrolledFraudsters = [] } = entry;
  const claimed = details?.claimedGkPersonId?.value;
  const { claimedResult, isClaimErased, hasOtherPerson } = entry;
  const named = claimedPersonId || (isClaimErased ? ERASED : claimedResult ? 'somebody' : '');
  const notCompared = hasOtherPerson ? 'claimed, another person compared' : 'claimed, not compared';
  const how = claimedResult === 'NOT_COMPARED' ? notCompared : 'claimed';
  const said = new Map<string, string[]>(named ? [[named, [how]]] : []);
  for (const person of persons) {
    const isClaimed = claimed !== undefined && person.gkPersonId?.value === claimed;
    const id = (isClaimed && claimedPersonId) || person.personId || ERASED;
    said.set(id, [...new Set([...(said.get(id) ?? []), howOf(person)])]);
  }
  return [
    ...[...said].map(([id, words]) => `${id} ${words.join(' and ')}`),
    ...(fraudsters.length > 0 ? [`recognized fraudster: ${namesOf(fraudsters)}`] : []),
    ...(enrolledFraudsters.length > 0 ? [`enrolled for fraudster: ${namesOf(enrolledFraudsters)}`] : []),
  ];
}

const leftOutWords: Readonly<Record<string, string>> = {
  CALLER: 'caller not checked',
  MIXED: 'caller and agent heard as one',
  UNKNOWN: 'one channel not checked',
  TOGETHER: 'channels heard as one',
};

/** What is left open, in it or in the session that its decision comes from. */
function openIn(marks: SessionEntryJson | CarriedDecisionJson): string[] {
  const { undecidedChecks = [], missingChecks = [], withoutAttackChecks, withoutWatchlist } = marks;
  const { leftOutCaller, hasLeftOutMembers } = marks;
  return [
    ...(undecidedChecks.length > 0
      ? [`live person not confirmed (${undecidedChecks.map(wordsOf).join(', ')})`]
      : []),
    ...(withoutAttackChecks ? ['not checked for attacks'] : []),
    ...missingChecks.map((check) => `${wordsOf(check)} not checked`),
    ...(withoutWatchlist ? ['watchlist not compared'] : []),
    ...(leftOutCaller ? [leftOutWords[leftOutCaller] ?? 'caller not checked'] : []),
    ...(hasLeftOutMembers ? ['members not compared'] : []),
  ];
}

/** Every mark beside the decision. */
export function marksIn(entry: SessionEntryJson): string[] {
  const { carried, foundLater = [], madeFraudsters = [] } = entry;
  const earlier = [...new Set((carried?.persons ?? []).map(({ personId = '' }) => personId))].join(', ');
  const isUnlike = entry.details?.riskInfo?.decision === 'DECISION_NO_MATCH';
  return [
    ...(earlier ? [`${isUnlike ? 'did not match earlier:' : 'verified earlier as'} ${earlier}`] : []),
    ...(carried?.fraudsters?.length ? [`fraudster recognized earlier: ${namesOf(carried.fraudsters)}`] : []),
    ...(carried?.isOtherPerson ? ['another person claimed'] : []),
    ...(entry.hasOtherPerson ? ['another person compared'] : []),
    ...(entry.hasSeveralPersons ? ['several persons match'] : []),
    ...(entry.withoutClaimed ? ['claimed person not compared'] : []),
    ...new Set([...openIn(entry), ...(carried ? openIn(carried) : [])]),
    ...(entry.hasMismatch ? ['also no match'] : []),
    ...(entry.hasSecondVoice ? ['another voice'] : []),
    ...(entry.cutOffTime === undefined ? [] : ['cut off']),
    ...(foundLater.length > 0 ? [`found later: ${foundLater.map(findingWords).join(', ')}`] : []),
    ...(madeFraudsters.length > 0 ? [`made into fraudster: ${namesOf(madeFraudsters)}`] : []),
    ...(carried?.foundLater?.length
      ? [`found later in the earlier session: ${carried.foundLater.map(findingWords).join(', ')}`]
      : []),
    ...(carried?.madeFraudsters?.length
      ? [`made into fraudster from the earlier session: ${namesOf(carried.madeFraudsters)}`]
      : []),
    ...(entry.isErased ? ['data erased'] : []),
  ];
}

/** As whom the voice is enrolled now, and where that fraudster is listed. */
export function enrolledWords({ fraudster = {}, watchlists = [], isUntrained }: EnrolledAsJson): string {
  const lists = watchlists.map(({ watchlistId = '' }) => watchlistId).join(', ');
  const untrained = isUntrained ? ', without a trained voiceprint' : '';
  return `${fraudsterWords(fraudster)}, ${lists ? `on watchlist ${lists}` : 'on no watchlist'}${untrained}`;
}

/** Of a check of a group or a watchlist, in the attributes of its event. */
export function notComparedWords({ notCompared, ofMembers }: Readonly<Record<string, string>> = {}): string {
  return notCompared ? `${notCompared} of ${ofMembers ?? '?'} members not compared` : '';
}

/** Of whoever may not be named, only where they were recognized. */
export const recognizedWords = ({ fraudster, gkSessionIds = [] }: EngagementFraudsterJson): string =>
  `${fraudster?.fraudsterId ?? 'a known fraudster'} in session ${gkSessionIds.map(({ value = '' }) => value).join(', ')}`;

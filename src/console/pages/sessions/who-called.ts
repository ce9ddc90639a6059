// Who called, in words: the result of the comparison with the claimed person, who else matches, and whether
// it was the caller who was heard. The server determines it (src/marks/who-called.ts); only which recording
// matches whom comes from the checks.
import type { AnswerOf } from '../../../client/contract.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionPersonJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { comparedAmong, matchedAmong } from '../biosec/session-words.js';
import { isComparison, isMatch, isOfAgent } from './events.js';
import { byRecording } from './recordings.js';

const text = t.session.verdict.who;

/** Persons by their own IDs, as far as they are known. */
export interface Who {
  /** Absent if nobody was claimed. */
  claim?: { name: string; result: string; isErased?: boolean };
  /** Everybody else who matches. */
  matched: readonly string[];
  /** Everybody else who does not. */
  unlike: readonly string[];
  /** The voice was compared with a group in which nobody was found. */
  hasGroup: boolean;
  /** The name of each recording, and whom it matches. */
  inRecordings: readonly (readonly [string, string])[];
  /** Decisions that are based only on an agent's channel, not on a caller's. */
  ofAgent: readonly DecisionJson[];
  hasOtherPerson: boolean;
}

type Claim = NonNullable<Who['claim']>;

type Timeline = Pick<
  AnswerOf<'GetSessionTimeline'>,
  'session' | 'persons' | 'hasOtherPerson' | 'claimedPersonId' | 'claimedResult' | 'isClaimErased'
>;

const namesOf = (persons: readonly SessionPersonJson[]): string[] => [
  ...new Set(persons.map(({ personId }) => personId || text.erased)),
];

export function whoCalled(timeline: Timeline, events: readonly TimelineEventJson[]): Who {
  const { session, persons = [], claimedResult, claimedPersonId, isClaimErased } = timeline;
  const claimed = session?.claimedGkPersonId?.value;
  const isOther = ({ gkPersonId }: SessionPersonJson): boolean => gkPersonId?.value !== claimed;
  const compared = events.filter(isComparison);
  const matched = namesOf(matchedAmong(persons, claimed));
  const unlike = namesOf(comparedAmong(persons).filter((one) => isOther(one) && one.isMismatch));
  const name = claimedPersonId ?? '';
  return {
    ...(claimedResult && { claim: { name, result: claimedResult, isErased: isClaimErased === true } }),
    matched,
    unlike: unlike.filter((one) => !matched.includes(one)),
    hasGroup: compared.some(
      (event) => event.decision === 'DECISION_NO_MATCH' && isAmongSeveral(event) && !isOfAgent(event),
    ),
    inRecordings: matchesIn(comparedAmong(persons), events),
    ofAgent: agentAlone(compared),
    hasOtherPerson: timeline.hasOtherPerson === true,
  };
}

function agentAlone(compared: readonly TimelineEventJson[]): DecisionJson[] {
  const decisionsOf = (events: readonly TimelineEventJson[]): DecisionJson[] =>
    events.flatMap(({ decision }) =>
      decision === 'DECISION_FRAUD' ? 'DECISION_NO_MATCH' : (decision ?? []),
    );
  const ofCallers = decisionsOf(compared.filter((event) => !isOfAgent(event)));
  return decisionsOf(compared.filter(isOfAgent)).filter((decision) => !ofCallers.includes(decision));
}

const isAmongSeveral = ({ attributes }: TimelineEventJson): boolean =>
  Number(attributes?.['prints'] ?? 1) > 1;

function matchesIn(
  persons: readonly SessionPersonJson[],
  events: readonly TimelineEventJson[],
): (readonly [string, string])[] {
  const ownerOf = new Map(
    persons.flatMap(({ personId = '', gkVoiceprintProfileIds = [] }) =>
      gkVoiceprintProfileIds.map(({ value = '' }) => [value, personId] as const),
    ),
  );
  return byRecording(events).flatMap(([, made], index) => {
    const owners = made
      .filter((event) => isMatch(event) && !isOfAgent(event))
      .flatMap(({ gkVoiceprintProfileId }) => ownerOf.get(gkVoiceprintProfileId?.value ?? '') ?? []);
    const names = [...new Set(owners)].join(', ');
    return names ? [[t.heard.recording(index + 1), names] as const] : [];
  });
}

/** Beside the comparison that decided the session; undefined if the decision says everything. */
export function adviceOnWho(decision: DecisionJson | undefined, who: Who): Advice | undefined {
  const { claim, matched } = who;
  // The erased person may be the one who was claimed.
  if (claim?.result === 'UNDECIDED' && claim.isErased && matched.includes(text.erased))
    return matched.length > 1 ? severalMatch(who, matched.join(', ')) : text.erasedClaim;
  if (matched.length > 0 && claim) return otherMatches(who, claim);
  if (matched.length > 1) return severalMatch(who, matched.join(', '));
  if (decision !== 'DECISION_NO_MATCH')
    return isOfAgentAlone(decision, who) ? ofAgentAlone(claim) : undefined;
  if (claim?.result === 'MATCHED' || matched.length > 0) {
    const { title, ...words } = text.alsoMatch;
    const whom = claim?.result === 'MATCHED' ? text.claimed(claim.name) : matched.join(', ');
    return { ...words, title: title(whom, notWhom(who)) };
  }
  if (isOfAgentAlone(decision, who)) return ofAgentAlone(claim);
  if (claim?.result === 'NOT_COMPARED' && who.hasOtherPerson) return othersAlone(who, claim);
  if (claim?.result === 'UNDECIDED') return undecided(who, claim);
  return who.hasGroup && !claim && who.unlike.length === 0 ? text.nobodyInGroup : undefined;
}

const isOfAgentAlone = (decision: DecisionJson | undefined, { ofAgent }: Who): boolean =>
  decision !== undefined && ofAgent.includes(decision);

const ofAgentAlone = (claim: Who['claim']): Advice => ({
  ...text.agentAlone,
  title: text.agentAlone.title(claim?.name),
});

function otherMatches(who: Who, { name, result }: Claim): Advice {
  const { unlike, both, other, unsure } = text;
  const names = who.matched.join(', ');
  if (result === 'NO_MATCH') return { ...unlike, title: unlike.title(names, name) };
  if (result === 'MATCHED') {
    const { inRecordings, title, ...words } = both;
    return { ...words, title: isApart(who) ? inRecordings(who.inRecordings, name) : title(names, name) };
  }
  return { ...other, title: (result === 'UNDECIDED' ? unsure : other.title)(names, name) };
}

function severalMatch(who: Who, names: string): Advice {
  const { inRecordings, title: _title, ...words } = text.both;
  return { ...words, title: isApart(who) ? inRecordings(who.inRecordings, '') : text.several(names) };
}

/** Each recording matches a different person. */
const isApart = ({ inRecordings }: Who): boolean => inRecordings.length > 1;

const notWhom = ({ unlike, hasGroup }: Who): string =>
  [...unlike, ...(hasGroup ? [text.anybodyInGroup] : [])].join(', ');

const othersAlone = (who: Who, claim: Claim): Advice => nobodyMatches(text.othersAlone, who, claim);
const undecided = (who: Who, claim: Claim): Advice => nobodyMatches(text.undecided, who, claim);

function nobodyMatches(
  { title, inGroup, ...words }: typeof text.othersAlone,
  { unlike }: Who,
  { name, isErased }: Claim,
): Advice {
  const said = unlike.length > 0 ? title(unlike.join(', '), name) : inGroup(name);
  return { ...(isErased ? { next: text.goneClaim } : words), title: said };
}

/**
 * A sentence to add to others; undefined if there is nothing to add. `isCarried`: it was decided in another
 * session.
 */
export function whoWords(
  decision: DecisionJson | undefined,
  who: Who,
  isCarried = false,
): string | undefined {
  const advice = adviceOnWho(isCarried ? undefined : decision, who);
  if (advice) return `${advice.title}.`;
  const { claim, matched, unlike, hasOtherPerson } = who;
  if (claim && hasOtherPerson) return text.compared(unlike.join(', '), claim.name);
  if (decision === 'DECISION_AUTHENTIC' && !isCarried) return undefined;
  // Beside an alarm, or a decision from an earlier session, who called is still worth saying.
  if (claim?.result === 'MATCHED') return text.matchesHere(text.claimed(claim.name));
  return matched.length > 0 ? text.matchesHere(matched.join(', ')) : undefined;
}

// One verdict on a session: what all its checks say together, and what to do. No check is reported as if it
// stood alone.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t as calls } from '../../text/calls.js';
import type { OpenPoints, Share } from '../../../marks/open-points.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { adviceOn, sessionReason } from '../biosec/advice.js';
import {
  attackName,
  attackWords,
  hasComparedNobody,
  isAlarm,
  isAttackCheck,
  isClear,
  isComparison,
  isListCheck,
  isMatch,
  isOfAgent,
  isOfNobody,
  isRefused,
  kindOf,
  liveCallOf,
  mediaOf,
  placeOf,
  standingOf,
} from './events.js';
import { openPointsOf } from './open-checks.js';
import { adviceOnWho, whoWords, type Who } from './who-called.js';
import { withLeftOut, withMore, type LeftOutMarks } from './left-out.js';
import { byRecording } from './recordings.js';

const text = sessions.session.verdict;
const isStopped = ({ operation, attributes }: TimelineEventJson): boolean =>
  operation === 'EndCall' && attributes?.['endReason'] !== undefined;

/** The connection broke, and may come back. */
export const isWaiting = ({ operation }: TimelineEventJson): boolean => operation === 'LoseCall';

/**
 * The event with which listening ended, by accident or on request, although the call may have gone on, if
 * nothing was heard after it.
 */
export function cutOffIn(events: readonly TimelineEventJson[]): TimelineEventJson | undefined {
  const isCut = (event: TimelineEventJson): boolean =>
    event.operation === 'CutOffCall' || isWaiting(event) || isStopped(event);
  const last = events.findLast((event) => isCut(event) || event.isFactor || event.operation === 'ResumeCall');
  return last && isCut(last) ? last : undefined;
}

/**
 * A live call in which nothing could be judged, if nothing else was heard in the session: its length, and the
 * speech in it.
 */
export function unheardIn(
  events: readonly TimelineEventJson[],
): { seconds: number; speech: number } | undefined {
  if (events.some(({ isFactor }) => isFactor)) return undefined;
  const found = events.findLast(({ operation }) => operation === 'LiveAudio');
  if (!found) return undefined;
  const secondsIn = (name: string): number => Number(found.attributes?.[name] ?? 0) / 1000;
  return { seconds: secondsIn('lengthMs'), speech: secondsIn('netSpeechMs') };
}

/**
 * The voiceprint that an attack would target, however the voice was compared with it: the last one compared
 * alone, or matched among several. A print that was merely the nearest of several does not count.
 */
export const printToLock = (events: readonly TimelineEventJson[]): string | undefined =>
  events.findLast(
    (event) =>
      isComparison(event) &&
      event.gkVoiceprintProfileId?.value &&
      (isMatch(event) || Number(event.attributes?.['prints'] ?? 1) <= 1),
  )?.gkVoiceprintProfileId?.value;

/**
 * If the outcome is fraud, the findings of the checks must not be relied on; an alarm says the same anyway.
 */
export function judgedAsFraud(decision: DecisionJson | undefined, { title }: Advice): Advice | undefined {
  if (decision === 'DECISION_FRAUD') return undefined;
  return { title: text.judgedFraud.title, next: text.judgedFraud.next(title) };
}

interface Decided {
  decision: DecisionJson | undefined;
  reason: string | undefined;
}

/** Who called, and who was left out of the checks. */
export interface Told extends LeftOutMarks {
  who?: Who;
}

/** Findings on an agent's channel say nothing about the caller, unless they are an alarm. */
const ofCallers = (events: readonly TimelineEventJson[]): TimelineEventJson[] =>
  events.filter((event) => !isOfAgent(event) || isAlarm(event));

/** `later`: what became known about its recordings after the decision, which does not change. */
export function verdictOn(
  decided: Decided,
  all: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[] = [],
  { who, ...left }: Told = {},
): Advice {
  const { decision } = decided;
  const events = ofCallers(all);
  const isCompared = decision === 'DECISION_AUTHENTIC' || decision === 'DECISION_NO_MATCH';
  const isAlarmed = alarmLater(later) !== undefined || events.some(isAlarm);
  const found = isCompared && !isAlarmed && who ? adviceOnWho(decision, who) : undefined;
  const open = { ...left, claimed: who?.claim?.name ?? '' };
  if (found) return withLeftOut(withRest(found, events), open, decision);
  const advice = verdictOnChecks(decided, events, later);
  const more = who && whoWords(decision, who);
  const told = more ? withMore(advice, more) : advice;
  return withLeftOut(told, open, isAllClear(decision, events, later) ? 'clear' : decision);
}

function verdictOnChecks(
  { decision, reason }: Decided,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice {
  const foundLater = decision === 'DECISION_FRAUD' ? undefined : alarmLater(later);
  if (foundLater) return foundLater;
  const unheard = unheardIn(events);
  if (unheard) return adviceOnUnheard(unheard);
  if (!decision || decision === 'DECISION_UNSPECIFIED')
    return { title: reason ? sessionReason(reason) : sessions.session.nothingDecided, next: '' };
  if (decision === 'DECISION_FRAUD') return alarmIn(events);
  const last = events.findLast(isComparison);
  if (decision === 'DECISION_UNCERTAIN' && last && isRefused(last)) return text.refused;
  if (decision === 'DECISION_UNCERTAIN' && last && isOfNobody(last))
    return andNothingElse(adviceOn({ question: 'verify', decision, reason: last.reason }), events, later);
  const doubt = decision === 'DECISION_AUTHENTIC' ? doubtOn(events, later) : secondVoiceIn(events);
  if (doubt) return doubt;
  const gap = decision === 'DECISION_NO_RISK_DETECTED' ? gapIn(events, later) : undefined;
  if (gap) return gap;
  const open =
    decision === 'DECISION_UNCERTAIN'
      ? (nobodyIn(events, later) ?? openIn(reason, events, later))
      : undefined;
  if (open) return open;
  const { next } = t.byDecision[decision];
  // If nothing was checked, another recording would not help.
  const isUnchecked = reason?.endsWith('NO_DATA');
  const title = reason ? sessionReason(reason) : t.byDecision[decision].title;
  return { title, next: isUnchecked ? '' : next };
}

function adviceOnUnheard({ seconds, speech }: { seconds: number; speech: number }): Advice {
  const { noSpeech, littleSpeech } = text;
  const long = calls.seconds(Math.round(seconds));
  if (speech === 0) return { ...noSpeech, title: noSpeech.title(long) };
  return { ...littleSpeech, title: littleSpeech.title(long, sessions.heard.seconds(speech)) };
}

/** Whether a reader may carry on after a match: neither the verdict nor any other match speaks against it. */
export const isReliable = (
  decision: DecisionJson | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
  isDoubted = false,
): boolean =>
  !isDoubted && decision === 'DECISION_AUTHENTIC' && doubtOn(ofCallers(events), later) === undefined;

/** Whether nothing is open and nothing was found, so that a check that found nothing needs no action. */
export const isAllClear = (
  decision: DecisionJson | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
  isDoubted = false,
): boolean =>
  isReliable(decision, events, later, isDoubted) ||
  (!isDoubted &&
    decision === 'DECISION_NO_RISK_DETECTED' &&
    alarmLater(later) === undefined &&
    gapIn(ofCallers(events), later) === undefined);

/**
 * What speaks against the matches that decided a session; every one must have been checked and found clear.
 */
function doubtOn(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  if (events.some(isAlarm)) return alarmIn(events);
  const found = alarmLater(later);
  if (found) return found;
  const standing = standingOf(events);
  const second = secondVoiceIn(events);
  if (second) return second;
  const others = mismatchesIn(events, standing);
  if (others.length > 0) return mismatchWords(events, others);
  const points = openPointsOf(events, later);
  const { unchecked, missing } = points;
  if (unchecked) return withRest(ofSome(text.notChecked, unchecked), events);
  if (points.undecided.length > 0) return withRest(text.checkUncertain, events);
  const list = listDoubt(points);
  if (list) return withRest(list, events);
  if (missing.length > 0) return withRest(missingWords(text.matchMissing, missing), events);
  const cut = cutOffIn(events);
  return cut && (isStopped(cut) ? text.matchStopped : text.matchCutOff);
}

/** What was not compared with a watchlist, in addition to a match. */
function listDoubt({ hasUnsureList, hasEmptyList, hasClearList, unlisted }: OpenPoints): Advice | undefined {
  if (hasUnsureList) return text.listUncertain;
  if (hasEmptyList) return hasClearList ? text.matchOfSome : text.matchOfNobody;
  return unlisted && ofSome(text.matchUnlisted, unlisted);
}

/** How many recordings are concerned, if not all. */
function ofSome(
  { ofSome: titleOf, ...words }: Advice & { ofSome: (open: number, all: number) => string },
  { open, all }: Share,
): Advice {
  return open < all ? { ...words, title: titleOf(open, all) } : words;
}

function missingWords(
  { title, ...words }: Omit<Advice, 'title'> & { title: (checks: string) => string },
  missing: OpenPoints['missing'],
): Advice {
  return { ...words, title: title(missing.map(({ check }) => attackWords(check)).join(', ')) };
}

/** Adds that the rest of the call was not heard, if so. */
function withRest(advice: Advice, events: readonly TimelineEventJson[]): Advice {
  const cut = cutOffIn(events);
  return cut ? withMore(advice, (isStopped(cut) ? text.clearStopped : text.clearCutOff).next) : advice;
}

const SPEAKER_CHANGED = 'SPEAKER_CHANGED';
const isOfTwo = (event: TimelineEventJson): boolean =>
  isComparison(event) && event.reason === SPEAKER_CHANGED;

/**
 * If the last result of a call or recording is about somebody other than the matched voice: since when, and
 * what to do.
 */
function secondVoiceIn(events: readonly TimelineEventJson[]): Advice | undefined {
  const matched = new Set(events.filter(isMatch).map(liveCallOf).filter(Boolean));
  const found = standingOf(events).find(
    (event) =>
      isComparison(event) &&
      !isMatch(event) &&
      !isRefused(event) &&
      (isOfTwo(event) || matched.has(liveCallOf(event))),
  );
  if (!found) return undefined;
  const first = events.find((event) => isOfTwo(event) && mediaOf(event) === mediaOf(found));
  const { sinceThen, next, nextUnkept } = text.mismatch;
  if (!first) return { title: sinceThen, next, nextUnkept };
  const { afterMatch, inPart, ...advice } = text.secondVoice;
  const from = placeOf(first)?.from ?? 0;
  const at = calls.seconds(Math.floor(from));
  return { title: (matched.has(liveCallOf(found)) ? afterMatch : inPart)(at), ...advice };
}

/** What a session without findings has not checked, or could not judge. */
function gapIn(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  const points = openPointsOf(events, later);
  const { unchecked, missing, unlisted } = points;
  const hasOpenList = points.hasEmptyList || points.hasUnsureList;
  const open = [...points.undecided.map(attackWords), ...(hasOpenList ? [text.listCheck] : [])];
  const cut = cutOffIn(events);
  const rest = cut && (isStopped(cut) ? text.clearStopped : text.clearCutOff);
  if (open.length === 0) {
    if (unchecked) return withRest(ofSome(text.clearNotChecked, unchecked), events);
    if (unlisted) return withRest(ofSome(text.clearUnlisted, unlisted), events);
    return missing.length > 0 ? withRest(missingWords(text.clearMissing, missing), events) : rest;
  }
  if (points.undecided.length === 0 && !points.hasUnsureList && !cut) {
    const empty = points.hasClearList ? text.clearOfSome : text.clearOfNobody;
    return unchecked ? withMore(empty, text.notCheckedEither) : empty;
  }
  const { title, next, nextUnkept } = text.clearInPart;
  const more = rest ? ` ${rest.next}` : '';
  return { title: title(open.join(', ')), next: next + more, nextUnkept: nextUnkept + more };
}

/** If only an empty watchlist was checked: the words of that check, and that nothing else was checked. */
function nobodyIn(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  const made = standingOf(events).filter(
    (event) => isComparison(event) || isListCheck(event) || isAttackCheck(event),
  );
  const [first] = made;
  if (!first || !made.every(hasComparedNobody)) return undefined;
  const { decision, reason } = first;
  const { title, next } = adviceOn({ question: 'watchlist', decision, reason });
  return andNothingElse({ title, next }, events, later);
}

/** If there was nobody to compare with: what else is not known. */
function andNothingElse(
  { title, next }: Advice,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice {
  const { undecided, unchecked, missing, unlisted, hasEmptyList } = openPointsOf(events, later);
  const more = [
    ...(hasEmptyList && events.some(isComparison) ? [text.nobodyEither] : []),
    ...(unlisted ? [text.unlistedEither] : []),
    ...(undecided.length > 0 ? [text.notConfirmedEither] : []),
    ...(unchecked ? [text.notCheckedEither] : []),
    ...missing.map(({ check }) => text.missingEither(attackWords(check))),
  ];
  return { title, next: [next, ...more].join(' ') };
}

/** If everything was answered except an attack check that could not decide. */
function openIn(
  reason: string | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  const standing = standingOf(events);
  if (!reason?.endsWith('LOW_RELIABILITY')) return undefined;
  if (!standing.some((event) => isAttackCheck(event) && !isClear(event))) return undefined;
  const open = openPointsOf(events, later).undecided;
  if (open.length === 0) return standing.filter(isComparison).every(isMatch) ? text.clearSince : undefined;
  const compared = standing.filter(isComparison);
  if (compared.length > 0) return compared.every(isMatch) ? text.checkUncertain : undefined;
  const lists = standing.filter((event) => isListCheck(event) && !hasComparedNobody(event));
  if (!lists.every(isClear)) return undefined;
  if (lists.length === 0) return standing.some(isClear) ? gapIn(events, later) : undefined;
  const { title, ...advice } = text.notListed;
  return { title: title(open.map(attackWords).join(', ')), ...advice };
}

/**
 * Comparisons without a match in a session that also has one. A person not found in one group may be in
 * another, or may be the person that the voice was compared with; and too little speech says nothing, unless
 * the same call had matched before.
 */
function mismatchesIn(
  events: readonly TimelineEventJson[],
  standing: readonly TimelineEventJson[],
): TimelineEventJson[] {
  const matches = events.filter(isMatch);
  const groups = new Set(matches.map(groupOf));
  const calls = new Set(matches.map(liveCallOf).filter(Boolean));
  return standing.filter(isComparison).filter((event) => {
    if (calls.has(liveCallOf(event)) && !isMatch(event)) return true;
    const group = groupOf(event);
    return event.decision === 'DECISION_NO_MATCH' && (group === '' || groups.has(group));
  });
}

/** By their numbers on the page if another recording matched; the same speech may match another print. */
function mismatchWords(events: readonly TimelineEventJson[], others: readonly TimelineEventJson[]): Advice {
  const matched = new Set(events.filter(isMatch).map(mediaOf));
  const unmatched = new Set(others.map(mediaOf).filter((media) => !matched.has(media)));
  const names = byRecording(events).flatMap(([media], index) =>
    unmatched.has(media) ? sessions.heard.recording(index + 1) : [],
  );
  const { inRecordings, sinceThen, otherPrint, next, nextUnkept } = text.mismatch;
  const isLive = others.some((event) => liveCallOf(event) !== '');
  const title = names.length > 0 ? inRecordings(names.join(', ')) : isLive ? sinceThen : otherPrint;
  return { title, next, nextUnkept };
}

const groupOf = ({ attributes }: TimelineEventJson): string => attributes?.['gkGroupId'] ?? '';

/**
 * A known fraudster comes first. That the voice differs from a person it was compared with later is not an
 * alarm about this call.
 */
function alarmLater(later: readonly TimelineEventJson[]): Advice | undefined {
  const alarms = later.filter(isAlarm);
  if (alarms.some((event) => kindOf(event) === 'FRAUD_DETECTION')) return text.fraudsterLater;
  const attacks = new Set(alarms.filter(isAttackCheck).map(attackName));
  if (attacks.size === 0) return undefined;
  return { ...text.attackLater, title: text.attackLater.title([...attacks].join(', ')) };
}

/** Which check raised it; the one with the highest risk is reported. */
function alarmIn(events: readonly TimelineEventJson[]): Advice {
  const { title, next } = t.byDecision.DECISION_FRAUD;
  const alarms = events.filter(isAlarm);
  const [worst] = alarms.toSorted((a, b) => (b.risk ?? 0) - (a.risk ?? 0));
  if (!worst) return { title, next };
  if (kindOf(worst) === 'FRAUD_DETECTION') return { ...text.fraudster, next };
  if (isAttackCheck(worst))
    return adviceOn({ question: 'attack', decision: worst.decision, reason: worst.reason });
  return { ...text.otherVoice, next };
}

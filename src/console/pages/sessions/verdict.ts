// One verdict over a session: what all its checks together say, and what to do. No check is told as if it stood alone.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t as calls } from '../../text/calls.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { adviceOn, REFUSED_FOR_LOCK, sessionReason, withoutPrint } from '../biosec/advice.js';
import { byRecording } from './recordings.js';

const text = sessions.session.verdict;
const attackKinds = new Set(['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK']);

const kindOf = ({ attributes }: TimelineEventJson): string => attributes?.['factor'] ?? '';
export const isComparison = (event: TimelineEventJson): boolean => kindOf(event) === 'AUTHENTICATION';
export const isAttackCheck = (event: TimelineEventJson): boolean => attackKinds.has(kindOf(event));
export const isRefused = ({ reason }: TimelineEventJson): boolean => reason === REFUSED_FOR_LOCK;

const isStopped = ({ operation, attributes }: TimelineEventJson): boolean =>
  operation === 'EndCall' && attributes?.['endReason'] !== undefined;

/** Where listening ended while the call may have gone on, by an accident or because somebody stopped it, and nothing was heard after it. */
export function cutOffIn(events: readonly TimelineEventJson[]): TimelineEventJson | undefined {
  const isCut = (event: TimelineEventJson): boolean => event.operation === 'CutOffCall' || isStopped(event);
  const last = events.findLast((event) => isCut(event) || event.isFactor);
  return last && isCut(last) ? last : undefined;
}

/** A live call in which nothing could be judged, if nothing else was heard in the session: how long it was, and the speech in it. */
export function unheardIn(
  events: readonly TimelineEventJson[],
): { seconds: number; speech: number } | undefined {
  if (events.some(({ isFactor }) => isFactor)) return undefined;
  const found = events.findLast(({ operation }) => operation === 'LiveAudio');
  if (!found) return undefined;
  const secondsIn = (name: string): number => Number(found.attributes?.[name] ?? 0) / 1000;
  return { seconds: secondsIn('lengthMs'), speech: secondsIn('netSpeechMs') };
}

/** In words. */
export const attackName = (event: TimelineEventJson): string => t.attackNames[kindOf(event)] ?? kindOf(event);

export const isMatch = (event: TimelineEventJson): boolean =>
  isComparison(event) && event.decision === 'DECISION_AUTHENTIC';
/** Of a live call no recording is kept, and what it said is told apart by the call. */
const mediaOf = ({ gkMediaSegmentId, attributes }: TimelineEventJson): string =>
  gkMediaSegmentId?.value ?? attributes?.['liveCallId'] ?? '';

/** Of one recording: a voice matched, or is no known fraudster's, or there was nobody to compare with; and nobody asked whether a live person spoke. */
export function isUnchecked(made: readonly TimelineEventJson[]): boolean {
  if (made.some(isAttackCheck)) return false;
  const compared = made.filter((event) => isComparison(event) || isListCheck(event));
  return (
    compared.some((event) => isMatch(event) || isClearList(event)) ||
    (compared.length > 0 && compared.every(isOfNobody))
  );
}

/** Nobody's voice was there to compare with. */
export const isOfNobody = (event: TimelineEventJson): boolean =>
  hasComparedNobody(event) || withoutPrint.has(event.reason ?? '');

/**
 * The voiceprint that an attack would be on, whichever way the voice was compared with it: the last that was asked for by itself, or
 * matched among several. One that was only the nearest of several is nobody's business.
 */
export const printToLock = (events: readonly TimelineEventJson[]): string | undefined =>
  events.findLast(
    (event) =>
      isComparison(event) &&
      event.gkVoiceprintProfileId?.value &&
      (isMatch(event) || Number(event.attributes?.['prints'] ?? 1) <= 1),
  )?.gkVoiceprintProfileId?.value;

/**
 * What is said where a comparison of the kind rests on a recording that no attack check has heard, then or later; of how many recordings
 * that is so, where others were checked.
 */
function uncheckedWords(
  isOfKind: (event: TimelineEventJson) => boolean,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
  { ofSome, ...words }: Advice & { ofSome: (open: number, all: number) => string },
): Advice | undefined {
  const heard = [...events, ...later].filter(isAttackCheck);
  const compared = events.filter(isOfKind);
  const all = new Set(compared.map(mediaOf)).size;
  const open = new Set(
    compared
      .filter((made) => isUnchecked([made, ...heard.filter((event) => mediaOf(event) === mediaOf(made))]))
      .map(mediaOf),
  ).size;
  if (open === 0) return undefined;
  return open < all ? { ...words, title: ofSome(open, all) } : words;
}

interface Decided {
  decision: DecisionJson | undefined;
  reason: string | undefined;
}

/** `later`: what became known of its recordings after the decision, which stays as it is. */
export function verdictOn(
  { decision, reason }: Decided,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[] = [],
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
  return { title: reason ? sessionReason(reason) : t.byDecision[decision].title, next };
}

function adviceOnUnheard({ seconds, speech }: { seconds: number; speech: number }): Advice {
  const { noSpeech, littleSpeech } = text;
  const long = calls.seconds(Math.round(seconds));
  if (speech === 0) return { ...noSpeech, title: noSpeech.title(long) };
  return { ...littleSpeech, title: littleSpeech.title(long, sessions.heard.seconds(speech)) };
}

/** Whether whoever reads of a match may carry on: what the verdict says, and every match beside it as well. */
export const isReliable = (
  decision: DecisionJson | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): boolean => decision === 'DECISION_AUTHENTIC' && doubtOn(events, later) === undefined;

/** Whether nothing is open or was found, so that whoever reads that a check found nothing has nothing to do. */
export const isAllClear = (
  decision: DecisionJson | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): boolean =>
  isReliable(decision, events, later) ||
  (decision === 'DECISION_NO_RISK_DETECTED' &&
    alarmLater(later) === undefined &&
    gapIn(events, later) === undefined);

/** What speaks against the matches of a session that was decided by them; every one must have been checked and found clear. */
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
  // The match may be of an earlier session of the engagement.
  const matched = new Set(events.filter(isMatch).map(mediaOf));
  const isOfKind = matched.size > 0 ? isMatch : isAnswered;
  const unchecked = uncheckedWords(isOfKind, events, later, text.notChecked);
  if (unchecked) return withRest(unchecked, events);
  const open = stillOpen(events, later).filter((event) => matched.size === 0 || matched.has(mediaOf(event)));
  if (open.some(isAttackCheck)) return withRest(text.checkUncertain, events);
  if (open.length > 0)
    return withRest(open.every(hasComparedNobody) ? text.matchOfNobody : text.listUncertain, events);
  const cut = cutOffIn(events);
  return cut && (isStopped(cut) ? text.matchStopped : text.matchCutOff);
}

/** And that the rest of the call was not heard, where that is so. */
function withRest(advice: Advice, events: readonly TimelineEventJson[]): Advice {
  const cut = cutOffIn(events);
  return cut ? withMore(advice, (isStopped(cut) ? text.clearStopped : text.clearCutOff).next) : advice;
}

function withMore(advice: Advice, more: string): Advice {
  const { next, nextUnheard, nextUnkept } = advice;
  return {
    ...advice,
    next: `${next} ${more}`,
    ...(nextUnheard && { nextUnheard: `${nextUnheard} ${more}` }),
    ...(nextUnkept && { nextUnkept: `${nextUnkept} ${more}` }),
  };
}

const SPEAKER_CHANGED = 'SPEAKER_CHANGED';
const isOfTwo = (event: TimelineEventJson): boolean =>
  isComparison(event) && event.reason === SPEAKER_CHANGED;

/** Where the last word of a call or recording is about somebody else than the voice that had matched: since when, and what to do. */
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

/** Seconds of the call between which somebody else, or a known fraudster, was heard. */
export function placeOf({ attributes }: TimelineEventJson): { from: number; to: number } | undefined {
  const [from, to] = [Number(attributes?.['stretchFromMs']), Number(attributes?.['stretchToMs'])];
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from: from / 1000, to: to / 1000 };
}

/** What a session in which nothing was found has not looked at, or could not judge. */
function gapIn(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  const unclear = stillOpen(events, later);
  const open = new Set(unclear.map(checkName));
  const cut = cutOffIn(events);
  const rest = cut && (isStopped(cut) ? text.clearStopped : text.clearCutOff);
  if (open.size === 0) return uncheckedWords(isAnswered, events, later, text.clearNotChecked) ?? rest;
  if (unclear.every(hasComparedNobody) && !cut)
    return hasUnchecked(isAnswered, events, later)
      ? withMore(text.clearOfNobody, text.notCheckedEither)
      : text.clearOfNobody;
  const { title, next, nextUnkept } = text.clearInPart;
  const more = rest ? ` ${rest.next}` : '';
  return { title: title([...open].join(', ')), next: next + more, nextUnkept: nextUnkept + more };
}

/** Where nothing was asked but a watchlist without anybody on it: as the check itself says it, and that nothing else was checked. */
function nobodyIn(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  const made = standingOf(events).filter((event) => isComparison(event) || isFraudCheck(event));
  const [first] = made;
  if (!first || !made.every(hasComparedNobody)) return undefined;
  const { decision, reason } = first;
  const { title, next } = adviceOn({ question: 'watchlist', decision, reason });
  return andNothingElse({ title, next }, events, later);
}

/** Where there was nobody to compare with: what else is not known. */
function andNothingElse(
  { title, next }: Advice,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice {
  const open = stillOpen(events, later);
  const more = [
    ...(open.some(hasComparedNobody) && events.some(isComparison) ? [text.nobodyEither] : []),
    ...(open.some(isAttackCheck) ? [text.notConfirmedEither] : []),
    ...(hasUnchecked(isAnswered, events, later) ? [text.notCheckedEither] : []),
  ];
  return { title, next: [next, ...more].join(' ') };
}

/** Where all that was asked is answered, but for an attack check that could not decide. */
function openIn(
  reason: string | undefined,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): Advice | undefined {
  const standing = standingOf(events);
  if (!reason?.endsWith('LOW_RELIABILITY')) return undefined;
  if (!standing.some((event) => isAttackCheck(event) && !isClear(event))) return undefined;
  const open = stillOpen(events, later).filter(isAttackCheck);
  if (open.length === 0) return standing.filter(isComparison).every(isMatch) ? text.clearSince : undefined;
  const compared = standing.filter(isComparison);
  if (compared.length > 0) return compared.every(isMatch) ? text.checkUncertain : undefined;
  const lists = standing.filter((event) => isListCheck(event) && !hasComparedNobody(event));
  if (!lists.every(isClear)) return undefined;
  if (lists.length === 0) return standing.some(isClear) ? gapIn(events, later) : undefined;
  const { title, ...advice } = text.notListed;
  return { title: title([...new Set(open.map(attackName))].join(', ')), ...advice };
}

/**
 * Checks for attacks and of watchlists that could not tell, and none of the same kind of the same recording could since: as lists have it
 * (undecided_checks and without_watchlist of the API).
 */
function stillOpen(
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): TimelineEventJson[] {
  const keyOf = (event: TimelineEventJson): string =>
    `${kindOf(event)} ${event.attributes?.['gkWatchlistId'] ?? ''} ${mediaOf(event)}`;
  const all = [...standingOf(events), ...later].filter(isFraudCheck);
  const last = new Map(all.map((event) => [keyOf(event), event]));
  return all.filter((event) => !isClear(event) && !isAlarm(event) && last.get(keyOf(event)) === event);
}

/** Whether one of the kind was made on a recording that no attack check has heard, then or later. */
const hasUnchecked = (
  isOfKind: (event: TimelineEventJson) => boolean,
  events: readonly TimelineEventJson[],
  later: readonly TimelineEventJson[],
): boolean =>
  uncheckedWords(isOfKind, events, later, { title: '', next: '', ofSome: () => '' }) !== undefined;

/** Each check as it stands: a live call is judged again and again on more of the same speech, and the last word counts. */
export function standingOf(events: readonly TimelineEventJson[]): TimelineEventJson[] {
  const last = new Map(events.map((event) => [`${liveCallOf(event)} ${kindOf(event)}`, event]));
  return events.filter(
    (event) => liveCallOf(event) === '' || last.get(`${liveCallOf(event)} ${kindOf(event)}`) === event,
  );
}

const liveCallOf = ({ attributes }: TimelineEventJson): string => attributes?.['liveCallId'] ?? '';

/**
 * Where the voice does not match, in a session in which it also does. Who is not found in one group may be found in another, or be
 * the person that the voice was compared with; and too little speech says nothing, unless the same call had matched before.
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

/** By their numbers on the page where another recording has matched; the same speech may have matched another voiceprint. */
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

const isListCheck = (event: TimelineEventJson): boolean => kindOf(event) === 'FRAUD_DETECTION';
/** A list on which nobody has a trained voiceprint has nobody to find. */
const hasComparedNobody = (event: TimelineEventJson): boolean =>
  isListCheck(event) && (event.reason === 'NO_SCORES' || event.reason === 'NOT_ENOUGH_SEGMENTS');
/** The voice matches, is no known fraudster's, or there was nobody to compare with. */
const isAnswered = (event: TimelineEventJson): boolean =>
  isMatch(event) || isClearList(event) || isOfNobody(event);
const isClearList = (event: TimelineEventJson): boolean => isListCheck(event) && isClear(event);
const isFraudCheck = (event: TimelineEventJson): boolean => isAttackCheck(event) || isListCheck(event);
export const isClear = ({ decision }: TimelineEventJson): boolean => decision === 'DECISION_NO_RISK_DETECTED';
/** In words. */
export const checkName = (event: TimelineEventJson): string => {
  if (isComparison(event)) return text.comparison;
  return isListCheck(event) ? text.listCheck : attackName(event);
};

export const isAlarm = ({ decision }: TimelineEventJson): boolean => decision === 'DECISION_FRAUD';

/** A known fraudster comes first. That the voice is not somebody's to whom it was compared later is no alarm about this call. */
function alarmLater(later: readonly TimelineEventJson[]): Advice | undefined {
  const alarms = later.filter(isAlarm);
  if (alarms.some((event) => kindOf(event) === 'FRAUD_DETECTION')) return text.fraudsterLater;
  const attacks = new Set(alarms.filter(isAttackCheck).map(attackName));
  if (attacks.size === 0) return undefined;
  return { ...text.attackLater, title: text.attackLater.title([...attacks].join(', ')) };
}

/** Which check has raised it; the riskiest speaks. */
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

// What was heard and found: each recording with a player, and beside it every check that was made on it.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { LaterCheckJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AttackCheck } from '../../../marks/open-points.js';
import { num, type Advice } from '../../text/tools.js';
import { clockTime, finite } from '../../format/text.js';
import { Badge, Card, Facts } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { useMay } from '../../tenant/rights.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { adviceOn, evidenceWords, type Question } from '../biosec/advice.js';
import { EvidenceNotes, ExperimentalBadge } from '../biosec/attack-evidence.js';
import { spansOf } from '../biosec/attack-spans.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { MembersNotCompared, notComparedBy } from '../biosec/not-compared.js';
import { operationWords } from '../biosec/operations.js';
import { GroupLink, OwnerLink, PrintLink, WatchlistLink } from '../biosec/owner-link.js';
import { RecordingView } from '../voice/recording-view.js';
import { eventsOf, isAddition, AskedInSession } from './later-findings.js';
import { NotChecked } from './not-checked.js';
import { byRecording, isEnrollment, isExamined, speechMsOf } from './recordings.js';
import { isAlarm, isAttackCheck, isOfAgent, isOfNobody, isRefused, placeOf, standingOf } from './events.js';
import { isUnchecked, missingChecks } from './open-checks.js';
import { isAllClear, isReliable, unheardIn } from './verdict.js';

const text = t.heard;

const LIVE_AUDIO = 'LiveAudio';

/** Their scores compare voices; other scores have their own scales. */
const voiceComparisons = new Set(['Verify', 'Identify', 'DetectKnownFraudsters', 'AnalyzeAudio']);

function questionOf(event: TimelineEventJson): Question {
  if (isAttackCheck(event)) return 'attack';
  if (event.attributes?.['factor'] === 'FRAUD_DETECTION') return 'watchlist';
  return event.operation === 'Identify' ? 'identify' : 'verify';
}

export function adviceOnEvent(event: TimelineEventJson): Advice {
  const { decision, reason, attributes } = event;
  const speechMs = attributes?.['netSpeechMs'];
  return adviceOn({
    question: questionOf(event),
    decision,
    reason,
    speechSeconds: speechMs === undefined ? undefined : Number(speechMs) / 1000,
  });
}

/** Earlier results of a live call that was judged again later; an alarm stands. */
export function supersededIn(events: readonly TimelineEventJson[]): ReadonlySet<TimelineEventJson> {
  const standing = new Set(standingOf(events));
  return new Set(events.filter((event) => !standing.has(event) && !isAlarm(event)));
}

/** The score of a comparison in numbers and words. */
export function scoreWords(event: TimelineEventJson): string | undefined {
  const { score, operation = '' } = event;
  const value = finite(score);
  return value !== undefined && voiceComparisons.has(operation) && !isAttackCheck(event)
    ? t.session.score(num(value, 2), evidenceWords(value))
    : undefined;
}

/** `decision` is that of the session as a whole. */
export function Heard({
  events,
  later,
  decision,
  isOver,
  isErased,
  isDoubted,
  isFalseAlarm,
  onChecked,
}: {
  events: readonly TimelineEventJson[];
  later: readonly LaterCheckJson[];
  decision: DecisionJson | undefined;
  isOver: boolean;
  /** The caller's data was erased, so that nobody can act on the results. */
  isErased: boolean;
  /** The decision has a mark that the checks alone do not show, such as somebody else who matches. */
  isDoubted: boolean;
  isFalseAlarm: boolean;
  /** Called when a check was made on this page. */
  onChecked: () => void;
}): ReactNode {
  const mayListen = useMay()('GetDownloadUrl');
  const recordings = byRecording(events);
  const superseded = supersededIn(events);
  const whole = {
    isReliable: isReliable(decision, events, eventsOf(later), isDoubted),
    isAllClear: isAllClear(decision, events, eventsOf(later), isDoubted),
    isFalseAlarm,
    isOver,
  };
  if (recordings.length === 0) return <NothingHeard events={events} />;
  return recordings.map(([media, made], index) => {
    const madeLater = later.filter(
      (check) => !isAddition(check) && check.event?.gkMediaSegmentId?.value === media,
    );
    const everMade = [...made, ...eventsOf(madeLater)];
    const missing = missingToTell(made, decision);
    const title = recordings.length > 1 ? text.recording(index + 1) : text.title;
    return (
      <Card key={media} title={title} hint={mayListen && media ? text.hint : text.hintUnheard}>
        <div className="heard">
          {media ? (
            <RecordingView name={title} media={media} spans={everMade.flatMap(spansIn)} />
          ) : (
            <p className="soft">{text.noRecording}</p>
          )}
          <div className="stack">
            {made.map((event, at) => {
              const key = `${event.operation ?? ''} ${String(at)}`;
              return isEnrollment(event) || isExamined(event) ? (
                <NothingDecided key={key} event={event} />
              ) : (
                <Check
                  key={key}
                  event={event}
                  whole={whole}
                  isErased={isErased}
                  isSuperseded={superseded.has(event)}
                />
              );
            })}
            {madeLater.map((check, at) => (
              <Check
                key={`later ${String(at)}`}
                event={check.event ?? {}}
                whole={{ ...whole, isReliable: false }}
                later={check}
              />
            ))}
            {missing.length > 0 ? (
              <NotChecked
                media={media}
                channel={channelIn(made)}
                missing={missing}
                isChecked={missingChecks(everMade).length === 0}
                onChecked={onChecked}
              />
            ) : null}
          </div>
        </div>
      </Card>
    );
  });
}

/**
 * Missing attack checks of a recording, if they would matter: nothing else speaks against the caller in it.
 */
function missingToTell(
  made: readonly TimelineEventJson[],
  decision: DecisionJson | undefined,
): AttackCheck[] {
  const isYes = decision === 'DECISION_AUTHENTIC' || decision === 'DECISION_NO_RISK_DETECTED';
  const checked = made.filter((event) => !isEnrollment(event) && !isExamined(event));
  const isClear = !checked.some((event) => isAlarm(event) || event.decision === 'DECISION_NO_MATCH');
  const isOne = checked.some(isAttackCheck) && isClear;
  return isUnchecked(made) || isOne || (isYes && checked.length > 0) ? missingChecks(made) : [];
}

function NothingHeard({ events }: { events: readonly TimelineEventJson[] }): ReactNode {
  const unheard = unheardIn(events);
  return (
    <Card title={text.title}>
      {unheard ? (
        <>
          <p className="soft">{text.noRecording}</p>
          <Facts
            items={[
              [text.listenedTo, text.seconds(unheard.seconds)],
              [text.speech, unheard.speech === 0 ? text.noSpeech : text.seconds(unheard.speech)],
            ]}
          />
        </>
      ) : (
        <EmptyState icon="voice" title={text.none}>
          {text.noneText}
        </EmptyState>
      )}
    </Card>
  );
}

function NothingDecided({ event }: { event: TimelineEventJson }): ReactNode {
  const { operation, gkVoiceprintProfileId } = event;
  const title = operationWords(operation);
  const profile = gkVoiceprintProfileId?.value;
  const speech = speechMsOf(event) / 1000;
  return (
    <div className="stack heard-check" data-tight role="group" aria-label={title}>
      <h3>{title}</h3>
      <Facts
        items={[
          ...(profile ? [[text.enrolledFor, <OwnerLink key="owner" profile={profile} />] as const] : []),
          ...(speech > 0 ? [[text.speech, text.seconds(speech)] as const] : []),
        ]}
      />
    </div>
  );
}

/** The voice was compared with this print only. */
const isWithOne = ({ operation, attributes = {} }: TimelineEventJson): boolean =>
  operation === 'Verify' ||
  (['AnalyzeAudio', LIVE_AUDIO].includes(operation ?? '') &&
    attributes['factor'] === 'AUTHENTICATION' &&
    !attributes['gkGroupId'] &&
    Number(attributes['prints'] ?? 1) <= 1);

function spansIn(event: TimelineEventJson) {
  return spansOf(checks.attackNames[event.attributes?.['factor'] ?? ''] ?? '', event);
}

/** The session's overall result, as far as its checks need it. */
interface Whole {
  /** If something speaks against a match, in the session or later, it is no reason to carry on. */
  isReliable: boolean;
  /** If false, a check that found nothing is no reason to do nothing. */
  isAllClear: boolean;
  /** Judged as genuine since the last alarm. */
  isFalseAlarm: boolean;
  isOver: boolean;
}

function nextOn(event: TimelineEventJson, { next, nextOver }: Advice, whole: Whole): string {
  const { decision } = event;
  if (isOfAgent(event) || (isAlarm(event) && whole.isFalseAlarm)) return text.seeResult;
  if (whole.isOver && nextOver) return nextOver;
  if (decision === 'DECISION_AUTHENTIC' && !whole.isReliable) return text.doNotRely;
  return decision === 'DECISION_NO_RISK_DETECTED' && !whole.isAllClear ? text.seeResult : next;
}

/** A live call is judged again and again: when, and on how much speech. */
function liveFacts(event: TimelineEventJson): (readonly [string, ReactNode])[] {
  if (event.operation !== LIVE_AUDIO) return [];
  return [
    [text.judgedAt, clockTime(event.time)],
    [text.speech, text.seconds(speechMsOf(event) / 1000)],
  ];
}

/**
 * The single channel that all checks of a recording have heard; undefined if it has only one, or if they
 * heard several.
 */
function channelIn(made: readonly TimelineEventJson[]): number | undefined {
  const heard = new Set(made.flatMap(({ attributes }) => attributes?.['channel'] ?? []));
  const [one, ...others] = heard;
  return one !== undefined && one !== '0' && others.length === 0 ? Number(one) : undefined;
}

/** Which of several channels was heard, and whose it is. */
function channelFacts({ attributes = {} }: TimelineEventJson): (readonly [string, ReactNode])[] {
  const { channel = '', channels = '', party = '' } = attributes;
  if (channel === '' && party === '') return [];
  const words = t.session.verdict.leftOut.channel;
  const whose = words.whose[party] ?? (channel === '0' ? '' : words.unknown);
  const which = channel === '' ? '' : words.number(Number(channel), Number(channels));
  return [[words.label, [which, whose].filter(Boolean).join(', ')]];
}

function Check({
  event,
  whole,
  isErased = false,
  isSuperseded = false,
  later,
}: {
  event: TimelineEventJson;
  whole: Whole;
  isErased?: boolean;
  /** An earlier result of a live call that was judged again. */
  isSuperseded?: boolean;
  /** The check was made elsewhere, after the call. */
  later?: LaterCheckJson;
}): ReactNode {
  const { operation, attributes, risk, reliability = 0, decision } = event;
  const title = operationWords(operation, attributes?.['factor']);
  const advice = adviceOnEvent(event);
  const score = scoreWords(event);
  const profile = event.gkVoiceprintProfileId?.value;
  const isMatch = decision === 'DECISION_AUTHENTIC' || decision === 'DECISION_FRAUD';
  const watchlist = later?.gkWatchlistId?.value ?? attributes?.['gkWatchlistId'];
  const group = attributes?.['gkGroupId'];
  const place = placeOf(event);
  return (
    <div className="stack heard-check" data-tight role="group" aria-label={title}>
      <div className="row">
        <h3>{title}</h3>
        <CheckBadge check={event} />
        <ExperimentalBadge evidence={event.evidence} />
        {event.isFactor && !isRefused(event) && !isOfNobody(event) ? (
          <Badge plain>{isSuperseded ? t.session.superseded : t.session.counts}</Badge>
        ) : null}
        {later ? <Badge plain>{t.session.later}</Badge> : null}
      </div>
      <p className="small">
        <strong>{advice.title}.</strong> {isErased ? null : nextOn(event, advice, whole)}
      </p>
      <MembersNotCompared left={notComparedBy(event)} />
      <Facts
        items={[
          ...(profile && !isAttackCheck(event)
            ? [
                [
                  isWithOne(event) ? text.comparedWith : isMatch ? text.matched : text.nearest,
                  <PrintLink key="owner" profile={profile} former={attributes} />,
                ] as const,
              ]
            : []),
          ...channelFacts(event),
          ...liveFacts(event),
          ...(place ? [[text.place, t.session.stretch(place.from, place.to)] as const] : []),
          ...(watchlist
            ? [
                [
                  text.watchlist,
                  <WatchlistLink key="list" gkId={watchlist} known={attributes?.['watchlistId']} />,
                ] as const,
              ]
            : []),
          ...(group
            ? [[text.group, <GroupLink key="group" gkId={group} known={attributes?.['groupId']} />] as const]
            : []),
          ...(score ? [[text.evidence, score] as const] : []),
          ...(risk === undefined
            ? []
            : [[t.session.risk, `${checks.riskValue(risk)}, ${checks.reliability(reliability)}`] as const]),
        ]}
      />
      <EvidenceNotes
        {...{ decision, evidence: event.evidence }}
        isSynthetic={attributes?.['factor'] === 'SYNTHETIC_SPEECH'}
      />
      {later ? (
        <p className="small soft">
          <AskedInSession check={later} />
        </p>
      ) : null}
    </div>
  );
}

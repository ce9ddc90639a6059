// What was heard: each recording with a player, and beside it one line for each check, which opens to its evidence.
import type { ReactNode } from 'react';
import type { LaterCheckJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { num, type Advice } from '../../text/tools.js';
import { clockTime, finite } from '../../format/text.js';
import { Disclosure } from '../../kit/disclosure.js';
import { fill } from '../../kit/fill.js';
import { Badge, Card, Facts } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { adviceOn, evidenceWords, type Question } from '../biosec/advice.js';
import { EvidenceNotes, ExperimentalBadge, Unproven } from '../biosec/attack-evidence.js';
import { isUnavailable, spansOf } from '../biosec/attack-spans.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { MembersNotCompared, notComparedBy } from '../biosec/not-compared.js';
import { operationWords } from '../biosec/operations.js';
import { GroupLink, OwnerLink, PrintLink, WatchlistLink } from '../biosec/owner-link.js';
import { answerFacts } from '../biosec/prompt-answer.js';
import { SessionLink } from '../biosec/session-link.js';
import { RecordingView } from '../voice/recording-view.js';
import { isAlarm, isAttackCheck, placeOf, latestOf, unheardIn } from './events.js';
import { byRecording, isEnrollment, isExamined, speechMsOf } from './recordings.js';

const text = t.heard;

const LIVE_AUDIO = 'LiveAudio';
const isLive = ({ operation }: TimelineEventJson): boolean => operation === LIVE_AUDIO;

/** Their scores compare voices; other scores have their own scales. */
const voiceComparisons = new Set(['Verify', 'Identify', 'DetectKnownFraudsters', 'AnalyzeAudio']);

/** The caller was put on a watchlist from this call: somebody's decision, not a check. */
export const isAddition = ({ event }: LaterCheckJson): boolean => event?.operation === 'AddVoiceToWatchlist';

function questionOf(event: TimelineEventJson): Question {
  if (isAttackCheck(event)) return 'attack';
  if (event.attributes?.['factor'] === 'FRAUD_DETECTION') return 'watchlist';
  return event.operation === 'Identify' ? 'identify' : 'verify';
}

export function adviceOnEvent(event: TimelineEventJson): Pick<Advice, 'title'> {
  if (isUnavailable(event)) return checks.unavailable;
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
  const latest = new Set(latestOf(events));
  return new Set(events.filter((event) => !latest.has(event) && !isAlarm(event)));
}

/** The score of a comparison in numbers and words. */
export function scoreWords(event: TimelineEventJson): string | undefined {
  const { score, operation = '' } = event;
  const value = finite(score);
  return value !== undefined && voiceComparisons.has(operation) && !isAttackCheck(event)
    ? t.session.score(num(value, 2), evidenceWords(value))
    : undefined;
}

/** A risk is a matter of fraud: a voice that merely does not match has none to show. */
export const riskWords = ({ decision, risk, reliability = 0 }: TimelineEventJson): string | undefined =>
  risk === undefined || decision === 'DECISION_NO_MATCH'
    ? undefined
    : `${checks.riskValue(risk)}, ${checks.reliability(reliability)}`;

export function Heard({
  events,
  later,
  isGreen,
  isOver,
}: {
  events: readonly TimelineEventJson[];
  later: readonly LaterCheckJson[];
  /** The session, and so may be its checks. */
  isGreen: boolean;
  isOver: boolean;
}): ReactNode {
  const recordings = byRecording(events);
  const superseded = supersededIn(events);
  if (recordings.length === 0) return <NothingHeard events={events} isOver={isOver} />;
  const cards = recordings.map(([media, made], index) => {
    const since = later.filter(
      (check) => !isAddition(check) && check.event?.gkMediaSegmentId?.value === media,
    );
    const shown = made.filter((event) => !superseded.has(event));
    const all = [...made, ...since.flatMap(({ event }) => event ?? [])];
    const title = recordings.length > 1 ? text.recording(index + 1) : text.title;
    return (
      <Card key={media} title={title}>
        <div className="heard">
          {media ? (
            <RecordingView name={title} media={media} spans={all.flatMap(spansIn)} />
          ) : (
            <p className="soft">{made.some(isLive) ? text.notRecorded : text.noRecording}</p>
          )}
          <div>
            {shown.map((event, at) => {
              const key = `${event.operation ?? ''} ${String(at)}`;
              return isEnrollment(event) || isExamined(event) ? (
                <NothingDecided key={key} event={event} />
              ) : (
                <Check key={key} event={event} isGreen={isGreen} />
              );
            })}
            {since.map((check, at) => (
              <Check key={`later ${String(at)}`} event={check.event ?? {}} later={check} isGreen={isGreen} />
            ))}
          </div>
        </div>
      </Card>
    );
  });
  return (
    <>
      {cards}
      <Unproven all={[...events, ...later.map(({ event }) => event)].map((event) => event?.evidence)} />
    </>
  );
}

function NothingHeard({
  events,
  isOver,
}: {
  events: readonly TimelineEventJson[];
  isOver: boolean;
}): ReactNode {
  const unheard = unheardIn(events);
  return (
    <Card title={text.title}>
      {unheard ? (
        <>
          <p className="soft">{text.notRecorded}</p>
          <Facts
            items={[
              [text.listenedTo, text.seconds(unheard.seconds)],
              [text.speech, unheard.speech === 0 ? text.noSpeech : text.seconds(unheard.speech)],
            ]}
          />
        </>
      ) : (
        <EmptyState icon="voice" title={isOver ? text.noneMade : text.none}>
          {isOver ? null : text.noneText}
        </EmptyState>
      )}
    </Card>
  );
}

function NothingDecided({ event }: { event: TimelineEventJson }): ReactNode {
  const { operation, gkVoiceprintProfileId } = event;
  const profile = gkVoiceprintProfileId?.value;
  const speech = speechMsOf(event) / 1000;
  return (
    <Disclosure label={operationWords(operation)}>
      {() => (
        <Facts
          items={[
            ...(profile ? [[text.enrolledFor, <OwnerLink key="owner" profile={profile} />] as const] : []),
            ...(speech > 0 ? [[text.speech, text.seconds(speech)] as const] : []),
          ]}
        />
      )}
    </Disclosure>
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

/** A live call is judged again and again: when, and on how much speech. */
function liveFacts(event: TimelineEventJson): (readonly [string, ReactNode])[] {
  if (!isLive(event)) return [];
  return [
    [text.judgedAt, clockTime(event.time)],
    [text.speech, text.seconds(speechMsOf(event) / 1000)],
  ];
}

/** Which of several channels was heard, and whose it is. */
function channelFacts({ attributes = {} }: TimelineEventJson): (readonly [string, ReactNode])[] {
  const { channel = '', channels = '', party = '' } = attributes;
  if (channel === '' && party === '') return [];
  const whose = text.channel.whose[party] ?? (channel === '0' ? '' : text.channel.unknown);
  const which = channel === '' ? '' : text.channel.number(Number(channel), Number(channels));
  return [[text.channel.label, [which, whose].filter(Boolean).join(', ')]];
}

/** Whom or which list the voice was compared with. */
function comparedFacts(
  event: TimelineEventJson,
  later: LaterCheckJson | undefined,
): (readonly [string, ReactNode])[] {
  const { attributes, decision } = event;
  const profile = event.gkVoiceprintProfileId?.value;
  const isMatch = decision === 'DECISION_AUTHENTIC' || decision === 'DECISION_FRAUD';
  const label = isWithOne(event) ? text.comparedWith : isMatch ? text.matched : text.nearest;
  const watchlist = later?.gkWatchlistId?.value ?? attributes?.['gkWatchlistId'];
  const group = attributes?.['gkGroupId'];
  return [
    ...(profile && !isAttackCheck(event)
      ? [[label, <PrintLink key="owner" profile={profile} former={attributes} />] as const]
      : []),
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
  ];
}

/** `later`: the check was made elsewhere, after the call. */
function Check({
  event,
  later,
  isGreen,
}: {
  event: TimelineEventJson;
  later?: LaterCheckJson;
  isGreen: boolean;
}): ReactNode {
  const title = operationWords(event.operation, event.attributes?.['factor']);
  return (
    <Disclosure
      label={title}
      summary={
        <>
          <span>{title}</span>
          <CheckBadge check={event} isOpen={!isGreen} />
          {later ? <Badge plain>{t.session.later}</Badge> : null}
        </>
      }
    >
      {() => <Evidence event={event} later={later} />}
    </Disclosure>
  );
}

function Evidence({
  event,
  later,
}: {
  event: TimelineEventJson;
  later: LaterCheckJson | undefined;
}): ReactNode {
  const { attributes, decision, evidence } = event;
  const score = scoreWords(event);
  const risk = riskWords(event);
  const place = placeOf(event);
  const asked = later?.gkSessionId?.value;
  return (
    <>
      <p>
        {adviceOnEvent(event).title}.{' '}
        {isUnavailable(event) ? null : <ExperimentalBadge evidence={evidence} />}
      </p>
      <MembersNotCompared left={notComparedBy(event)} />
      <Facts
        items={[
          ...answerFacts(event),
          ...comparedFacts(event, later),
          ...channelFacts(event),
          ...liveFacts(event),
          ...(place ? [[text.place, t.session.stretch(place.from, place.to)] as const] : []),
          ...(score ? [[text.evidence, score] as const] : []),
          ...(risk ? [[t.session.risk, risk] as const] : []),
        ]}
      />
      {isUnavailable(event) ? null : (
        <EvidenceNotes
          {...{ decision, evidence }}
          isSynthetic={attributes?.['factor'] === 'SYNTHETIC_SPEECH'}
        />
      )}
      {asked ? (
        <p className="small soft">
          {fill(t.session.madeIn, { session: <SessionLink gkId={asked} name={later?.sessionId} /> })}
        </p>
      ) : null}
    </>
  );
}

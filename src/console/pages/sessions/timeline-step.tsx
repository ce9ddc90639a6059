// One event of a session: what, by whom, the decision, and the identifiers behind it.
import type { ReactNode } from 'react';
import type { LaterCheckJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { clockTime, dateTime, exactTime, isSameDay } from '../../format/text.js';
import { Badge, Facts } from '../../kit/layout.js';
import { Link } from '../../router.js';
import { t } from '../../text/sessions.js';
import { isUnavailable } from '../biosec/attack-spans.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { operationWords } from '../biosec/operations.js';
import { FraudsterLink, WatchlistLinks } from '../biosec/owner-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { adviceOnEvent, isAddition, riskWords, scoreWords } from './heard.js';
import { attributeItems } from './record-words.js';
import { hasDecided } from './recordings.js';
import { placeOf } from './events.js';

const text = t.session;

function factsOf(event: TimelineEventJson, by: string): string[] {
  const { reason, attributes } = event;
  const decided = hasDecided(event);
  const speech = Number(attributes?.['netSpeechMs'] ?? 0) / 1000;
  const score = scoreWords(event);
  const risk = decided ? riskWords(event) : undefined;
  const place = placeOf(event);
  return [
    ...(by ? [text.by(by)] : []),
    ...(decided && reason && !reason.endsWith('UNSPECIFIED') ? [adviceOnEvent(event).title] : []),
    ...(place ? [text.stretch(place.from, place.to)] : []),
    ...(speech > 0 ? [text.speech(speech)] : []),
    ...(score ? [score] : []),
    ...(risk ? [`${text.risk} ${risk}`] : []),
  ];
}

/** `later`: it was made elsewhere, after the call. */
export function TimelineStep({
  event,
  by,
  began,
  isGreen,
  isSuperseded = false,
  later,
}: {
  event: TimelineEventJson;
  by: string;
  /** Start of the session; events of another day are shown with their date. */
  began?: string | undefined;
  /** The session, and so may be its checks. */
  isGreen: boolean;
  /** An earlier result of a live call that was judged again. */
  isSuperseded?: boolean;
  later?: LaterCheckJson;
}): ReactNode {
  const decided = hasDecided(event);
  const ids: [string, string | undefined][] = [
    [text.voiceprint, event.gkVoiceprintProfileId?.value],
    [text.recording, event.gkMediaSegmentId?.value],
    [text.configset, event.gkConfigsetRevisionId?.value],
    [text.calibration, event.gkCalibrationModelRevisionId?.value],
    [text.request, event.requestId],
  ];
  const shown = [
    ...attributeItems(event.attributes ?? {}, event.operation).map(
      ({ name, value, before }): [string, ReactNode] => [name, before ? `${before} → ${value}` : value],
    ),
    ...ids.flatMap(([term, id]): [string, ReactNode][] => (id ? [[term, <code key={term}>{id}</code>]] : [])),
  ];
  return (
    <li data-factor={(event.isFactor && !isSuperseded) || undefined}>
      <time dateTime={event.time} title={exactTime(event.time)}>
        {later || !isSameDay(event.time, began) ? dateTime(event.time) : clockTime(event.time)}
      </time>
      <div className="timeline-body">
        <div className="row">
          <strong>{operationWords(event.operation, event.attributes?.['factor'])}</strong>
          {decided ? <CheckBadge check={event} isOpen={!isGreen} /> : null}
          {event.isFactor && decided && !isUnavailable(event) ? (
            <Badge plain>{isSuperseded ? text.superseded : text.counts}</Badge>
          ) : null}
          {later ? <Badge plain>{isAddition(later) ? text.doneLater : text.later}</Badge> : null}
        </div>
        <p className="small soft">{factsOf(event, by).join(' · ')}</p>
        {later ? <LaterFacts check={later} /> : null}
        {shown.length > 0 ? (
          <details>
            <summary>{text.details}</summary>
            <Facts items={shown} />
          </details>
        ) : null}
      </div>
    </li>
  );
}

/** Who was found or enrolled, on which lists, by which search, and where somebody asked. */
function LaterFacts({ check }: { check: LaterCheckJson }): ReactNode {
  const { event, fraudster, gkWatchlistId, watchlistId = '', listedOn = [], gkSessionId, sessionId } = check;
  const lists = listedOn.length > 0 || !gkWatchlistId?.value ? listedOn : [{ gkWatchlistId, watchlistId }];
  const job = event?.attributes?.['gkJobId'];
  const search = job
    ? `/voice-search?tab=searches&search=${encodeURIComponent(job)}`
    : `/voice-search?fraudster=${encodeURIComponent(fraudster?.fraudsterId ?? '')}`;
  return (
    <Facts
      items={[
        ...(fraudster
          ? [
              [
                text.fraudster,
                <FraudsterLink
                  key="fraudster"
                  gkId={fraudster.gkFraudsterId?.value ?? ''}
                  known={fraudster.fraudsterId}
                />,
              ] as const,
            ]
          : []),
        ...(lists.length > 0
          ? [[t.heard.watchlist, <WatchlistLinks key="lists" lists={lists} />] as const]
          : []),
        ...(event?.operation === 'FindCalls'
          ? [
              [
                text.foundBy,
                <Link key="search" to={search}>
                  {text.search}
                </Link>,
              ] as const,
            ]
          : []),
        ...(gkSessionId?.value
          ? [
              [
                t.list.session,
                <SessionLink key="session" gkId={gkSessionId.value} name={sessionId} />,
              ] as const,
            ]
          : []),
      ]}
    />
  );
}

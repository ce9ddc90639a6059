// One event of a session: what, by whom, the decision, and the identifiers behind it.
import type { ReactNode } from 'react';
import type { LaterCheckJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { clockTime, dateTime, exactTime, isSameDay } from '../../format/text.js';
import { Badge, Facts } from '../../kit/layout.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { CheckBadge } from '../biosec/decision-badge.js';
import { operationWords } from '../biosec/operations.js';
import { adviceOnEvent, scoreWords } from './heard.js';
import { FoundLater, isAddition, AskedInSession } from './later-findings.js';
import { attributeItems } from './record-words.js';
import { hasDecided } from './recordings.js';
import { placeOf } from './events.js';

const text = t.session;

function factsOf(event: TimelineEventJson, by: string): string[] {
  const { reason, risk, reliability = 0, attributes } = event;
  const decided = hasDecided(event);
  const speech = Number(attributes?.['netSpeechMs'] ?? 0) / 1000;
  const score = scoreWords(event);
  const place = placeOf(event);
  return [
    ...(by ? [text.by(by)] : []),
    ...(decided && reason && !reason.endsWith('UNSPECIFIED') ? [adviceOnEvent(event).title] : []),
    ...(place ? [text.stretch(place.from, place.to)] : []),
    ...(speech > 0 ? [text.speech(speech)] : []),
    ...(score ? [score] : []),
    ...(decided && risk !== undefined ? [`${checks.risk(risk)}, ${checks.reliability(reliability)}`] : []),
  ];
}

/** `later`: it was made elsewhere, after the call. */
export function TimelineStep({
  event,
  by,
  began,
  isSuperseded = false,
  later,
}: {
  event: TimelineEventJson;
  by: string;
  /** Start of the session; events of another day are shown with their date. */
  began?: string | undefined;
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
          {decided ? <CheckBadge check={event} /> : null}
          {event.isFactor && decided ? (
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

function LaterFacts({ check }: { check: LaterCheckJson }): ReactNode {
  return (
    <>
      {check.fraudster ? (
        <p className="small">
          {isAddition(check) ? null : `${text.foundLater}: `}
          <FoundLater check={check} />
        </p>
      ) : null}
      <p className="small soft">
        <AskedInSession check={check} />
      </p>
    </>
  );
}

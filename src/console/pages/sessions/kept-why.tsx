// Why a session, or one of its recordings, still exists although a person in it was erased; and why a voice
// is on a watchlist although it is genuine.
import type { ReactNode } from 'react';
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { fill } from '../../kit/fill.js';
import { Notice } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';
import { SessionLinks } from '../biosec/session-link.js';
import type { Timeline } from './timeline.js';
import { StillListed } from './still-listed.js';

const text = t.outcome.kept;

export function KeptWhy({ timeline, onChanged }: { timeline: Timeline; onChanged: () => void }): ReactNode {
  const { isKeptAsFraud, isKeptWithFraudster, heldRecordingCount = 0, enrolledAs = [] } = timeline;
  const id = timeline.session?.gkSessionId?.value ?? '';
  const { listed } = t.outcome;
  return (
    <div className="stack session-kept">
      {isGenuine(timeline) ? (
        <StillListed enrolledAs={enrolledAs} sentence={listed.is} of={id} onRemoved={onChanged} />
      ) : null}
      {isKeptAsFraud ? <Notice>{text.asFraud}</Notice> : null}
      {isKeptWithFraudster ? <KeptWithFraudster timeline={timeline} id={id} /> : null}
      {heldRecordingCount > 0 ? <Notice>{text.onHold(heldRecordingCount)}</Notice> : null}
    </div>
  );
}

const isGenuine = ({ engagement }: Timeline): boolean =>
  engagement?.verdictInfo?.verdict === 'ENGAGEMENT_VERDICT_AUTHENTIC';

/** What would delete it: an outcome only takes back earlier findings. */
function KeptWithFraudster({ timeline, id }: { timeline: Timeline; id: string }): ReactNode {
  const { keptWithFraudsterSessionIds: sessions = [] } = timeline;
  const isHere = sessions.some(({ value }) => value === id);
  const cause = causeIn(timeline, isHere ? [id] : sessions.map(({ value = '' }) => value));
  return (
    <Notice>
      <p>
        {isHere
          ? text.withFraudster[cause]
          : fill(text.withFraudsterElsewhere[cause], { sessions: <SessionLinks of={sessions} /> })}{' '}
        {isGenuine(timeline) ? text.untilAgain : text.untilGenuine}
      </p>
    </Notice>
  );
}

/** Whether a fraudster was recognized in these sessions or made from them, as far as the page knows. */
function causeIn(
  { engagementFraudsters = [], enrolledAs = [] }: Timeline,
  sessions: readonly string[],
): keyof typeof text.withFraudster {
  const isIn = ({ gkSessionIds = [] }: { gkSessionIds?: UniqueIdJson[] }): boolean =>
    gkSessionIds.some(({ value = '' }) => sessions.includes(value));
  const isMade = enrolledAs.some(isIn);
  if (engagementFraudsters.some(isIn)) return isMade ? 'both' : 'recognized';
  return isMade ? 'made' : 'unknown';
}

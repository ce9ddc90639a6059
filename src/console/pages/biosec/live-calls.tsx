// What every list shows of a live call: its session, its start, the decision so far, and the speech.
import type { ReactNode } from 'react';
import type { LiveCallInfoJson } from '../../../gen/voxgate/live/v1/live_pb.js';
import { durationSeconds } from '../../format/text.js';
import { Badge } from '../../kit/layout.js';
import type { Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/calls.js';
import { t as shell } from '../../text/shell.js';
import { Assessed } from './decision-badge.js';
import { FraudsterLink } from './owner-link.js';
import { PersonLink } from './person-link.js';
import { SessionLink } from './session-link.js';

export const liveColumns = {
  session: {
    label: t.session,
    whole: true,
    cell: ({ gkSessionId, sessionId }) => <SessionLink gkId={gkSessionId?.value} name={sessionId} />,
  },
  from: { label: t.from, whole: true, cell: ({ ani }) => ani || shell.none },
  person: { label: t.person, cell: (call) => <Who call={call} /> },
  started: { label: t.started, whole: true, cell: ({ startedAt }) => <Time at={startedAt} relative /> },
  state: {
    label: t.state,
    cell: ({ assessment }) => (
      <span className="row">
        <Assessed of={assessment ?? { headline: 'SESSION_HEADLINE_LISTENING' }} />
      </span>
    ),
  },
  speech: {
    label: t.speech,
    number: true,
    whole: true,
    cell: ({ netSpeech, position }) => t.speechOf(secondsOf(netSpeech), secondsOf(position)),
  },
} as const satisfies Record<string, Column<LiveCallInfoJson>>;

export const newestFirst = (calls: readonly LiveCallInfoJson[]): LiveCallInfoJson[] =>
  calls.toSorted((a, b) => Date.parse(b.startedAt ?? '') - Date.parse(a.startedAt ?? ''));

const secondsOf = (duration: string | undefined): string => t.seconds(Math.floor(durationSeconds(duration)));

/** Whom the caller claims to be, and a recognized fraudster. */
function Who({ call: { gkPersonId, gkFraudsterIds = [] } }: { call: LiveCallInfoJson }): ReactNode {
  if (!gkPersonId?.value && gkFraudsterIds.length === 0) return shell.none;
  return (
    <div className="stack" data-tight>
      {gkPersonId?.value ? <PersonLink gkId={gkPersonId.value} bare /> : null}
      {gkFraudsterIds.map(({ value = '' }) => (
        <span key={value}>
          <FraudsterLink gkId={value} bare /> <Badge tone="bad">{t.recognized}</Badge>
        </span>
      ))}
    </div>
  );
}

// The newest sessions, running ones first.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Badge, Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/home.js';
import { EntryDecision } from '../biosec/decision-badge.js';
import { callTypes, channelWords } from '../biosec/operations.js';
import { PersonCell } from '../biosec/person-cell.js';
import { SessionLink } from '../biosec/session-link.js';

const text = t.recent;
const EVERY_MS = 5000;
const SESSIONS_SHOWN_MAX = 8;

export function Recent({ read }: { read: Context }): ReactNode {
  const list = useQuery(
    `recent ${read.gkScopeId.value}`,
    async (signal) => {
      const context = { gkScopeId: read.gkScopeId };
      const { sessions = [] } = await call(
        'ListSessions',
        { context, sessionType: callTypes, withoutUploads: true, pageSize: SESSIONS_SHOWN_MAX },
        signal,
      );
      // Nobody listens to a call that was cut off, although its session is open.
      const placeOf = ({ details, assessment }: (typeof sessions)[number]): number =>
        details?.isActive && !assessment?.caveats?.includes('SESSION_CAVEAT_CUT_OFF') ? 0 : 1;
      return sessions.sort((a, b) => placeOf(a) - placeOf(b));
    },
    { everyMs: EVERY_MS },
  );
  return (
    <Card title={text.title} hint={text.hint} actions={<Link to="/sessions">{text.all}</Link>}>
      <Loaded query={list}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="soft">{text.none}</p>
          ) : (
            <Table
              caption={text.title}
              rows={rows}
              rowKey={({ details }) => details?.gkSessionId?.value ?? ''}
              columns={[
                {
                  label: text.session,
                  whole: true,
                  cell: ({ details }) => (
                    <SessionLink gkId={details?.gkSessionId?.value} name={details?.sessionId} />
                  ),
                },
                {
                  label: text.state,
                  cell: ({ details }) =>
                    details?.isActive ? (
                      <Badge tone="accent">{text.running}</Badge>
                    ) : (
                      <Badge>{text.ended}</Badge>
                    ),
                },
                {
                  label: text.started,
                  whole: true,
                  cell: ({ details }) => <Time at={details?.creationTimestamp} relative />,
                },
                { label: text.channel, cell: ({ details }) => channelWords(details?.sessionType) },
                { label: text.person, cell: (entry) => <PersonCell entry={entry} /> },
                { label: text.decision, cell: (entry) => <EntryDecision entry={entry} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

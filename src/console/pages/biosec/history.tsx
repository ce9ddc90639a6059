// Sessions that belong together: of one person, or of the number that called.
import type { ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { useReadContext } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { SessionDecision } from './decision-badge.js';
import { verdictWord } from './operations.js';
import { SessionLink } from './session-link.js';

const text = t.history;
const ROWS_SHOWN_MAX = 10;

/** `match` keeps what the search found by part of a word out. */
export function History({
  title,
  query,
  current = '',
  match,
}: {
  title: string;
  query: string;
  /** The session that the page is about. */
  current?: string;
  match: (entry: SessionEntryJson) => boolean;
}): ReactNode {
  const read = useReadContext();
  const list = useQuery(read && `history ${current} ${query}`, async (signal) => {
    const { sessions = [] } = await call('ListSessions', { context: read, query, pageSize: 50 }, signal);
    return sessions.filter((entry) => entry.details?.gkSessionId?.value !== current && match(entry));
  });
  return (
    <Card title={title}>
      <Loaded query={list}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="soft">{text.none}</p>
          ) : (
            <>
              <Table
                caption={title}
                rows={rows.slice(0, ROWS_SHOWN_MAX)}
                rowKey={({ details }) => details?.gkSessionId?.value ?? ''}
                columns={[
                  {
                    label: t.list.session,
                    whole: true,
                    cell: ({ details }) => (
                      <SessionLink gkId={details?.gkSessionId?.value} name={details?.sessionId} />
                    ),
                  },
                  {
                    label: t.list.started,
                    whole: true,
                    cell: ({ details }) => <Time at={details?.creationTimestamp} relative />,
                  },
                  { label: t.list.claims, cell: ({ claimedPersonId }) => claimedPersonId || shell.none },
                  { label: t.list.from, cell: ({ details }) => details?.ani || shell.none },
                  { label: t.list.decision, cell: ({ details }) => <SessionDecision session={details} /> },
                  { label: t.list.outcome, cell: ({ verdict }) => verdictWord(verdict) },
                ]}
              />
              {rows.length > ROWS_SHOWN_MAX ? (
                <Link to={`/sessions?q=${encodeURIComponent(query)}`}>{text.all}</Link>
              ) : null}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

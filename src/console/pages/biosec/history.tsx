// Sessions that belong together: of one person, of the calling number, or of one case. Trials do not crowd
// out calls.
import { useState, type ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { partyRole } from '../../../words/tell.js';
import { Link } from '../../router.js';
import { useReadContext } from '../../tenant/context.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { EntryDecision } from './decision-badge.js';
import { caseAddress } from './case-link.js';
import { callTypes, outcomeWords } from './operations.js';
import { PersonCell } from './person-cell.js';
import { SessionLink } from './session-link.js';

const text = t.history;
const ROWS_SHOWN_MAX = 10;

/** `match` filters out results that the search found by part of a word. */
export function History({
  title,
  query = '',
  caseNumber = '',
  gkPersonId = '',
  gkFraudsterId = '',
  current = '',
  none = text.none,
  match = () => true,
}: {
  title: string;
  query?: string;
  caseNumber?: string;
  /** Claimed, verified, recognized or enrolled in them. */
  gkPersonId?: string;
  /** Found in them by a check. */
  gkFraudsterId?: string;
  /** Shown if there are none. */
  none?: string;
  /** The session that the page is about. */
  current?: string;
  match?: (entry: SessionEntryJson) => boolean;
}): ReactNode {
  const read = useReadContext();
  const list = useQuery(
    read && `history ${current} ${query} ${caseNumber} ${gkPersonId} ${gkFraudsterId}`,
    async (signal) => {
      // Requested by ID: `query`, a name that may be part of another, is only for the link to all of them.
      const about = gkPersonId
        ? { gkPersonId: { value: gkPersonId } }
        : gkFraudsterId
          ? { gkFraudsterId: { value: gkFraudsterId }, sessionType: callTypes, withoutUploads: true }
          : { query };
      const request = { context: read, ...about, caseNumber, pageSize: 50 };
      const listed = async (isTest: boolean): Promise<SessionEntryJson[]> => {
        const { sessions = [] } = await call('ListSessions', { ...request, isTest }, signal);
        return sessions.filter((entry) => entry.details?.gkSessionId?.value !== current && match(entry));
      };
      const [calls, trials] = await Promise.all([listed(false), listed(true)]);
      return { calls, trials };
    },
  );
  const [withTrials, setWithTrials] = useState(false);
  return (
    <Card title={title}>
      <Loaded query={list}>
        {({ calls, trials }) => {
          // Trials are shown if there is nothing else for them to hide.
          const rows = withTrials || calls.length === 0 ? newestFirst([...calls, ...trials]) : calls;
          if (rows.length === 0) return <p className="soft">{none}</p>;
          const hasMore = rows.length > ROWS_SHOWN_MAX;
          const hasBoth = calls.length > 0 && trials.length > 0;
          return (
            <div className="stack" data-tight>
              <SessionTable caption={title} rows={rows.slice(0, ROWS_SHOWN_MAX)} gkPersonId={gkPersonId} />
              {hasMore || hasBoth ? (
                <div className="row">
                  {hasMore ? <Link to={allOf({ query, caseNumber, gkFraudsterId })}>{text.all}</Link> : null}
                  {hasBoth ? (
                    <Button size="small" onClick={() => setWithTrials(!withTrials)}>
                      {withTrials ? text.callsOnly : text.withTrials}
                    </Button>
                  ) : null}
                </div>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** `gkPersonId`: of whom each row tells the role, if all are of one person. */
function SessionTable({
  caption,
  rows,
  gkPersonId = '',
}: {
  caption: string;
  rows: readonly SessionEntryJson[];
  gkPersonId?: string;
}): ReactNode {
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={({ details }) => details?.gkSessionId?.value ?? ''}
      columns={[
        {
          label: t.list.session,
          whole: true,
          cell: ({ details }) => <SessionLink gkId={details?.gkSessionId?.value} name={details?.sessionId} />,
        },
        {
          label: t.list.started,
          whole: true,
          cell: ({ details }) => <Time at={details?.creationTimestamp} relative />,
        },
        gkPersonId
          ? { label: t.list.role, cell: (entry) => roleOf(entry, gkPersonId) || shell.none }
          : { label: t.list.person, cell: (entry) => <PersonCell entry={entry} /> },
        { label: t.list.from, whole: true, cell: ({ details }) => details?.ani || shell.none },
        { label: t.list.decision, cell: (entry) => <EntryDecision entry={entry} /> },
        { label: t.session.outcome, cell: ({ verdict, amount }) => outcomeWords(verdict, amount) },
      ]}
    />
  );
}

const newestFirst = (entries: readonly SessionEntryJson[]): SessionEntryJson[] =>
  entries.toSorted((one, other) => startedMs(other) - startedMs(one));

const startedMs = ({ details }: SessionEntryJson): number => Date.parse(details?.creationTimestamp ?? '');

/** Link to the complete list. */
function allOf({
  query,
  caseNumber,
  gkFraudsterId,
}: Readonly<Record<'query' | 'caseNumber' | 'gkFraudsterId', string>>): string {
  if (caseNumber) return caseAddress(caseNumber);
  return gkFraudsterId
    ? `/sessions?fraudster=${encodeURIComponent(gkFraudsterId)}`
    : `/sessions?q=${encodeURIComponent(query)}`;
}

/** How the voice and one person go together. */
function roleOf({ assessment: { whoCalled = [] } = {} }: SessionEntryJson, gkPersonId: string): string {
  const theirs = whoCalled.find((party) => party.gkPersonId?.value === gkPersonId);
  return theirs ? partyRole(words, theirs) : '';
}

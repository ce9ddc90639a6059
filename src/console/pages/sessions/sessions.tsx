// Sessions and audit: what is going on now, what was decided, and the proof of it.
import { useState, type ReactNode } from 'react';
import { get } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { plural, relativeTime, shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Tabs } from '../../kit/tabs.js';
import { Link, navigate } from '../../router.js';
import { useBiosecContext } from '../../tenant/tenant.js';
import { SessionDecision } from '../biosec/decision-badge.js';
import { AuditTab } from './audit-tab.js';
import { channelWords, verdictWord, type SessionEntry } from './types.js';
import './sessions.css';

const EVERY_MS = 5000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function SessionsPage(): ReactNode {
  return (
    <>
      <PageHead title="Sessions and audit">
        Every interaction and every decision in this tenant, as it happens.
      </PageHead>
      <Tabs
        label="What to see"
        tabs={[
          { id: 'sessions', label: 'Sessions', content: () => <SessionList /> },
          { id: 'audit', label: 'Audit trail', content: () => <AuditTab /> },
        ]}
      />
    </>
  );
}

function SessionList(): ReactNode {
  const { read } = useBiosecContext();
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const [decision, setDecision] = useState('');
  const [size, setSize] = useState(50);
  const sought = text.trim();
  const list = useQuery(
    read && `sessions ${read.gkScopeId.value} ${sought} ${state} ${decision} ${String(size)}`,
    (signal) =>
      get<{ sessions?: SessionEntry[]; nextPageToken?: string }>(
        '/v1/x/sessions',
        { context: read, query: uuid.test(sought) ? '' : sought, pageSize: size, isActive: state, decision },
        signal,
      ),
    { everyMs: EVERY_MS },
  );
  if (!read) return <EmptyState icon="sessions" title="Choose a tenant first" />;
  return (
    <div className="stack">
      <form
        className="row sessions-bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (uuid.test(sought)) navigate(`/sessions/${sought}`);
        }}
      >
        <TextField
          label="Find a session"
          hint="Session, number or person. A system identifier opens with Enter."
          type="search"
          value={text}
          onValue={setText}
        />
        <SelectField
          label="State"
          value={state}
          onValue={setState}
          options={[
            { value: '', label: 'All' },
            { value: 'true', label: 'Open' },
            { value: 'false', label: 'Over' },
          ]}
        />
        <SelectField
          label="Decision"
          value={decision}
          onValue={setDecision}
          options={[
            { value: '', label: 'All' },
            { value: 'DECISION_AUTHENTIC', label: 'Verified' },
            { value: 'DECISION_NO_MATCH', label: 'No match' },
            { value: 'DECISION_FRAUD', label: 'Fraud risk' },
            { value: 'DECISION_UNCERTAIN', label: 'Uncertain' },
          ]}
        />
      </form>
      <Loaded query={list} what="Loading sessions">
        {({ sessions = [], nextPageToken }) =>
          sessions.length === 0 ? (
            <EmptyState
              icon="sessions"
              title={sought || state || decision ? 'No session fits' : 'No sessions yet'}
              action={
                sought || state || decision ? undefined : <Link to="/voice">Start one in the voice lab</Link>
              }
            >
              {sought || state || decision
                ? 'Loosen the filters above.'
                : 'A session is one interaction with a caller. It appears here as soon as it starts.'}
            </EmptyState>
          ) : (
            <>
              <Table
                caption="Sessions, newest first"
                rows={sessions}
                rowKey={({ details }) => details?.gkSessionId?.value ?? ''}
                columns={[
                  {
                    label: 'Session',
                    whole: true,
                    cell: ({ details }) => (
                      <Link to={`/sessions/${details?.gkSessionId?.value ?? ''}`}>
                        {details?.sessionId || shortId(details?.gkSessionId?.value)}
                      </Link>
                    ),
                  },
                  {
                    label: 'Started',
                    whole: true,
                    cell: ({ details }) => relativeTime(details?.creationTimestamp),
                  },
                  {
                    label: 'State',
                    cell: ({ details }) =>
                      details?.isActive ? <Badge tone="accent">Open</Badge> : <Badge>Over</Badge>,
                  },
                  { label: 'Channel', cell: ({ details }) => channelWords(details?.sessionType) },
                  { label: 'Claims to be', cell: ({ claimedPersonId }) => claimedPersonId || '-' },
                  {
                    label: 'Decision',
                    cell: ({ details }) => <SessionDecision session={details} />,
                  },
                  { label: 'Checks', number: true, cell: ({ factorCount }) => factorCount ?? 0 },
                  { label: 'Verdict', cell: ({ verdict }) => verdictWord(verdict) },
                ]}
              />
              <div className="row">
                <span className="small soft">
                  {plural(sessions.length, 'session')}, refreshed every {EVERY_MS / 1000} s
                </span>
                {nextPageToken && size < 1000 ? (
                  <Button
                    size="small"
                    busy={list.busy}
                    onClick={() => setSize((value) => Math.min(1000, value + 100))}
                  >
                    Show more
                  </Button>
                ) : null}
              </div>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

// Automatic searches after a fraudster was added, and their results.
import type { ReactNode } from 'react';
import type { SearchJson, SearchStateJson } from '../../../gen/voxgate/biosec/v1/voice_search_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Badge, Card, type BadgeTone } from '../../kit/layout.js';
import { EmptyState, Loaded, Loading, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link, setQuery, useLocation } from '../../router.js';
import type { Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/voice-search.js';
import { t as shell } from '../../text/shell.js';
import { FoundCalls } from './call-table.js';
import { SearchProblem } from './problem.js';

const text = t.searches;
const EVERY_MS = 10_000;
const SHOWN = 'search';

const tones: Readonly<Record<SearchStateJson, BadgeTone>> = {
  SEARCH_STATE_UNSPECIFIED: 'neutral',
  SEARCH_STATE_PENDING: 'neutral',
  SEARCH_STATE_STARTED: 'info',
  SEARCH_STATE_COMPLETED: 'good',
  SEARCH_STATE_FAILED: 'bad',
};

export function Searches({ read }: { read: Context }): ReactNode {
  // In the address, so that the page of a call can link to the search that found it.
  const shown = useLocation().query.get(SHOWN);
  const list = useQuery(
    `searches ${read.gkScopeId.value}`,
    async (signal) => (await call('ListSearches', { context: read }, signal)).searches ?? [],
    { everyMs: EVERY_MS },
  );
  if (list.error && list.data === undefined) return <SearchProblem error={list.error} />;
  return (
    <div className="stack">
      <Card title={text.title} hint={text.hint}>
        <Loaded query={list} what={text.loading}>
          {(searches) =>
            searches.length === 0 ? (
              <EmptyState icon="clock" title={text.none}>
                {text.noneText}
              </EmptyState>
            ) : (
              <SearchTable searches={searches} onShow={(gkJobId) => setQuery({ [SHOWN]: gkJobId })} />
            )
          }
        </Loaded>
      </Card>
      {shown ? <Found key={shown} read={read} gkJobId={shown} /> : null}
    </div>
  );
}

function SearchTable({
  searches,
  onShow,
}: {
  searches: readonly SearchJson[];
  onShow: (gkJobId: string) => void;
}): ReactNode {
  return (
    <Table
      caption={text.title}
      rows={searches}
      rowKey={({ gkJobId }) => gkJobId ?? ''}
      columns={[
        { label: text.asked, whole: true, cell: ({ creationTime }) => <Time at={creationTime} /> },
        {
          label: text.fraudster,
          cell: ({ gkFraudsterId, fraudsterId, isDeleted }) =>
            isDeleted && fraudsterId ? (
              checks.deletedName(fraudsterId)
            ) : fraudsterId ? (
              <Link to={`/people/fraudsters/${gkFraudsterId?.value ?? ''}`}>{fraudsterId}</Link>
            ) : (
              t.columns.gone
            ),
        },
        {
          label: text.state,
          cell: ({ state = 'SEARCH_STATE_UNSPECIFIED', problem }) => (
            <>
              <Badge tone={tones[state]}>{text.states[state]}</Badge>
              {problem ? <div className="small">{problem}</div> : null}
            </>
          ),
        },
        {
          label: text.found,
          number: true,
          cell: ({ state, found = 0 }) => (state === 'SEARCH_STATE_COMPLETED' ? t.count(found) : shell.none),
        },
        {
          label: t.columns.actions,
          actions: true,
          cell: ({ gkJobId = '', found = 0, fraudsterId = '' }) => (
            <Button
              size="small"
              disabled={found === 0}
              onClick={() => onShow(gkJobId)}
              aria-label={text.showOf(fraudsterId)}
            >
              {text.show}
            </Button>
          ),
        },
      ]}
    />
  );
}

function Found({ read, gkJobId }: { read: Context; gkJobId: string }): ReactNode {
  const query = useQuery(`search ${gkJobId}`, (signal) =>
    call('GetSearch', { context: read, gkJobId }, signal),
  );
  if (query.error?.code === 'NOT_FOUND') return <Notice>{text.expired}</Notice>;
  if (query.error) return <SearchProblem error={query.error} />;
  if (!query.data) return <Loading what={text.loading} />;
  const { calls = [], search } = query.data;
  return (
    <Card title={text.foundOf(search?.fraudsterId ?? '')}>
      <FoundCalls calls={calls} lookedAt={search?.lookedAt} />
    </Card>
  );
}

// The requests of an environment's clients: who called what, how it ended and how long it took, but not their
// content.
import type { ReactNode } from 'react';
import type { EnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { LoggedRequestJson, RequestOutcomeJson } from '../../../gen/voxgate/management/v1/events_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { usePages, type Page } from '../../api/use-pages.js';
import { toCsv } from '../../../manifest/csv.js';
import { finite } from '../../format/text.js';
import { DateFields, spanOf } from '../../kit/dates.js';
import { useFilters, usePaused, type Filters } from '../../kit/filters.js';
import { Badge } from '../../kit/layout.js';
import { ChoiceFilter, List } from '../../kit/list.js';
import { EmptyState } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { t } from '../../text/applications.js';
import { t as shell } from '../../text/shell.js';

const text = t.requests;
const EVERY_MS = 5000;
/** The service of requests for tokens. */
const OAUTH = 'oauth2';
const noFilters = { q: '', client: '', outcome: '', from: '', to: '' };
const outcomes = ['REQUEST_OUTCOME_OK', 'REQUEST_OUTCOME_FAILED'] as const satisfies RequestOutcomeJson[];

const columns: readonly Column<LoggedRequestJson>[] = [
  { label: text.time, whole: true, cell: ({ time }) => <Time at={time} /> },
  {
    label: text.client,
    whole: true,
    cell: ({ clientId = '' }) => <span title={clientId}>{clientName(clientId)}</span>,
  },
  { label: text.operation, whole: true, cell: ({ method }) => method },
  {
    label: text.outcome,
    cell: (request) => <Outcome request={request} />,
  },
  {
    label: text.duration,
    number: true,
    // The duration of token requests is not measured.
    cell: ({ service, durationMs }) =>
      service === OAUTH ? shell.none : text.milliseconds(finite(durationMs) ?? 0),
  },
  { label: text.transport, whole: true, cell: ({ transport }) => (transport === 'grpc' ? 'gRPC' : 'REST') },
  { label: text.requestId, cell: ({ requestId }) => (requestId ? <code>{requestId}</code> : shell.none) },
];

/** In words; the code is what the client received, and what its programmers look for. */
function Outcome({
  request: { outcome: code = '', reason = '', address = '' },
}: {
  request: LoggedRequestJson;
}): ReactNode {
  const isOk = code === 'OK';
  const why = [text.reasons[reason], address ? text.from(address) : ''].filter(Boolean).join(', ');
  return (
    <>
      <Badge tone={isOk ? 'good' : 'bad'}>{text.codes[code] ?? code}</Badge>
      {isOk || !(code in text.codes) ? null : <div className="small soft">{code}</div>}
      {isOk || why === '' ? null : <div className="small soft">{why}</div>}
    </>
  );
}

/** The last part of `appID:…:clientName:ivr`: the rest is the same for all of them. */
const clientName = (clientId: string): string => clientId.split('clientName:')[1] ?? clientId;

export function Requests({ environment }: { environment: EnvironmentJson }): ReactNode {
  const appId = environment.appId ?? '';
  const filters = useFilters(noFilters);
  const { q, client, outcome, from, to } = filters.values;
  const sought = usePaused(q.trim());
  const load = async (
    pageToken: string,
    signal?: AbortSignal,
    pageSize = 50,
  ): Promise<Page<LoggedRequestJson>> => {
    const answer = await call(
      'ListRequests',
      {
        appId,
        clientId: client,
        // Names of operations consist of letters only, which no request ID does.
        ...(/^[A-Za-z]*$/.test(sought) ? { method: sought } : { requestId: sought }),
        outcome: outcomes.find((each) => each === outcome),
        pageSize,
        pageToken,
        ...spanOf(from, to),
      },
      signal,
    );
    return { rows: answer.requests ?? [], next: answer.nextPageToken };
  };
  const pages = usePages(
    { list: `requests ${appId}`, view: `${sought} ${client} ${outcome} ${from} ${to}` },
    load,
    { everyMs: EVERY_MS },
  );
  return (
    <List
      filters={filters}
      find={text.find}
      findHint={text.findHint}
      fields={<RequestFilters appId={appId} filters={filters} />}
      views="requests"
      isShared
      export={{
        file: 'requests',
        count: text.count,
        toCsv: csvOf,
        load: (token, pageSize) => load(token, undefined, pageSize),
      }}
      above={<p className="soft small">{text.about}</p>}
      pages={pages}
      loading={text.loading}
      empty={
        <EmptyState icon="sessions" title={filters.isNarrowed ? text.noMatch : text.none}>
          {filters.isNarrowed ? text.noMatchText : text.noneText}
        </EmptyState>
      }
    >
      {(rows) => (
        <Table caption={text.caption} rows={rows} rowKey={({ eventId = '' }) => eventId} columns={columns} />
      )}
    </List>
  );
}

function RequestFilters({
  appId,
  filters,
}: {
  appId: string;
  filters: Filters<typeof noFilters>;
}): ReactNode {
  const { client, outcome, from, to } = filters.values;
  const clients = useQuery(
    `clients ${appId}`,
    async (signal) => (await call('ListClients', { appId }, signal)).clients ?? [],
  );
  return (
    <>
      <ChoiceFilter
        label={text.client}
        value={client}
        onValue={(value) => filters.set({ client: value })}
        options={(clients.data ?? []).map(({ clientId = '', name }) => ({
          value: clientId,
          label: name || clientId,
        }))}
      />
      <ChoiceFilter
        label={text.outcome}
        value={outcome}
        onValue={(value) => filters.set({ outcome: value })}
        options={outcomes.map((value) => ({ value, label: text.outcomes[value] }))}
      />
      <DateFields from={from} to={to} onDates={filters.set} />
    </>
  );
}

function csvOf(rows: readonly LoggedRequestJson[]): string {
  return toCsv(
    [
      'time',
      'client_id',
      'service',
      'operation',
      'transport',
      'outcome',
      'duration_ms',
      'tenant',
      'request_id',
      'trace_id',
      'reason',
      'address',
    ],
    rows.map((row) => [
      row.time,
      row.clientId,
      row.service,
      row.method,
      row.transport,
      row.outcome,
      row.service === OAUTH ? undefined : finite(row.durationMs),
      row.gkScopeId,
      row.requestId,
      row.traceId,
      row.reason,
      row.address,
    ]),
  );
}

// The installation itself: health, models with their calibration, keys, throughput and latency.
import { useMemo, useState, type ReactNode } from 'react';
import { get, post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { dateTime, relativeTime, shortId, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { SelectField } from '../../kit/field.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Chart, type Axis, type ChartSeries } from '../../plots/chart.js';
import './system.css';

interface SystemInfo {
  version?: string;
  startTimestamp?: string;
  node?: string;
  database?: string;
  models?: {
    name?: string;
    revision?: string;
    kind?: string;
    sha256?: string;
    gkCalibrationModelRevisionId?: string;
    facts?: Record<string, string>;
  }[];
  keys?: {
    keyId?: string;
    purpose?: string;
    state?: string;
    algorithm?: string;
    creationTimestamp?: string;
    notAfterTimestamp?: string;
  }[];
  components?: { name?: string; health?: string; message?: string }[];
}

interface Metric {
  name?: string;
  unit?: string;
  labels?: Record<string, string>;
  points?: { time?: string; value?: number }[];
}

const EVERY_MS = 15_000;

export function SystemPage(): ReactNode {
  const admin = isAdministrator(useMe());
  const info = useQuery('system', (signal) => get<SystemInfo>('/v1/management/system', {}, signal), {
    everyMs: EVERY_MS,
  });
  return (
    <>
      <PageHead title="System">
        What this installation is made of, whether it is well, and how much it does.
      </PageHead>
      <div className="stack">
        <Loaded query={info} what="Looking at the system">
          {(data) => (
            <>
              <Health info={data} />
              <Models models={data.models ?? []} />
              {admin ? <Keys keys={data.keys ?? []} onRotated={info.reload} /> : null}
            </>
          )}
        </Loaded>
        {admin ? <Traffic /> : null}
      </div>
    </>
  );
}

function Health({ info }: { info: SystemInfo }): ReactNode {
  const components = info.components ?? [];
  const well = components.every(({ health }) => health === 'HEALTH_OK');
  return (
    <Card
      title="Health"
      actions={
        <Badge tone={well ? 'good' : 'bad'}>{well ? 'All parts are well' : 'Something is wrong'}</Badge>
      }
    >
      <div className="stack">
        <Facts
          items={[
            ['Version', info.version ?? '-'],
            ['Running since', `${dateTime(info.startTimestamp)} (${relativeTime(info.startTimestamp)})`],
            ['Host and process', info.node ?? '-'],
            ['Database', databases[info.database ?? ''] ?? info.database ?? '-'],
          ]}
        />
        {components.length > 0 ? (
          <Table
            caption="Parts of the system"
            rows={components}
            rowKey={({ name }) => name ?? ''}
            columns={[
              { label: 'Part', cell: ({ name }) => words(name) },
              {
                label: 'Health',
                cell: ({ health }) => (
                  <Badge
                    tone={health === 'HEALTH_OK' ? 'good' : health === 'HEALTH_DEGRADED' ? 'warn' : 'bad'}
                  >
                    {healthWords[health ?? ''] ?? words(health, 'HEALTH')}
                  </Badge>
                ),
              },
              { label: 'It says', cell: ({ message }) => message || 'nothing to report' },
            ]}
          />
        ) : null}
      </div>
    </Card>
  );
}

const databases: Readonly<Record<string, string>> = { sqlite: 'SQLite, embedded', postgres: 'PostgreSQL' };
const healthWords: Readonly<Record<string, string>> = { HEALTH_OK: 'Well', HEALTH_DOWN: 'Down' };
const falseAcceptFact = /^llr[-_ ]at[-_ ]false[-_ ]accept[-_ ]rate[-_ ](\d[\d.e-]*)$/i;

/** `llr-at-false-accept-rate-0.001` is the score that one stranger in a thousand reaches. */
function factWords(name: string): string {
  const rate = Number(falseAcceptFact.exec(name)?.[1]);
  if (rate > 0) return `Score for ${String(Number((rate * 100).toPrecision(3)))} % false accepts`;
  return words(name.replaceAll('-', ' '));
}

function Models({ models }: { models: NonNullable<SystemInfo['models']> }): ReactNode {
  return (
    <Card
      title="Models and calibration"
      hint="Every print and every decision names the revision it was made with."
    >
      {models.length === 0 ? (
        <EmptyState icon="voice" title="No models are loaded">
          Without models nothing can be recognised. See the installation guide.
        </EmptyState>
      ) : (
        <div className="grid">
          {models.map((model) => (
            <section
              key={`${model.kind ?? ''} ${model.revision ?? ''}`}
              className="system-model"
              aria-label={model.name ?? 'Model'}
            >
              <div className="row">
                <h3>{model.name}</h3>
                <Badge plain>{words(model.kind, 'MODEL_KIND')}</Badge>
              </div>
              <Facts
                items={[
                  ['Revision', <code key="revision">{model.revision || '-'}</code>],
                  ...(model.gkCalibrationModelRevisionId
                    ? [
                        [
                          'Calibration',
                          <code key="calibration">{model.gkCalibrationModelRevisionId}</code>,
                        ] as const,
                      ]
                    : []),
                  ...(model.sha256 ? [['SHA-256', <code key="sha">{model.sha256}</code>] as const] : []),
                  ...Object.entries(model.facts ?? {}).map(
                    ([name, value]) => [factWords(name), value] as const,
                  ),
                ]}
              />
            </section>
          ))}
        </div>
      )}
    </Card>
  );
}

function Keys({
  keys,
  onRotated,
}: {
  keys: NonNullable<SystemInfo['keys']>;
  onRotated: () => void;
}): ReactNode {
  const [asking, setAsking] = useState(false);
  const rotation = useAction(async () => {
    await post('/v1/management/system/signing-keys/rotate', {});
    toast('A new signing key is made. The old one stays valid until its tokens have ended');
    setAsking(false);
    onRotated();
  });
  return (
    <Card
      title="Keys"
      actions={
        <Button kind="danger" onClick={() => setAsking(true)}>
          Rotate the signing key
        </Button>
      }
    >
      <Table
        caption="Keys"
        rows={keys}
        rowKey={(key) => `${key.purpose ?? ''} ${key.keyId ?? ''}`}
        columns={[
          { label: 'Key', cell: (key) => <code title={key.keyId}>{shortId(key.keyId)}</code> },
          { label: 'For', cell: (key) => words(key.purpose, 'KEY_PURPOSE') },
          {
            label: 'State',
            cell: (key) => (
              <Badge tone={key.state === 'KEY_STATE_ACTIVE' ? 'good' : 'neutral'}>
                {words(key.state, 'KEY_STATE')}
              </Badge>
            ),
          },
          { label: 'Algorithm', cell: (key) => key.algorithm },
          { label: 'Made', cell: (key) => dateTime(key.creationTimestamp) },
          { label: 'Valid until', cell: (key) => dateTime(key.notAfterTimestamp) },
        ]}
      />
      {asking ? (
        <ConfirmDialog
          title="Rotate the signing key"
          word="rotate"
          consequence="New tokens will be signed with a new key. Services that keep our public keys fetch them again by themselves if they follow the JWKS."
          action="Rotate the key"
          onClose={() => setAsking(false)}
          onConfirm={() => void rotation.run()}
          busy={rotation.busy}
          error={rotation.error}
        />
      ) : null}
    </Card>
  );
}

const spans = [
  { value: '3600', label: 'Last hour' },
  { value: '21600', label: 'Last 6 hours' },
  { value: '86400', label: 'Last day' },
] as const;
const timeAxis: Axis = { label: 'Time', time: true };
const callsAxis: Axis = { label: 'Calls per second' };
const latencyAxis: Axis = { label: 'Milliseconds' };
const callSeries: readonly ChartSeries[] = [
  { label: 'Calls', color: 'chart-1' },
  { label: 'Errors', color: 'bad', dashed: true },
];
const latencySeries: readonly ChartSeries[] = [
  { label: 'Half are faster', color: 'chart-1' },
  { label: '95 % are faster', color: 'chart-3', dashed: true },
  { label: '99 % are faster', color: 'chart-4', dashed: true },
];

function Traffic(): ReactNode {
  const [span, setSpan] = useState<string>(spans[0].value);
  const [operation, setOperation] = useState('');
  const metrics = useQuery(
    `metrics ${span}`,
    (signal) =>
      get<{ series?: Metric[] }>(
        '/v1/management/system/metrics',
        {
          startTime: new Date(Date.now() - Number(span) * 1000).toISOString(),
          step: `${String(Math.max(10, Number(span) / 120))}s`,
        },
        signal,
      ),
    { everyMs: EVERY_MS },
  );
  const series = metrics.data?.series;
  const operations = useMemo(
    () => [...new Set((series ?? []).flatMap(({ labels }) => labels?.['operation'] ?? []))].sort(),
    [series],
  );
  const calls = useMemo(
    () => align(series ?? [], operation, ['calls_per_second', 'errors_per_second']),
    [series, operation],
  );
  const latency = useMemo(
    () => align(series ?? [], operation, ['latency_p50_ms', 'latency_p95_ms', 'latency_p99_ms']),
    [series, operation],
  );
  return (
    <Card title="Throughput and latency">
      <div className="stack">
        <div className="row system-bar">
          <SelectField label="Span" value={span} onValue={setSpan} options={spans} />
          <SelectField
            label="Operation"
            value={operation}
            onValue={setOperation}
            options={[
              { value: '', label: 'All' },
              ...operations.map((name) => ({ value: name, label: name.split('.').at(-1) ?? name })),
            ]}
          />
        </div>
        <Loaded query={metrics} what="Loading measurements">
          {() =>
            calls.x.length === 0 ? (
              <EmptyState icon="clock" title="No measurements yet">
                They begin with the first calls after the start.
              </EmptyState>
            ) : (
              <div className="system-charts">
                <Chart
                  title="Throughput"
                  summary={`Highest: ${highest(calls.y[0])} calls per second.`}
                  x={calls.x}
                  y={calls.y}
                  series={callSeries}
                  xAxis={timeAxis}
                  yAxis={callsAxis}
                />
                <Chart
                  title="Latency"
                  summary={`Slowest 5 % took at least ${highest(latency.y[1])} ms at the worst moment.`}
                  x={latency.x}
                  y={latency.y}
                  series={latencySeries}
                  xAxis={timeAxis}
                  yAxis={latencyAxis}
                />
              </div>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

/** Several series on the time axis of all of them; a missing point is a gap. */
function align(
  series: readonly Metric[],
  operation: string,
  names: readonly string[],
): { x: number[]; y: (number | null)[][] } {
  const own = series.filter((one) => (one.labels?.['operation'] ?? '') === operation);
  const at = (time: string | undefined): number => new Date(time ?? 0).getTime() / 1000;
  const x = [...new Set(own.flatMap(({ points = [] }) => points.map(({ time }) => at(time))))].sort(
    (a, b) => a - b,
  );
  const y = names.map((name) => {
    const points = new Map(
      own.find((one) => one.name === name)?.points?.map(({ time, value }) => [at(time), value ?? 0]),
    );
    return x.map((time) => points.get(time) ?? null);
  });
  return { x, y };
}

function highest(values: readonly (number | null)[] | undefined): string {
  const most = Math.max(0, ...(values ?? []).map((value) => value ?? 0));
  return most >= 100 ? most.toFixed(0) : most.toFixed(2);
}

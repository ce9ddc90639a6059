// Throughput and latency over time, for everything or for one operation.
import { useMemo, useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { num } from '../../text/tools.js';
import { SelectField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Chart, type Axis, type ChartSeries } from '../../plots/chart.js';
import { t } from '../../text/system.js';
import { align } from './metrics.js';

const text = t.traffic;

const spans = Object.entries(text.spans).map(([value, label]) => ({ value, label }));
const timeAxis: Axis = { label: text.time, time: true };
const callsAxis: Axis = { label: text.callsAxis };
const latencyAxis: Axis = { label: text.latencyAxis };
const callSeries: readonly ChartSeries[] = [
  { label: text.calls, color: 'chart-1' },
  { label: text.errors, color: 'bad', dashed: true },
];
const latencySeries: readonly ChartSeries[] = [
  { label: text.half, color: 'chart-1' },
  { label: text.p95, color: 'chart-3', dashed: true },
  { label: text.p99, color: 'chart-4', dashed: true },
];

export function Traffic({ everyMs }: { everyMs: number }): ReactNode {
  const [span, setSpan] = useState('3600');
  const [operation, setOperation] = useState('');
  const metrics = useQuery(
    `metrics ${span}`,
    async (signal) => {
      const startTime = new Date(Date.now() - Number(span) * 1000).toISOString();
      const step = `${String(Math.max(10, Number(span) / 120))}s`;
      return (await call('GetMetricsHistory', { startTime, step }, signal)).series ?? [];
    },
    { everyMs },
  );
  const series = metrics.data;
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
    <Card title={text.title}>
      <div className="stack">
        <div className="row system-bar">
          <SelectField label={text.span} value={span} onValue={setSpan} options={spans} />
          <SelectField
            label={text.operation}
            value={operation}
            onValue={setOperation}
            options={[
              { value: '', label: text.all },
              ...operations.map((name) => ({ value: name, label: name.split('.').at(-1) ?? name })),
            ]}
          />
        </div>
        <Loaded query={metrics} what={text.loading}>
          {() =>
            calls.x.length === 0 ? (
              <EmptyState icon="clock" title={text.none}>
                {text.noneText}
              </EmptyState>
            ) : (
              <div className="system-charts">
                <Chart
                  title={text.throughput}
                  summary={text.highest(highest(calls.y[0]))}
                  x={calls.x}
                  y={calls.y}
                  series={callSeries}
                  xAxis={timeAxis}
                  yAxis={callsAxis}
                />
                <Chart
                  title={text.latency}
                  summary={text.slowest(highest(latency.y[1]))}
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

function highest(values: readonly (number | null)[] | undefined): string {
  const most = Math.max(0, ...(values ?? []).map((value) => value ?? 0));
  return num(most, most >= 100 ? 0 : 2);
}

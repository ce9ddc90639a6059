// The tenant's calls over the last days: verifications, matches, watchlist hits and attacks, the audio
// quality, the server's response times, and its queue.
import { useMemo, useState, type ReactNode } from 'react';
import type { ActivityBucketJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { num, percent } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import { SelectField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Chart, type Axis, type ChartSeries } from '../../plots/chart.js';
import type { Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/home.js';

const text = t.activity;
const EVERY_MS = 30_000;
const HOUR_MS = 3_600_000;

/** How far back, and the span of one point in the chart. */
const spans = {
  day: { hours: 24, stepHours: 1 },
  week: { hours: 7 * 24, stepHours: 24 },
  month: { hours: 30 * 24, stepHours: 24 },
} as const;

const timeAxis: Axis = { label: text.time, time: true };
const countAxis: Axis = { label: text.checksAxis, counts: true };
const series: readonly ChartSeries[] = [
  { label: text.verifications, color: 'chart-1' },
  { label: text.matches, color: 'chart-3', dashed: true },
  { label: text.alarms, color: 'bad' },
];

/** Ends with the current hour or day, so that every point but the last is complete. */
function wholeSpan(hours: number, stepHours: number): { startTime: string; endTime: string } {
  const end = new Date();
  if (stepHours === 1) end.setMinutes(60, 0, 0);
  else end.setHours(24, 0, 0, 0);
  return {
    startTime: new Date(end.getTime() - hours * HOUR_MS).toISOString(),
    endTime: end.toISOString(),
  };
}

type Counts = Omit<ActivityBucketJson, 'time' | 'netSpeechSeconds'>;
const countNames = [
  'verifications',
  'matches',
  'undecided',
  'watchlistChecks',
  'fraudsters',
  'attackChecks',
  'attacks',
  'undecidedWatchlistChecks',
  'undecidedAttackChecks',
  'checks',
  'unusableAudio',
  'refused',
  'trials',
] as const satisfies readonly (keyof Counts)[];

function sumOf(buckets: readonly ActivityBucketJson[]): Record<(typeof countNames)[number], number> {
  const sums = Object.fromEntries(
    countNames.map((name) => [name, buckets.reduce((sum, bucket) => sum + (bucket[name] ?? 0), 0)]),
  );
  return sums as Record<(typeof countNames)[number], number>;
}

export function Activity({ read }: { read: Context }): ReactNode {
  const [span, setSpan] = useState<keyof typeof spans>('week');
  const { hours, stepHours } = spans[span];
  const overview = useQuery(
    `activity ${read.gkScopeId.value} ${span}`,
    (signal) =>
      call(
        'GetActivityOverview',
        {
          context: { gkScopeId: read.gkScopeId },
          ...wholeSpan(hours, stepHours),
          step: `${String(stepHours * 3600)}s`,
        },
        signal,
      ),
    { everyMs: EVERY_MS },
  );
  return (
    <Card
      title={text.title}
      actions={
        <SelectField
          label={text.span}
          value={span}
          onValue={(value) => setSpan(value as keyof typeof spans)}
          options={Object.entries(text.spans).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <Loaded query={overview} what={text.loading}>
        {({ buckets = [] }) => (
          <div className="stack">
            <Figures buckets={buckets} />
            <History buckets={buckets} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const share = (part: number, whole: number): string => (whole === 0 ? text.noRate : percent(part / whole, 1));

/**
 * Counts only checks that could decide: an inconclusive one must not read as if nothing were there, and a rate of a
 * few not as one of all calls.
 */
function alarmFigure(
  name: string,
  { alarms, checks, undecided }: { alarms: number; checks: number; undecided: number },
  /** Of which each should have been checked. */
  calls: number,
): [string, string, string] {
  const decided = checks - undecided;
  const open = Math.max(0, calls - decided);
  const notes = [
    ...(decided > 0 ? [text.ofChecked(decided)] : []),
    ...(open > 0 ? [text.notChecked(open)] : []),
  ];
  return [name, decided > 0 ? num(alarms) : text.noRate, notes.join(', ')];
}

function Figures({ buckets }: { buckets: readonly ActivityBucketJson[] }): ReactNode {
  const sums = useMemo(() => sumOf(buckets), [buckets]);
  const { p95, queued } = useServer();
  const speech = buckets.reduce((sum, bucket) => sum + (finite(bucket.netSpeechSeconds) ?? 0), 0);
  const figures: [string, string, string][] = [
    [
      text.verifications,
      num(sums.verifications),
      [
        text.undecided(share(sums.undecided, sums.verifications)),
        ...(sums.refused > 0 ? [text.refused(sums.refused)] : []),
      ].join(', '),
    ],
    [text.matchRate, share(sums.matches, sums.verifications), text.matchesOf(sums.matches)],
    alarmFigure(
      text.fraudRate,
      {
        alarms: sums.fraudsters,
        checks: sums.watchlistChecks,
        undecided: sums.undecidedWatchlistChecks,
      },
      sums.verifications,
    ),
    alarmFigure(
      text.attackRate,
      { alarms: sums.attacks, checks: sums.attackChecks, undecided: sums.undecidedAttackChecks },
      sums.verifications,
    ),
    [
      text.quality,
      share(sums.checks - sums.unusableAudio, sums.checks),
      sums.checks === 0 ? text.noRate : text.speech(sums.checks, speech / sums.checks),
    ],
    ...(p95 === undefined
      ? []
      : ([
          [text.latency, text.ms(p95), text.latencyNote],
          [text.queue, num(queued), text.queueNote],
        ] as [string, string, string][])),
  ];
  return (
    <>
      <dl className="figures">
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              <span className="small soft">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      {sums.trials > 0 ? <p className="small soft">{text.trials(sums.trials)}</p> : null}
    </>
  );
}

/** Of the last hour, over all operations; empty if the role may not see it. */
function useServer(): { p95: number | undefined; queued: number } {
  const may = useMay();
  const metrics = useQuery(
    may('administrator') ? 'home latency' : undefined,
    async (signal) => {
      const startTime = new Date(Date.now() - HOUR_MS).toISOString();
      const names = ['latency_p95_ms', 'queue_length'];
      const asked = { startTime, names, step: '60s', summaryOnly: true };
      return (await call('GetMetricsHistory', asked, signal)).series ?? [];
    },
    { everyMs: EVERY_MS },
  );
  const ofServer = (wanted: string): (number | undefined)[] =>
    metrics.data
      ?.find(({ name, labels }) => name === wanted && !labels?.['operation'])
      ?.points?.map(({ value }) => finite(value)) ?? [];
  return {
    p95: ofServer('latency_p95_ms').findLast((value) => value !== undefined),
    queued: Math.max(0, ...ofServer('queue_length').map((value) => value ?? 0)),
  };
}

function History({ buckets }: { buckets: readonly ActivityBucketJson[] }): ReactNode {
  const lines = useMemo(
    () => ({
      x: buckets.map(({ time }) => new Date(time ?? 0).getTime() / 1000),
      y: [
        buckets.map((bucket) => bucket.verifications ?? 0),
        buckets.map((bucket) => bucket.matches ?? 0),
        buckets.map((bucket) => (bucket.fraudsters ?? 0) + (bucket.attacks ?? 0)),
      ],
    }),
    [buckets],
  );
  const most = Math.max(0, ...(lines.y[0] ?? []));
  return (
    <Chart
      title={text.chart}
      summary={text.summary(most)}
      x={lines.x}
      y={lines.y}
      series={series}
      xAxis={timeAxis}
      yAxis={countAxis}
      height={200}
    />
  );
}

// Throughput, latency and the queue of voice jobs over time, in memory: an hour in steps of ten seconds, a day in steps of five minutes. For
// the charts of the console; what must last goes to a scraper of /metrics.
import type { Clock } from '../platform.js';

const FINE_STEP_MS = 10_000;
const FINE_STEPS = 360;
const COARSE_STEP_MS = 300_000;
const COARSE_STEPS = 288;
const POINTS_MAX = 1440;

const latencyBucketsMs = [
  1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000,
  30_000,
];

/** The whole server, among the names of operations. */
const EVERYTHING = '';

interface Tally {
  calls: number;
  errors: number;
  /** One more than the buckets: the last holds what is slower than all of them. */
  buckets: number[];
  /** Most voice jobs that waited when a call ended. */
  queued: number;
}

type Sample = Map<string, Tally>;

interface HistorySeries {
  name: string;
  unit: string;
  /** Service and method; absent for the whole server. */
  operation: string | undefined;
  points: { atMs: number; value: number }[];
}

interface SeriesKind {
  name: string;
  unit: string;
  /** undefined leaves the point out: a latency of no call says nothing. */
  value(tally: Tally | undefined, stepMs: number): number | undefined;
  /** Of the whole server only. */
  isShared?: boolean;
}

const series: readonly SeriesKind[] = [
  { name: 'calls_per_second', unit: '1/s', value: (tally, stepMs) => (tally?.calls ?? 0) / (stepMs / 1000) },
  {
    name: 'errors_per_second',
    unit: '1/s',
    value: (tally, stepMs) => (tally?.errors ?? 0) / (stepMs / 1000),
  },
  { name: 'latency_p50_ms', unit: 'ms', value: (tally) => tally && quantile(tally, 0.5) },
  { name: 'latency_p95_ms', unit: 'ms', value: (tally) => tally && quantile(tally, 0.95) },
  { name: 'latency_p99_ms', unit: 'ms', value: (tally) => tally && quantile(tally, 0.99) },
  { name: 'queue_length', unit: 'jobs', value: (tally) => tally?.queued, isShared: true },
];

export const seriesNames: readonly string[] = series.map((kind) => kind.name);

export class MetricsHistory {
  readonly #clock: Clock;
  readonly #queueLength: () => number;
  /** By number of the step since 1970; the newest is the last. */
  readonly #fine = new Map<number, Sample>();
  readonly #coarse = new Map<number, Sample>();

  /** `queueLength`: voice jobs that wait now. */
  constructor(clock: Clock, queueLength: () => number = () => 0) {
    this.#clock = clock;
    this.#queueLength = queueLength;
  }

  record(call: { service: string; method: string; code: string; elapsedMs: number }): void {
    const nowMs = this.#clock.now();
    const operation = `${call.service}/${call.method}`;
    const failed = call.code !== 'OK';
    const bucket = bucketOf(call.elapsedMs);
    const samples = [
      stepOf(this.#fine, Math.floor(nowMs / FINE_STEP_MS), FINE_STEPS),
      stepOf(this.#coarse, Math.floor(nowMs / COARSE_STEP_MS), COARSE_STEPS),
    ];
    const queued = this.#queueLength();
    for (const sample of samples) {
      const whole = count(sample, EVERYTHING, failed, bucket);
      whole.queued = Math.max(whole.queued, queued);
      count(sample, operation, failed, bucket);
    }
  }

  /** Points are at the start of their step. `stepMs` is rounded up to what is kept. */
  read(query: {
    names: readonly string[];
    fromMs: number;
    toMs: number;
    stepMs: number | undefined;
    /** Only the whole server. */
    summaryOnly?: boolean;
  }): HistorySeries[] {
    const { names, fromMs, toMs } = query;
    const wantedMs = Math.max(query.stepMs ?? 0, (toMs - fromMs) / POINTS_MAX);
    // A step more than is kept: who asks for the last hour asked a moment ago.
    const fineFromMs = this.#clock.now() - FINE_STEP_MS * (FINE_STEPS + 1);
    const fineEnough = fromMs >= fineFromMs && wantedMs < COARSE_STEP_MS;
    const [kept, keptMs] = fineEnough ? [this.#fine, FINE_STEP_MS] : [this.#coarse, COARSE_STEP_MS];
    const stepMs = Math.max(1, Math.ceil(wantedMs / keptMs)) * keptMs;
    const first = Math.floor(fromMs / stepMs);
    const last = Math.max(first, Math.ceil(toMs / stepMs) - 1);
    const merged = mergeSteps(kept, stepMs / keptMs, first, last);
    const operations = new Set([
      EVERYTHING,
      ...(query.summaryOnly ? [] : [...merged.values()].flatMap((sample) => [...sample.keys()])),
    ]);
    const kinds = series.filter((kind) => names.length === 0 || names.includes(kind.name));
    return [...operations]
      .sort()
      .flatMap((operation) =>
        kinds
          .filter((kind) => operation === EVERYTHING || kind.isShared !== true)
          .map((kind) => seriesOf(kind, operation, merged, { first, last, stepMs })),
      );
  }
}

function seriesOf(
  kind: SeriesKind,
  operation: string,
  samples: ReadonlyMap<number, Sample>,
  { first, last, stepMs }: { first: number; last: number; stepMs: number },
): HistorySeries {
  const points: HistorySeries['points'] = [];
  for (let step = first; step <= last; step += 1) {
    const value = kind.value(samples.get(step)?.get(operation), stepMs);
    if (value !== undefined) points.push({ atMs: step * stepMs, value });
  }
  return {
    name: kind.name,
    unit: kind.unit,
    operation: operation === EVERYTHING ? undefined : operation,
    points,
  };
}

function mergeSteps(
  kept: ReadonlyMap<number, Sample>,
  factor: number,
  first: number,
  last: number,
): Map<number, Sample> {
  const merged = new Map<number, Sample>();
  for (const [step, sample] of kept) {
    const target = Math.floor(step / factor);
    if (target < first || target > last) continue;
    const into = merged.get(target) ?? new Map<string, Tally>();
    merged.set(target, into);
    for (const [operation, tally] of sample) {
      const sum = tallyOf(into, operation);
      sum.calls += tally.calls;
      sum.errors += tally.errors;
      sum.queued = Math.max(sum.queued, tally.queued);
      tally.buckets.forEach((value, index) => (sum.buckets[index] = (sum.buckets[index] ?? 0) + value));
    }
  }
  return merged;
}

function stepOf(samples: Map<number, Sample>, step: number, most: number): Sample {
  const known = samples.get(step);
  if (known) return known;
  const made: Sample = new Map();
  samples.set(step, made);
  for (const old of samples.keys()) if (old <= step - most) samples.delete(old);
  return made;
}

function tallyOf(sample: Sample, operation: string): Tally {
  const known = sample.get(operation);
  if (known) return known;
  const made: Tally = {
    calls: 0,
    errors: 0,
    queued: 0,
    buckets: new Array<number>(latencyBucketsMs.length + 1).fill(0),
  };
  sample.set(operation, made);
  return made;
}

function count(sample: Sample, operation: string, failed: boolean, bucket: number): Tally {
  const tally = tallyOf(sample, operation);
  tally.calls += 1;
  if (failed) tally.errors += 1;
  tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
  return tally;
}

function bucketOf(elapsedMs: number): number {
  const found = latencyBucketsMs.findIndex((limit) => elapsedMs <= limit);
  return found < 0 ? latencyBucketsMs.length : found;
}

/** Linear inside its bucket; the open last bucket answers its lower end. */
function quantile(tally: Tally, share: number): number {
  let rank = tally.calls * share;
  for (const [index, inBucket] of tally.buckets.entries()) {
    if (inBucket >= rank && inBucket > 0) {
      const low = latencyBucketsMs[index - 1] ?? 0;
      const high = latencyBucketsMs[index] ?? low;
      return low + (high - low) * Math.min(1, Math.max(0, rank / inBucket));
    }
    rank -= inBucket;
  }
  return latencyBucketsMs.at(-1) ?? 0;
}

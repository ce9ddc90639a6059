// What the server counts about itself. One registry per server, so that two servers in one process (the
// tests) do not add up. The series of calls are plain numbers, turned into the exposition format only when
// somebody scrapes: looking up labels on every call would cost more than routing it.
import {
  Registry,
  collectDefaultMetrics,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';

export type TransportName = 'grpc' | 'rest';

export interface OperationMeter {
  started(): void;
  finished(code: string, seconds: number): void;
}

export interface Metrics {
  registry: Registry;
  operation(service: string, method: string, transport: TransportName): OperationMeter;
  httpResponse(statusCode: number): void;
  /** One number that somebody else keeps. */
  add(metric: OwnMetric): void;
  stop(): void;
}

export interface OwnMetric {
  name: string;
  type: 'counter' | 'gauge';
  help: string;
  /** Asked when somebody scrapes: one number, or one for each combination of labels. */
  value: () => number | readonly { labels: Readonly<Record<string, string>>; value: number }[];
}

const latencyBucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = Record<string, string | number>;

interface Series {
  labels: Labels;
  inFlight: number;
  byCode: Map<string, number>;
  /** One more than the buckets: the last holds what is slower than all of them. */
  bucketCounts: number[];
  secondsSum: number;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const series: Series[] = [];
  const httpByCode = new Map<number, number>();

  addMetric(
    registry,
    'voxgate_calls_total',
    'counter',
    'Calls answered, by outcome (in-body status or transport refusal)',
    () =>
      series.flatMap(({ labels, byCode }) =>
        [...byCode].map(([code, value]) => ({ labels: { ...labels, code }, value })),
      ),
  );
  addMetric(
    registry,
    'voxgate_call_duration_seconds',
    'histogram',
    'Time from the arrival of a call to its answer',
    () => series.flatMap(histogramValues),
  );
  addMetric(registry, 'voxgate_calls_in_flight', 'gauge', 'Calls being served now', () =>
    (['grpc', 'rest'] as const).map((transport) => ({
      labels: { transport },
      value: series.reduce((sum, one) => sum + (one.labels['transport'] === transport ? one.inFlight : 0), 0),
    })),
  );
  addMetric(
    registry,
    'voxgate_http_responses_total',
    'counter',
    'HTTP responses of routes outside the contract, by status code',
    () => [...httpByCode].map(([code, value]) => ({ labels: { code: String(code) }, value })),
  );

  return {
    registry,
    operation(service, method, transport) {
      const own: Series = {
        labels: { service, method, transport },
        inFlight: 0,
        byCode: new Map(),
        bucketCounts: new Array<number>(latencyBucketsS.length + 1).fill(0),
        secondsSum: 0,
      };
      series.push(own);
      return {
        started() {
          own.inFlight += 1;
        },
        finished(code, seconds) {
          own.inFlight -= 1;
          own.byCode.set(code, (own.byCode.get(code) ?? 0) + 1);
          own.secondsSum += seconds;
          let bucket = 0;
          while (bucket < latencyBucketsS.length && seconds > (latencyBucketsS[bucket] as number))
            bucket += 1;
          own.bucketCounts[bucket] = (own.bucketCounts[bucket] as number) + 1;
        },
      };
    },
    httpResponse(statusCode) {
      httpByCode.set(statusCode, (httpByCode.get(statusCode) ?? 0) + 1);
    },
    add: ({ name, type, help, value }) =>
      addMetric(registry, name, type, help, () => {
        const now = value();
        return typeof now === 'number' ? [{ labels: {}, value: now }] : [...now];
      }),
    stop: () => registry.clear(),
  };
}

function histogramValues(one: Series): (MetricValue<string> & { metricName: string })[] {
  const name = 'voxgate_call_duration_seconds';
  let sum = 0;
  const counts = one.bucketCounts.map((count) => (sum += count));
  if (sum === 0) return [];
  return [
    ...counts.map((value, index) => ({
      metricName: `${name}_bucket`,
      labels: { ...one.labels, le: latencyBucketsS[index] ?? '+Inf' },
      value,
    })),
    { metricName: `${name}_sum`, labels: one.labels, value: one.secondsSum },
    { metricName: `${name}_count`, labels: one.labels, value: sum },
  ];
}

/** A metric whose values are asked for at scrape time; the registry needs nothing else of it. */
function addMetric(
  registry: Registry,
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  values: () => MetricValue<string>[],
): void {
  const metric = {
    name,
    get: async () =>
      ({ name, help, type, values: values(), aggregator: 'sum' }) as unknown as MetricObjectWithValues<
        MetricValue<string>
      >,
    reset: () => {},
  };
  registry.registerMetric(metric as unknown as Metric);
}

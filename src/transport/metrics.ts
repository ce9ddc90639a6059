// What the server counts about itself. One registry per server, so that two servers in one process (the
// tests) do not add up; the series of an operation are looked up once, not on every call.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type TransportName = 'grpc' | 'rest';

export interface OperationMeter {
  started(): void;
  finished(code: string, seconds: number): void;
}

export interface Metrics {
  registry: Registry;
  operation(service: string, method: string, transport: TransportName): OperationMeter;
  httpResponse(statusCode: number): void;
  stop(): void;
}

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'voxgate_calls_total',
    help: 'Calls answered, by outcome (in-body status or transport refusal)',
    labelNames: ['service', 'method', 'transport', 'code'],
    registers: [registry],
  });
  const latency = new Histogram({
    name: 'voxgate_call_duration_seconds',
    help: 'Time from the arrival of a call to its answer',
    labelNames: ['service', 'method', 'transport'],
    buckets: LATENCY_BUCKETS_S,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'voxgate_calls_in_flight',
    help: 'Calls being served now',
    labelNames: ['transport'],
    registers: [registry],
  });
  const http = new Counter({
    name: 'voxgate_http_responses_total',
    help: 'HTTP responses by status code, every route included',
    labelNames: ['code'],
    registers: [registry],
  });
  const httpByCode = new Map<number, Counter.Internal>();

  return {
    registry,
    operation(service, method, transport) {
      const histogram = latency.labels(service, method, transport);
      const gauge = inFlight.labels(transport);
      const byCode = new Map<string, Counter.Internal>();
      return {
        started: () => gauge.inc(),
        finished(code, seconds) {
          gauge.dec();
          histogram.observe(seconds);
          let counter = byCode.get(code);
          if (!counter) byCode.set(code, (counter = calls.labels(service, method, transport, code)));
          counter.inc();
        },
      };
    },
    httpResponse(statusCode) {
      let counter = httpByCode.get(statusCode);
      if (!counter) httpByCode.set(statusCode, (counter = http.labels(String(statusCode))));
      counter.inc();
    },
    stop: () => registry.clear(),
  };
}

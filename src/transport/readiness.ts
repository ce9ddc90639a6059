// Whether this server should be given work: every part's own check, bounded in time, and whether it is about to stop.
// `/readyz` asks when it is asked; gRPC health is told of changes, because its clients wait for those.

import type { OwnMetric } from './metrics.js';

/** One thing the server depends on; a text says what is wrong with it, for the people who run the server. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<boolean | string>;
}

interface ReadinessReport {
  ready: boolean;
  checks: Record<string, boolean>;
  /** Why not, by the name of the check. */
  reasons: Record<string, string>;
}

export interface Readiness {
  look(): Promise<ReadinessReport>;
  /** As of the latest look. */
  isReady(): boolean;
  /** What the latest look found, for the metrics; whoever watches looks every second. */
  metrics(): OwnMetric[];
  /** Looks every so often and tells of changes; answers how to end it. */
  watch(onChange: (ready: boolean) => void): () => void;
}

const CHECK_TIMEOUT_MS = 2000;
const WATCH_EVERY_MS = 1000;

export function createReadiness(
  checks: readonly ReadinessCheck[],
  isDraining: () => boolean,
  checkTimeoutMs = CHECK_TIMEOUT_MS,
): Readiness {
  let latest: ReadinessReport = { ready: false, checks: {}, reasons: {} };
  const look = async (): Promise<ReadinessReport> => {
    const report: ReadinessReport = { ready: !isDraining(), checks: {}, reasons: {} };
    if (isDraining()) report.reasons['shutdown'] = 'the server is shutting down';
    await Promise.all(
      checks.map(async (check) => {
        const answer = await answerOf(check, checkTimeoutMs);
        report.checks[check.name] = answer === true;
        if (answer === true) return;
        report.ready = false;
        report.reasons[check.name] = answer === false ? 'does not answer' : answer;
      }),
    );
    latest = report;
    return report;
  };
  return {
    look,
    isReady: () => latest.ready,
    metrics: () => metricsOf(() => latest),
    watch(onChange) {
      let known = true;
      let looking = false;
      const timer = setInterval(() => {
        if (looking) return;
        looking = true;
        void look().then(({ ready }) => {
          looking = false;
          if (ready === known) return;
          known = ready;
          onChange(ready);
        });
      }, WATCH_EVERY_MS).unref();
      return () => clearInterval(timer);
    },
  };
}

function metricsOf(latest: () => ReadinessReport): OwnMetric[] {
  return [
    {
      name: 'voxgate_ready',
      type: 'gauge',
      help: '1 while this node can serve, as /readyz says',
      value: () => Number(latest().ready),
    },
    {
      name: 'voxgate_ready_check',
      type: 'gauge',
      help: '1 while what the node depends on is well, by the checks of /readyz',
      value: () =>
        Object.entries(latest().checks).map(([check, ok]) => ({ labels: { check }, value: Number(ok) })),
    },
  ];
}

/** Never throws and never hangs: what is wrong with a part must not take the report with it. */
export async function answerOf(
  { check }: ReadinessCheck,
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<boolean | string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${timeoutMs} ms`), timeoutMs);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

// Makes the prints of an earlier speaker model again while the server runs: at the start and then once an hour, by one node at a
// time.
import { PrintRenewal } from '../biometrics/jobs/renew-prints.js';
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { isOutage } from '../errors.js';
import { underLease } from '../storage/leases.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { Core } from './part.js';
import type { Storage } from './storage.js';

const EVERY_MS = 3600_000;
/** Longer than a turn takes: how long a node that died keeps others from it. */
const LEASE_MS = 20 * 60_000;

export interface RunningRenewal {
  metrics: OwnMetric[];
  stop(): Promise<void>;
}

export function startPrintRenewal(
  { config, log }: Pick<Core, 'config' | 'log'>,
  { database }: Pick<Storage, 'database'>,
  deps: OperationDeps,
): RunningRenewal {
  const renewal = new PrintRenewal(deps, log);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    for (let isMore = true; isMore && !stopping.signal.aborted;) {
      const turn = await underLease(database, 'print renewal', LEASE_MS, () => renewal.turn(stopping.signal));
      isMore = turn.held && turn.result;
    }
  };
  const run = (): void => {
    running ??= renew()
      .catch((cause: unknown) => {
        if (!isOutage(cause)) log.warn({ err: cause }, 'making prints again failed');
      })
      .finally(() => (running = undefined));
  };
  let timer: NodeJS.Timeout | undefined;
  if (config.engine.renewPrints) {
    run();
    timer = setInterval(run, EVERY_MS).unref();
  }
  return {
    metrics: [
      {
        name: 'voxgate_prints_outdated',
        type: 'gauge',
        help: 'Prints of another speaker model, which cannot be compared until they are made again',
        value: () => renewal.left,
      },
    ],
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

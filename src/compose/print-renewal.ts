// Remakes the prints of an earlier speaker model while the server is running: at the start and then once an hour, by one node
// at a time. Not while there are nodes with another model, which need the prints as they are: a node-by-node upgrade takes
// nothing away from the nodes still to be upgraded, and an upgrade that is called off leaves everything as it was.
import { setTimeout as pause } from 'node:timers/promises';
import { PrintRenewal } from '../biometrics/jobs/renew-prints.js';
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { isOutage } from '../errors.js';
import { underLease } from '../storage/leases.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { NodesInUse } from './nodes-in-use.js';
import type { Core } from './part.js';
import type { Storage } from '../storage/open-storage.js';

const EVERY_MS = 3600_000;
/** Longer than a turn takes: how long a node that died keeps others from it. */
const LEASE_MS = 20 * 60_000;
/** While others are waited for, they are looked for more often. */
const LOOK_MS = 2000;

const WAITING = 'prints of another speaker model stay as they are while there are nodes with that model';

interface RunningRenewal {
  metrics: OwnMetric[];
  stop(): Promise<void>;
}

export function startPrintRenewal(
  { config, log }: Pick<Core, 'config' | 'log'>,
  storage: Storage,
  { deps, nodes }: { deps: OperationDeps; nodes: NodesInUse },
): RunningRenewal {
  const renewal = new PrintRenewal(deps, log);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= renewWhenAlone(renewal, storage, nodes, { log, stopping: stopping.signal })
      .catch((cause: unknown) => {
        if (!isOutage(cause)) log.warn({ err: cause }, 'remaking prints failed');
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
      await nodes.leave();
    },
  };
}

async function renewWhenAlone(
  renewal: PrintRenewal,
  { database }: Storage,
  nodes: NodesInUse,
  { log, stopping }: { log: Core['log']; stopping: AbortSignal },
): Promise<void> {
  let isReported = false;
  for (let isMore = true; isMore && !stopping.aborted;) {
    const others = await nodes.others(isReported ? 'now' : 'beat');
    if (others.length === 0) {
      const turn = await underLease(database, 'print renewal', LEASE_MS, () =>
        renewal.turn(stopping, () => nodes.others('beat').then((found) => found.length > 0)),
      );
      isMore = turn.held && turn.result;
      continue;
    }
    const prints = await renewal.count();
    if (prints === 0) return;
    if (!isReported) log.warn({ prints, models: others }, WAITING);
    isReported = true;
    await pause(LOOK_MS, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}

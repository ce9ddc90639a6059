// Computes marks that are due and that nobody has asked for: after an upgrade those of all sessions, newest first, and then
// whatever changes, including changes by nodes of earlier versions. One node at a time does this, a few sessions at a time.
import { setTimeout as pause } from 'node:timers/promises';
import { refreshMarks, spreadChanges } from '../biometrics/activity/stored-marks.js';
import type { BiometricsDeps } from '../biometrics/ports/deps.js';
import { isOutage } from '../errors.js';
import type { Database } from '../storage/database.js';
import { underLease } from '../storage/leases.js';
import type { Storage } from '../storage/open-storage.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { Core } from './part.js';

const EVERY_MS = 2000;
const SESSIONS_AT_ONCE = 100;
/** Calls come first. */
const PAUSE_MS = 10;
const TOLD_EVERY_MS = 10_000;
/** How long a turn takes at most, and how long a node that died keeps others from it. */
const TURN_MS = 20_000;
const LEASE_MS = 60_000;

interface RunningUpkeep {
  metrics: OwnMetric[];
  stop(): Promise<void>;
}

export function startMarksUpkeep(
  { log }: Pick<Core, 'log'>,
  { database }: Pick<Storage, 'database'>,
  deps: BiometricsDeps,
): RunningUpkeep {
  const stopping = new AbortController();
  let due = 0;
  const tell = (count: number): void => {
    due = count;
  };
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= keepUp(deps, database, { log, tell, stopping: stopping.signal })
      .catch((cause: unknown) => {
        if (!isOutage(cause)) log.warn({ err: cause }, 'working out the marks of sessions failed');
      })
      .finally(() => (running = undefined));
  }, EVERY_MS).unref();
  return {
    metrics: [
      {
        name: 'voxgate_marks_due',
        type: 'gauge',
        help: 'Sessions whose marks are still to be computed; until then, filters by marks are slower',
        value: () => due,
      },
    ],
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

interface Upkeep {
  log: Core['log'];
  tell: (due: number) => void;
  stopping: AbortSignal;
}

async function keepUp(deps: BiometricsDeps, database: Database, upkeep: Upkeep): Promise<void> {
  const { marks } = deps.store.read;
  for (let isLeft = true; isLeft && !upkeep.stopping.aborted;) {
    const tenants = await marks.tenantsWithWork();
    if (tenants.length === 0) break;
    const turn = await underLease(database, 'marks upkeep', LEASE_MS, () => workOff(deps, tenants, upkeep));
    isLeft = turn.held && turn.result;
  }
  upkeep.tell(await marks.countDue());
}

/** Answers whether there may be more to do. */
async function workOff(
  deps: BiometricsDeps,
  tenants: readonly string[],
  { log, tell, stopping }: Upkeep,
): Promise<boolean> {
  const { marks } = deps.store.read;
  const beganAtMs = performance.now();
  let toldAtMs = beganAtMs;
  for (const gkScopeId of tenants)
    for (;;) {
      if (stopping.aborted) return false;
      await spreadChanges(deps, gkScopeId);
      const due = await marks.due(gkScopeId, SESSIONS_AT_ONCE);
      if (due.length === 0) break;
      await refreshMarks(deps, gkScopeId, due);
      if (performance.now() - toldAtMs > TOLD_EVERY_MS) {
        toldAtMs = performance.now();
        const sessions = await marks.countDue();
        tell(sessions);
        if (sessions > 0) log.info({ sessions }, 'computing the marks of sessions');
      }
      if (performance.now() - beganAtMs > TURN_MS) return true;
      await pause(PAUSE_MS, undefined, { signal: stopping, ref: false }).catch(() => {});
    }
  return false;
}

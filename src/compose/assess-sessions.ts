// Assesses sessions that are not assessed yet: those that 0.2.0 has written, before an upgrade or beside this program, and those of a change that
// concerns too many for its own transaction, such as another config set. One node at a time, a few sessions at a time, newest first.
import { setTimeout as pause } from 'node:timers/promises';
import { assessmentsWithoutNames } from '../biometrics/assessment/gather.js';
import type { BiometricsDeps } from '../biometrics/ports/deps.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { isOutage } from '../errors.js';
import type { Database } from '../storage/database.js';
import { underLease } from '../storage/leases.js';
import type { AssessedSessions } from '../transport/services/events.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { Core } from './part.js';

const EVERY_MS = 2000;
const SESSIONS_AT_ONCE = 100;
/** How often what nodes of 0.2.0 write is looked for, while there are some. */
const LOOK_EVERY_MS = 15_000;
const CLOCKS_DIFFER_MS = 60_000;
/** Calls come first. */
const PAUSE_MS = 10;
/** How long a turn takes at most, and how long a node that died keeps others from it. */
const TURN_MS = 20_000;
const LEASE_MS = 60_000;

interface Assessing {
  metrics: OwnMetric[];
  stop(): Promise<void>;
}

/** For the events of sessions. */
export const assessedSessions =
  (deps: BiometricsDeps): AssessedSessions =>
  (gkScopeId, gkSessionIds) =>
    assessmentsWithoutNames(deps, gkScopeId, gkSessionIds);

export function startAssessing(
  { log, clock }: Pick<Core, 'log' | 'clock'>,
  database: Database,
  { read, transaction }: BiometricsStore,
  hasOlderNodes: () => Promise<boolean>,
): Assessing {
  const stopping = new AbortController();
  let unassessed = 0;
  /** Once more after they have gone; and after a start, because the program before may have been one. */
  let isToLook = true;
  let lookedAtMs = clock.now() - LOOK_EVERY_MS;
  async function work(): Promise<void> {
    const endsAtMs = performance.now() + TURN_MS;
    const nowMs = clock.now();
    const hasOlder = await hasOlderNodes();
    if (isToLook && nowMs - lookedAtMs >= LOOK_EVERY_MS) {
      const sinceMs = lookedAtMs - CLOCKS_DIFFER_MS;
      await transaction((tx) => tx.assessments.enterWrittenBefore(sinceMs));
      lookedAtMs = nowMs;
      isToLook = false;
    }
    isToLook ||= hasOlder;
    while (!stopping.signal.aborted && performance.now() < endsAtMs) {
      const next = await read.assessments.unassessed(SESSIONS_AT_ONCE);
      if (!next) break;
      await transaction((tx) => tx.assessments.assess(next.gkScopeId, next.gkSessionIds));
      await pause(PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
    const before = unassessed;
    unassessed = await read.assessments.countUnassessed();
    if (unassessed > 0 || before > 0)
      log.info({ sessions: unassessed }, 'sessions that are still to be assessed');
  }
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= underLease(database, 'assessing sessions', LEASE_MS, work)
      .catch((cause: unknown) => {
        if (!isOutage(cause)) log.warn({ err: cause }, 'assessing sessions failed');
      })
      .finally(() => (running = undefined));
  }, EVERY_MS).unref();
  return {
    metrics: [
      {
        name: 'voxgate_sessions_unassessed',
        type: 'gauge',
        help: 'Sessions that are still to be assessed; until then, filters by headline and caveat are slower',
        value: () => unassessed,
      },
    ],
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

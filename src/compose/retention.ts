// Applies the retention settings once an hour: deletes sessions and audit records that are old enough, and recordings of
// erased persons that came late; it also packs voices of stored calls into blocks. Media has its own sweep, because bytes are
// involved.
import { sweepErased } from '../biometrics/jobs/erasure-sweep.js';
import { endHolds } from '../biometrics/media/holds.js';
import { packVoices } from '../biometrics/voice-search/pack-voices.js';
import { expireSessions } from '../biometrics/sessions/expire-sessions.js';
import type { BiometricsDeps } from '../biometrics/ports/deps.js';
import type { AuditLog } from '../storage/audit/audit-log.js';
import type { OnOneNode } from './on-one-node.js';
import type { Core } from './part.js';
import { DAY_MS } from '../platform.js';
import { isTimeProven } from './time-proof.js';

const FIRST_MS = 90_000;
const EVERY_MS = 3600_000;
/** Records that one transaction removes. */
const CUT_RECORDS = 10_000;

/** What the sweep of media goes by. */
export const mediaRetention = ({ config, timeProof }: Pick<Core, 'config' | 'timeProof'>) => ({
  retentionMs: config.retention.mediaDays * DAY_MS,
  isTimeProven: () => isTimeProven({ timeProof }),
});

interface RetentionDeps extends Pick<BiometricsDeps, 'store' | 'jobs' | 'ids' | 'configsetCache'> {
  audit: AuditLog;
}

const nothing = { sessions: 0, engagements: 0, auditRecords: 0, erasedAgain: 0, holds: 0 };

export async function applyRetention(
  { clock, config }: Pick<Core, 'clock' | 'config'>,
  { store, audit }: Pick<RetentionDeps, 'store' | 'audit'>,
): Promise<{ sessions: number; engagements: number; auditRecords: number }> {
  const { sessionDays, auditDays } = config.retention;
  const expired = await expireSessions({ store, clock }, sessionDays * DAY_MS);
  // Rows go with the next call that ends, too; where none comes, what they tell must not outlast its day.
  await store.transaction(async ({ liveOutcomes, handovers }) => {
    await liveOutcomes.deleteExpired(clock.now());
    await handovers.deleteExpired(clock.now());
  });
  // Whole days, so that a chain is cut once a day and not a little every hour.
  const beforeMs = Math.floor((clock.now() - auditDays * DAY_MS) / DAY_MS) * DAY_MS;
  let auditRecords = 0;
  for (const chain of await audit.chains()) {
    let cut: number;
    do auditRecords += cut = await audit.cut(chain, beforeMs, CUT_RECORDS);
    while (cut === CUT_RECORDS);
  }
  return { ...expired, auditRecords };
}

async function applyInTurn(
  core: Core,
  deps: RetentionDeps & { onOneNode: OnOneNode },
  stopping: AbortSignal,
) {
  const deleted = await deps.onOneNode(EVERY_MS, async () => {
    // Not for its age: no clock is needed for that.
    const erasedAgain = await sweepErased({ ...deps, clock: core.clock });
    const isProven = await isTimeProven(core);
    const holds = isProven ? await endHolds({ ...deps, clock: core.clock }) : 0;
    const expired = isProven ? await applyRetention(core, deps) : nothing;
    await packVoices(deps, { stopping });
    return { ...expired, erasedAgain, holds };
  });
  return deleted ?? nothing;
}

/** Runs for as long as the program does; answers how to end it. */
export function startRetention(
  core: Core,
  deps: RetentionDeps & { onOneNode: OnOneNode },
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const run = (): void => {
    running = applyInTurn(core, deps, stopping.signal).then(
      (deleted) => {
        if (
          deleted.sessions +
            deleted.engagements +
            deleted.auditRecords +
            deleted.erasedAgain +
            deleted.holds >
          0
        )
          core.log.info(deleted, 'retention applied');
      },
      (cause: unknown) => core.log.warn({ err: cause }, 'applying the retention failed'),
    );
  };
  const first = setTimeout(run, FIRST_MS).unref();
  const timer = setInterval(run, EVERY_MS).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}

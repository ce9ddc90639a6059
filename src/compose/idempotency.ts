// Calls that may be repeated: keeps their answers, and forgets them after a day.
import { Once } from '../idempotency/once.js';
import { keptAnswers } from '../storage/idempotency/kept-answers.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';
import { isTimeProven } from './time-proof.js';

const SWEEP_EVERY_MS = 3600_000;

export function composeIdempotency(
  { clock, log, timeProof }: Core,
  { database, keyring }: Storage,
): Part & { once: Once } {
  const kept = keptAnswers({ database, keyring, clock });
  let sweeping: Promise<unknown> = Promise.resolve();
  const sweep = async (): Promise<void> => {
    if (!(await isTimeProven({ timeProof }))) return;
    const answers = await kept.sweep();
    if (answers > 0) log.info({ answers }, 'answers of calls with an idempotency key forgotten');
  };
  const timer = setInterval(() => {
    sweeping = sweep().catch((cause: unknown) =>
      log.warn({ err: cause }, 'forgetting the answers of calls with an idempotency key failed'),
    );
  }, SWEEP_EVERY_MS).unref();
  return {
    once: new Once(kept),
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

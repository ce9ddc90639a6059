// Attempts at a password or a code, counted across all addresses and nodes. An attempt is counted before anything is compared,
// so that many at once get no more attempts than one after another; a correct one resets the count.
import type { AuthDeps } from '../deps.js';
import { hashHandle } from '../secrets.js';
import { LONGEST_WAIT_MS, waitAfter } from './failure-pace.js';

/** One counted attempt; `failures` is the number in a row if it turns out wrong. */
export interface Attempt {
  key: string;
  failures: number;
  freeAtMs: number;
}

type TakenAttempt = { ok: true; attempt: Attempt } | { ok: false; waitMs: number };

/**
 * What was typed is not kept, since it might be a password; nor does the key reveal whether the name exists.
 */
export function keyOfName(deps: Pick<AuthDeps, 'secrets'>, userName: string): string {
  return hashHandle(deps.secrets, 'failures-name', userName);
}

/** For a known person: in a browser, at a step, in a sign-in. */
export function keyOfPlace(deps: Pick<AuthDeps, 'secrets'>, userId: string, place: string): string {
  return hashHandle(deps.secrets, `failures-place ${userId}`, place);
}

export async function takeAttempt(deps: AuthDeps, key: string): Promise<TakenAttempt> {
  const { loginFailuresMax } = deps.settings;
  const nowMs = deps.clock.now();
  return deps.store.transaction(async (tx): Promise<TakenAttempt> => {
    const before = await tx.failures.hold(key, nowMs);
    const waitMs = before.freeAtMs - nowMs;
    // No wait is ever this long: the clock was set back.
    if (waitMs > 0 && waitMs <= LONGEST_WAIT_MS) return { ok: false, waitMs };
    const failures = before.failures + 1;
    const freeAtMs = nowMs + waitAfter(failures, loginFailuresMax);
    await tx.failures.put(key, { failures, lastAtMs: nowMs, freeAtMs });
    return { ok: true, attempt: { key, failures, freeAtMs } };
  });
}

/** Nothing was compared, or nothing could be learned. */
export async function giveBackAttempt(deps: AuthDeps, { key, freeAtMs }: Attempt): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.store.transaction(async (tx) => {
    const row = await tx.failures.hold(key, nowMs);
    await tx.failures.put(key, {
      ...row,
      failures: Math.max(0, row.failures - 1),
      freeAtMs: row.freeAtMs === freeAtMs ? nowMs : row.freeAtMs,
    });
  });
}

/** The attempt was right. */
export async function endFailures(deps: AuthDeps, { key }: Attempt): Promise<void> {
  await deps.store.direct.failures.clear(key);
}

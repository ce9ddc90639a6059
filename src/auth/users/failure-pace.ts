// How wrong passwords in a row slow down the next attempt, wherever it comes from. Pure.
import type { FailureRow } from '../ports.js';

/** So many waves of wrong passwords, each of which makes the sender slow, make the whole account slow. */
const WAVES = 5;
/** NIST SP 800-63B-4 section 3.2.2: no more in a row than this before all are slow, whatever is set. */
const FAILURES_MAX = 100;
const FIRST_WAIT_MS = 30_000;
/** Nobody waits longer, or strangers could keep an owner out for days who has no browser that is known. */
export const LONGEST_WAIT_MS = 3600_000;

/** After so many in a row there is one attempt at a time, for all that are not known. */
export function failureBudget(loginFailuresMax: number): number {
  return Math.min(FAILURES_MAX, WAVES * loginFailuresMax);
}

/** How long nobody is let try again after this many failures in a row. */
export function waitAfter(failures: number, loginFailuresMax: number): number {
  const beyond = failures - failureBudget(loginFailuresMax);
  return beyond < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** beyond);
}

/** Whether each sender is held to a few attempts: enough failures, and the last of them not long ago. */
export function isGuarded(
  row: FailureRow | undefined,
  { loginFailuresMax, loginLockMs }: { loginFailuresMax: number; loginLockMs: number },
  nowMs: number,
): boolean {
  return row !== undefined && row.failures >= loginFailuresMax && nowMs - row.lastAtMs < loginLockMs;
}

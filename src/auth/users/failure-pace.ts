// How consecutive wrong passwords slow down the next attempt, wherever it comes from. Pure.
import type { FailureRow } from '../ports.js';

/**
 * After this many waves of wrong passwords, each of which slows down its sender, the whole account is slowed
 * down.
 */
const WAVES = 5;
/**
 * NIST SP 800-63B-4 section 3.2.2: the most in a row before everybody is slowed down, whatever is configured.
 */
const FAILURES_MAX = 100;
const FIRST_WAIT_MS = 30_000;
/** The longest wait; otherwise strangers could keep out an owner without a known browser for days. */
export const LONGEST_WAIT_MS = 3600_000;

/** After this many in a row there is one attempt at a time, for everybody who is not known. */
export function failureBudget(loginFailuresMax: number): number {
  return Math.min(FAILURES_MAX, WAVES * loginFailuresMax);
}

/** How long no attempt is accepted after this many failures in a row. */
export function waitAfter(failures: number, loginFailuresMax: number): number {
  const beyond = failures - failureBudget(loginFailuresMax);
  return beyond < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** beyond);
}

/** Whether each sender is limited to a few attempts: after enough failures, the last of them recent. */
export function isGuarded(
  row: FailureRow | undefined,
  { loginFailuresMax, loginLockMs }: { loginFailuresMax: number; loginLockMs: number },
  nowMs: number,
): boolean {
  return row !== undefined && row.failures >= loginFailuresMax && nowMs - row.lastAtMs < loginLockMs;
}

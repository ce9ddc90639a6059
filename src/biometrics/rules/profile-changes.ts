// The changes that a profile can go through, as pure functions: lock, unlock, count a mismatch, lose its template. The
// operations store what these return.
import type { Parameters } from '../model/parameters.js';
import type { Decision } from '../model/outcome.js';
import type { Profile, ProfileLock } from '../model/profiles.js';

export const unlocked: ProfileLock = { locked: false, text: '', lockedBy: '', mismatchCounter: 0 };

/**
 * Automatic locks end by themselves; checked whenever a profile is read
 * (docs/reference/voiceprint-contract.md#locks).
 */
export function lockAt(lock: ProfileLock, nowMs: number): ProfileLock {
  return lock.locked && lock.autoUnlockAtMs !== undefined && lock.autoUnlockAtMs <= nowMs ? unlocked : lock;
}

export function isLocked(profile: Profile, nowMs: number): boolean {
  return lockAt(profile.lock, nowMs).locked;
}

/**
 * A manual lock; on a locked print only the reason changes. An automatic lock becomes a manual one, because
 * only automatic locks end by themselves: somebody who locks a print expects it to stay locked.
 */
export function lockedByHand(profile: Profile, by: string, text: string, nowMs: number): Profile {
  const { locked, lockedAtMs = nowMs, mismatchCounter } = lockAt(profile.lock, nowMs);
  const lock: ProfileLock = {
    locked: true,
    reason: 'OTHER',
    text,
    lockedBy: by,
    lockedAtMs: locked ? lockedAtMs : nowMs,
    mismatchCounter,
  };
  return { ...profile, lock, modifiedAtMs: nowMs };
}

/**
 * Counts a mismatch, or resets the count after a match; uncertain and failed decisions say nothing about the
 * caller.
 */
export function afterDecision(
  profile: Profile,
  decision: Decision,
  parameters: Parameters,
  nowMs: number,
): Profile | undefined {
  const lock = lockAt(profile.lock, nowMs);
  if (decision === 'AUTHENTIC') {
    return lock.mismatchCounter === 0 && lock === profile.lock
      ? undefined
      : { ...profile, lock: { ...lock, mismatchCounter: 0 }, modifiedAtMs: nowMs };
  }
  if (decision !== 'NO_MATCH' && decision !== 'FRAUD') return undefined;
  const mismatchCounter = lock.mismatchCounter + 1;
  if (lock.locked || mismatchCounter < parameters.locks.mismatchesMax)
    return { ...profile, lock: { ...lock, mismatchCounter }, modifiedAtMs: nowMs };
  return {
    ...profile,
    lock: {
      locked: true,
      reason: 'CONSECUTIVE_MISMATCHES',
      text: '',
      lockedBy: '',
      mismatchCounter,
      lockedAtMs: nowMs,
      autoUnlockAtMs: nowMs + parameters.locks.autoUnlockMinutes * 60_000,
    },
    modifiedAtMs: nowMs,
  };
}

/** The profile without its template; segments and version stay. */
export function untrained(profile: Profile, nowMs: number): Profile {
  const { trained: _removed, damaged: _damaged, ...rest } = profile;
  return { ...rest, status: 'NOT_TRAINED', modifiedAtMs: nowMs };
}

/**
 * Only after a print's first training: somebody who enrolled as another person must not benefit at once.
 * Without such a period, a print can be used even if its training lies in the future, by another node's clock
 * or a wrong one.
 */
export function isCoolingOff(
  print: Pick<Profile, 'version' | 'trained'>,
  minutes: number,
  nowMs: number,
): boolean {
  return nowMs < comparedFromMs(print, minutes);
}

/** From when a print may be compared; 0 if always. */
export function comparedFromMs(
  { version, trained }: Pick<Profile, 'version' | 'trained'>,
  minutes: number,
): number {
  if (minutes === 0 || version !== 1 || trained === undefined) return 0;
  return trained.trainedAtMs + minutes * 60_000;
}

// Counting mismatches, locking and unlocking.
import { describe, expect, it } from 'vitest';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import type { Profile, ProfileLock } from '../../../src/biometrics/model/profiles.js';
import {
  afterDecision,
  isCoolingOff,
  isLocked,
  lockAt,
  lockedByHand,
  unlocked,
  untrained,
} from '../../../src/biometrics/rules/profile-changes.js';
import type { Decision } from '../../../src/biometrics/model/outcome.js';

const NOW = 1_000_000;
const MINUTE_MS = 60_000;
const parameters = resolveParameters({ locks: { mismatchesMax: 3, autoUnlockMinutes: 30 } });
const profileWith = (lock: Partial<ProfileLock>) =>
  ({ gkVoiceprintProfileId: 'p', lock: { ...unlocked, ...lock }, modifiedAtMs: 1 }) as Profile;
const automatic = (untilMs: number): Partial<ProfileLock> => ({
  locked: true,
  reason: 'CONSECUTIVE_MISMATCHES',
  mismatchCounter: 3,
  autoUnlockAtMs: untilMs,
});

const counting: [name: string, Partial<ProfileLock>, Decision, Partial<ProfileLock> | undefined][] = [
  ['a first mismatch', {}, 'NO_MATCH', { locked: false, mismatchCounter: 1 }],
  ['fraud counts like a mismatch', { mismatchCounter: 1 }, 'FRAUD', { locked: false, mismatchCounter: 2 }],
  [
    'the last mismatch locks, for half an hour',
    { mismatchCounter: 2 },
    'NO_MATCH',
    {
      locked: true,
      reason: 'CONSECUTIVE_MISMATCHES',
      mismatchCounter: 3,
      lockedAtMs: NOW,
      autoUnlockAtMs: NOW + 30 * MINUTE_MS,
    },
  ],
  ['a match forgets the mismatches', { mismatchCounter: 2 }, 'AUTHENTIC', { mismatchCounter: 0 }],
  ['a match with nothing to forget changes nothing', {}, 'AUTHENTIC', undefined],
  ['uncertain says nothing about the caller', { mismatchCounter: 2 }, 'UNCERTAIN', undefined],
  ['a failure says nothing about the caller', { mismatchCounter: 2 }, 'FAILED', undefined],
  [
    'a mismatch after an automatic lock has run out starts anew',
    automatic(NOW),
    'NO_MATCH',
    { locked: false, mismatchCounter: 1 },
  ],
];

describe('counting mismatches', () => {
  it.each(counting)('%s', (_name, lock, decision, expected) => {
    const changed = afterDecision(profileWith(lock), decision, parameters, NOW);
    if (!expected) expect(changed).toBeUndefined();
    else expect(changed).toMatchObject({ lock: expected, modifiedAtMs: NOW });
  });
});

describe('locks', () => {
  it.each([
    ['an automatic lock before its time', automatic(NOW + 1), true],
    ['an automatic lock at its time', automatic(NOW), false],
    ['a lock by hand, for ever', { locked: true, reason: 'OTHER' as const }, true],
    ['no lock', {}, false],
  ])('%s', (_name, lock, expected) => {
    const profile = profileWith(lock);
    expect(isLocked(profile, NOW)).toBe(expected);
    expect(lockAt(profile.lock, NOW)).toEqual(expected ? profile.lock : unlocked);
  });

  it('a second lock by hand changes only the words', () => {
    const first = lockedByHand(profileWith({ mismatchCounter: 2 }), 'agent', 'lost phone', NOW);
    expect(first.lock).toMatchObject({ locked: true, reason: 'OTHER', mismatchCounter: 2, lockedAtMs: NOW });
    const second = lockedByHand(first, 'analyst', 'theft', NOW + 5);
    expect(second.lock).toEqual({ ...first.lock, text: 'theft', lockedBy: 'analyst' });
  });

  it('a lock by hand on a print that locked itself stays until somebody opens it', () => {
    const itself = profileWith({ ...automatic(NOW + 1), lockedAtMs: NOW - 60_000, mismatchCounter: 5 });
    const { lock } = lockedByHand(itself, 'analyst', 'theft', NOW);
    expect(lock).toEqual({
      locked: true,
      reason: 'OTHER',
      text: 'theft',
      lockedBy: 'analyst',
      lockedAtMs: NOW - 60_000,
      mismatchCounter: 5,
    });
    expect(isLocked({ ...itself, lock }, NOW + 365 * 86_400_000)).toBe(true);
  });

  it('a lock by hand after an automatic one has opened is a new one', () => {
    const opened = profileWith({ ...automatic(NOW), lockedAtMs: NOW - 60_000, mismatchCounter: 5 });
    expect(lockedByHand(opened, 'analyst', 'theft', NOW).lock).toMatchObject({
      lockedAtMs: NOW,
      mismatchCounter: 0,
    });
  });

  it('a print without its template is not trained and keeps its version', () => {
    const trained = { ...profileWith({}), status: 'BASIC_TRAINED', version: 4, trained: {} } as Profile;
    expect(untrained(trained, NOW)).toMatchObject({ status: 'NOT_TRAINED', version: 4, modifiedAtMs: NOW });
    expect(untrained(trained, NOW).trained).toBeUndefined();
  });
});

describe('the cooling-off time', () => {
  const trained = { trainedAtMs: NOW } as Profile['trained'];
  it.each([
    ['holds right after the first training', { version: 1, trained }, 60, NOW, true],
    ['holds until its last millisecond', { version: 1, trained }, 60, NOW + 3_599_999, true],
    ['is over then', { version: 1, trained }, 60, NOW + 3_600_000, false],
    ['does not begin anew with more training', { version: 2, trained }, 60, NOW, false],
    ['is none where it is zero', { version: 1, trained }, 0, NOW, false],
    ['is none where it is zero, also by a clock that is behind', { version: 1, trained }, 0, NOW - 1, false],
    ['is none without a print', { version: 0 }, 60, NOW, false],
  ] as const)('%s', (_name, profile, minutes, now, expected) => {
    expect(isCoolingOff(profile as Profile, minutes, now)).toBe(expected);
  });
});

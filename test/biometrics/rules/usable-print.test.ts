// Whether a print can be used for what is asked: what each of its states refuses, and which refusal comes first.
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/biometrics/model/profiles.js';
import {
  isCompatible,
  isRefusedForLock,
  searchable,
  verifiable,
} from '../../../src/biometrics/rules/usable-print.js';
import { AppError } from '../../../src/errors.js';

const NOW = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;
const model = { revision: 'model-2', dim: 3 };

const trainedBy = (modelRevision: string, dim = 3) =>
  ({ template: { modelRevision, embedding: new Float32Array(dim) } }) as unknown as NonNullable<
    Profile['trained']
  >;
const print = (fields: Partial<Profile> = {}): Profile =>
  ({ ownerType: 'PERSON', lock: { locked: false }, trained: trainedBy('model-2'), ...fields }) as Profile;
const untrained = (fields: Partial<Profile> = {}): Profile => {
  const { trained: _, ...others } = print(fields);
  return others;
};
const locked = { locked: true } as Profile['lock'];
const opensAt = (autoUnlockAtMs: number) => ({ locked: true, autoUnlockAtMs }) as Profile['lock'];

/** `used`, or what it is refused with: the code, and the diagnostic or else the violation. */
function outcomeOf(use: () => unknown): string {
  try {
    use();
    return 'used';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, error.diagnostics[0]?.code ?? error.fields[0]?.violation].join(' ');
  }
}

const NOT_TRAINED = 'INVALID_REQUEST PROFILE_NOT_TRAINED';
const OF_OTHER_MODEL = 'INVALID_REQUEST CALIBRATION_INCOMPATIBLE';
const LOCKED = 'PERMISSION_DENIED PROFILE_LOCKED';
const WRONG_OWNER = 'INVALID_REQUEST FIELD_CONFLICT';

describe('a print that is to be verified', () => {
  it.each<[name: string, profile: Profile | undefined, expected: string]>([
    ['trained by this model', print(), 'used'],
    ['that is not there', undefined, 'NOT_FOUND OTHER'],
    ['of a fraudster', print({ ownerType: 'FRAUDSTER' }), WRONG_OWNER],
    [
      'of a fraudster and locked: whose it is comes first',
      print({ ownerType: 'FRAUDSTER', lock: locked }),
      WRONG_OWNER,
    ],
    ['locked', print({ lock: locked }), LOCKED],
    ['locked and not trained: the lock comes first', untrained({ lock: locked }), LOCKED],
    ['locked and damaged: the lock comes first', print({ lock: locked, damaged: true }), LOCKED],
    ['locked until later', print({ lock: opensAt(NOW + 1) }), LOCKED],
    ['locked until now', print({ lock: opensAt(NOW) }), 'used'],
    ['locked until an hour ago', print({ lock: opensAt(NOW - HOUR_MS) }), 'used'],
    ['damaged: the comparison says so', untrained({ damaged: true }), 'used'],
    ['never trained', untrained(), NOT_TRAINED],
    ['made by another model', print({ trained: trainedBy('model-1') }), OF_OTHER_MODEL],
    ['of another length', print({ trained: trainedBy('model-2', 4) }), OF_OTHER_MODEL],
  ])('%s', (_name, profile, expected) => {
    expect(outcomeOf(() => verifiable(profile, model, NOW))).toBe(expected);
  });

  it('says when a lock opens by itself, and which models are meant', () => {
    const refusal = (profile: Profile): unknown => {
      try {
        return verifiable(profile, model, NOW);
      } catch (error) {
        return error;
      }
    };
    const byLock = refusal(print({ lock: opensAt(NOW + HOUR_MS) }));
    expect(byLock).toMatchObject({
      diagnostics: [{ extras: { auto_unlock_timestamp: '2026-01-02T01:00:00.000Z' } }],
    });
    expect(isRefusedForLock(byLock)).toBe(true);
    expect(refusal(print({ lock: locked }))).toMatchObject({ diagnostics: [{ extras: {} }] });
    const byModel = refusal(print({ trained: trainedBy('model-1') }));
    expect(byModel).toMatchObject({
      diagnostics: [{ extras: { print_model: 'model-1', required_model: 'model-2' } }],
    });
    expect(isRefusedForLock(byModel)).toBe(false);
    expect(isRefusedForLock(new Error('PROFILE_LOCKED'))).toBe(false);
  });
});

describe('a print whose voice is looked for', () => {
  const ofFraudster = { ownerType: 'FRAUDSTER' } as const;
  it.each<[name: string, profile: Profile, expected: string]>([
    ['of a fraudster', print(ofFraudster), 'used'],
    ['of a fraudster, locked: locks are for persons', print({ ...ofFraudster, lock: locked }), 'used'],
    ['of a person', print(), WRONG_OWNER],
    ['never trained', untrained(ofFraudster), NOT_TRAINED],
    ['made by another model', print({ ...ofFraudster, trained: trainedBy('model-1') }), OF_OTHER_MODEL],
  ])('%s', (_name, profile, expected) => {
    expect(outcomeOf(() => searchable(profile, model))).toBe(expected);
  });
});

it('only the model that made a print compares it, and only in its length', () => {
  expect(isCompatible(trainedBy('model-2'), model)).toBe(true);
  expect(isCompatible(trainedBy('model-1'), model)).toBe(false);
  expect(isCompatible(trainedBy('model-2', 2), model)).toBe(false);
});

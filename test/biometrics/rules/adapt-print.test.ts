// Near-term adaptation: when a print learns from a match, and how much.
import { describe, expect, it } from 'vitest';
import type { ProcessedAudio } from '../../../src/biometrics/model/media.js';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import type { Profile } from '../../../src/biometrics/model/profiles.js';
import { adapted } from '../../../src/biometrics/rules/adapt-print.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';

const NOW = 5000;
const model = { revision: 'm', dim: 2 } as SpeakerModel;
const on = resolveParameters({
  authentication: { nearTermAdaptation: true, adaptationNetSpeechSecondsMin: 10 },
});
const off = resolveParameters({ authentication: { nearTermAdaptation: false } });

const voice = (x: number, y: number, netMs: number): VoiceSample => ({
  embedding: Float32Array.of(x, y),
  netMs,
  snrDb: 20,
  bandwidth: 'wide',
  modelRevision: 'm',
});

const print = (netMs: number): Profile =>
  ({
    gkVoiceprintProfileId: 'p',
    status: 'TRAINED',
    version: 3,
    nearTermAdaptation: false,
    modifiedAtMs: 1,
    trained: { template: { ...voice(1, 0, netMs), segments: 3 }, calibrationRevisionId: 'c', trainedAtMs: 1 },
  }) as unknown as Profile;

const heard = (netMs: number, usedMs = netMs): ProcessedAudio =>
  ({
    netAudioMs: netMs,
    model: { voice: voice(0, 1, usedMs), checkpoints: [] },
  }) as unknown as ProcessedAudio;

describe('a print after a match', () => {
  const unchanged: [string, Profile, ProcessedAudio, typeof on][] = [
    ['where the config set does not ask for it', print(30_000), heard(30_000), off],
    ['with too little speech', print(30_000), heard(9999), on],
    [
      'that is not trained',
      { ...print(30_000), trained: undefined } as unknown as Profile,
      heard(30_000),
      on,
    ],
    ['with audio that gave no voice', print(30_000), { netAudioMs: 30_000 } as ProcessedAudio, on],
  ];
  it.each(unchanged)('stays as it is %s', (_name, profile, audio, parameters) => {
    expect(adapted(profile, audio, model, parameters, NOW)).toBe(profile);
  });

  const moved: [string, printMs: number, heardMs: number, 'less' | 'as much' | 'more'][] = [
    ['a call of less speech than the print', 60_000, 10_000, 'less'],
    ['a call of the same speech', 20_000, 20_000, 'as much'],
    ['a call of more speech than the print', 10_000, 60_000, 'more'],
  ];
  it.each(moved)('by %s weighs accordingly', (_name, printMs, heardMs, weight) => {
    const before = print(printMs);
    const after = adapted(before, heard(heardMs), model, on, NOW);
    expect(after).toMatchObject({ nearTermAdaptation: true, modifiedAtMs: NOW, version: 3 });
    const [own = 0, heardShare = 0] = after.trained?.template.embedding ?? [];
    expect(heardShare).toBeGreaterThan(0);
    if (weight === 'as much') expect(heardShare).toBeCloseTo(own, 5);
    else expect(heardShare < own).toBe(weight === 'less');
    expect(after.trained?.template.netMs).toBe(printMs + heardMs);
    // What it was made from stays.
    expect(before.trained?.template.embedding).toEqual(Float32Array.of(1, 0));
    expect(after.trained?.calibrationRevisionId).toBe('c');
  });
});

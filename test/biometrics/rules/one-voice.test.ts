import { describe, expect, it } from 'vitest';
import { isOneVoice } from '../../../src/biometrics/rules/one-voice.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';

const model: SpeakerModel = {
  revision: 'test-1',
  dim: 3,
  scoring: {
    // The score is 10 times the cosine, less 5.
    coefficients: [-5, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    netTestClampS: [1, 60],
    netEnrolClampS: [1, 60],
    snrClampDb: [0, 30],
    llrClamp: [-20, 20],
  },
  thresholds: [{ far: 0.01, llr: 0 }],
};

/** Of one person, or of another one who sounds this much alike. */
const speaks = (cosine: number, netMs = 3000) => ({
  netMs,
  embedding: Float32Array.from([cosine, Math.sqrt(1 - cosine * cosine), 0]),
});

describe('the speech of a call is one voice', () => {
  it.each([
    ['when it is short', true, [speaks(1)]],
    ['when it sounds the same throughout', true, [speaks(1), speaks(0.8), speaks(0.9), speaks(0.7)]],
    ['unless another one follows', false, [speaks(1), speaks(1), speaks(0.4), speaks(0.4)]],
    ['unless two take turns', false, [speaks(1), speaks(0.4), speaks(1), speaks(0.4), speaks(1)]],
    ['unless somebody else is heard between', false, [speaks(1), speaks(0.3), speaks(1), speaks(1)]],
    [
      'unless two take turns for an hour',
      false,
      Array.from({ length: 1200 }, (_, at) => speaks(at % 2 === 0 ? 1 : 0.4)),
    ],
    [
      'when one person speaks for an hour',
      true,
      Array.from({ length: 1200 }, (_, at) => speaks(0.9 + (at % 7) / 100)),
    ],
    ['where too little is heard of another one', true, [speaks(1), speaks(0.3, 1500), speaks(1)]],
  ])('%s', (_when, expected, spoken) => {
    const windows = spoken.map((part, at) => ({ ...part, startMs: 4000 * at, endMs: 4000 * at + 3000 }));
    const voice: VoiceSample = {
      embedding: Float32Array.from([1, 0, 0]),
      netMs: 0,
      snrDb: 20,
      bandwidth: 'narrow',
      modelRevision: 'test-1',
    };
    expect(isOneVoice(model, voice, windows)).toBe(expected);
  });
});

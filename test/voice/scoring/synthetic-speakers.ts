// Embeddings of made-up speakers for tests of scoring: a center per speaker, noise per utterance.
import { normalized } from '../../../src/voice/embedding/vector.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';

export const DIM = 48;

export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function gaussianVector(random: () => number, dim = DIM): Float32Array {
  return Float32Array.from(
    { length: dim },
    () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random()),
  );
}

export function utterance(
  random: () => number,
  center: Float32Array,
  noise = 0.5,
  extra: Partial<VoiceSample> = {},
): VoiceSample {
  const spread = gaussianVector(random, center.length);
  const embedding = normalized(center.map((value, i) => value + noise * (spread[i] ?? 0)));
  return { embedding, netMs: 5000, snrDb: 25, bandwidth: 'wide', modelRevision: 'test-1', ...extra };
}

export function testModel(overrides: Partial<SpeakerModel> = {}): SpeakerModel {
  const random = randomSource(99);
  const rows = (): Float32Array =>
    Float32Array.from(Array.from({ length: 200 }, () => [...normalized(gaussianVector(random))]).flat());
  return {
    revision: 'test-1',
    dim: DIM,
    cohort: { wide: rows(), narrow: rows(), dim: DIM, topN: 40, minSd: 0.02 },
    scoring: {
      coefficients: [-6, 1, 4, 0.2, 0.1, 0.1, 0, -0.1, 0.05, 0.05, 0.02, 0, 0],
      netTestClampS: [0.5, 30],
      netEnrolClampS: [0.5, 120],
      snrClampDb: [0, 30],
      llrClamp: [-20, 20],
    },
    thresholds: [
      { far: 0.01, llr: 2 },
      { far: 0.001, llr: 4 },
      { far: 0.0001, llr: 6 },
    ],
    ...overrides,
  };
}

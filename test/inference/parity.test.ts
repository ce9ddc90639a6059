// Replays the vectors that the training side wrote beside each bundled model: the same signals, made here by
// the same formulas, must give the same features, embeddings and scores.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledModelsDir } from '../../src/inference/engine.js';
import { listModels, readDetector, readSpeakerModel } from '../../src/inference/models/manifest.js';
import { openPacked } from '../../src/inference/models/open-packed.js';
import { openModel } from '../../src/inference/onnx.js';
import { dot, normalized } from '../../src/voice/embedding/vector.js';
import { createLogMelExtractor, subtractMean } from '../../src/voice/features/log-mel.js';

const MODELS_DIR = bundledModelsDir();
const withVectors = (kind: 'speaker' | 'synthetic' | 'playback'): string[] =>
  listModels(MODELS_DIR, kind)
    .map((name) => join(MODELS_DIR, name))
    .filter((folder) => existsSync(join(folder, 'parity.json')));

const vectors = <T>(folder: string): T => JSON.parse(readFileSync(join(folder, 'parity.json'), 'utf8')) as T;

const lcg = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => (state = (Math.imul(1664525, state) + 1013904223) >>> 0);
};

interface SpeakerCase {
  name: string;
  seconds: number;
  f0: number;
  k: number;
  A: number;
  seed: number;
  frames: number;
  logmel: Record<string, number[]>;
  logmel_mean: number[];
  embedding: number[];
  tolerance: { logmel: number; embedding_cosine: number };
}

function speakerSignal(c: SpeakerCase): Float32Array {
  const next = lcg(c.seed);
  return Float32Array.from({ length: Math.round(c.seconds * 16000) }, (_, n) => {
    const t = n / 16000;
    const u = next() / 2 ** 32 - 0.5;
    const value =
      6000 * Math.sin(2 * Math.PI * (c.f0 * t + 0.5 * c.k * t * t)) +
      2500 * Math.sin(2 * Math.PI * 3 * c.f0 * t) * (0.5 + 0.5 * Math.sin(2 * Math.PI * 3 * t)) +
      c.A * u;
    return Math.round(value) / 32768;
  });
}

describe.each(withVectors('speaker'))('speaker model %s', (folder) => {
  const { cases } = vectors<{ cases: SpeakerCase[] }>(folder);
  it.each(cases.map((c) => [c.name, c] as const))('agrees with the training side: %s', async (_, c) => {
    const files = readSpeakerModel(folder, false);
    const { packed, modelFile, input, output } = files;
    const run = await (packed ? openPacked(packed, input, output) : openModel(modelFile, input, output));
    const { data, frames, bins } = createLogMelExtractor(files.features)(speakerSignal(c));
    expect(frames).toBe(c.frames);
    for (const [row, expected] of Object.entries(c.logmel)) {
      expected.forEach((value, bin) =>
        expect(Math.abs((data[Number(row) * bins + bin] ?? NaN) - value)).toBeLessThanOrEqual(
          c.tolerance.logmel,
        ),
      );
    }
    subtractMean(data, frames, bins);
    const embedding = normalized(await run(data, [1, frames, bins]));
    expect(dot(embedding, normalized(Float32Array.from(c.embedding)))).toBeGreaterThanOrEqual(
      c.tolerance.embedding_cosine,
    );
  });
});

interface DetectorCase {
  samples: number;
  formula: 'chirp' | 'noise' | 'mix' | 'voiced';
  params: { A?: number; f0?: number; f1?: number; seed?: number; noise_A?: number };
  first: number[];
  score: number;
}

function detectorSignal({ formula, params, samples }: DetectorCase): Float32Array {
  const { A = 0, f0 = 0, f1 = 0, seed = 1 } = params;
  const next = lcg(seed);
  const noiseLevel = formula === 'noise' ? A : (params.noise_A ?? 0);
  const seconds = samples / 16000;
  return Float32Array.from({ length: samples }, (_, n) => {
    const t = n / 16000;
    const hiss = noiseLevel * (next() / 2 ** 31 - 1);
    const chirp = A * Math.sin(2 * Math.PI * (f0 * t + ((f1 - f0) * t * t) / (2 * seconds)));
    let voiced = 0;
    for (let h = 1; h <= 20; h++) voiced += (A / h) * Math.sin(2 * Math.PI * h * f0 * t + h * h * 0.1);
    voiced *= 0.5 + 0.5 * Math.sin(2 * Math.PI * 3 * t);
    return { chirp, noise: hiss, mix: chirp + hiss, voiced: voiced + hiss }[formula];
  });
}

describe.each([...withVectors('synthetic'), ...withVectors('playback')])('attack detector %s', (folder) => {
  const { cases, tolerance } = vectors<{ cases: DetectorCase[]; tolerance: number }>(folder);
  const { modelFile, input, output, info } = readDetector(folder);
  let run: Awaited<ReturnType<typeof openModel>>;
  beforeAll(async () => {
    run = await openModel(modelFile, input, output);
  });
  it.each(cases.map((c) => [c.formula, c] as const))('agrees with the training side: %s', async (_, c) => {
    const signal = detectorSignal(c);
    c.first.forEach((value, n) => expect(signal[n]).toBeCloseTo(value, 1));
    const [score = NaN] = await run(signal, [1, c.samples]);
    expect(Math.abs(score - c.score)).toBeLessThanOrEqual(tolerance);
  });
  it('has a score for digital silence', async () => {
    const [score] = await run(new Float32Array(info.window.samples), [1, info.window.samples]);
    expect(score).toSatisfy(Number.isFinite);
  });
});

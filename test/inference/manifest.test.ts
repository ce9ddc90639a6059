import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledModelsDir, createEngine, findModels } from '../../src/inference/engine.js';
import { halfFromFloat, inspectNetwork } from '../../src/inference/models/import-model.js';
import { loadModels } from '../../src/inference/models/load-models.js';
import {
  defaultModel,
  floatFromHalf,
  listModels,
  readDetector,
  readSpeakerModel,
} from '../../src/inference/models/manifest.js';
import { silentLog, systemClock } from '../../src/platform.js';
import { writeTinyModels } from './tiny-models.js';

const made: string[] = [];
afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

function models(): string {
  const { modelsDir } = writeTinyModels();
  made.push(modelsDir);
  return modelsDir;
}

function edit(folder: string, change: (manifest: Record<string, unknown>) => void): void {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}

describe('model manifests', () => {
  it('bring cohort, calibration and thresholds, strictest last', () => {
    const { model, window } = readSpeakerModel(join(models(), 'speaker-tiny-1'));
    expect(model).toMatchObject({ revision: 'tiny-1', dim: 80 });
    expect(model.cohort?.wide).toHaveLength(30 * 80);
    expect(model.thresholds.map((t) => t.far)).toEqual([0.01, 0.001, 0.0001]);
    expect(window).toEqual({ minFrames: 50, maxFrames: 1000 });
  });

  it('are refused when a file is not the one they were written for', () => {
    const dir = models();
    appendFileSync(join(dir, 'speaker-tiny-1', 'model.onnx'), 'x');
    expect(() => readSpeakerModel(join(dir, 'speaker-tiny-1'))).toThrow(/SHA-256/);
    const other = models();
    appendFileSync(join(other, 'speaker-tiny-1', 'cohort.bin'), 'x');
    expect(() => readSpeakerModel(join(other, 'speaker-tiny-1'))).toThrow(/SHA-256/);
  });

  it.each<[string, (m: Record<string, unknown>) => void]>([
    ['features', (m) => Object.assign(m['features'] as object, { mel_bins: 40 })],
    ['window', (m) => Object.assign(m['features'] as object, { window: 'povey' })],
    ['coefficients', (m) => Object.assign(m['scoring'] as object, { coefficients: [1, 2] })],
    ['thresholds', (m) => Object.assign(m, { thresholds: [] })],
    ['embedding_dim', (m) => Object.assign(m, { embedding_dim: 'many' })],
    ['embedding_dim must be from 16 to 1024', (m) => Object.assign(m, { embedding_dim: 8 })],
    ['embedding_dim must be from 16 to 1024', (m) => Object.assign(m, { embedding_dim: 2048 })],
    ['cohort: dim must be 192', (m) => Object.assign(m, { embedding_dim: 192 })],
    ['kind', (m) => Object.assign(m, { kind: 'synthetic' })],
    ['file', (m) => Object.assign(m, { file: '../tiny.onnx' })],
  ])('name what is wrong: %s', (name, change) => {
    const folder = join(models(), 'speaker-tiny-1');
    edit(folder, change);
    expect(() => readSpeakerModel(folder)).toThrow(new RegExp(name));
  });

  it('choose the last revision unless defaults.json names another', () => {
    const dir = models();
    for (const name of ['speaker-tiny-10', 'speaker-tiny-9']) mkdirSync(join(dir, name));
    expect(listModels(dir, 'speaker')).toEqual(['speaker-tiny-1', 'speaker-tiny-9', 'speaker-tiny-10']);
    expect(defaultModel(dir, 'speaker')).toBe('speaker-tiny-10');
    writeFileSync(join(dir, 'defaults.json'), JSON.stringify({ speaker: 'speaker-tiny-1' }));
    expect(defaultModel(dir, 'speaker')).toBe('speaker-tiny-1');
    expect(defaultModel(dir, 'playback')).toBe('playback-tiny-1');
  });

  it('describe detectors with the shipped threshold', () => {
    expect(readDetector(join(models(), 'synthetic-tiny-1')).info).toMatchObject({
      kind: 'synthetic',
      alarmLlr: { wide: 3, narrow: 3 },
      reliabilityFloor: 40,
    });
  });

  it('say as which numbers of 8 bits a detector stores its weights, if it does', () => {
    const folder = join(models(), 'synthetic-tiny-1');
    expect(readDetector(folder)).not.toHaveProperty('weights');
    edit(folder, (m) => Object.assign(m, { weights: 'signed' }));
    expect(readDetector(folder)).toMatchObject({ weights: 'signed' });
    edit(folder, (m) => Object.assign(m, { weights: 'whole' }));
    expect(() => readDetector(folder)).toThrow(/weights must be one of signed, unsigned/);
  });

  it('say that a detector is experimental, and beyond which lines it cannot know', () => {
    const dir = models();
    const folder = join(dir, 'synthetic-tiny-1');
    expect(readDetector(join(dir, 'playback-tiny-1')).info.experimental).toBe(true);
    expect(readDetector(folder).info).toMatchObject({ experimental: false, unfamiliar: [] });
    edit(folder, (m) =>
      Object.assign(m, {
        unfamiliar: [
          { measure: 'spread', max: 2 },
          { measure: 'snr_db', bandwidth: 'narrow', min: 12, only_clear: true },
        ],
      }),
    );
    expect(readDetector(folder).info.unfamiliar).toEqual([
      { measure: 'spread', bandwidth: 'any', beyond: 'above', limit: 2, onlyClear: false },
      { measure: 'snr_db', bandwidth: 'narrow', beyond: 'below', limit: 12, onlyClear: true },
    ]);
  });

  it.each<[string, object]>([
    ['measure', { measure: 'mood', max: 1 }],
    ['bandwidth', { measure: 'snr_db', bandwidth: 'broad', min: 1 }],
    ['min or max', { measure: 'snr_db', min: 1, max: 2 }],
    ['min or max', { measure: 'snr_db' }],
    ['max', { measure: 'snr_db', max: 'loud' }],
    ['only_clear', { measure: 'snr_db', max: 1, only_clear: 'yes' }],
    ['output', { measure: 'spread', max: 1 }],
  ])('name what is wrong with such a line: %s', (name, row) => {
    const folder = join(models(), 'synthetic-tiny-1');
    edit(folder, (m) => Object.assign(m, { unfamiliar: [row], output: { name: 'score', higher: 'attack' } }));
    expect(() => readDetector(folder)).toThrow(new RegExp(name));
  });

  it('keep an engine from starting with a model that is not there', async () => {
    const config = {
      modelsDir: models(),
      speakerModel: 'speaker-none-1',
      workers: 1,
      queueLimit: 1,
      jobTimeoutMs: 1000,
    };
    await expect(createEngine(config, { log: silentLog, clock: systemClock })).rejects.toThrow(/no model/);
  });
});

describe('a network', () => {
  it(
    'that answers with another number of numbers than its manifest says is refused by name',
    { tags: 'slow' },
    async () => {
      const folder = join(models(), 'speaker-tiny-1');
      edit(folder, (m) => Object.assign(m, { embedding_dim: 96, cohort: null }));
      const { embed } = await loadModels({
        ...findModels({ modelsDir: bundledModelsDir() }),
        speaker: folder,
      });
      await expect(embed(new Float32Array(50 * 80), 50)).rejects.toThrow(
        /model\.onnx: answers with 80 numbers, its manifest says 96/,
      );
    },
  );
});

describe('half floats', () => {
  it('survive the way there and back with eleven bits', () => {
    for (const value of [0, 1, -1, 0.5, 0.1, -0.333, 1e-4, 6e-6, 0.9999]) {
      expect(Math.abs(floatFromHalf(halfFromFloat(value)) - value)).toBeLessThanOrEqual(
        Math.max(Math.abs(value) / 2048, 6e-8),
      );
    }
  });

  it.each([
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x03ff, 1023 * 2 ** -24],
    [0x8001, -(2 ** -24)],
    [0x0000, 0],
    [0x8000, -0],
    [0x7c00, Infinity],
    [0xfc00, -Infinity],
    [0x7e00, NaN],
  ])('%i is %d', (half, value) => {
    expect(floatFromHalf(half)).toBe(value);
  });
});

describe('network inspection', () => {
  it('finds input, output and dimension', async () => {
    const { modelsDir, networkFile } = writeTinyModels();
    made.push(modelsDir);
    expect(await inspectNetwork(networkFile)).toEqual({ input: 'feats', output: 'embs', dim: 80 });
  });
});

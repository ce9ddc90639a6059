// Prompted words through the engine and the bundled model, with synthetic speech at 8 kHz in mu-law.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../../src/errors.js';
import { bundledModelsDir, createEngine } from '../../src/inference/engine.js';
import { listModels, readWordRecognizer } from '../../src/inference/models/manifest.js';
import { openModel } from '../../src/inference/onnx.js';
import { silentLog, systemClock } from '../../src/platform.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import type { AnswerHeard, VoiceEngine } from '../../src/voice/engine.js';
import { speechWav } from './speech-file.js';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/words', name)));

let engine: VoiceEngine;
beforeAll(async () => {
  engine = await createEngine(
    { modelsDir: '', workers: 1, queueLimit: 8, jobTimeoutMs: 60_000 },
    { log: silentLog, clock: systemClock },
  );
});
afterAll(() => engine.close());

const hear = (audio: Uint8Array, words: string): Promise<AnswerHeard> =>
  engine.hearWords(audio, { language: 'en', expected: words.split(' ') });

describe('an answer to a prompt', () => {
  it.each([
    ['slt-7391.wav', 'seven three nine one', 'seven three eight one'],
    ['rms-0528.wav', 'zero five two eight', 'zero five eight two'],
    ['awb-6410.wav', 'six four one zero', 'six four one'],
  ])('%s is accepted for its words and for no others', async (file, right, wrong) => {
    const answer = await hear(fixture(file), right);
    expect(answer.verdict.validity).toBe('AUDIO_OK');
    expect(answer.media).toMatchObject({ container: 'wav', sampleRateHz: 8000 });
    expect(answer.words).toMatchObject({ language: 'en', detectedText: right });
    expect(answer.words?.score).toBeGreaterThan(0);
    const places = answer.words?.words.map(({ startMs, endMs }) => [startMs, endMs]).flat() ?? [];
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.at(-1)).toBeLessThanOrEqual((answer.media?.durationMs ?? 0) + 40);
    expect((await hear(fixture(file), wrong)).words?.score).toBeLessThan(0);
  });

  it('is refused if it is other speech, or none', async () => {
    const other = await hear(await speechWav('anna', [1]), 'seven three nine one');
    expect(other.words?.score).toBeLessThan(0);
    const silence = await hear(encodeWav(new Float32Array(3 * 8000), 8000), 'seven three nine one');
    expect(silence.verdict.validity).toBe('AUDIO_TOO_SOFT');
    expect(silence.words?.score ?? -30).toBeLessThan(0);
  });

  it('that cannot be read is a value with its reason', async () => {
    const { verdict, words } = await hear(new Uint8Array(100), 'one');
    expect(verdict.validity).toBe('INVALID_AUDIO');
    expect(words).toBeUndefined();
    const long = await hear(encodeWav(new Float32Array(31 * 8000), 8000), 'one');
    expect(long.verdict.validity).toBe('INVALID_AUDIO');
  });

  it('cannot be scored for words that are not digits', async () => {
    const asked = hear(fixture('slt-7391.wav'), 'open sesame');
    await expect(asked).rejects.toSatisfy((error: AppError) => error.code === 'INVALID_REQUEST');
  });
});

interface Case {
  seconds: number;
  f0: number;
  seed: number;
  frames: number;
  mean: number[];
}

/** As training/words/export.py makes it. */
function hum({ seconds, f0, seed }: Case): Float32Array {
  let state = seed;
  return Float32Array.from({ length: Math.round(seconds * 16000) }, (_, n) => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    const t = n / 16000;
    let sum = 0;
    for (let k = 1; k < 9; k++) sum += (3000 / k) * Math.sin(2 * Math.PI * k * f0 * t);
    return Math.round((0.5 + 0.5 * Math.sin(4 * Math.PI * t)) * sum + 400 * (state / 2 ** 32 - 0.5));
  });
}

describe.each(listModels(bundledModelsDir(), 'words'))('recognizer %s', (name) => {
  const folder = join(bundledModelsDir(), name);
  const { tolerance, cases } = JSON.parse(readFileSync(join(folder, 'parity.json'), 'utf8')) as {
    tolerance: number;
    cases: Case[];
  };
  it.each(cases.map((c) => [c.f0, c] as const))('agrees with the training side: %s Hz', async (_, c) => {
    const { modelFile, input, output, vocabulary } = readWordRecognizer(folder);
    const run = await openModel(modelFile, input, output);
    const wave = hum(c);
    const logits = await run(wave, [1, wave.length]);
    const width = vocabulary.length + 3;
    expect(logits).toHaveLength(c.frames * width);
    c.mean.forEach((mean, k) => {
      let sum = 0;
      for (let frame = 0; frame < c.frames; frame++) sum += logits[frame * width + k] as number;
      expect(Math.abs(sum / c.frames - mean)).toBeLessThanOrEqual(tolerance);
    });
  });
});

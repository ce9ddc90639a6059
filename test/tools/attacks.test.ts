// @module-tag slow
// The tools that try the checks: attacks that they make, stretches that they cut out, sounds that are nobody's voice.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findRecordings } from '../../src/cli/recordings/corpus.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { VOICES_DIR } from '../inference/speech-file.js';
import { writeTinyModels } from '../inference/tiny-models.js';
import { runTools } from './run-tools.js';

const WORK = mkdtempSync(join(tmpdir(), 'voxgate-tools-'));
const { modelsDir } = writeTinyModels();
afterAll(() => [WORK, modelsDir].forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const tools = (...args: string[]) => runTools(args, join(WORK, 'home'));

describe('the tools that try the checks', () => {
  it('cuts out the stretches that a check names, and says whether the score falls', async () => {
    // To the tiny detector whatever is loud throughout is an attack: equally strong clicks are not.
    const [people, attacks] = [join(WORK, 'clicks'), join(WORK, 'hum')];
    const make = (folder: string, sampleAt: (i: number) => number): void => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, '1.wav'),
        encodeWav(
          Float32Array.from({ length: 48_000 }, (_, i) => sampleAt(i)),
          16_000,
        ),
      );
    };
    make(people, (i) => (i % 4000 < 8 ? 0.9 : 0));
    make(attacks, (i) => 0.3 * Math.sin(i / 20));
    const mask = (...more: string[]) =>
      tools(
        ...['mask', '--bonafide', people, '--spoof', attacks, '--models', modelsDir],
        ...['--workers', '1', '--json', ...more],
      );
    const masked = JSON.parse((await mask('--recordings', '3')).out) as {
      synthetic: Record<string, number>;
      playback: object;
    };
    expect(masked.synthetic).toMatchObject({ recordings: 3, with_spans: 3, judged: 3, lowered: 3 });
    expect(masked.synthetic['mean_drop']).toBeGreaterThan(1);
    expect(masked.synthetic['mean_drop_elsewhere']).toBeLessThan(0);
    expect(masked.synthetic['mean_drop_random']).toBeLessThan(masked.synthetic['mean_drop'] ?? 0);
    expect(masked.synthetic['lowered_more_than_random']).toBe(masked.synthetic['judged']);
    expect(masked.synthetic['named_in_attack']).toBeGreaterThan(masked.synthetic['attack_share']! + 0.1);
    expect(masked.playback).toMatchObject({ recordings: 3 });
    expect(JSON.parse((await mask('--recordings', 'much')).out)).toMatchObject({
      error: expect.stringContaining('--recordings'),
    });
  });

  it('makes attacks, keeps them, and reports what passes by kind', async () => {
    const kept = join(WORK, 'kept');
    const corpus = join(WORK, 'two-voices');
    for (const voice of ['anna', 'bruno']) {
      mkdirSync(join(corpus, voice), { recursive: true });
      for (const n of [1, 2])
        writeFileSync(join(corpus, voice, `${n}.opus`), readFileSync(join(VOICES_DIR, voice, `${n}.opus`)));
    }
    const broken = join(corpus, 'anna', '3.wav');
    writeFileSync(broken, 'no audio at all');
    mkdirSync(join(corpus, 'carl'));
    writeFileSync(join(corpus, 'carl', '1.opus'), readFileSync(join(VOICES_DIR, 'carl', '1.opus')));
    const attack = (...more: string[]) =>
      tools('attack', '--voices', corpus, '--models', modelsDir, '--workers', '1', '--json', ...more);
    const { out, code } = await attack('--kinds', 'splice,replay', '--keep', kept);
    expect(code).toBe(0);
    const report = JSON.parse(out) as { kinds: { kind: string; made: number; passed: number }[] };
    expect(report).toMatchObject({
      speakers: 2,
      unusable: ['carl'],
      left_out: [{ file: broken }],
      seed: 1,
      detectors: [
        { revision: 'synthetic-tiny-1', experimental: false },
        { revision: 'playback-tiny-1', experimental: true },
      ],
      caveat: expect.stringContaining('synthesizers'),
    });
    expect(report.kinds.map(({ kind, made }) => [kind, made])).toEqual([
      ['genuine', 2],
      ['splice', 2],
      ['replay', 2],
    ]);
    expect(findRecordings(kept).map(({ name }) => name)).toEqual([
      'replay/anna-0.wav',
      'replay/bruno-0.wav',
      'splice/anna-0.wav',
      'splice/bruno-0.wav',
    ]);
    const alone = join(WORK, 'kept-alone');
    await attack('--kinds', 'replay', '--keep', alone);
    const same = join('replay', 'anna-0.wav');
    expect(readFileSync(join(alone, same)).equals(readFileSync(join(kept, same)))).toBe(true);
    expect(JSON.parse((await attack('--seed', 'x')).out)).toMatchObject({
      error: expect.stringContaining('--seed'),
    });
    expect(JSON.parse((await attack('--kinds', 'hypnosis')).out)).toMatchObject({
      error: expect.stringContaining('hypnosis is none of'),
    });
  });

  it('accepts none of the generated sounds', async () => {
    const { out, code } = await tools(
      'non-speech',
      '--models',
      modelsDir,
      '--files',
      '40',
      '--prints',
      '20',
      '--workers',
      '1',
      '--json',
    );
    const report = JSON.parse(out) as { files: number; prints: number; accepted: number };
    expect(report).toMatchObject({ files: 40, prints: 20, accepted: 0 });
    expect(code).toBe(0);
  });
});

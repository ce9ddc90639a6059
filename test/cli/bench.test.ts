// @module-tag slow
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateCalibration } from '../../src/biometrics/calibration/calibration-document.js';
import { buildProgram } from '../../src/cli/index.js';
import { allPairs, findRecordings, readTrials } from '../../src/cli/recordings/corpus.js';
import { fairnessText } from '../../src/cli/bench/fairness.js';
import { readLabels } from '../../src/cli/bench/groups.js';
import { loadConfig } from '../../src/config.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { writeTinyModels } from '../inference/tiny-models.js';
import { speechWav, VOICES_DIR } from '../inference/speech-file.js';
import { voiceNames } from '../support/fixtures.js';
import { voiceSamples } from '../support/voice-samples.js';
import { measure as benchEngine } from '../../bench/engine.js';

const WORK = mkdtempSync(join(tmpdir(), 'voxgate-cli-'));
const { modelsDir, networkFile } = writeTinyModels();
afterAll(() => [WORK, modelsDir].forEach((dir) => rmSync(dir, { recursive: true, force: true })));

async function voxgate(...args: string[]): Promise<{ out: string; err: string; exit: number }> {
  const result = { out: '', err: '', exit: 0 };
  const program = await buildProgram({
    out: (text) => void (result.out += `${text}\n`),
    err: (text) => void (result.err += `${text}\n`),
    exit: (code) => void (result.exit = code),
    loadConfig: (flags, settings = {}) =>
      loadConfig({
        file: flags.config,
        flags: { ...settings, home: join(WORK, 'home'), database: flags.database },
      }),
  });
  await program.exitOverride().parseAsync(['node', 'voxgate', ...args]);
  return result;
}

describe('bench accuracy', () => {
  it('measures a folder of speakers and prints one JSON object with the promised keys', async () => {
    const corpus = join(WORK, 'corpus');
    for (const voice of ['anna', 'bruno', 'carl']) {
      mkdirSync(join(corpus, voice), { recursive: true });
      for (const n of [1, 2])
        writeFileSync(join(corpus, voice, `${n}.opus`), readFileSync(join(VOICES_DIR, voice, `${n}.opus`)));
    }
    writeFileSync(join(corpus, 'carl', 'broken.wav'), 'not audio');
    const groups = join(WORK, 'groups.csv');
    writeFileSync(
      groups,
      'speaker,sex,line\nanna,female,\nbruno,male,mobile\ncarl,MALE,mobile\ncarla,female,\n',
    );
    const { out, err, exit } = await voxgate(
      'bench',
      'accuracy',
      '--corpus',
      corpus,
      '--models',
      modelsDir,
      '--out',
      join(WORK, 'report'),
      '--groups',
      groups,
      '--workers',
      '1',
      '--json',
    );
    expect(exit).toBe(0);
    const report = JSON.parse(out) as Record<string, never> & {
      eer: { value: number; low: number; high: number };
      far: number[];
      plots: string[];
    };
    expect(report['trials']).toEqual({ target: 3, impostor: 12 });
    expect(Object.keys(report).slice(0, 5)).toEqual(['trials', 'eer', 'min_dcf', 'cllr', 'far']);
    expect(report.eer.value).toBeGreaterThanOrEqual(0);
    expect(report.eer.value).toBeLessThanOrEqual(1);
    expect(report.far).toHaveLength(3);
    expect(report['recordings']).toMatchObject({
      used: 6,
      unusable: [{ file: expect.stringContaining('broken.wav') }],
    });
    expect(err).toContain('broken.wav');
    expect(err).toContain('no recordings of carla');
    expect(report['fairness']).toMatchObject([
      {
        by: 'sex',
        groups: [
          { group: 'female', speakers: 1, target: 1, impostor: 0, far: null },
          { group: 'male', speakers: 2, target: 2, impostor: 4 },
        ],
        warnings: expect.arrayContaining([expect.stringContaining('8 trials were left out')]),
      },
      { by: 'line', groups: [{ group: 'mobile', speakers: 2 }], garbe: null },
    ]);
    for (const plot of report.plots) expect(readFileSync(plot, 'utf8')).toContain('</svg>');
  });

  it('begins with the recordings as calls, where people have four', async () => {
    const corpus = join(WORK, 'calls');
    for (const voice of ['anna', 'bruno', 'carl']) {
      mkdirSync(join(corpus, voice), { recursive: true });
      for (const n of voice === 'carl' ? [1, 2, 3] : [1, 2, 3, 4])
        writeFileSync(join(corpus, voice, `${n}.opus`), readFileSync(join(VOICES_DIR, voice, `${n}.opus`)));
    }
    const flags = [
      '--corpus',
      corpus,
      '--models',
      modelsDir,
      '--out',
      join(WORK, 'report'),
      '--workers',
      '1',
    ];
    const { out } = await voxgate('bench', 'accuracy', ...flags, '--far', '0.02', '--json');
    const report = JSON.parse(out) as Record<string, Record<string, never>>;
    expect(Object.keys(report)[0]).toBe('as_calls');
    expect(report['as_calls']).toMatchObject({ speakers: 2, enrolled_with: 3, false_accept_rate: 0.02 });
    for (const side of ['genuine', 'strangers']) {
      const { calls, by_look: looks } = report['as_calls']?.[side] as unknown as {
        calls: number;
        by_look: { at: number | 'end'; calls: number; shares: Record<string, number> }[];
      };
      expect(calls).toBe(8);
      expect(looks.map(({ at }) => at)).toEqual([3, 6, 10, 'end']);
      const end = looks.at(-1);
      expect(end?.calls).toBe(8);
      expect(Object.values(end?.shares ?? {}).reduce((sum, share) => sum + share)).toBeCloseTo(1);
      expect(end?.shares['LISTENING']).toBe(0);
    }
    const text = await voxgate('bench', 'accuracy', ...flags);
    expect(text.out.split('\n')[2]).toMatch(/^as calls: 2 people .* false-accept rate 0\.5%$/);
    expect(text.out).toContain('ever "no match"');
  });

  it('reads trial lists in both usual forms', () => {
    const recordings = findRecordings(VOICES_DIR);
    const file = join(WORK, 'trials.txt');
    writeFileSync(
      file,
      '# comment\nanna/1.opus anna/2.opus target\n\n0 anna/1 bruno/3.opus\nanna/1.opus nobody/1.opus nontarget\nanna/1.wav bruno/1.wav nontarget\n',
    );
    const { pairs, unknown } = readTrials(file, recordings);
    expect(pairs.map((p) => [p.first.name, p.second.name, p.target])).toEqual([
      ['anna/1.opus', 'anna/2.opus', true],
      ['anna/1.opus', 'bruno/3.opus', false],
      ['anna/1.opus', 'bruno/1.opus', false],
    ]);
    expect(unknown).toHaveLength(1);
    writeFileSync(file, 'a b maybe\n');
    expect(() => readTrials(file, recordings)).toThrow(/trials.txt:1/);
  });

  it('reads labels of speakers and of recordings, and names what is wrong with them', () => {
    const file = join(WORK, 'labels.tsv');
    const [anna, bruno] = findRecordings(VOICES_DIR).filter(({ name }) => name.endsWith('1.opus'));
    writeFileSync(
      file,
      '# made by hand\nspeaker\tline\tage\nanna\tmobile\t30s\nanna/1.opus\tlandline\t30s\n',
    );
    const { columns, labelOf } = readLabels(file, undefined);
    expect(columns).toEqual(['line', 'age']);
    expect(labelOf('line', anna!)).toBe('landline');
    expect(labelOf('line', { ...anna!, name: 'anna/2.opus' })).toBe('mobile');
    expect(labelOf('age', bruno!)).toBeUndefined();
    expect(readLabels(file, undefined).aboutNobody(findRecordings(VOICES_DIR))).toEqual([]);
    expect(readLabels(file, undefined).aboutNobody([bruno!])).toEqual(['anna', 'anna/1.opus']);
    expect(readLabels(file, 'age').columns).toEqual(['age']);
    expect(() => readLabels(file, 'accent')).toThrow(/no column accent; there are line, age/);
    writeFileSync(file, 'speaker,age\nanna,30s,more\n');
    expect(() => readLabels(file, undefined)).toThrow(/labels.tsv:2: 3 columns, the heading has 2/);
    writeFileSync(file, 'speaker,age\nanna,30s\nanna,40s\n');
    expect(() => readLabels(file, undefined)).toThrow(/anna is there twice/);
    writeFileSync(file, 'speaker\nanna\n');
    expect(() => readLabels(file, undefined)).toThrow(/at least one more/);
    expect(() => readLabels(join(WORK, 'nowhere.csv'), undefined)).toThrow(/^no such file: .*nowhere.csv$/);
    expect(() => readLabels(WORK, undefined)).toThrow(/ is a folder, not a file$/);
  });

  it('takes one label in two spellings for one group', () => {
    const file = join(WORK, 'spelled.csv');
    writeFileSync(file, 'speaker,language,tongue\nanna,EN,EN\nbruno,en,En\n');
    const [anna, bruno] = findRecordings(VOICES_DIR).filter(({ name }) => name.endsWith('1.opus'));
    const { labelOf } = readLabels(file, undefined);
    for (const column of ['language', 'tongue'])
      expect([labelOf(column, anna!), labelOf(column, bruno!)]).toEqual(['EN', 'EN']);
  });

  it('fails where a table is about nobody', async () => {
    const file = join(WORK, 'strangers.csv');
    writeFileSync(file, 'speaker,language\nzoe,en\n');
    const { out, exit } = await voxgate(
      ...['bench', 'accuracy', '--corpus', VOICES_DIR, '--models', modelsDir, '--groups', file, '--json'],
    );
    expect([exit, JSON.parse(out)]).toEqual([1, { error: expect.stringContaining('none of its names') }]);
  });

  it('names no rate without a trial, and one speaker in the singular', () => {
    const lines = fairnessText({
      by: 'sex',
      threshold: { far_target: 0.01, llr: 3 },
      groups: [
        {
          group: 'female',
          speakers: 1,
          target: 1,
          impostor: 0,
          far: null,
          frr: { value: 0, low: 0, high: 0.5 },
        },
      ],
      far_worst_to_best: null,
      frr_worst_to_best: null,
      garbe: null,
      warnings: [],
    });
    expect(lines[0]).toBe('by sex, at the threshold for 1% false accepts');
    expect(lines[1]).toMatch(
      /FAR not known, FRR 0\.00% \(0\.00% to 50\.00%\) {3}1 speaker, 1 target, 0 impostor trials$/,
    );
  });

  it('pairs everything with everything when no list is given', () => {
    const recordings = findRecordings(VOICES_DIR).slice(0, 7);
    const pairs = allPairs(recordings);
    expect(pairs).toHaveLength(21);
    expect(pairs.filter((pair) => pair.target)).toHaveLength(11);
  });

  it('says what is wrong with a missing folder', async () => {
    const { out, exit } = await voxgate('bench', 'accuracy', '--corpus', join(WORK, 'nowhere'), '--json');
    expect(exit).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: expect.stringContaining('not a folder') });
  });
});

describe('bench spoof', () => {
  it('measures detectors on two folders', async () => {
    const scores = join(WORK, 'scores.csv');
    const { out, exit } = await voxgate(
      'bench',
      'spoof',
      '--bonafide',
      join(VOICES_DIR, 'anna'),
      '--spoof',
      join(VOICES_DIR, 'bruno'),
      '--models',
      modelsDir,
      ...['--workers', '1', '--json', '--scores', scores],
    );
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      trials: { bonafide: 5, spoof: 5 },
      eer: { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) },
      synthetic: { revision: 'synthetic-tiny-1' },
      playback: { revision: 'playback-tiny-1' },
      folders: [
        { folder: '', side: 'bonafide', recordings: 5 },
        { folder: '', side: 'spoof', recordings: 5, eer: expect.any(Number), against: 5 },
      ],
    });
    const { eer } = JSON.parse(out) as { eer: { value: number; high: number } };
    // Five of each show no more than this, whatever they score: none of five happens to a rate of a half as well.
    expect(eer.high).toBeGreaterThan(0.3);
    // Both tiny detectors are the same network.
    type Bounds = { low: number; high: number };
    const { folders } = JSON.parse(out) as {
      folders: { alarms: number; playback_alarms: number; cleared: number; low_reliability: number; alarms_interval: Bounds; cleared_interval: Bounds; eer?: number; eer_interval?: Bounds }[];
    }; // prettier-ignore
    for (const row of folders) {
      expect(row.playback_alarms).toBe(row.alarms);
      expect(row.cleared).toBeLessThanOrEqual(1 - row.alarms);
      // Five recordings leave more than half of all shares possible.
      for (const { low, high } of [row.alarms_interval, row.cleared_interval])
        expect(high - low).toBeGreaterThan(0.5);
      if (row.eer !== undefined) expect(row.eer_interval!.high).toBeGreaterThan(0.3);
    }
    const [heading, ...rows] = readFileSync(scores, 'utf8').trimEnd().split('\n');
    expect(heading).toMatch(/^side,recording,synthetic_llr,synthetic_alarm_llr,synthetic_answer,/);
    expect(rows.map((row) => row.split(',').slice(0, 2).join(' ')).sort()).toEqual(
      ['bonafide', 'spoof'].flatMap((side) => [1, 2, 3, 4, 5].map((n) => `${side} ${n}.opus`)),
    );
    for (const row of rows) expect(['alarm', 'low_reliability', 'clear']).toContain(row.split(',')[4]);
  });
});

describe('audio compare', () => {
  let a: string;
  beforeAll(async () => {
    a = join(WORK, 'a.wav');
    writeFileSync(a, await speechWav('anna', [1, 2]));
  });

  it('scores two recordings', async () => {
    const { out, exit } = await voxgate(
      'audio',
      'compare',
      a,
      join(VOICES_DIR, 'bruno', '1.opus'),
      '--models',
      modelsDir,
      '--json',
    );
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      score: { llr: expect.any(Number), reliability: expect.any(Number), risk: expect.any(Number) },
      same: expect.any(Boolean),
      model: 'tiny-1',
    });
  });

  it('gives no score for silence', async () => {
    const silent = join(WORK, 'silent.wav');
    const wav = Buffer.from(readFileSync(a));
    wav.fill(0, 44);
    writeFileSync(silent, wav);
    const { out, exit } = await voxgate('audio', 'compare', a, silent, '--models', modelsDir, '--json');
    expect(exit).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ score: null });
  });
});

describe('model commands', () => {
  it('list what there is, with a mark at the default', async () => {
    const { out } = await voxgate('model', 'list', '--models', modelsDir, '--json');
    const { models } = JSON.parse(out) as { models: { folder: string; default: boolean }[] };
    expect(models).toContainEqual(
      expect.objectContaining({ folder: 'speaker-tiny-1', default: true, dim: 80 }),
    );
  });

  it('import a network, calibrate it on a corpus and make it usable', async () => {
    const corpus = join(WORK, 'many');
    // Eight "speakers" from six voices: the calibration wants eight folders, and two of them may sound alike.
    for (const [i, voice] of ['anna', 'bruno', 'carl', 'dora', 'emil', 'fritz', 'anna', 'bruno'].entries()) {
      mkdirSync(join(corpus, `s${i}`), { recursive: true });
      for (const n of i < 6 ? [1, 2] : [3, 4])
        writeFileSync(join(corpus, `s${i}`, `${n}.opus`), readFileSync(join(VOICES_DIR, voice, `${n}.opus`)));
    }
    const { out, exit } = await voxgate(
      'model',
      'import',
      networkFile,
      '--corpus',
      corpus,
      '--name',
      'mine',
      '--models',
      modelsDir,
      '--workers',
      '1',
      '--json',
    );
    expect(exit, out).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ dim: 80, recordings: 16, trials: { target: 4, impostor: 24 } });
    const list = JSON.parse((await voxgate('model', 'list', '--models', modelsDir, '--json')).out) as {
      models: { folder: string; cohort?: number; error?: string }[];
    };
    expect(list.models.find((m) => m.folder === 'speaker-mine-1')).toMatchObject({ cohort: 4 });
    const again = await voxgate(
      'model',
      'import',
      networkFile,
      '--corpus',
      corpus,
      '--name',
      'mine',
      '--models',
      modelsDir,
      '--json',
    );
    expect(again.exit).toBe(1);
  });

  it('calibrate to callers of one house and write the document that the service takes', async () => {
    const corpus = join(WORK, 'house');
    // What they begin with: how long a recording is heard makes no difference to what is asked here.
    const recordings: Uint8Array[] = [];
    for (const voice of voiceNames)
      for (const sentence of [1, 2, 3, 4, 5]) {
        const samples = await voiceSamples(voice, sentence);
        recordings.push(encodeWav(samples.subarray(0, 3.5 * 16_000), 16_000));
      }
    // Twelve "speakers" out of six voices: enough pairs, not enough truth, which is not the question here.
    for (let speaker = 0; speaker < 12; speaker++) {
      mkdirSync(join(corpus, `s${speaker}`), { recursive: true });
      for (let n = 0; n < 9; n++) {
        const bytes = recordings[(speaker * 5 + n * 7) % recordings.length]!;
        writeFileSync(join(corpus, `s${speaker}`, `${n}.wav`), bytes);
      }
    }
    const document = join(WORK, 'calibration.json');
    const { out, exit } = await voxgate(
      ...['model', 'calibrate', '--corpus', corpus, '--out', document],
      ...['--models', modelsDir, '--workers', '1', '--json'],
    );
    expect(exit, out).toBe(0);
    const report = JSON.parse(out) as { thresholds: { far_target: number; llr: number; far: number }[] };
    expect(report).toMatchObject({ model: 'tiny-1', speakers: 12, document });
    expect(report.thresholds.map((one) => one.far_target)).toEqual([0.01, 0.005, 0.001, 0.0001]);
    const written = readFileSync(document, 'utf8');
    expect(validateCalibration(written, 'tiny-1')).toEqual([]);
    expect(validateCalibration(written, 'tiny-2')).toMatchObject([{ field: 'content.model' }]);
    expect(JSON.parse(written)).toMatchObject({
      model: 'tiny-1',
      madeAt: expect.stringMatching(/^20\d\d-/),
      speakers: 12,
      checked: report.thresholds.map(({ far_target: target, far }) => ({ target, far })),
    });
  });

  it('say how many speakers a calibration needs', async () => {
    const { out, exit } = await voxgate(
      ...['model', 'calibrate', '--corpus', VOICES_DIR, '--models', modelsDir, '--workers', '1', '--json'],
    );
    expect(exit).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: expect.stringContaining('at least 10') });
  });

  it('find the line at which callers of one house raise so few alarms for synthetic speech', async () => {
    const people = join(WORK, 'callers');
    mkdirSync(people, { recursive: true });
    // The tiny detector goes by loudness.
    const wav = await speechWav('anna', [1]);
    for (let caller = 0; caller < 24; caller++) {
      const quiet = Buffer.from(wav);
      for (let at = 44; at + 1 < quiet.length; at += 2)
        quiet.writeInt16LE(Math.round((wav.readInt16LE(at) * (40 + caller)) / 400), at);
      writeFileSync(join(people, `${caller}.wav`), quiet);
    }
    const alarmThreshold = (...more: string[]) =>
      voxgate('model', 'alarm-threshold', '--models', modelsDir, '--workers', '1', '--people', ...more);
    const { out, exit } = await alarmThreshold(people, '--rate', '5', '--json');
    expect(exit, out).toBe(0);
    type Line = { risk_high: number; alarms: number };
    const report = JSON.parse(out) as { lines: { shipped: Line; own: Line; bandwidth: string }[] };
    expect(report.lines).toHaveLength(1);
    const [line] = report.lines;
    const member = line?.bandwidth === 'wide' ? 'syntheticRiskHighWide' : 'syntheticRiskHighNarrow';
    expect(report).toMatchObject({
      detector: 'synthetic-tiny-1',
      rate: 0.05,
      people: 24,
      recordings: { used: 24, unjudged: 0, unusable: [] },
      lines: [
        {
          people: 24,
          recordings: 24,
          shipped: { risk_high: 700 },
          // The loudest is above the line that the others set.
          own: { alarms: 0, checked: { alarms: 1 } },
        },
      ],
      parameters: { attackChecks: { [member]: line?.own.risk_high } },
    });
    const few = await alarmThreshold(people, '--json');
    expect(few.exit).toBe(1);
    expect(JSON.parse(few.out).error).toContain('at least 99 recordings are needed for 1 %, 24 are in');
    const absurd = await alarmThreshold(people, '--rate', '50', '--json');
    expect(JSON.parse(absurd.out).error).toBe('--rate must be a number from 0.1 to 10');
  });

  it('refuse a file that is no such network', async () => {
    const { out, exit } = await voxgate(
      'model',
      'import',
      join(modelsDir, 'synthetic-tiny-1', 'model.onnx'),
      '--corpus',
      VOICES_DIR,
      '--name',
      'wrong',
      '--models',
      modelsDir,
      '--json',
    );
    expect(exit).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: expect.stringContaining('does not take features') });
  });
});

describe('engine benchmark', () => {
  it('runs on small input', async () => {
    const report = await benchEngine({
      seconds: [1],
      rates: [16000],
      repeats: 1,
      modelsDir,
      peer: false,
      json: true,
    });
    expect(report.figures[0]).toMatchObject({ seconds: 1, sampleRateHz: 16000 });
    expect(report.figures[0]!.totalMs).toBeGreaterThan(0);
  });
});

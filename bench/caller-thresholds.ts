// Do thresholds from a tenant's own people keep their promise? Some of the people of a corpus set them: `from_callers` as
// CalibrateFromCallers does (one call of each against one recording of each other person), `from_labels` as `voxgate model
// calibrate` does (all pairs of them); all pairs of the others judge.
//
// usage: npx tsx bench/caller-thresholds.ts CORPUS... [--people N,N] [--alike N] [--draws 100] [--seed 1] [--without NAME,NAME] [--same NAME=NAME,NAME=NAME] [--json]
// CORPUS: one folder per speaker. --people: how many set the thresholds, one after another (default: half; fewer than 15 make too few pairs). --without: speakers, or recordings
// as speaker/file, that are left out. --same: speakers who are one person under two names, as a tenant marks them; the report names the
// pairs that sound most like it. --alike: the same again within each of so many groups of people who sound alike.
import { parseArgs } from 'node:util';
import { processIo } from '../src/cli/io.js';
import { findRecordings, type Utterance } from '../src/cli/recordings/corpus.js';
import { withEngine } from '../src/cli/recordings/engine.js';
import { measureRecordings } from '../src/cli/recordings/scored-corpus.js';
import { callerThresholds, type StrangerTrial } from '../src/voice/calibration/caller-thresholds.js';
import { labeledThresholds } from '../src/voice/calibration/own-thresholds.js';
import { seededRandom } from '../src/voice/evaluation/metrics.js';
import { thresholdForFar } from '../src/voice/scoring/risk.js';
import { scoreSample } from '../src/voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../src/voice/scoring/template.js';
import { alikeGroups } from './alike-groups.js';

const rates = [0.01, 0.001] as const;
const ALIKE_NAMED = 5;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    people: { type: 'string' },
    alike: { type: 'string', default: '0' },
    draws: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    without: { type: 'string', default: '' },
    same: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
if (positionals.length === 0) {
  console.error(
    'usage: npx tsx bench/caller-thresholds.ts CORPUS... [--people N,N] [--alike N] [--draws 100] [--seed 1] [--without NAME,NAME] [--same NAME=NAME,NAME=NAME] [--json]',
  );
  process.exit(2);
}

/** Every recording of a corpus against every other. */
interface Table {
  bySpeaker: Map<string, number[]>;
  llr(a: number, b: number): number;
  normalized(a: number, b: number): number;
}

function tableOf(
  model: SpeakerModel,
  recordings: readonly Utterance[],
  voices: ReadonlyMap<string, VoiceSample>,
): Table {
  const usable = recordings.flatMap(({ file, speaker }) => {
    const voice = voices.get(file);
    return voice ? [{ speaker, voice }] : [];
  });
  const size = usable.length;
  const [llrs, normalized] = [new Float64Array(size * size), new Float64Array(size * size)];
  const bySpeaker = new Map<string, number[]>();
  usable.forEach(({ speaker, voice }, i) => {
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), i]);
    const template = buildTemplate(model, [voice]);
    for (let j = 0; j < i; j++) {
      const score = scoreSample(model, template, usable[j]!.voice);
      for (const at of [i * size + j, j * size + i])
        [llrs[at], normalized[at]] = [score.llr, score.normalized];
    }
  });
  return {
    bySpeaker,
    llr: (a, b) => llrs[a * size + b] as number,
    normalized: (a, b) => normalized[a * size + b] as number,
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const list = [...items];
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j] as T, list[i] as T];
  }
  return list;
}

/** One call of each against one other recording of each. */
function settingTrials(table: Table, people: readonly string[], random: () => number): StrangerTrial[] {
  const chosen = people.map((person) => {
    const [call, print] = shuffled(table.bySpeaker.get(person) ?? [], random);
    return { person, call: call as number, print: print ?? (call as number) };
  });
  return chosen.flatMap(({ person, call }) =>
    chosen
      .filter((other) => other.person !== person)
      .map(({ person: owner, print }) => ({
        score: table.llr(call, print),
        normalized: table.normalized(call, print),
        target: false as const,
        groups: [person, owner] as const,
      })),
  );
}

/** Every recording of each against every one of the others, once. */
function strangersAmong<T>(
  table: Table,
  people: readonly string[],
  trialOf: (a: number, b: number, groups: readonly [string, string]) => T,
): T[] {
  const trials: T[] = [];
  people.forEach((person, index) => {
    for (const a of table.bySpeaker.get(person) ?? [])
      for (const other of people.slice(index + 1))
        for (const b of table.bySpeaker.get(other) ?? []) trials.push(trialOf(a, b, [person, other]));
  });
  return trials;
}

const labeledTrials = (table: Table, people: readonly string[]): StrangerTrial[] =>
  strangersAmong(table, people, (a, b, groups) => ({
    score: table.llr(a, b),
    normalized: table.normalized(a, b),
    target: false,
    groups,
  }));

/** Shares accepted of strangers and turned away of the right ones, by threshold. */
function judgeBy(table: Table, people: readonly string[]) {
  const strangers = strangersAmong(table, people, table.llr);
  const same = people.flatMap((person) => {
    const own = table.bySpeaker.get(person) ?? [];
    return own.flatMap((a, i) => own.slice(i + 1).map((b) => table.llr(a, b)));
  });
  return (thresholds: readonly number[]) =>
    thresholds.map((threshold) => ({
      far: strangers.filter((llr) => llr >= threshold).length / strangers.length,
      miss: same.filter((llr) => llr < threshold).length / same.length,
    }));
}

/** The pairs of people who sound most like one, by the mean of all their pairs of recordings. */
function mostAlike(table: Table): { a: string; b: string; mean_llr: number }[] {
  const sums = new Map<string, { a: string; b: string; sum: number; count: number }>();
  strangersAmong(table, [...table.bySpeaker.keys()], (one, other, [a, b]) => {
    const pair = sums.get(`${a}\n${b}`) ?? { a, b, sum: 0, count: 0 };
    pair.sum += table.llr(one, other);
    pair.count++;
    sums.set(`${a}\n${b}`, pair);
  });
  return [...sums.values()]
    .map(({ a, b, sum, count }) => ({ a, b, mean_llr: sum / count }))
    .sort((one, other) => other.mean_llr - one.mean_llr)
    .slice(0, ALIKE_NAMED);
}

interface Judged {
  shipped: { far: number; miss: number }[];
  own: { far: number; miss: number }[];
  labeled: { far: number; miss: number }[];
}

async function draw(
  model: SpeakerModel,
  table: Table,
  setting: number,
  random: () => number,
): Promise<Judged> {
  const people = shuffled([...table.bySpeaker.keys()], random);
  const trials = settingTrials(table, people.slice(0, setting), random);
  const { thresholds } = await callerThresholds(trials, rates, {
    level: 0.95,
    pause: async () => {},
    strangerSpread: model.cohort?.strangerSpread,
  });
  const labeled = await labeledThresholds(
    labeledTrials(table, people.slice(0, setting)),
    rates,
    model.cohort?.strangerSpread,
  );
  const judge = judgeBy(table, people.slice(setting));
  return {
    shipped: judge(rates.map((rate) => thresholdForFar(model, rate))),
    own: judge(thresholds.map(({ llr }) => llr.value)),
    labeled: judge(labeled),
  };
}

function summary(draws: readonly Judged[], whose: keyof Judged) {
  const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
  return rates.map((rate, at) => {
    const fars = draws.map((one) => one[whose][at]!.far).sort((a, b) => a - b);
    const part = (holds: (far: number) => boolean): number => fars.filter(holds).length / fars.length;
    return {
      target: rate,
      far: mean(fars),
      far_of_draws: [fars[Math.floor(0.05 * fars.length)], fars[Math.floor(0.95 * fars.length)]],
      within_factor_two: part((far) => far >= rate / 2 && far <= 2 * rate),
      above_twice: part((far) => far > 2 * rate),
      missed: mean(draws.map((one) => one[whose][at]!.miss)),
    };
  });
}

async function judged(
  model: SpeakerModel,
  corpus: string,
  recordings: readonly Utterance[],
  voices: ReadonlyMap<string, VoiceSample>,
): Promise<void> {
  const table = tableOf(model, recordings, voices);
  for (const setting of values.people?.split(',').map(Number) ?? [table.bySpeaker.size >> 1]) {
    const random = seededRandom(Number(values.seed));
    const draws: Judged[] = [];
    while (draws.length < Number(values.draws)) draws.push(await draw(model, table, setting, random));
    const report = {
      corpus,
      people: table.bySpeaker.size,
      setting,
      draws: draws.length,
      most_alike: mostAlike(table),
      shipped: summary(draws, 'shipped'),
      from_callers: summary(draws, 'own'),
      from_labels: summary(draws, 'labeled'),
    };
    console.log(values.json ? JSON.stringify(report) : JSON.stringify(report, null, 1));
  }
}

const leftOut = new Set(values.without.split(','));
const oneNameOf = new Map(
  values.same.split(',').map((pair): [string, string] => {
    const [name = '', other = ''] = pair.split('=');
    return [other, name];
  }),
);
await withEngine(processIo(), {}, async (engine, workers) => {
  for (const corpus of positionals) {
    const recordings = findRecordings(corpus)
      .filter(({ speaker, name }) => !leftOut.has(speaker) && !leftOut.has(name))
      .map((recording) => ({ ...recording, speaker: oneNameOf.get(recording.speaker) ?? recording.speaker }));
    const files = recordings.map(({ file }) => file);
    const { voices } = await measureRecordings(processIo(), engine, workers, files);
    await judged(engine.model, corpus, recordings, voices);
    const count = Number(values.alike);
    if (count < 2) continue;
    const bySpeaker = new Map<string, VoiceSample[]>();
    for (const { file, speaker } of recordings) {
      const voice = voices.get(file);
      if (voice) bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), voice]);
    }
    for (const [index, people] of alikeGroups(bySpeaker, count, Number(values.seed)).entries()) {
      const own = recordings.filter(({ speaker }) => people.includes(speaker));
      await judged(engine.model, `${corpus}, group ${index + 1} of ${count}`, own, voices);
    }
  }
});
process.exit(0);

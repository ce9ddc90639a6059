// `npm run tools -- mask`: do the stretches that a check names carry its score? A person and an attack are joined into
// one recording; the named stretches are cut out, in another copy as much from elsewhere, and in others as much at random
// places. The score must fall with the first, not with the second and less with the third, and the named stretches should lie
// in the attack.
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import type { VoiceEngine } from '../../src/voice/engine.js';
import { seededRandom } from '../../src/voice/evaluation/metrics.js';
import { percent } from '../../src/voice/evaluation/percent.js';
import type { DetectorKind } from '../../src/voice/spoof/detector.js';
import { print, type CliIo } from '../../src/cli/io.js';
import { progressBar } from '../../src/cli/progress.js';
import { findRecordings, type Utterance } from '../../src/cli/recordings/corpus.js';
import { withEngine, type EngineFlags } from '../../src/cli/recordings/engine.js';
import { samplesOf, SAMPLES_RATE_HZ } from '../../src/cli/recordings/samples.js';

interface MaskReport {
  recordings: number;
  /** Some stretch reaches the alarm threshold by itself. */
  with_spans: number;
  /** Of these, how many are left with enough to score once the stretches are cut out. */
  judged: number;
  lowered: number;
  /** Of the log-likelihood ratio; null where nothing could be judged. */
  mean_drop: number | null;
  /** After as much was cut from elsewhere, where there is as much. */
  mean_drop_elsewhere: number | null;
  /** After stretches of the same lengths were cut at random places, named or not; chance for `mean_drop`. */
  mean_drop_random: number | null;
  /** Of those judged, how many fall further without the named stretches than without the random ones. */
  lowered_more_than_random: number;
  /** Share of the named time that lies in the attack; chance is `attack_share`. */
  named_in_attack: number | null;
  attack_share: number;
}

/** A stretch of samples. */
interface Stretch {
  from: number;
  to: number;
}

interface Joined {
  samples: Float32Array;
  attack: Stretch;
}

interface Sides {
  people: readonly Utterance[];
  attacks: readonly Utterance[];
}

const TOTAL = 16 * SAMPLES_RATE_HZ;
/** The first part is this long at least, and the second: the border is drawn so that no window of a detector ends there on purpose. */
const PART_MIN = 6 * SAMPLES_RATE_HZ;
/** With less than this left, a detector says little. */
const REST_MIN = 2 * SAMPLES_RATE_HZ;
const SEED = 1;
/** Of its own, so that more draws join the same recordings. */
const PLACES_SEED = 2;
const PLACES_DRAWN = 3;

export interface MaskFlags extends EngineFlags {
  bonafide: string;
  spoof: string;
  /** How many recordings to join. */
  recordings: string;
}

export async function measureMasks(io: CliIo, flags: MaskFlags): Promise<void> {
  const count = Number(flags.recordings);
  if (!Number.isInteger(count) || count < 1) throw new Error('--recordings must be a whole number above 0');
  const sides = {
    people: await readable(findRecordings(flags.bonafide)),
    attacks: await readable(findRecordings(flags.spoof)),
  };
  await withEngine(io, flags, async (engine) => {
    const kinds = (['synthetic', 'playback'] as const).filter((kind) => engine.detectors[kind]);
    if (kinds.length === 0) throw new Error('no attack detector among the models');
    const tallies = new Map(kinds.map((kind) => [kind, new Tally()]));
    const progress = progressBar(io, 'masked', count);
    const pairs = pairsByFolder(sides);
    const [random, places] = [seededRandom(SEED), seededRandom(PLACES_SEED)];
    for (let round = 0; round < count; round++) {
      const joined = await join(
        pairs[round % pairs.length] as Sides,
        Math.floor(round / pairs.length),
        random,
      );
      for (const [kind, tally] of tallies) await judge(engine, kind, joined, tally, places);
      progress(round + 1);
    }
    const reports = [...tallies].map(([kind, tally]) => [kind, tally.report()] as const);
    print(
      io,
      flags,
      Object.fromEntries(reports),
      reports.map(([kind, report]) => maskText(kind, report)),
    );
  });
}

/** Those that have audio. */
async function readable(recordings: readonly Utterance[]): Promise<Utterance[]> {
  const found: Utterance[] = [];
  for (const recording of recordings) {
    const samples = await samplesOf(recording).catch(() => undefined);
    if (samples && samples.length > 0) found.push(recording);
  }
  if (found.length === 0) throw new Error('there is a folder without a recording that can be read');
  return found;
}

/** People and attacks of folders of the same name belong together; without such folders, all of them. */
function pairsByFolder({ people, attacks }: Sides): Sides[] {
  const top = ({ speaker }: Utterance): string => speaker.split('/')[0] ?? '';
  const shared = [...new Set(people.map(top))].filter((folder) =>
    attacks.some((attack) => top(attack) === folder),
  );
  const pairs = shared.map((folder) => ({
    people: people.filter((person) => top(person) === folder),
    attacks: attacks.filter((attack) => top(attack) === folder),
  }));
  return pairs.length > 0 ? pairs : [{ people, attacks }];
}

/** Both parts equally loud; which comes first is drawn. */
async function join({ people, attacks }: Sides, nth: number, random: () => number): Promise<Joined> {
  const border = PART_MIN + Math.floor(random() * (TOTAL - 2 * PART_MIN));
  const isAttackFirst = random() < 0.5;
  const attack = isAttackFirst ? { from: 0, to: border } : { from: border, to: TOTAL };
  const person = isAttackFirst ? { from: border, to: TOTAL } : { from: 0, to: border };
  const samples = new Float32Array(TOTAL);
  for (const [recordings, { from, to }] of [
    [attacks, attack],
    [people, person],
  ] as const)
    // prettier-ignore
    samples.set(equallyLoud(await speechOf(recordings, nth, to - from)), from);
  return { samples, attack };
}

/** Recordings one after another, from the nth on, until there is enough. */
async function speechOf(
  recordings: readonly Utterance[],
  nth: number,
  length: number,
): Promise<Float32Array> {
  const speech = new Float32Array(length);
  for (let at = 0, next = nth; at < length; next++) {
    const part = await samplesOf(recordings[next % recordings.length] as Utterance);
    if (part.length === 0) throw new Error(`${recordings[next % recordings.length]?.name}: no audio`);
    speech.set(part.subarray(0, length - at), at);
    at += part.length;
  }
  return speech;
}

const LEVEL = 0.05;

function equallyLoud(samples: Float32Array): Float32Array {
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  const gain = LEVEL / Math.sqrt(Math.max(1e-12, power));
  return samples.map((value) => Math.min(1, Math.max(-1, value * gain)));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

class Tally {
  #recordings = 0;
  #withSpans = 0;
  #attackTime = 0;
  #named = 0;
  #namedInAttack = 0;
  readonly #drops: number[] = [];
  readonly #dropsElsewhere: number[] = [];
  readonly #dropsRandom: number[] = [];
  #lowerThanRandom = 0;

  heard(attack: Stretch, named: readonly Stretch[]): void {
    this.#recordings++;
    this.#attackTime += attack.to - attack.from;
    if (named.length > 0) this.#withSpans++;
    for (const { from, to } of named) {
      this.#named += to - from;
      this.#namedInAttack += Math.max(0, Math.min(to, attack.to) - Math.max(from, attack.from));
    }
  }

  cut(drop: number | undefined, elsewhere: number | undefined, random: readonly number[]): void {
    if (drop !== undefined) this.#drops.push(drop);
    if (elsewhere !== undefined) this.#dropsElsewhere.push(elsewhere);
    const chance = mean(random);
    if (drop === undefined || chance === null) return;
    this.#dropsRandom.push(chance);
    if (drop > chance) this.#lowerThanRandom++;
  }

  report(): MaskReport {
    return {
      recordings: this.#recordings,
      with_spans: this.#withSpans,
      judged: this.#drops.length,
      lowered: this.#drops.filter((drop) => drop > 0).length,
      mean_drop: mean(this.#drops),
      mean_drop_elsewhere: mean(this.#dropsElsewhere),
      mean_drop_random: mean(this.#dropsRandom),
      lowered_more_than_random: this.#lowerThanRandom,
      named_in_attack: this.#named === 0 ? null : this.#namedInAttack / this.#named,
      attack_share: this.#attackTime / (this.#recordings * TOTAL),
    };
  }
}

async function judge(
  engine: VoiceEngine,
  kind: DetectorKind,
  joined: Joined,
  tally: Tally,
  places: () => number,
): Promise<void> {
  const { samples, attack } = joined;
  const whole = await scoreOf(engine, kind, samples);
  const named = (whole?.spans ?? []).map(({ startMs, endMs }) => ({
    from: Math.round((startMs * SAMPLES_RATE_HZ) / 1000),
    to: Math.min(TOTAL, Math.round((endMs * SAMPLES_RATE_HZ) / 1000)),
  }));
  tally.heard(attack, named);
  if (!whole || named.length === 0) return;
  const dropAfter = async (cut: readonly Stretch[]): Promise<number | undefined> => {
    const rest = without(samples, cut);
    const score = rest.length < REST_MIN ? undefined : await scoreOf(engine, kind, rest);
    return score && whole.llr - score.llr;
  };
  const elsewhere = asMuchElsewhere(named);
  const random: number[] = [];
  for (let nth = 0; nth < PLACES_DRAWN; nth++) {
    const drop = await dropAfter(atRandomPlaces(named, places));
    if (drop !== undefined) random.push(drop);
  }
  tally.cut(await dropAfter(named), elsewhere && (await dropAfter(elsewhere)), random);
}

async function scoreOf(engine: VoiceEngine, kind: DetectorKind, samples: Float32Array) {
  const audio = await engine.processAudio(encodeWav(samples, SAMPLES_RATE_HZ), {
    spoof: { [kind]: true },
    treatAllAsSpeech: true,
  });
  return audio.spoof[kind];
}

/** Stretches outside the named ones, in their order, as long as those together; undefined where there is not as much. */
function asMuchElsewhere(named: readonly Stretch[]): Stretch[] | undefined {
  const others: Stretch[] = [];
  let wanted = named.reduce((sum, { from, to }) => sum + to - from, 0);
  let at = 0;
  for (const { from, to } of [...named, { from: TOTAL, to: TOTAL }]) {
    const end = Math.min(from, at + wanted);
    if (end > at) others.push({ from: at, to: end });
    wanted -= Math.max(0, end - at);
    at = to;
  }
  return wanted > 0 ? undefined : others;
}

/** Stretches of the same lengths in the same order, apart from each other, wherever they fall. */
function atRandomPlaces(named: readonly Stretch[], random: () => number): Stretch[] {
  const kept = TOTAL - named.reduce((sum, { from, to }) => sum + to - from, 0);
  const before = named.map(() => Math.floor(random() * (kept + 1))).sort((one, other) => one - other);
  let cut = 0;
  return named.map(({ from, to }, nth) => {
    const start = (before[nth] ?? 0) + cut;
    cut += to - from;
    return { from: start, to: start + to - from };
  });
}

function without(samples: Float32Array, cut: readonly Stretch[]): Float32Array {
  const parts: Float32Array[] = [];
  let at = 0;
  for (const { from, to } of [...cut, { from: samples.length, to: samples.length }]) {
    parts.push(samples.subarray(at, from));
    at = to;
  }
  const rest = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    rest.set(part, end);
    end += part.length;
  }
  return rest;
}

function maskText(kind: string, report: MaskReport): string {
  const share = (value: number | null): string => (value === null ? '-' : percent(value, 0));
  const drop = (value: number | null): string => (value === null ? '-' : value.toFixed(2));
  return (
    `${kind}  masked: ${report.with_spans} of ${report.recordings} joined recordings have named stretches; ` +
    `without them the score falls in ${report.lowered} of ${report.judged}, by ${drop(report.mean_drop)} on average (as much cut elsewhere: ${drop(report.mean_drop_elsewhere)}, at random places: ${drop(report.mean_drop_random)}); ` +
    `${share(report.named_in_attack)} of the named time lies in the attack, which takes ${share(report.attack_share)}`
  );
}

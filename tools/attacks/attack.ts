// `npm run tools -- attack`: attacks made from a folder of voices, each against the print of the person it imitates, and what of
// them passes Verify together with the attack checks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultParameters } from '../../src/biometrics/model/parameters.js';
import { combineOutcomes } from '../../src/biometrics/rules/combine-outcomes.js';
import { decideScore } from '../../src/biometrics/rules/decide-score.js';
import { judgeAttack } from '../../src/biometrics/rules/judge-attack.js';
import { attackKinds, makeAttack, type AttackKindMade } from './make-attack.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import type { ProcessedAudio, VoiceEngine } from '../../src/voice/engine.js';
import { shareWithInterval } from '../../src/voice/evaluation/binomial.js';
import { seededRandom, type Interval } from '../../src/voice/evaluation/metrics.js';
import { scoreSample } from '../../src/voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../src/voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../src/voice/scoring/template.js';
import type { CliIo } from '../../src/cli/io.js';
import { progressBar } from '../../src/cli/progress.js';
import { withEngine, type EngineFlags } from '../../src/cli/recordings/engine.js';
import { findRecordings, type Utterance } from '../../src/cli/recordings/corpus.js';
import { measureRecordings } from '../../src/cli/recordings/scored-corpus.js';
import { samplesOf, SAMPLES_RATE_HZ } from '../../src/cli/recordings/samples.js';

export interface AttackFlags extends EngineFlags {
  voices: string;
  kinds?: string;
  keep?: string;
  perVoice: string;
  seed: string;
}

/** The recordings themselves stand beside the attacks: what the checks do to honest callers. */
type Row = AttackKindMade | 'genuine';

interface KindReport {
  kind: Row;
  what: string;
  made: number;
  /** The voice is taken for the person's. */
  voice_matches: number;
  synthetic_found: number;
  playback_found: number;
  /** At least one check could not be relied on. */
  check_unreliable: number;
  /** Verified although the checks were asked. */
  passed: number;
  pass_rate: Interval;
}

/** A speaker with enough recordings for a print and an attack that is not part of it. */
interface Victim {
  speaker: string;
  enrolled: readonly Utterance[];
  rest: readonly Utterance[];
}

/** Recordings of a print, as in an ordinary enrollment. */
const ENROLLED_MAX = 3;
const LEVEL = 0.95;
/** Every kind draws from a source of its own, so that the same seed makes the same attacks whichever kinds are asked for. */
const KIND_SEEDS = 1_000_003;
const rows: readonly Row[] = ['genuine', ...(Object.keys(attackKinds) as AttackKindMade[])];
const GENUINE = 'the recordings as they are';

export async function makeAttacks(io: CliIo, flags: AttackFlags): Promise<void> {
  const kinds = kindsOf(flags.kinds);
  const perVoice = Number(flags.perVoice);
  if (!Number.isInteger(perVoice) || perVoice < 1)
    throw new Error('--per-voice must be a whole number above 0');
  const seed = Number(flags.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error('--seed must be a whole number, 0 or more');
  const recordings = findRecordings(flags.voices);
  requireVictims(flags.voices, victimsOf(recordings));
  await withEngine(io, flags, async (engine, workers) => {
    const files = recordings.map(({ file }) => file);
    const { voices, withoutSpeech, unusable: unheard } = await measureRecordings(io, engine, workers, files);
    const leftOut = [...unheard, ...withoutSpeech.map((file) => ({ file, reason: 'no speech was found' }))];
    const victims = victimsOf(
      recordings.filter(({ file }) => voices.has(file) && !withoutSpeech.includes(file)),
    );
    requireVictims(flags.voices, victims);
    const results = new Map<Row, Tried[]>([
      ['genuine', []],
      ...kinds.map((kind) => [kind, []] as [Row, Tried[]]),
    ]);
    const progress = progressBar(io, 'attacks', victims.length * perVoice * (kinds.length + 1));
    let done = 0;
    for (const [index, victim] of victims.entries()) {
      const template = printOf(engine.model, victim, voices);
      for (let round = 0; round < perVoice; round++) {
        const material = await materialOf(victims, index, round);
        for (const [kind, tried] of results) {
          const random = seededRandom(seed + 1000 * index + round + KIND_SEEDS * rows.indexOf(kind));
          const samples = kind === 'genuine' ? material.victim : makeAttack(kind, { ...material, random });
          const wav = encodeWav(samples, SAMPLES_RATE_HZ);
          if (flags.keep && kind !== 'genuine') keep(flags.keep, kind, `${victim.speaker}-${round}`, wav);
          tried.push(await attempt(engine, template, wav));
          progress(++done);
        }
      }
    }
    const named = new Set(victims.map(({ speaker }) => speaker));
    const unusable = [...new Set(recordings.map(({ speaker }) => speaker))].filter((one) => !named.has(one));
    report(io, flags, engine, { victims: victims.length, unusable, leftOut, results });
  });
}

function requireVictims(folder: string, victims: readonly Victim[]): void {
  if (victims.length < 2)
    throw new Error(`${folder}: two speakers with two usable recordings each are needed at least`);
}

function kindsOf(wanted: string | undefined): AttackKindMade[] {
  const known = Object.keys(attackKinds) as AttackKindMade[];
  if (wanted === undefined) return known;
  return wanted.split(',').map((name) => {
    const kind = known.find((each) => each === name.trim());
    if (!kind) throw new Error(`--kinds: ${name} is none of ${known.join(', ')}`);
    return kind;
  });
}

function victimsOf(recordings: readonly Utterance[]): Victim[] {
  const bySpeaker = new Map<string, Utterance[]>();
  for (const recording of recordings)
    bySpeaker.set(recording.speaker, [...(bySpeaker.get(recording.speaker) ?? []), recording]);
  return [...bySpeaker].flatMap(([speaker, own]) => {
    const enrolled = own.slice(0, Math.min(ENROLLED_MAX, own.length - 1));
    return own.length < 2 ? [] : [{ speaker, enrolled, rest: own.slice(enrolled.length) }];
  });
}

/** Of what was heard of the recordings when the unusable ones were sorted out. */
function printOf(
  model: SpeakerModel,
  { enrolled }: Victim,
  voices: ReadonlyMap<string, VoiceSample>,
): Template {
  const own = enrolled.flatMap(({ file }) => voices.get(file) ?? []);
  return buildTemplate(model, own);
}

async function materialOf(victims: readonly Victim[], index: number, round: number) {
  const { rest } = victims[index] as Victim;
  const other = victims[(index + 1 + (round % (victims.length - 1))) % victims.length] as Victim;
  const at = round % rest.length;
  return {
    victim: await samplesOf(rest[at] as Utterance),
    more: await Promise.all(
      rest
        .filter((_, i) => i !== at)
        .slice(0, 2)
        .map(samplesOf),
    ),
    impostor: await samplesOf(other.rest[round % other.rest.length] as Utterance),
  };
}

function keep(folder: string, kind: string, name: string, wav: Uint8Array): void {
  const place = join(folder, kind);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${name.replaceAll(/[\\/]+/g, '_')}.wav`), wav);
}

interface Tried {
  matches: boolean;
  synthetic: boolean;
  playback: boolean;
  unreliable: boolean;
  passed: boolean;
}

/** Verify and both checks with the parameters that a tenant starts with. */
async function attempt(engine: VoiceEngine, template: Template, wav: Uint8Array): Promise<Tried> {
  const audio = await engine.processAudio(wav, { spoof: { synthetic: true, playback: true } });
  const voice = voiceOutcome(engine, template, audio);
  const checks = (['synthetic', 'playback'] as const)
    .filter((kind) => engine.detectors[kind])
    .map((kind) =>
      judgeAttack(
        kind,
        {
          validity: audio.verdict.validity,
          measure: audio.spoof[kind],
          detector: engine.detectors[kind],
          bandwidth: audio.quality?.bandwidth,
        },
        defaultParameters,
      ),
    );
  const found = (kind: string): boolean =>
    checks.some((check) => check.kind === kind && check.decision === 'FRAUD');
  return {
    matches: voice.decision === 'AUTHENTIC',
    synthetic: found('synthetic'),
    playback: found('playback'),
    unreliable: checks.some(({ decision }) => decision === 'UNCERTAIN'),
    passed: combineOutcomes(voice, undefined, checks).decision === 'AUTHENTIC',
  };
}

function voiceOutcome(engine: VoiceEngine, template: Template, { verdict, voice }: ProcessedAudio) {
  if (verdict.validity !== 'AUDIO_OK' || !voice)
    return { decision: 'UNCERTAIN', reason: 'NO_SCORES' } as const;
  const score = scoreSample(engine.model, template, voice);
  return decideScore(
    { side: 'AUTHENTICATION', model: engine.model, parameters: defaultParameters },
    score,
    1,
  );
}

function kindReport(kind: Row, tried: readonly Tried[]): KindReport {
  const count = (member: keyof Tried): number => tried.filter((each) => each[member]).length;
  const passed = count('passed');
  return {
    kind,
    what: kind === 'genuine' ? GENUINE : attackKinds[kind],
    made: tried.length,
    voice_matches: count('matches'),
    synthetic_found: count('synthetic'),
    playback_found: count('playback'),
    check_unreliable: count('unreliable'),
    passed,
    pass_rate: shareWithInterval(passed, tried.length, LEVEL),
  };
}

const CAVEAT =
  'These attacks are made with simple means. Today’s synthesizers sound better and leave fewer traces: stopping these proves little.';

interface Made {
  victims: number;
  /** Speakers with fewer than two usable recordings. */
  unusable: string[];
  leftOut: { file: string; reason: string }[];
  results: Map<Row, Tried[]>;
}

function report(
  io: CliIo,
  flags: AttackFlags,
  { model, detectors }: VoiceEngine,
  { victims, unusable, leftOut, results }: Made,
): void {
  const kinds = [...results].map(([kind, tried]) => kindReport(kind, tried));
  if (flags.json) {
    const revisions = Object.values(detectors).map(({ kind, revision, experimental }) => ({
      kind,
      revision,
      experimental,
    }));
    io.out(
      JSON.stringify({
        speakers: victims,
        unusable,
        left_out: leftOut,
        seed: Number(flags.seed),
        kinds,
        model: model.revision,
        detectors: revisions,
        caveat: CAVEAT,
      }),
    );
    return;
  }
  const percent = ({ value, low, high }: Interval): string =>
    Number.isNaN(value)
      ? ''
      : `${(100 * value).toFixed(0)}% (${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)})`;
  io.out(
    `${victims} speakers, seed ${flags.seed}${unusable.length > 0 ? `, with fewer than two usable recordings: ${unusable.join(', ')}` : ''}`,
  );
  for (const { file, reason } of leftOut) io.out(`left out       ${file}: ${reason}`);
  for (const row of kinds)
    io.out(
      `${row.kind.padEnd(14)} ${row.passed} of ${row.made} pass, ${percent(row.pass_rate)}; voice matches ${row.voice_matches}, found synthetic ${row.synthetic_found}, playback ${row.playback_found}, unreliable ${row.check_unreliable}   ${row.what}`,
    );
  io.out(CAVEAT);
}

// Measures the speech detector as the product runs it, on recordings of known noise: frame errors against the teacher's labels
// of the clean signal, net speech against that of the clean recording, the error of the SNR estimate, what the gates say, speech
// found in sounds that are none, and processor time.
//
// usage: tsx bench/speech-detector.ts WEIGHTS.bin FOLDER [--split report|select] [--per-set 60] [--sweep]
// FOLDER: X.raw, X.json, X.u8 from training/vad. `--sweep` tries decision limits, on the selection split only.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createLogMelExtractor } from '../src/voice/features/log-mel.js';
import { defaultGates, judgeAudio } from '../src/voice/quality/judge-audio.js';
import { measureQuality } from '../src/voice/quality/measure-quality.js';
import { perFrame } from '../src/voice/speech/detect-speech.js';
import { formSegments } from '../src/voice/speech/form-segments.js';
import { loadSpeechModel } from '../src/voice/speech/speech-model.js';
import { speechProbabilities } from '../src/voice/speech/speech-net.js';
import { silenceTones } from '../src/voice/speech/tones.js';
import { defaultSpeechParams, type SpeechParams } from '../src/voice/speech/types.js';
import {
  madeSounds,
  mix,
  noises,
  soundsOf,
  speechOf,
  telephone,
  wordRows,
  type Split,
  type Utterance,
} from './speech-detector-data.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'report' },
    'per-set': { type: 'string', default: '60' },
    sweep: { type: 'boolean', default: false },
  },
});
const [WEIGHTS = '', FOLDER = ''] = positionals;
const SPLIT: Split = values.sweep ? 'select' : (values.split as Split);
const model = loadSpeechModel(readFileSync(WEIGHTS));
const logmel = createLogMelExtractor();

interface Heard {
  condition: string;
  utterance: Utterance;
  index: number;
  padS: number;
  samples: Float32Array;
  lead: number;
  snrDb: number | undefined;
  noise: string;
  features: Float32Array;
  frames: number;
  probability: Float32Array;
}

let netMs = 0;
let netSeconds = 0;
function hear(samples: Float32Array): Pick<Heard, 'features' | 'frames' | 'probability'> {
  const { data, frames } = logmel(samples);
  const began = process.cpuUsage();
  const coarse = silenceTones(speechProbabilities(model, data, frames), data, frames);
  const used = process.cpuUsage(began);
  netMs += (used.user + used.system) / 1000;
  netSeconds += samples.length / 16000;
  return { features: data, frames, probability: perFrame(coarse, frames) };
}

const speech = speechOf(FOLDER, SPLIT, Number(values['per-set']));
const sounds = soundsOf(FOLDER, SPLIT);
const ladder = [30, 20, 15, 10, 5, 0] as const;

function recordings(): Heard[] {
  const out: Heard[] = [];
  speech.forEach((utterance, index) => {
    // Half of the recordings have no pause but their own.
    const padS = index % 2;
    const add = (condition: string, snrDb: number | undefined, line: boolean) => {
      const noise = noises[index % noises.length] ?? 'white';
      const mixed = mix(utterance, { index, padS, snrDb, noise, talkers: speech, sounds });
      const samples = line ? telephone(mixed.samples, index) : mixed.samples;
      out.push({ condition, utterance, index, padS, ...mixed, samples, ...hear(samples) });
    };
    add('clean', undefined, false);
    add('telephone', undefined, true);
    for (const snrDb of ladder) add(`${snrDb} dB`, snrDb, false);
    add('telephone 10 dB', 10, true);
  });
  return out;
}

const median = (v: number[]): number => v.sort((a, b) => a - b)[v.length >> 1] ?? NaN;
const fixed = (v: number, digits = 3): number => +v.toFixed(digits);

/** Clean net speech per recording, by which the noisy ones are held to account. */
function cleanNet(all: readonly Heard[], params: SpeechParams): Map<number, number> {
  const net = new Map<number, number>();
  for (const h of all)
    if (h.condition === 'clean') net.set(h.index, formSegments(h.probability, params).netMs);
  return net;
}

function figures(all: readonly Heard[], reference: Map<number, number>, params: SpeechParams) {
  let [miss, said, falseAlarm, pause, within, usable, unheard] = [0, 0, 0, 0, 0, 0, 0];
  const ratios: number[] = [];
  const errors: number[] = [];
  const verdicts: Record<string, number> = {};
  for (const h of all) {
    const found = formSegments(h.probability, params);
    const before = said;
    for (let f = 0; f < h.frames; f++) {
      const sample = f * 160 + 200 - h.lead;
      const outside = sample < 0 || sample >= h.utterance.samples.length;
      const p = outside ? 0 : (h.utterance.labels[Math.floor(sample / 512)] ?? 0) / 255;
      if (p > 0.8) {
        said++;
        if (!found.mask[f]) miss++;
      } else if (p < 0.2) {
        pause++;
        if (found.mask[f]) falseAlarm++;
      }
    }
    if (said - before >= 25 && found.netMs === 0) unheard++;
    const quality = measureQuality({
      samples16k: h.samples,
      source: { samples: h.samples, sampleRateHz: 16000 },
      logmel: h.features,
      speech: found,
    });
    if (h.snrDb !== undefined && found.netMs > 0) errors.push(quality.snrDb - h.snrDb);
    const clean = reference.get(h.index) ?? 0;
    if (clean < 2000) continue;
    // Long enough when clean: noise alone must not change the answer, except to TOO_NOISY.
    usable++;
    ratios.push(found.netMs / clean);
    if (Math.abs(found.netMs / clean - 1) <= 0.15) within++;
    const { validity } = judgeAudio(quality, defaultGates.enroll);
    verdicts[validity] = (verdicts[validity] ?? 0) + 1;
  }
  const bias = errors.reduce((sum, e) => sum + e, 0) / Math.max(1, errors.length);
  const spread = Math.sqrt(errors.reduce((sum, e) => sum + (e - bias) ** 2, 0) / Math.max(1, errors.length));
  return {
    recordings: all.length,
    /** A quarter second or more of speech, and none found. */
    unheard,
    miss: fixed(miss / said),
    falseAlarm: fixed(falseAlarm / pause),
    netToClean: fixed(median(ratios)),
    within15: `${within}/${usable}`,
    ...(errors.length > 0 && { snrBias: fixed(bias, 1), snrSd: fixed(spread, 1) }),
    verdicts,
  };
}

interface Sounds {
  name: string;
  clips: { name: string; probability: Float32Array }[];
}

function silentOnes(): Sounds[] {
  const of = (name: string, clips: { name: string; samples: Float32Array }[]): Sounds[] => [
    { name, clips: clips.map((c) => ({ name: c.name, probability: hear(c.samples).probability })) },
    {
      name: `${name}, telephone`,
      clips: clips.map((c, i) => ({
        name: c.name,
        probability: hear(telephone(c.samples, i)).probability,
      })),
    },
  ];
  return [
    ...of(
      'ESC-10, outside training',
      sounds.map((u, i) => ({ name: String(i), samples: u.samples })),
    ),
    ...of('made by code', madeSounds(SPLIT, 330)),
  ];
}

function taken({ clips }: Sounds, params: SpeechParams) {
  const found = clips
    .map((clip) => ({ name: clip.name, netMs: formSegments(clip.probability, params).netMs }))
    .filter((clip) => clip.netMs > 0);
  return {
    clips: clips.length,
    withSpeech: found.length,
    over1s: found.filter((clip) => clip.netMs >= 1000).length,
    which: found.map((clip) => `${clip.name}:${clip.netMs}`).join(' '),
  };
}

/** Net speech of words read one by one against what the teacher hears in the single words; selection split. */
function rowsOfWords(line: boolean) {
  const rows = wordRows(FOLDER).map(({ samples, saidMs }, i) => ({
    net: formSegments(hear(line ? telephone(samples, i) : samples).probability).netMs,
    saidMs,
  }));
  return {
    rows: rows.length,
    unheard: rows.filter((row) => row.net === 0).length,
    netToTeacher: fixed(rows.reduce((s, r) => s + r.net, 0) / rows.reduce((s, r) => s + r.saidMs, 1)),
  };
}

const all = recordings();
const silent = silentOnes();
const conditions = [...new Set(all.map((h) => h.condition))];

if (values.sweep) {
  for (const offset of [0.3, 0.4, 0.5])
    for (const certainMin of [0.88, 0.91, 0.94])
      for (const doubtfulMin of [0.4, 0.5, 0.7, certainMin]) {
        const params = { ...defaultSpeechParams, offset, certainMin, doubtfulMin };
        const reference = cleanNet(all, params);
        const row = ['clean', 'telephone', '10 dB', '5 dB'].map((condition) => {
          const f = figures(
            all.filter((h) => h.condition === condition),
            reference,
            params,
          );
          return `${condition}: miss ${f.miss} fa ${f.falseAlarm} ${f.within15}`;
        });
        const wrong = silent.map((s) => taken(s, params).withSpeech);
        console.log(
          `${offset} ${certainMin} ${doubtfulMin} | ${row.join(' | ')} | non-speech ${wrong.join(' ')}`,
        );
      }
} else {
  const params = defaultSpeechParams;
  const reference = cleanNet(all, params);
  const report: Record<string, unknown> = { split: SPLIT, params };
  for (const condition of conditions) {
    const inCondition = all.filter((h) => h.condition === condition);
    report[condition] = figures(inCondition, reference, params);
    if (condition !== '10 dB') continue;
    for (const noise of noises)
      report[`10 dB ${noise}`] = figures(
        inCondition.filter((h) => h.noise === noise),
        reference,
        params,
      );
    report['10 dB, no pauses'] = figures(
      inCondition.filter((h) => h.padS === 0),
      reference,
      params,
    );
  }
  for (const set of silent) report[set.name] = taken(set, params);
  if (SPLIT === 'select') {
    report['six words in a row'] = rowsOfWords(false);
    report['six words in a row, telephone'] = rowsOfWords(true);
  }
  report['processor seconds per second (net alone)'] = fixed(netMs / 1000 / netSeconds, 5);
  console.log(JSON.stringify(report, null, 1));
}

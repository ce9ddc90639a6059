// Measures the speech detector as the product runs it: frame errors against the teacher's labels on development speech (clean,
// telephone, noisy), speech found in sounds that are none, and processor time per second of audio.
//
// usage: tsx bench/speech-detector.ts WEIGHTS.bin FOLDER   (FOLDER: X.raw, X.json, X.u8 from training/vad)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aLawTable, muLawTable } from '../src/voice/decode/g711.js';
import { createLogMelExtractor } from '../src/voice/features/log-mel.js';
import { resample } from '../src/voice/resample.js';
import { detectSpeech } from '../src/voice/speech/detect-speech.js';
import { loadSpeechModel, speechProbabilities } from '../src/voice/speech/speech-model.js';
import { createRng, nonSpeech, pinkNoise } from '../test/support/sounds.js';

const [weights = '', folder = ''] = process.argv.slice(2);
const model = loadSpeechModel(readFileSync(weights));
const logmel = createLogMelExtractor();

interface Utterance {
  samples: Float32Array;
  labels: Uint8Array;
}

function load(name: string, most: number): Utterance[] {
  const raw = readFileSync(join(folder, `${name}.raw`));
  const pcm = new Int16Array(raw.buffer, raw.byteOffset, raw.length >> 1);
  const utts = (
    JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { utts: [string, number][] }
  ).utts;
  const labels = readFileSync(join(folder, `${name}.u8`));
  const out: Utterance[] = [];
  let at = 0;
  let lat = 0;
  const every = Math.max(1, Math.floor(utts.length / most));
  utts.forEach(([, n], i) => {
    const frames = Math.floor(n / 512);
    if (i % every === 0)
      out.push({
        samples: Float32Array.from(pcm.subarray(at, at + n), (v) => v / 32768),
        labels: labels.subarray(lat, lat + frames),
      });
    at += n;
    lat += frames;
  });
  return out;
}

function nearest(table: Float32Array): (v: number) => number {
  const sorted = Float32Array.from(table).sort();
  return (v) => {
    let lo = 0;
    let hi = sorted.length - 1;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if ((sorted[mid] ?? 0) <= v) lo = mid;
      else hi = mid;
    }
    return v - (sorted[lo] ?? 0) < (sorted[hi] ?? 0) - v ? (sorted[lo] ?? 0) : (sorted[hi] ?? 0);
  };
}

const alaw = nearest(aLawTable);
const mulaw = nearest(muLawTable);
const telephone = (x: Float32Array, i: number): Float32Array =>
  resample(resample(x, 16000, 8000).map(i % 2 ? alaw : mulaw), 8000, 16000);

function power(x: Float32Array): number {
  let e = 0;
  for (const v of x) e += v * v;
  return e / x.length;
}

function addNoise(x: Float32Array, i: number, esc: Utterance[], snrDb: number): Float32Array {
  const n = i % 2 ? (esc[i % esc.length]?.samples ?? x) : pinkNoise(x.length / 16000 + 0.01, createRng(i));
  const g = Math.sqrt(power(x) / 10 ** (snrDb / 10) / (power(n) + 1e-12));
  return x.map((v, k) => v + g * (n[k % n.length] ?? 0));
}

const esc = load('esc10', 400).filter((_, i) => i % 5 === 4);
const report: Record<string, unknown> = {};
for (const set of ['voxforge', 'commonvoice-dev']) {
  for (const condition of ['clean', 'telephone', 'noisy 10 dB']) {
    let miss = 0, speech = 0, false_ = 0, pause = 0, net = 0, gross = 0; // prettier-ignore
    load(set, 120).forEach((u, i) => {
      // A second of the surrounding sound before and after, since the packs are trimmed.
      const padded = new Float32Array(u.samples.length + 32000);
      padded.set(u.samples, 16000);
      const x =
        condition === 'clean'
          ? padded
          : condition === 'telephone'
            ? telephone(padded, i)
            : addNoise(padded, i, esc, 10);
      const m = logmel(x);
      const found = detectSpeech(model, m.data, m.frames);
      for (let f = 0; f < m.frames; f++) {
        const sample = f * 160 + 200 - 16000;
        const p =
          sample < 0 || sample >= u.samples.length ? 0 : (u.labels[Math.floor(sample / 512)] ?? 0) / 255;
        if (p > 0.8) {
          speech++;
          if (!found.mask[f]) miss++;
        } else if (p < 0.2) {
          pause++;
          if (found.mask[f]) false_++;
        }
      }
      net += found.netMs;
      gross += u.samples.length / 16;
    });
    report[`${set} ${condition}`] = {
      miss: +(miss / speech).toFixed(4),
      falseAlarm: +(false_ / pause).toFixed(4),
      net: +(net / gross).toFixed(3),
    };
  }
}
const judge = (name: string, clips: Float32Array[], labels?: string[]): void => {
  let seconds = 0, found = 0, clipsWithSpeech = 0, over1s = 0; // prettier-ignore
  const worst: string[] = [];
  clips.forEach((x, i) => {
    const m = logmel(x);
    const s = detectSpeech(model, m.data, m.frames);
    seconds += x.length / 16000;
    found += s.netMs / 1000;
    if (s.netMs > 0) clipsWithSpeech++;
    if (s.netMs >= 1000) over1s++;
    if (s.netMs > 0) worst.push(`${labels?.[i] ?? i}:${s.netMs}`);
  });
  report[name] = {
    clips: clips.length,
    seconds: Math.round(seconds),
    speechSeconds: +found.toFixed(2),
    clipsWithSpeech,
    over1s,
    worst: worst.slice(0, 40).join(' '),
  };
};
const all = load('esc10', 400);
judge(
  'ESC-10 held out',
  esc.map((u) => u.samples),
);
judge(
  'ESC-10 held out, telephone',
  esc.map((u, i) => telephone(u.samples, i)),
);
judge(
  'ESC-10 all',
  all.map((u) => u.samples),
);
report['ESC-10 held out, teacher over 1 s'] = esc.filter(
  (u) => u.labels.filter((p) => p > 127).length * 0.032 >= 1,
).length;
const made = Array.from({ length: 330 }, (_, i) => nonSpeech(i, 5));
judge(
  'generated',
  made.map((m) => m.samples),
  made.map((m) => m.name),
);
judge(
  'generated, telephone',
  made.map((m, i) => telephone(m.samples, i)),
  made.map((m) => m.name),
);
const u = load('voxforge', 120).map((x) => logmel(x.samples));
const c = process.cpuUsage();
let seconds = 0;
for (const m of u) {
  speechProbabilities(model, m.data, m.frames);
  seconds += m.frames / 100;
}
const used = process.cpuUsage(c);
report['processor seconds per second (net alone)'] = +((used.user + used.system) / 1e6 / seconds).toFixed(5);
console.log(JSON.stringify(report, null, 1));

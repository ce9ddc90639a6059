// Measures the quality figures on development speech: signal-to-noise estimate against the mixed truth, bandwidth decision,
// how many recordings the default gates refuse, and how far voice_class_score moves within one speaker.
//
// usage: tsx bench/audio-quality.ts WEIGHTS.bin FOLDER [UTTERANCES_PER_SPEAKER] [CONDITION,...]   (FOLDER: X.raw and X.json as for bench/speech-detector.ts)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { muLawTable } from '../src/voice/audio/codecs/g711.js';
import { createLogMelExtractor } from '../src/voice/features/log-mel.js';
import { defaultGates, judgeAudio } from '../src/voice/quality/judge-audio.js';
import { measureQuality } from '../src/voice/quality/measure-quality.js';
import { resample } from '../src/voice/resample.js';
import { detectSpeech } from '../src/voice/speech/detect-speech.js';
import { loadSpeechModel } from '../src/voice/speech/speech-model.js';
import { voiceClassScore } from '../src/voice/voice-class/voice-class-score.js';
import { createRng, pinkNoise } from '../test/support/sounds.js';

const [WEIGHTS = '', FOLDER = '', PER_SPEAKER = '4', ONLY = ''] = process.argv.slice(2);
const model = loadSpeechModel(readFileSync(WEIGHTS));
const logmel = createLogMelExtractor();
const mu = Float32Array.from(muLawTable).sort();

function load(name: string): Map<string, Float32Array[]> {
  const raw = readFileSync(join(FOLDER, `${name}.raw`));
  const pcm = new Int16Array(raw.buffer, raw.byteOffset, raw.length >> 1);
  const out = new Map<string, Float32Array[]>();
  let at = 0;
  for (const [speaker, n] of (
    JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as { utts: [string, number][] }
  ).utts) {
    const list = out.get(speaker) ?? [];
    if (list.length < Number(PER_SPEAKER))
      list.push(Float32Array.from(pcm.subarray(at, at + n), (v) => v / 32768));
    out.set(speaker, list);
    at += n;
  }
  return out;
}

/** Nearest mu-law value. */
function code(v: number): number {
  let lo = 0;
  let hi = 255;
  while (hi - lo > 1) {
    const mid = (lo + hi) >> 1;
    if ((mu[mid] ?? 0) <= v) lo = mid;
    else hi = mid;
  }
  return v - (mu[lo] ?? 0) < (mu[hi] ?? 0) - v ? (mu[lo] ?? 0) : (mu[hi] ?? 0);
}

const power = (x: Float32Array): number => x.reduce((s, v) => s + v * v, 0) / x.length;
function noisy(x: Float32Array, snrDb: number, seed: number): Float32Array {
  const n = pinkNoise(x.length / 16000 + 0.01, createRng(seed));
  const g = Math.sqrt(power(x) / 10 ** (snrDb / 10) / power(n));
  return x.map((v, i) => v + g * (n[i] ?? 0));
}

const conditions: Record<
  string,
  (x: Float32Array, seed: number) => { samples: Float32Array; sampleRateHz: number }
> = {
  clean: (x) => ({ samples: x, sampleRateHz: 16000 }),
  telephone: (x) => ({ samples: resample(x, 16000, 8000).map(code), sampleRateHz: 8000 }),
  'noisy 20 dB': (x, s) => ({ samples: noisy(x, 20, s), sampleRateHz: 16000 }),
  'noisy 10 dB': (x, s) => ({ samples: noisy(x, 10, s), sampleRateHz: 16000 }),
  'noisy 5 dB': (x, s) => ({ samples: noisy(x, 5, s), sampleRateHz: 16000 }),
};

const quantiles = (v: number[]): string => {
  const s = v.filter(Number.isFinite).sort((a, b) => a - b);
  return [0.01, 0.05, 0.5, 0.95, 0.99]
    .map((q) => (s[Math.min(s.length - 1, Math.floor(q * s.length))] ?? NaN).toFixed(1))
    .join(' ');
};

const report: Record<string, unknown> = {};
for (const set of ['voxforge', 'commonvoice-dev']) {
  const speakers = load(set);
  const classes = new Map<string, { condition: string; score: number }[]>();
  for (const [condition, change] of Object.entries(conditions).filter(
    ([name]) => ONLY === '' || ONLY.split(',').includes(name),
  )) {
    const figures: Record<string, number[]> = {
      snr: [],
      calibrationSnr: [],
      level: [],
      saturated: [],
      highBand: [],
      dropouts: [],
    };
    const verdicts: Record<string, number> = {};
    let wide = 0, count = 0; // prettier-ignore
    for (const [speaker, utterances] of speakers) {
      utterances.forEach((x, i) => {
        const source = change(x, i + 1);
        const samples16k = resample(source.samples, source.sampleRateHz);
        const m = logmel(samples16k);
        const speech = detectSpeech(model, m.data, m.frames);
        const q = measureQuality({ samples16k, source, logmel: m.data, speech });
        figures.snr?.push(q.snrDb);
        figures.calibrationSnr?.push(q.calibrationSnrDb);
        figures.level?.push(q.speechLevelDbfs);
        figures.saturated?.push(q.saturatedPerMinute);
        figures.highBand?.push(q.highBandDb);
        figures.dropouts?.push(q.dropouts);
        if (q.bandwidth === 'wide') wide++;
        count++;
        const verdict = judgeAudio(q, defaultGates.enroll).validity;
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
        if (q.netMs >= 3000) {
          const c = voiceClassScore(samples16k, speech);
          if (c) classes.set(speaker, [...(classes.get(speaker) ?? []), { condition, score: c.score }]);
        }
      });
    }
    report[`${set} ${condition}`] = {
      count,
      wide: +(wide / count).toFixed(3),
      verdicts,
      ...Object.fromEntries(Object.entries(figures).map(([k, v]) => [k, quantiles(v)])),
    };
  }
  for (const [name, wanted] of [
    ['clean', ['clean']],
    ['clean and telephone', ['clean', 'telephone']],
  ] as const) {
    const deviation: number[] = [];
    const spread: number[] = [];
    const means: number[] = [];
    for (const list of classes.values()) {
      const scores = list
        .filter((c) => (wanted as readonly string[]).includes(c.condition))
        .map((c) => c.score)
        .sort((a, b) => a - b);
      if (scores.length < 2) continue;
      const median = scores[scores.length >> 1] ?? 0;
      means.push(median);
      for (const s of scores) deviation.push(Math.abs(s - median));
      spread.push((scores.at(-1) ?? 0) - (scores[0] ?? 0));
    }
    report[`${set} voice class, ${name}`] = {
      speakers: means.length,
      between: quantiles(means),
      deviationFromMedian: quantiles(deviation),
      rangeWithinSpeaker: quantiles(spread),
      withinTenPoints: `${spread.filter((s) => s <= 10).length} of ${spread.length}`,
    };
  }
}
console.log(JSON.stringify(report, null, 1));

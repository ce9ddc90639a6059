// Recordings for bench/speech-detector.ts: development speech with the teacher's labels, mixed with noise of known strength,
// and sounds without speech. Two splits that share no speaker and no noise recording: limits are chosen on one and reported
// on the other.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aLawTable, muLawTable } from '../src/voice/audio/codecs/g711.js';
import { resample } from '../src/voice/resample.js';
import { createRng, nonSpeech, pinkNoise, whiteNoise } from '../test/support/sounds.js';

export type Split = 'select' | 'report';

export interface Utterance {
  set: string;
  samples: Float32Array;
  /** Probability x 255 per 512 samples, of the clean signal. */
  labels: Uint8Array;
}

export interface Mixed {
  samples: Float32Array;
  /** Where the utterance begins. */
  lead: number;
  snrDb: number | undefined;
  noise: string;
}

const LABEL = 512;

/** Utterances of an unpacked set (X.raw, X.json) that carry labels (X.u8); `keep` says which. */
function load(folder: string, name: string, keep: (index: number) => boolean, most: number): Utterance[] {
  const raw = readFileSync(join(folder, `${name}.raw`));
  const pcm = new Int16Array(raw.buffer, raw.byteOffset, raw.length >> 1);
  const { utts } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
    utts: [string, number][];
  };
  const labels = readFileSync(join(folder, `${name}.u8`));
  const kept: Utterance[] = [];
  let at = 0;
  let labelAt = 0;
  utts.forEach(([, n], i) => {
    const frames = Math.floor(n / LABEL);
    if (keep(i) && labelAt + frames <= labels.length)
      kept.push({
        set: name,
        samples: Float32Array.from(pcm.subarray(at, at + n), (v) => v / 32768),
        labels: labels.subarray(labelAt, labelAt + frames),
      });
    at += n;
    labelAt += frames;
  });
  const every = Math.max(1, Math.floor(kept.length / most));
  return kept.filter((_, i) => i % every === 0).slice(0, most);
}

/** Selection: every seventh training utterance, which the training leaves out. Report: the development sets. */
export function speechOf(folder: string, split: Split, most: number): Utterance[] {
  if (split === 'report')
    return ['voxforge', 'commonvoice-dev'].flatMap((name) => load(folder, name, () => true, most));
  return ['librispeech', 'speechocean762', 'commonvoice-0']
    .filter((name) => existsSync(join(folder, `${name}.u8`)))
    .flatMap((name) => load(folder, name, (i) => i % 7 === 0, most));
}

/** Six held-out words in a row with pauses of 0.3 to 0.9 s of digital silence, as people read digits; at one level. */
export function wordRows(folder: string): { samples: Float32Array; saidMs: number }[] {
  if (!existsSync(join(folder, 'speechcommands-0.u8'))) return [];
  const saidMs = (u: Utterance): number => u.labels.filter((p) => p > 204).length * 32;
  const words = load(folder, 'speechcommands-0', (i) => i % 7 === 0, 400).filter((u) => saidMs(u) >= 160);
  const rng = createRng(5);
  return Array.from({ length: Math.floor(words.length / 6) }, (_, row) => {
    const six = words.slice(6 * row, 6 * row + 6);
    const parts: Float32Array[] = [new Float32Array(8000)];
    for (const { samples } of six) {
      const gain = 0.05 / Math.sqrt(power(samples) + 1e-9);
      parts.push(
        samples.map((v) => gain * v),
        new Float32Array(Math.round(16000 * (0.3 + 0.6 * rng()))),
      );
    }
    const samples = new Float32Array(parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of parts) {
      samples.set(part, at);
      at += part.length;
    }
    return { samples, saidMs: six.reduce((sum, u) => sum + saidMs(u), 0) };
  });
}

/** ESC-10 clips that the training leaves out: those ending in 3 or 8 select, in 4 or 9 report. */
export function soundsOf(folder: string, split: Split): Utterance[] {
  return load(folder, 'esc10', (i) => i % 5 === (split === 'select' ? 3 : 4), 400);
}

/** Generated sounds without speech; other seeds for each split. */
export function madeSounds(split: Split, count: number): { name: string; samples: Float32Array }[] {
  const from = split === 'select' ? 1000 : 0;
  return Array.from({ length: count }, (_, i) => nonSpeech(from + i, 5));
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

export const telephone = (x: Float32Array, i: number): Float32Array =>
  resample(resample(x, 16000, 8000).map(i % 2 ? alaw : mulaw), 8000, 16000);

const power = (x: Float32Array): number => x.reduce((sum, v) => sum + v * v, 0) / x.length;

/** Power of what the teacher calls speech. */
function speechPower({ samples, labels }: Utterance): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < labels.length; i++) {
    if ((labels[i] ?? 0) < 128) continue;
    for (let k = i * LABEL; k < (i + 1) * LABEL; k++) sum += (samples[k] ?? 0) ** 2;
    count += LABEL;
  }
  return count === 0 ? power(samples) : sum / count;
}

/** Rumble with the harmonics of a motor that slowly changes its speed. */
function engine(length: number, seed: number): Float32Array {
  const rng = createRng(seed);
  const rumble = pinkNoise(length / 16000 + 0.01, rng);
  const base = 28 + 60 * rng();
  let phase = 0;
  return Float32Array.from({ length }, (_, i) => {
    phase += (2 * Math.PI * base * (1 + 0.05 * Math.sin(i / 23000))) / 16000;
    let hum = 0;
    for (let h = 1; h <= 12; h++) hum += Math.sin(h * phase) / h;
    return 0.5 * (rumble[i] ?? 0) + 0.12 * hum;
  });
}

export const noises = ['white', 'pink', 'engine', 'babble', 'esc10'] as const;

function noiseOf(
  kind: (typeof noises)[number],
  length: number,
  seed: number,
  talkers: readonly Utterance[],
  sounds: readonly Utterance[],
): Float32Array {
  switch (kind) {
    case 'white':
      return whiteNoise(length / 16000 + 0.01, createRng(seed));
    case 'pink':
      return pinkNoise(length / 16000 + 0.01, createRng(seed));
    case 'engine':
      return engine(length, seed);
    case 'babble': {
      const sum = new Float32Array(length);
      for (let t = 0; t < 8; t++) {
        const voice = talkers[(seed * 31 + t * 17 + 5) % talkers.length]?.samples ?? sum;
        const gain = 1 / Math.sqrt(power(voice) + 1e-9);
        for (let i = 0; i < length; i++)
          sum[i] = (sum[i] ?? 0) + gain * (voice[(i + t * 4000) % voice.length] ?? 0);
      }
      return sum;
    }
    case 'esc10': {
      const clip = sounds[(seed * 7) % sounds.length]?.samples ?? new Float32Array(1);
      return Float32Array.from({ length }, (_, i) => clip[i % clip.length] ?? 0);
    }
  }
}

/** The utterance with `padS` seconds of the surrounding sound on either side, since the packs are trimmed. */
export function mix(
  utterance: Utterance,
  surroundings: {
    index: number;
    padS: number;
    snrDb: number | undefined;
    noise: (typeof noises)[number];
    talkers: readonly Utterance[];
    sounds: readonly Utterance[];
  },
): Mixed {
  const { index, padS, snrDb, noise, talkers, sounds } = surroundings;
  const lead = Math.round(16000 * padS);
  const samples = new Float32Array(utterance.samples.length + 2 * lead);
  samples.set(utterance.samples, lead);
  if (snrDb === undefined) return { samples, lead, snrDb, noise: 'none' };
  const n = noiseOf(noise, samples.length, index + 1, talkers, sounds);
  const used = n.subarray(0, samples.length);
  const gain = Math.sqrt(speechPower(utterance) / 10 ** (snrDb / 10) / (power(used) + 1e-12));
  let peak = 0;
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (samples[i] ?? 0) + gain * (used[i] ?? 0);
    peak = Math.max(peak, Math.abs(samples[i] ?? 0));
  }
  // A recorder would have been turned down; clipping is another test.
  if (peak > 0.95) for (let i = 0; i < samples.length; i++) samples[i] = ((samples[i] ?? 0) * 0.95) / peak;
  return { samples, lead, snrDb, noise };
}

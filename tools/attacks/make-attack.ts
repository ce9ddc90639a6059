// Makes attacks from recordings of people, for trying out one's own checks. Everything here needs only this
// program. None of it is what today's synthesizers do: a system that stops these attacks has stopped the easy
// ones.
import { framePitchHz, PITCH_RATE_HZ } from '../../src/voice/voice-class/pitch.js';
import { resample } from '../../src/voice/resample.js';
import { replay, withNoise } from './replay.js';
import { griffinLim, powerAt, sourceFilter } from './vocoders.js';

/** The recordings that an attack is made from, all at 16 kHz. */
interface Material {
  /** A recording of the impersonated person, other than those that the print was made from. */
  victim: Float32Array;
  /** Further recordings of the same person, for splicing. */
  more: readonly Float32Array[];
  /** A recording of somebody else. */
  impostor: Float32Array;
  random: () => number;
}

type Maker = (material: Material) => Float32Array;

const makers = {
  'griffin-lim': ({ victim, random }) => griffinLim(victim, random),
  'source-filter': ({ victim, random }) => sourceFilter(victim, random),
  'noise-floor': ({ victim, random }) => withNoise(griffinLim(victim, random), 12 + 6 * random(), random),
  replay: ({ victim, random }) => replay(victim, random),
  splice: ({ victim, more, random }) => splice([victim, ...more], random),
  morph: ({ victim, impostor, random }) => morph(impostor, victim, random),
} satisfies Record<string, Maker>;

export type AttackKindMade = keyof typeof makers;

/** What is done to the recording, in one line. */
export const attackKinds: Readonly<Record<AttackKindMade, string>> = {
  'griffin-lim': 'the voice from 80 mel bands, phases by Griffin and Lim',
  'source-filter': 'the voice from pulses and noise through an all-pole filter',
  'noise-floor': 'as griffin-lim, hidden in noise of 12 to 18 dB',
  replay: 'the recording played by a small loudspeaker in a simulated room',
  splice: 'pieces of recordings of the person in another order',
  morph: 'somebody else, moved to the pitch and color of the voice',
};

export function makeAttack(kind: AttackKindMade, material: Material): Float32Array {
  return leveled(makers[kind](material), material.victim);
}

/** Scaled to the loudness of the original, but never beyond full scale. */
function leveled(made: Float32Array, like: Float32Array): Float32Array {
  const power = (samples: Float32Array): number =>
    samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length);
  const loudest = made.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const gain = Math.min(Math.sqrt(power(like) / Math.max(1e-12, power(made))), 0.95 / loudest);
  return made.map((value) => value * gain);
}

const RATE_HZ = 16_000;
const FADE = 160;

/** Joins shuffled pieces of 0.3 to 0.9 s, with fades of 10 ms. */
function splice(recordings: readonly Float32Array[], random: () => number): Float32Array {
  const pieces: Float32Array[] = [];
  for (const recording of recordings) {
    for (let at = 0; at < recording.length;) {
      const length = Math.round((0.3 + 0.6 * random()) * RATE_HZ);
      const piece = recording.slice(at, at + length);
      if (piece.length > 4 * FADE) pieces.push(piece);
      at += length;
    }
  }
  for (let i = pieces.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [pieces[i], pieces[j]] = [pieces[j] as Float32Array, pieces[i] as Float32Array];
  }
  // As long as the first recording, so that no attack has more speech than the rest.
  const wanted = recordings[0]?.length ?? 0;
  const out = new Float32Array(wanted);
  let at = 0;
  for (const piece of pieces) {
    for (let i = 0; i < piece.length && at + i < wanted; i++) {
      const edge = Math.min(1, i / FADE, (piece.length - 1 - i) / FADE);
      out[at + i] = (out[at + i] as number) + edge * (piece[i] as number);
    }
    at += piece.length - FADE;
    if (at >= wanted) break;
  }
  return out;
}

/** One person's speech with the pitch and the mean spectrum of another. */
function morph(from: Float32Array, to: Float32Array, random: () => number): Float32Array {
  const [mine, theirs] = [meanSpectrum(from), meanSpectrum(to)];
  const power = mine.map((value, bin) =>
    Math.min(100, Math.max(0.01, (theirs[bin] as number) / Math.max(1e-12, value))),
  );
  const pitch = medianPitchHz(to) / medianPitchHz(from);
  return sourceFilter(from, random, { power: smooth(power), pitch: Number.isFinite(pitch) ? pitch : 1 });
}

function meanSpectrum(samples: Float32Array): Float64Array {
  const sum = powerAt(samples, 0);
  for (let at = 256; at < samples.length; at += 256)
    powerAt(samples, at).forEach((value, bin) => (sum[bin] = (sum[bin] as number) + value));
  const total = sum.reduce((all, value) => all + value, 1e-12);
  return sum.map((value) => value / total);
}

/** Over about 300 Hz: the color of a voice, not its harmonics. */
function smooth(values: Float64Array): Float64Array {
  const reach = 5;
  return values.map((_, bin) => {
    const near = values.subarray(Math.max(0, bin - reach), bin + reach + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}

function medianPitchHz(samples: Float32Array): number {
  const slow = resample(samples, RATE_HZ, PITCH_RATE_HZ);
  const found: number[] = [];
  for (let at = 0; at < slow.length; at += 80) {
    const hz = framePitchHz(slow, at);
    if (hz > 0) found.push(hz);
  }
  found.sort((a, b) => a - b);
  return found[found.length >> 1] ?? NaN;
}

/**
 * `voice_class_score`: where a voice lies between deep and high, 0 to 100, from its usual pitch (log scale,
 * 45 to 550 Hz) and, with a small weight, its formant spread. It is a description for people and a coarse
 * check, not a biometric.
 */
import { FRAME_MS, type Speech } from '../speech/types.js';
import { frameFormantSpreadHz } from './formants.js';
import { halve } from './halve.js';
import { framePitchHz } from './pitch.js';

export interface VoiceClass {
  /** 0 deep to 100 high. */
  score: number;
  pitchHz: number;
  formantSpreadHz: number;
}

/** Frames examined, spread evenly over the speech: more hardly change the score. */
const FRAMES_MAX = 120;
const VOICED_FRAMES_MIN = 25;
const PITCH_LOW_HZ = 45;
const PITCH_HIGH_HZ = 550;
const SPREAD_LOW_HZ = 750;
const SPREAD_HIGH_HZ = 1450;
const PITCH_WEIGHT = 0.85;
/** Speech beyond this is not needed, and a long call should not pay for it. */
const SPEECH_MS_MAX = 60_000;

const HOP = 160;
/** Samples that a frame needs after its start, with some more for the filters. */
const REACH = 1200;
const NEAR_FRAMES = 12;

/**
 * Below the median: how high a voice rises changes from sentence to sentence, how low it rests hardly does.
 */
const PITCH_QUANTILE = 0.4;

function quantile(values: number[], fraction: number): number {
  const sorted = values.sort((a, b) => a - b);
  const at = fraction * (sorted.length - 1);
  const low = sorted[Math.floor(at)] as number;
  return low + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] as number) - low);
}

const share = (v: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (v - low) / (high - low)));

/** Undefined if there is less than about a second of voiced speech to judge by. */
export function voiceClassScore(samples16k: Float32Array, speech: Speech): VoiceClass | undefined {
  const frames: number[] = [];
  for (let i = 0; i < speech.mask.length && frames.length * FRAME_MS < SPEECH_MS_MAX; i++)
    if (speech.mask[i] === 1) frames.push(i);
  if (frames.length < 100) return undefined;
  const step = Math.max(1, frames.length / FRAMES_MAX);
  const chosen: number[] = [];
  for (let k = 0; k < frames.length; k += step) chosen.push(frames[Math.floor(k)] as number);
  const pitches: number[] = [];
  const spreads: number[] = [];
  for (let k = 0; k < chosen.length;) {
    // Frames that are close together share the rate change; audio between distant ones is not processed.
    let last = k;
    while (last + 1 < chosen.length && (chosen[last + 1] as number) - (chosen[last] as number) <= NEAR_FRAMES)
      last++;
    const from = Math.max(0, (chosen[k] as number) - 1) * HOP;
    const at8 = halve(samples16k.subarray(from, (chosen[last] as number) * HOP + REACH));
    const at4 = halve(at8);
    for (; k <= last; k++) {
      const at = (chosen[k] as number) * HOP - from;
      const pitch = framePitchHz(at4, at / 4);
      if (pitch === 0) continue;
      pitches.push(pitch);
      const spread = frameFormantSpreadHz(at8, at / 2);
      if (spread > 0) spreads.push(spread);
    }
  }
  if (pitches.length < VOICED_FRAMES_MIN || spreads.length === 0) return undefined;
  const pitchHz = quantile(pitches, PITCH_QUANTILE);
  const formantSpreadHz = quantile(spreads, 0.5);
  const pitchShare = share(Math.log(pitchHz), Math.log(PITCH_LOW_HZ), Math.log(PITCH_HIGH_HZ));
  const score =
    100 *
    (PITCH_WEIGHT * pitchShare + (1 - PITCH_WEIGHT) * share(formantSpreadHz, SPREAD_LOW_HZ, SPREAD_HIGH_HZ));
  return { score, pitchHz, formantSpreadHz };
}

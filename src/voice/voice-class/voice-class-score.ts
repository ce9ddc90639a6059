/**
 * `voice_class_score`: where a voice lies between deep and high, 0 to 100, from its median pitch (log scale, 45 to 550 Hz)
 * and, with a small weight, its formant spread. It is a description for people and a coarse check, not a biometric.
 */
import { resample } from '../resample.js';
import { frameMs, type Speech } from '../speech/types.js';
import { formantRateHz, frameFormantSpreadHz } from './formants.js';
import { framePitchHz, pitchRateHz } from './pitch.js';

export interface VoiceClass {
  /** 0 deep to 100 high. */
  score: number;
  pitchHz: number;
  formantSpreadHz: number;
}

/** Frames looked at, spread evenly over the speech: more do not change a median. */
const framesMax = 200;
const voicedFramesMin = 25;
const pitchLowHz = 45;
const pitchHighHz = 550;
const spreadLowHz = 750;
const spreadHighHz = 1450;
const pitchWeight = 0.85;
/** Speech beyond this is not needed, and a long call should not pay for it. */
const speechMsMax = 60_000;

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

const share = (v: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (v - low) / (high - low)));

/** Undefined when there is less than about a second of voiced speech to judge by. */
export function voiceClassScore(samples16k: Float32Array, speech: Speech): VoiceClass | undefined {
  const frames: number[] = [];
  for (let i = 0; i < speech.mask.length && frames.length * frameMs < speechMsMax; i++)
    if (speech.mask[i] === 1) frames.push(i);
  if (frames.length < 100) return undefined;
  const lastSample = Math.min(samples16k.length, ((frames[frames.length - 1] as number) + 12) * 160);
  const at8 = resample(samples16k.subarray(0, lastSample), 16000, formantRateHz);
  const at4 = resample(at8, formantRateHz, pitchRateHz);
  const step = Math.max(1, frames.length / framesMax);
  const pitches: number[] = [];
  const spreads: number[] = [];
  for (let k = 0; k < frames.length; k += step) {
    const frame = frames[Math.floor(k)] as number;
    const pitch = framePitchHz(at4, frame * 40);
    if (pitch === 0) continue;
    pitches.push(pitch);
    const spread = frameFormantSpreadHz(at8, frame * 80);
    if (spread > 0) spreads.push(spread);
  }
  if (pitches.length < voicedFramesMin || spreads.length === 0) return undefined;
  const pitchHz = median(pitches);
  const formantSpreadHz = median(spreads);
  const pitchShare = share(Math.log(pitchHz), Math.log(pitchLowHz), Math.log(pitchHighHz));
  const score =
    100 * (pitchWeight * pitchShare + (1 - pitchWeight) * share(formantSpreadHz, spreadLowHz, spreadHighHz));
  return { score, pitchHz, formantSpreadHz };
}

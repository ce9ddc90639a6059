/** Clipping and lost pieces, both looked for in the samples as they were delivered, before any rate change blurs them. */
import type { SpeechSegment } from '../speech/types.js';

/** The largest mu-law value is 0.980 of full scale, so a limit above that would miss clipping on telephone lines. */
const CLIP_LEVEL = 0.979;
/** A single sample at the limit is a peak; a flat top is clipping. */
const CLIP_RUN_MIN = 2;

/** The largest amplitude, and how many samples lie on flat tops at the limits. */
export function measureLimits(samples: Float32Array): { peak: number; saturated: number } {
  let peak = 0;
  for (let i = 0; i < samples.length; i++) {
    const v = Math.abs(samples[i] as number);
    if (v > peak) peak = v;
  }
  // Most recordings come nowhere near the limits.
  if (peak < CLIP_LEVEL) return { peak, saturated: 0 };
  let saturated = 0;
  let run = 0;
  for (let i = 0; i <= samples.length; i++) {
    if (i < samples.length && Math.abs(samples[i] as number) >= CLIP_LEVEL) run++;
    else {
      if (run >= CLIP_RUN_MIN) saturated += run;
      run = 0;
    }
  }
  return { peak, saturated };
}

const DROPOUT_MS_MIN = 10;
const DROPOUT_MS_MAX = 200;
const ABRUPT_LEVEL = 0.01;

/** Counts stretches of one constant value that begin right after loud sound, within speech: packets that never came. */
export function countDropouts(
  samples: Float32Array,
  sampleRateHz: number,
  segments: readonly SpeechSegment[],
): number {
  const shortest = (DROPOUT_MS_MIN / 1000) * sampleRateHz;
  const longest = (DROPOUT_MS_MAX / 1000) * sampleRateHz;
  const before = Math.round(0.002 * sampleRateHz);
  const stride = Math.max(1, Math.floor(shortest) - 1);
  let count = 0;
  for (const segment of segments) {
    const from = Math.floor((segment.startMs / 1000) * sampleRateHz);
    const to = Math.min(samples.length, Math.floor((segment.endMs / 1000) * sampleRateHz));
    // A stretch this long holds two equal neighbors at one of the places that are looked at; most speech is passed over so.
    for (let at = from; at + 1 < to; at += stride) {
      if (samples[at] !== samples[at + 1]) continue;
      const held = samples[at] as number;
      let start = at;
      while (start > from && samples[start - 1] === held) start--;
      let end = at + 2;
      while (end < to && samples[end] === held) end++;
      const length = end - start;
      if (length >= shortest && length <= longest && Math.abs(held) < 0.002) {
        let loud = 0;
        for (let k = Math.max(from, start - before); k < start; k++)
          loud = Math.max(loud, Math.abs(samples[k] as number));
        if (loud >= ABRUPT_LEVEL) count++;
      }
      // On to the first place beyond this stretch.
      at += stride * Math.floor((end - 1 - at) / stride);
    }
  }
  return count;
}

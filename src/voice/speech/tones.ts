/**
 * Tones that move and pulse like a voice (sirens, dialing) can deceive the net, but a voice never puts all of
 * its power into two narrow bands for long. Frames that do are not speech. In speech, even over the
 * telephone, no stretch has more than 0.88 of its power there in its median frame; sirens have 0.99.
 */
const BINS = 80;
const TONE_SHARE_MIN = 0.97;
const NEIGHBOR_BINS = 2;
const CHECKED_PROBABILITY_MIN = 0.2;
const power = new Float64Array(BINS);

/**
 * Most frames can be decided quickly, without eighty exponentials: the bins outside the two bands (5 bins
 * each, none above the strongest) may hold at most 0.03 / 0.97 of their power, so no more than 6 bins beyond
 * those ten can be within 3 nepers.
 */
const NEAR_NEPERS = 3;
const BAND_BINS = 2 * (2 * NEIGHBOR_BINS + 1);
const NEAR_BINS_MAX =
  BAND_BINS + Math.floor((((1 - TONE_SHARE_MIN) / TONE_SHARE_MIN) * BAND_BINS) / Math.exp(-NEAR_NEPERS));

function mayBeTone(logmel: Float32Array, frame: number): boolean {
  const row = frame * BINS;
  let best = -Infinity;
  for (let b = 0; b < BINS; b++) if ((logmel[row + b] as number) > best) best = logmel[row + b] as number;
  let near = 0;
  for (let b = 0; b < BINS; b++) if ((logmel[row + b] as number) > best - NEAR_NEPERS) near++;
  return near <= NEAR_BINS_MAX;
}

/** Share of a frame's power in its two strongest bands and their neighbors. */
export function toneShare(logmel: Float32Array, frame: number): number {
  const row = frame * BINS;
  let total = 0;
  for (let b = 0; b < BINS; b++) {
    const e = Math.exp(logmel[row + b] as number);
    power[b] = e;
    total += e;
  }
  let strongest = 0;
  for (let peak = 0; peak < 2; peak++) {
    let best = 0;
    for (let b = 1; b < BINS; b++) if ((power[b] as number) > (power[best] as number)) best = b;
    for (let b = Math.max(0, best - NEIGHBOR_BINS); b <= Math.min(BINS - 1, best + NEIGHBOR_BINS); b++) {
      strongest += power[b] as number;
      power[b] = 0;
    }
  }
  return total > 0 ? strongest / total : 0;
}

/** Sets the net's answers (one per two frames) to zero where the sound is a tone. */
export function silenceTones(coarse: Float32Array, logmel: Float32Array, frames: number): Float32Array {
  for (let i = 0; i < coarse.length; i++) {
    const frame = 2 * i;
    if ((coarse[i] as number) < CHECKED_PROBABILITY_MIN || frame >= frames) continue;
    if (mayBeTone(logmel, frame) && toneShare(logmel, frame) >= TONE_SHARE_MIN) coarse[i] = 0;
  }
  return coarse;
}

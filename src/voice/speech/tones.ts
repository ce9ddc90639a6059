/**
 * Tones that move and pulse like a voice (sirens, dialling) can deceive the net, but a voice never puts all of its power into
 * two narrow bands for long. Frames that do are no speech. In speech, also over the telephone, no stretch has more than 0.88 of
 * its power there in its median frame; sirens have 0.99.
 */
const bins = 80;
const toneShareMin = 0.97;
const around = 2;
const worthALook = 0.2;
const power = new Float64Array(bins);

/**
 * Most frames can be told at a glance, without eighty exponentials: what lies outside the two bands (5 bins each, none above the
 * strongest) may hold at most 0.03 / 0.97 of their power, so no more than 6 bins beyond those ten can be within 3 nepers.
 */
const nearNepers = 3;
const bandBins = 2 * (2 * around + 1);
const nearBinsMax =
  bandBins + Math.floor((((1 - toneShareMin) / toneShareMin) * bandBins) / Math.exp(-nearNepers));

function mayBeTone(logmel: Float32Array, frame: number): boolean {
  const row = frame * bins;
  let best = -Infinity;
  for (let b = 0; b < bins; b++) if ((logmel[row + b] as number) > best) best = logmel[row + b] as number;
  let near = 0;
  for (let b = 0; b < bins; b++) if ((logmel[row + b] as number) > best - nearNepers) near++;
  return near <= nearBinsMax;
}

/** Share of a frame's power in its two strongest bands and their neighbours. */
export function toneShare(logmel: Float32Array, frame: number): number {
  const row = frame * bins;
  let total = 0;
  for (let b = 0; b < bins; b++) {
    const e = Math.exp(logmel[row + b] as number);
    power[b] = e;
    total += e;
  }
  let strongest = 0;
  for (let peak = 0; peak < 2; peak++) {
    let best = 0;
    for (let b = 1; b < bins; b++) if ((power[b] as number) > (power[best] as number)) best = b;
    for (let b = Math.max(0, best - around); b <= Math.min(bins - 1, best + around); b++) {
      strongest += power[b] as number;
      power[b] = 0;
    }
  }
  return total > 0 ? strongest / total : 0;
}

/** Sets the net's answers (one per two frames, the first for frame 2 x `from`) to zero where the sound is a tone. */
export function silenceTones(
  coarse: Float32Array,
  logmel: Float32Array,
  frames: number,
  from = 0,
): Float32Array {
  for (let i = 0; i < coarse.length; i++) {
    const frame = 2 * (from + i);
    if ((coarse[i] as number) < worthALook || frame >= frames) continue;
    if (mayBeTone(logmel, frame) && toneShare(logmel, frame) >= toneShareMin) coarse[i] = 0;
  }
  return coarse;
}

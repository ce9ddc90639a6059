/** The weights of the speech detector's net, as training/vad exports them. */

const MAGIC = 0x44564756; // "VGVD"
export const BINS = 80;
export const CHANNELS = 48;
export const FIRST_TAPS = 5;

export interface SpeechModel {
  dilations: number[];
  mean: Float32Array;
  scale: Float32Array;
  first: Float32Array;
  firstBias: Float32Array;
  blocks: { weights: Float32Array; bias: Float32Array }[];
  last: Float32Array;
  lastBias: number;
  /** How many frames of 20 ms, on either side, an answer depends on. */
  reach: number;
}

/** Reads the weights file; its layout is written by training/vad/export.py. */
export function loadSpeechModel(bytes: Uint8Array): SpeechModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== 1)
    throw new Error('not a speech detector file');
  if (view.getUint32(8, true) !== BINS || view.getUint32(12, true) !== CHANNELS)
    throw new Error('the speech detector has another shape');
  const count = view.getUint32(16, true);
  if (count < 1 || count > 8) throw new Error('the speech detector has another shape');
  let at = 20;
  const dilations: number[] = [];
  for (let i = 0; i < count; i++, at += 4) dilations.push(view.getUint32(at, true));
  const take = (n: number): Float32Array => {
    if (at + 4 * n > bytes.length) throw new Error('the speech detector file is cut short');
    const out = Float32Array.from({ length: n }, (_, i) => view.getFloat32(at + 4 * i, true));
    at += 4 * n;
    return out;
  };
  const model: SpeechModel = {
    dilations,
    mean: take(BINS),
    scale: take(BINS),
    first: take(FIRST_TAPS * BINS * CHANNELS),
    firstBias: take(CHANNELS),
    blocks: dilations.map(() => ({ weights: take(3 * CHANNELS * CHANNELS), bias: take(CHANNELS) })),
    last: take(CHANNELS),
    lastBias: take(1)[0] as number,
    reach: dilations.reduce((a, b) => a + b, 0) + 1,
  };
  if (at !== bytes.length) throw new Error('the speech detector file is too long');
  return model;
}

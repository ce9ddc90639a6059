/**
 * The speech detector's net: a stack of dilated convolutions over the log-mel features that the speaker model needs anyway
 * (made by training/vad). It sees 1.3 s to either side of each frame and answers every 20 ms. Long audio is worked through
 * in pieces with enough overlap that the answer is the same as in one go.
 */
import { kernelFloats, kernels } from '../kernels/kernels.js';

const MAGIC = 0x44564756; // "VGVD"
const BINS = 80;
const CHANNELS = 48;
const FIRST_TAPS = 5;
const PIECE_FRAMES = 1024;

export interface SpeechModel {
  dilations: number[];
  mean: Float32Array;
  scale: Float32Array;
  first: Float32Array;
  firstBias: Float32Array;
  blocks: { weights: Float32Array; bias: Float32Array }[];
  last: Float32Array;
  lastBias: number;
  /** Frames of 20 ms that an answer depends on, to either side. */
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

/** Probabilities of the 20 ms frames `from`..`to` of a recording with `frames` log-mel frames. */
export function speechProbabilities(
  model: SpeechModel,
  logmel: Float32Array,
  frames: number,
  from = 0,
  to = Math.ceil(frames / 2),
): Float32Array {
  const total = Math.ceil(frames / 2);
  const out = new Float32Array(Math.max(0, to - from));
  for (let at = from; at < to; at += PIECE_FRAMES) {
    const end = Math.min(to, at + PIECE_FRAMES);
    const left = Math.max(0, at - model.reach);
    const right = Math.min(total, end + model.reach);
    const part = runPiece(model, logmel, frames, left, right);
    out.set(part.subarray(at - left, end - left), at - from);
  }
  return out;
}

function runPiece(
  model: SpeechModel,
  logmel: Float32Array,
  frames: number,
  left: number,
  right: number,
): Float32Array {
  const rows = right - left;
  const pad = Math.max(...model.dilations);
  const inputRows = 2 * rows + FIRST_TAPS;
  const layerFloats = (rows + 2 * pad) * CHANNELS;
  const weightsAt = 0;
  const biasAt = weightsAt + Math.max(model.first.length, 3 * CHANNELS * CHANNELS);
  const inputAt = biasAt + CHANNELS;
  const aAt = inputAt + inputRows * BINS;
  const bAt = aAt + layerFloats;
  const memory = kernelFloats(4 * (bAt + layerFloats));
  const { conv48, standardise } = kernels();

  // Rows outside the recording are zero after normalisation, which is how the net was trained.
  memory.fill(0, inputAt, aAt + 2 * layerFloats);
  const firstFrame = 2 * left - 2;
  const known = Math.max(0, firstFrame);
  const knownRows = Math.min(frames, firstFrame + inputRows) - known;
  const knownAt = inputAt + (known - firstFrame) * BINS;
  memory.set(model.mean, weightsAt);
  memory.set(model.scale, weightsAt + BINS);
  memory.set(logmel.subarray(known * BINS, (known + knownRows) * BINS), knownAt);
  standardise(4 * knownAt, 4 * weightsAt, 4 * (weightsAt + BINS), 4 * BINS, 4 * knownAt, knownRows);
  memory.set(model.first, weightsAt);
  memory.set(model.firstBias, biasAt);
  const row0 = pad * CHANNELS;
  conv48(
    4 * inputAt,
    8 * BINS,
    FIRST_TAPS,
    4 * BINS,
    BINS,
    4 * weightsAt,
    4 * biasAt,
    4 * (aAt + row0),
    rows,
    0,
  );

  let source = aAt;
  let target = bAt;
  model.blocks.forEach((block, i) => {
    const d = model.dilations[i] as number;
    memory.set(block.weights, weightsAt);
    memory.set(block.bias, biasAt);
    const x = source + row0 - d * CHANNELS;
    conv48(
      4 * x,
      4 * CHANNELS,
      3,
      4 * d * CHANNELS,
      CHANNELS,
      4 * weightsAt,
      4 * biasAt,
      4 * (target + row0),
      rows,
      4 * (source + row0),
    );
    [source, target] = [target, source];
  });

  const out = new Float32Array(rows);
  for (let r = 0; r < rows; r++) {
    let sum = model.lastBias;
    const at = source + row0 + r * CHANNELS;
    for (let c = 0; c < CHANNELS; c++) sum += (memory[at + c] as number) * (model.last[c] as number);
    out[r] = 1 / (1 + Math.exp(-sum));
  }
  return out;
}

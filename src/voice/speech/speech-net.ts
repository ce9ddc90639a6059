/**
 * Runs the speech detector's net: a stack of dilated convolutions over the log-mel features that the speaker
 * model needs anyway (made by training/vad). It sees 1.3 s to either side of each frame and answers every 20
 * ms. Audio may come in pieces of any size: each layer keeps the few rows that its successor still needs, so
 * nothing is computed twice, and the answers are the same as for the whole.
 */
import { joinedFloats } from '../float-buffers.js';
import { kernelFloats, kernels } from '../kernels/kernels.js';
import { BINS, CHANNELS, FIRST_TAPS, type SpeechModel } from './speech-model.js';

/** Rows of the first layer that are processed at once: limits the kernel's memory. */
const PIECE_ROWS = 512;

/** The newest rows of a layer's input. */
class Rows {
  readonly #width: number;
  #data: Float32Array;
  #from = 0;
  #to = 0;

  constructor(width: number) {
    this.#width = width;
    this.#data = new Float32Array(64 * width);
  }

  /** Takes over the contents of another, replacing its own. */
  become(other: Rows): void {
    this.#from = this.#to = other.#from;
    this.append(other.#data.subarray(0, (other.#to - other.#from) * other.#width));
  }

  get heldBytes(): number {
    return this.#data.byteLength;
  }

  /** How many rows there have been in all. */
  get count(): number {
    return this.#to;
  }

  append(rows: Float32Array): void {
    const kept = (this.#to - this.#from) * this.#width;
    if (kept + rows.length > this.#data.length) {
      const larger = new Float32Array(2 * (kept + rows.length));
      larger.set(this.#data.subarray(0, kept));
      this.#data = larger;
    }
    this.#data.set(rows, kept);
    this.#to += rows.length / this.#width;
  }

  /** Copies rows to `memory`; rows that do not exist are zero, as in training. */
  copy(from: number, count: number, memory: Float32Array, at: number): void {
    memory.fill(0, at, at + count * this.#width);
    const first = Math.max(from, this.#from);
    const last = Math.min(from + count, this.#to);
    if (first >= last) return;
    const part = this.#data.subarray((first - this.#from) * this.#width, (last - this.#from) * this.#width);
    memory.set(part, at + (first - from) * this.#width);
  }

  forgetBefore(row: number): void {
    if (row <= this.#from) return;
    this.#data.copyWithin(0, (row - this.#from) * this.#width, (this.#to - this.#from) * this.#width);
    this.#from = row;
  }
}

/**
 * Reused nets that compute what another net would answer: allocating memory for each look costs more than the
 * look.
 */
const previewers = new WeakMap<SpeechModel, SpeechNet>();

export class SpeechNet {
  readonly #model: SpeechModel;
  /** The features, then the outputs of each layer but the last. */
  readonly #features = new Rows(BINS);
  readonly #layers: Rows[];
  #answered = 0;

  constructor(model: SpeechModel) {
    this.#model = model;
    this.#layers = Array.from({ length: model.dilations.length + 1 }, () => new Rows(CHANNELS));
  }

  get heldBytes(): number {
    return [this.#features, ...this.#layers].reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  /** Takes log-mel rows and returns the probabilities that no later audio can change, one per 20 ms. */
  push(logmel: Float32Array): Float32Array {
    return this.#inPieces(logmel, false);
  }

  /** The probabilities at the end, once the net knows that nothing follows. */
  finish(): Float32Array {
    return this.#inPieces(new Float32Array(0), true);
  }

  /** What `finish` would return now, without ending anything. */
  preview(): Float32Array {
    let other = previewers.get(this.#model);
    if (!other) previewers.set(this.#model, (other = new SpeechNet(this.#model)));
    other.#features.become(this.#features);
    for (const [i, layer] of this.#layers.entries()) other.#layers[i]?.become(layer);
    other.#answered = this.#answered;
    return other.finish();
  }

  #inPieces(logmel: Float32Array, last: boolean): Float32Array {
    const parts: Float32Array[] = [];
    const pieceFloats = 2 * PIECE_ROWS * BINS;
    for (let at = 0; at < logmel.length; at += pieceFloats) {
      this.#features.append(logmel.subarray(at, at + pieceFloats));
      parts.push(this.#advance(false));
    }
    if (last) parts.push(this.#advance(true));
    return joinedFloats(parts);
  }

  /** Advances every layer as far as its input allows. */
  #advance(last: boolean): Float32Array {
    const { dilations } = this.#model;
    const total = Math.ceil(this.#features.count / 2);
    // A row of the first layer reads two frames beyond its own.
    const ready = Math.max(0, Math.floor((this.#features.count - 3) / 2) + 1);
    this.#first(last ? total : Math.min(total, ready));
    dilations.forEach((dilation, i) => {
      const below = (this.#layers[i] as Rows).count;
      this.#block(i, last ? total : Math.max(0, below - dilation));
    });
    return this.#answer();
  }

  #first(to: number): void {
    const layer = this.#layers[0] as Rows;
    const { mean, scale, first, firstBias } = this.#model;
    const [from, rows] = [layer.count, to - layer.count];
    if (rows <= 0) return;
    const inputRows = 2 * rows + FIRST_TAPS - 2;
    const [weightsAt, biasAt] = [0, first.length];
    const inputAt = biasAt + CHANNELS;
    const outAt = inputAt + inputRows * BINS;
    const memory = kernelFloats(4 * (outAt + rows * CHANNELS));
    // Frames outside the recording are zero after normalization.
    const firstFrame = 2 * from - 2;
    const known = Math.max(0, firstFrame);
    const knownRows = Math.min(this.#features.count, firstFrame + inputRows) - known;
    const knownAt = inputAt + (known - firstFrame) * BINS;
    memory.fill(0, inputAt, outAt);
    this.#features.copy(known, knownRows, memory, knownAt);
    memory.set(mean, weightsAt);
    memory.set(scale, weightsAt + BINS);
    const { standardise, conv48 } = kernels();
    standardise(4 * knownAt, 4 * weightsAt, 4 * (weightsAt + BINS), 4 * BINS, 4 * knownAt, knownRows);
    memory.set(first, weightsAt);
    memory.set(firstBias, biasAt);
    conv48(4 * inputAt, 8 * BINS, FIRST_TAPS, 4 * BINS, BINS, 4 * weightsAt, 4 * biasAt, 4 * outAt, rows, 0);
    layer.append(memory.subarray(outAt, outAt + rows * CHANNELS));
    this.#features.forgetBefore(2 * to - 2);
  }

  #block(index: number, to: number): void {
    const below = this.#layers[index] as Rows;
    const layer = this.#layers[index + 1] as Rows;
    const dilation = this.#model.dilations[index] as number;
    const { weights, bias } = this.#model.blocks[index] as SpeechModel['blocks'][number];
    const [from, rows] = [layer.count, to - layer.count];
    if (rows <= 0) return;
    const [weightsAt, biasAt] = [0, weights.length];
    const inputAt = biasAt + CHANNELS;
    const outAt = inputAt + (rows + 2 * dilation) * CHANNELS;
    const memory = kernelFloats(4 * (outAt + rows * CHANNELS));
    memory.set(weights, weightsAt);
    memory.set(bias, biasAt);
    below.copy(from - dilation, rows + 2 * dilation, memory, inputAt);
    const own = inputAt + dilation * CHANNELS;
    kernels().conv48(
      4 * inputAt,
      4 * CHANNELS,
      3,
      4 * dilation * CHANNELS,
      CHANNELS,
      4 * weightsAt,
      4 * biasAt,
      4 * outAt,
      rows,
      4 * own,
    );
    layer.append(memory.subarray(outAt, outAt + rows * CHANNELS));
    below.forgetBefore(to - dilation);
  }

  #answer(): Float32Array {
    const top = this.#layers.at(-1) as Rows;
    const { last, lastBias } = this.#model;
    const rows = top.count - this.#answered;
    const values = kernelFloats(4 * rows * CHANNELS);
    top.copy(this.#answered, rows, values, 0);
    const out = new Float32Array(rows);
    for (let r = 0; r < rows; r++) {
      let sum = lastBias;
      for (let c = 0; c < CHANNELS; c++) sum += (values[r * CHANNELS + c] as number) * (last[c] as number);
      out[r] = 1 / (1 + Math.exp(-sum));
    }
    this.#answered = top.count;
    top.forgetBefore(top.count);
    return out;
  }
}

/** The probabilities for a whole recording. */
export function speechProbabilities(model: SpeechModel, logmel: Float32Array, frames: number): Float32Array {
  const net = new SpeechNet(model);
  const settled = net.push(logmel.subarray(0, frames * BINS));
  const rest = net.finish();
  const out = new Float32Array(settled.length + rest.length);
  out.set(settled);
  out.set(rest, settled.length);
  return out;
}

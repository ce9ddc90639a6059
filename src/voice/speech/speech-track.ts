/**
 * Audio on its way to speech, piece by piece: rate change, features, speech detection. Everything is computed once, as soon as
 * there is enough of it, and the result does not depend on how the audio was cut. The speech frames form one growing list:
 * what stands in it, stays.
 */
import { Resampler } from '../resample.js';
import { fromMask } from './form-segments.js';
import { SpeechNet } from './speech-net.js';
import type { SpeechModel } from './speech-model.js';
import { SpeechRuns } from './speech-runs.js';
import { silenceTones } from './tones.js';
import { defaultSpeechParams, type Speech } from './types.js';

const RATE_HZ = 16000;
const HOP = 160;
const FRAME_LENGTH = 400;
const BINS = 80;

/** Stateless: the rows of a cut at a multiple of the hop equal those rows of the whole. */
type LogMel = (samples16k: Float32Array) => { data: Float32Array; frames: number };

export interface TrackParts {
  model: SpeechModel;
  logmel: LogMel;
  /** Told after each stage, for measuring. */
  lap?: (stage: string) => void;
}

/** Floats that only grow. */
class Growing {
  #data = new Float32Array(RATE_HZ);
  length = 0;

  append(part: Float32Array): void {
    if (this.length + part.length > this.#data.length) {
      const larger = new Float32Array(
        Math.max(this.length + part.length, Math.ceil(1.5 * this.#data.length)),
      );
      larger.set(this.#data.subarray(0, this.length));
      this.#data = larger;
    }
    this.#data.set(part, this.length);
    this.length += part.length;
  }

  part(from: number, to: number): Float32Array {
    return this.#data.subarray(from, Math.min(to, this.length));
  }
}

export class SpeechTrack {
  readonly sampleRateHz: number;
  readonly #parts: TrackParts;
  readonly #resampler: Resampler;
  readonly #net: SpeechNet;
  readonly #runs = new SpeechRuns(defaultSpeechParams);
  /** As delivered; the same as the next where the rate is. */
  readonly #source: Growing;
  readonly #samples = new Growing();
  readonly #rows = new Growing();
  #frames = 0;
  #coarse = 0;
  #ended = false;
  #all = false;
  /** Numbers of the frames that are speech, in order. */
  readonly speechFrames: number[] = [];

  constructor(sampleRateHz: number, parts: TrackParts) {
    this.sampleRateHz = sampleRateHz;
    this.#parts = parts;
    this.#resampler = new Resampler(sampleRateHz, RATE_HZ);
    this.#net = new SpeechNet(parts.model);
    this.#source = sampleRateHz === RATE_HZ ? this.#samples : new Growing();
  }

  /** Log-mel frames so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Frames of which it is known whether they are speech. */
  get settledFrames(): number {
    return this.#runs.frames;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get grossMs(): number {
    return (this.#source.length / this.sampleRateHz) * 1000;
  }

  get logmel(): Float32Array {
    return this.#rows.part(0, this.#rows.length);
  }

  push(samples: Float32Array): void {
    if (this.#ended || samples.length === 0) return;
    if (this.#source !== this.#samples) this.#source.append(samples);
    this.#samples.append(this.#resampler.push(samples));
    this.#lap('resample');
    this.#advance();
  }

  finish(): void {
    if (this.#ended) return;
    this.#samples.append(this.#resampler.flush());
    this.#lap('resample');
    this.#advance();
    this.#ended = true;
    this.#find(this.#net.finish());
  }

  /** For measurements only: every frame counts as speech. */
  callAllSpeech(): void {
    this.speechFrames.length = 0;
    for (let frame = 0; frame < this.#frames; frame++) this.speechFrames.push(frame);
    this.#all = true;
  }

  /** Everything in the first so many frames, as if the audio ended there. */
  upTo(wanted = this.#frames): {
    samples16k: Float32Array;
    source: { samples: Float32Array; sampleRateHz: number };
    logmel: Float32Array;
    frames: number;
    speech: Speech;
  } {
    const frames = Math.min(wanted, this.#frames);
    const all = frames === this.#frames && (this.#ended || wanted === frames);
    const samples = all ? this.#samples.length : (frames - 1) * HOP + FRAME_LENGTH;
    const sourceLength = all ? this.#source.length : Math.round((samples * this.sampleRateHz) / RATE_HZ);
    const settled = Math.min(frames, this.#runs.frames);
    return {
      samples16k: this.#samples.part(0, samples),
      source: { samples: this.#source.part(0, sourceLength), sampleRateHz: this.sampleRateHz },
      logmel: this.#rows.part(0, frames * BINS),
      frames,
      speech: fromMask(
        this.#all ? new Uint8Array(frames).fill(1) : padded(this.#runs.mask.subarray(0, settled), frames),
        padded(this.#runs.probability.subarray(0, settled), frames),
      ),
    };
  }

  #advance(): void {
    const count = this.#samples.length;
    const possible = count < FRAME_LENGTH ? 0 : 1 + Math.floor((count - FRAME_LENGTH) / HOP);
    if (possible <= this.#frames) return;
    const { data } = this.#parts.logmel(
      this.#samples.part(this.#frames * HOP, (possible - 1) * HOP + FRAME_LENGTH),
    );
    this.#rows.append(data);
    this.#frames = possible;
    this.#lap('features');
    this.#find(this.#net.push(data));
  }

  #find(coarse: Float32Array): void {
    silenceTones(coarse, this.logmel, this.#frames, this.#coarse);
    this.#coarse += coarse.length;
    // The net answers every 20 ms, for two frames; the last may lack its second.
    const fresh = Math.min(this.#frames, 2 * this.#coarse) - this.#runs.frames;
    const probability = Float32Array.from({ length: fresh }, (_, i) => coarse[i >> 1] ?? 0);
    for (const frame of this.#runs.push(probability)) this.speechFrames.push(frame);
    this.#lap('speech');
  }

  #lap(stage: string): void {
    this.#parts.lap?.(stage);
  }
}

function padded<T extends Uint8Array | Float32Array>(values: T, length: number): T {
  if (values.length >= length) return values;
  const out = new (values.constructor as new (length: number) => T)(length);
  out.set(values);
  return out;
}

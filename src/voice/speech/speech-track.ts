/**
 * Audio on its way to speech, piece by piece: rate change, features, speech detection. Everything is computed
 * once, as soon as there is enough of it, and the result does not depend on how the audio was split. The
 * speech frames form one growing list, whose entries are final. A file keeps its samples and features; a call
 * discards those that are no longer needed.
 */
import { FloatPieces, GrowingFloats, type FloatStore, type Range } from '../float-buffers.js';
import { Resampler } from '../resample.js';
import { fromMask } from './form-segments.js';
import { SpeechFinder } from './speech-finder.js';
import type { SpeechFrames } from './speech-frames.js';
import type { SpeechModel } from './speech-model.js';
import { MEASURED_FRAMES_MAX, type Speech } from './types.js';

const RATE_HZ = 16000;
const HOP = 160;
const FRAME_LENGTH = 400;
const BINS = 80;
/** Half a second of samples, a quarter of a second of features. */
const PIECE_SAMPLES = 8000;
const PIECE_FRAMES = 25;

/** Stateless: the rows of a piece cut at a multiple of the hop equal those rows of the whole. */
type LogMel = (samples16k: Float32Array) => { data: Float32Array; frames: number };

/** Measures the sound on its way. */
interface SoundObserver {
  /** As delivered. */
  source?(samples: Float32Array): void;
  wave?(samples16k: Float32Array): void;
  rows(logmel: Float32Array): void;
}

interface TrackParts {
  model: SpeechModel;
  logmel: LogMel;
  observers?: readonly SoundObserver[];
  /** Whether `keepOnly` will be called; otherwise everything is kept. */
  forgets?: boolean;
  /** Called after each stage, for measuring. */
  lap?: (stage: string) => void;
}

export class SpeechTrack {
  readonly sampleRateHz: number;
  readonly #parts: TrackParts;
  readonly #resampler: Resampler;
  readonly #finder: SpeechFinder;
  readonly #samples: FloatStore;
  readonly #rows: FloatStore;
  #sourceLength = 0;
  #frames = 0;
  #ended = false;
  #all = false;

  constructor(sampleRateHz: number, parts: TrackParts) {
    this.sampleRateHz = sampleRateHz;
    this.#parts = parts;
    this.#resampler = new Resampler(sampleRateHz, RATE_HZ);
    this.#samples = parts.forgets ? new FloatPieces(PIECE_SAMPLES) : new GrowingFloats(RATE_HZ);
    this.#rows = parts.forgets ? new FloatPieces(PIECE_FRAMES * BINS) : new GrowingFloats(RATE_HZ);
    this.#finder = new SpeechFinder(parts.model, (from, to) => this.#rows.view(from * BINS, to * BINS));
  }

  /** Indices of the frames that are speech, in order. */
  get speechFrames(): SpeechFrames {
    return this.#finder.speechFrames;
  }

  /** Log-mel frames so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Frames whose status as speech no later audio can change. */
  get settledFrames(): number {
    return this.#finder.settledFrames;
  }

  /** Frames that have been answered; speech begins and ends only among these. */
  get judgedFrames(): number {
    return this.#finder.judgedFrames;
  }

  /** How much audio is missing until the detector's next look for a complete checkpoint. */
  get untilLookMs(): number {
    const samples = (this.#finder.nextLook - 1) * HOP + FRAME_LENGTH - this.#samples.length;
    return Math.max(0, (1000 * samples) / RATE_HZ);
  }

  get ended(): boolean {
    return this.#ended;
  }

  get grossMs(): number {
    return (this.#sourceLength / this.sampleRateHz) * 1000;
  }

  /** At 16 kHz. */
  get samples(): Pick<FloatStore, 'length' | 'subarray'> {
    return this.#samples;
  }

  get logmel(): Pick<FloatStore, 'subarray'> {
    return this.#rows;
  }

  get heldBytes(): number {
    const held = [this.#samples, this.#rows, this.#finder];
    return held.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  push(samples: Float32Array): void {
    if (this.#ended || samples.length === 0) return;
    this.#sourceLength += samples.length;
    this.#observe((observer) => observer.source?.(samples));
    this.#take(this.#resampler.push(samples));
  }

  finish(): void {
    if (this.#ended) return;
    this.#take(this.#resampler.flush());
    this.#ended = true;
    this.#finder.finish();
    this.#lap('speech');
  }

  /** For measurements only: every frame counts as speech. */
  callAllSpeech(): void {
    this.speechFrames.clear();
    for (let frame = 0; frame < this.#frames; frame++) this.speechFrames.push(frame);
    this.#all = true;
  }

  /** Discards samples and frames outside these ranges, except those that are still being processed. */
  keepOnly(samples: readonly Range[], frames: readonly Range[]): void {
    if (!(this.#samples instanceof FloatPieces && this.#rows instanceof FloatPieces)) return;
    this.#samples.keepOnly([...samples, [this.#frames * HOP, Infinity]]);
    const rows = frames.map(([from, to]): Range => [from * BINS, to * BINS]);
    this.#rows.keepOnly([...rows, [this.judgedFrames * BINS, Infinity]]);
    this.#finder.forgetProbability(this.settledFrames - MEASURED_FRAMES_MAX);
  }

  /** Everything in the first `wanted` frames, as if the audio ended there; `all` if nothing follows them. */
  upTo(wanted = this.#frames): { frames: number; samples: number; all: boolean; speech: Speech } {
    const frames = Math.min(wanted, this.#frames);
    const all = frames === this.#frames && (this.#ended || wanted === frames);
    const settled = Math.min(frames, this.judgedFrames);
    return {
      frames,
      samples: all ? this.#samples.length : (frames - 1) * HOP + FRAME_LENGTH,
      all,
      speech: fromMask(
        this.#all ? new Uint8Array(frames).fill(1) : padded(this.#finder.mask.subarray(0, settled), frames),
        padded(this.#finder.probability(settled), frames),
      ),
    };
  }

  #take(samples16k: Float32Array): void {
    this.#samples.append(samples16k);
    this.#observe((observer) => observer.wave?.(samples16k));
    this.#lap('resample');
    const count = this.#samples.length;
    const possible = count < FRAME_LENGTH ? 0 : 1 + Math.floor((count - FRAME_LENGTH) / HOP);
    if (possible <= this.#frames) return;
    const { data } = this.#parts.logmel(
      this.#samples.view(this.#frames * HOP, (possible - 1) * HOP + FRAME_LENGTH),
    );
    this.#rows.append(data);
    this.#observe((observer) => observer.rows(data));
    this.#frames = possible;
    this.#lap('features');
    this.#finder.advance(possible);
    this.#lap('speech');
  }

  #observe(tell: (observer: SoundObserver) => void): void {
    this.#parts.observers?.forEach(tell);
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

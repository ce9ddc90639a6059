/**
 * Speech detection while audio is still arriving. Chunks of any size go in at the source rate; a checkpoint comes out each
 * time the net speech passes one of the given marks, holding everything heard so far. The net looks 1.3 s ahead, so a mark
 * is reported from settled answers only: an early stop must not rest on a guess that the next chunk would revise.
 */
import { Resampler } from '../resample.js';
import { perFrame } from './detect-speech.js';
import { formSegments } from './form-segments.js';
import { speechProbabilities, type SpeechModel } from './speech-model.js';
import { silenceTones } from './tones.js';
import type { Speech, SpeechParams } from './types.js';

const HOP = 160;
const FRAME_LENGTH = 400;
const BINS = 80;

export interface SpeechStreamOptions {
  sampleRateHz: number;
  model: SpeechModel;
  /** Stateless: the rows of a cut at a multiple of the hop equal those rows of the whole. */
  logmel: (samples16k: Float32Array) => { data: Float32Array; frames: number };
  checkpointsNetMs: readonly number[];
  params?: Partial<SpeechParams>;
  /** The stream refuses to grow beyond this. */
  maxDurationMs?: number;
  /** New audio is looked at in steps of at least this. */
  stepMs?: number;
}

export interface Checkpoint {
  /** The mark that was passed; for the final one all net speech. */
  netMs: number;
  grossMs: number;
  final: boolean;
  samples16k: Float32Array;
  logmel: Float32Array;
  frames: number;
  speech: Speech;
}

export class SpeechStream {
  readonly #options: SpeechStreamOptions;
  readonly #resampler: Resampler;
  #samples = new Float32Array(16000 * 8);
  #sampleCount = 0;
  #rows = new Float32Array(BINS * 800);
  #frames = 0;
  #coarse = new Float32Array(400);
  /** 20 ms frames whose answer no later audio can change. */
  #settled = 0;
  #looked = 0;
  #nextMark = 0;
  readonly #marks: number[];
  readonly #maxSamples: number;
  readonly #stepSamples: number;
  #ended = false;

  constructor(options: SpeechStreamOptions) {
    this.#options = options;
    this.#resampler = new Resampler(options.sampleRateHz, 16000);
    this.#marks = [...options.checkpointsNetMs].sort((a, b) => a - b);
    this.#maxSamples = ((options.maxDurationMs ?? 60 * 60 * 1000) / 1000) * 16000;
    this.#stepSamples = ((options.stepMs ?? 500) / 1000) * 16000;
  }

  get grossMs(): number {
    return (this.#sampleCount / 16000) * 1000;
  }

  /** Net speech that no later audio can take back. */
  get netMs(): number {
    return this.#speech(Math.min(this.#frames, 2 * this.#settled)).netMs;
  }

  /** True once the length limit is reached; further audio is ignored. */
  get full(): boolean {
    return this.#sampleCount >= this.#maxSamples;
  }

  push(chunk: Float32Array): Checkpoint[] {
    if (this.#ended || chunk.length === 0) return [];
    this.#append(this.#resampler.push(chunk));
    if (this.#sampleCount - this.#looked < this.#stepSamples) return [];
    this.#look(false);
    return this.#reached();
  }

  finish(): Checkpoint[] {
    if (this.#ended) return [];
    this.#ended = true;
    this.#append(this.#resampler.flush());
    this.#look(true);
    const points = this.#reached();
    const speech = this.#speech(this.#frames);
    points.push(this.#checkpoint(speech.netMs, speech, true));
    return points;
  }

  #append(part: Float32Array): void {
    const fit = Math.min(part.length, this.#maxSamples - this.#sampleCount);
    if (fit <= 0) return;
    if (this.#sampleCount + fit > this.#samples.length)
      this.#samples = grow(this.#samples, this.#sampleCount + fit);
    this.#samples.set(part.subarray(0, fit), this.#sampleCount);
    this.#sampleCount += fit;
  }

  #look(last: boolean): void {
    this.#looked = this.#sampleCount;
    const possible =
      this.#sampleCount < FRAME_LENGTH ? 0 : 1 + Math.floor((this.#sampleCount - FRAME_LENGTH) / HOP);
    if (possible > this.#frames) {
      const fresh = this.#options.logmel(
        this.#samples.subarray(this.#frames * HOP, (possible - 1) * HOP + FRAME_LENGTH),
      );
      if (possible * BINS > this.#rows.length) this.#rows = grow(this.#rows, possible * BINS);
      this.#rows.set(fresh.data.subarray(0, (possible - this.#frames) * BINS), this.#frames * BINS);
      this.#frames = possible;
    }
    const total = Math.ceil(this.#frames / 2);
    if (total > this.#coarse.length) this.#coarse = grow(this.#coarse, total);
    if (total > this.#settled) {
      const p = speechProbabilities(this.#options.model, this.#rows, this.#frames, this.#settled, total);
      this.#coarse.set(silenceTones(p, this.#rows, this.#frames, this.#settled), this.#settled);
      this.#settled = last ? total : Math.max(this.#settled, total - this.#options.model.reach - 1);
    }
  }

  /** Speech in the first `frames` log-mel frames. */
  #speech(frames: number): Speech {
    return formSegments(perFrame(this.#coarse, frames), this.#options.params);
  }

  #reached(): Checkpoint[] {
    const points: Checkpoint[] = [];
    if (this.#nextMark >= this.#marks.length) return points;
    const speech = this.#speech(Math.min(this.#frames, 2 * this.#settled));
    for (
      let mark = this.#marks[this.#nextMark];
      mark !== undefined && speech.netMs >= mark;
      mark = this.#marks[++this.#nextMark]
    ) {
      points.push(this.#checkpoint(mark, speech, false));
    }
    return points;
  }

  #checkpoint(netMs: number, speech: Speech, final: boolean): Checkpoint {
    const frames = speech.mask.length;
    const end = final
      ? this.#sampleCount
      : Math.min(this.#sampleCount, frames === 0 ? 0 : (frames - 1) * HOP + FRAME_LENGTH);
    return {
      netMs,
      grossMs: (end / 16000) * 1000,
      final,
      samples16k: this.#samples.subarray(0, end),
      logmel: this.#rows.subarray(0, frames * BINS),
      frames,
      speech,
    };
  }
}

function grow(from: Float32Array, needed: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(Math.max(needed, Math.ceil(from.length * 1.5)));
  out.set(from);
  return out;
}

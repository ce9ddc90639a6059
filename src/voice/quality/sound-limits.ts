/**
 * Peaks, clipping and lost packets, found in the samples as delivered, before any rate change blurs them.
 * Samples come in pieces of any size; only figures for every 5 ms are kept, and old ones are merged into one.
 */
import { GrowingFloats } from '../float-buffers.js';

/** The largest mu-law value is 0.980 of full scale, so a limit above that would miss clipping on telephone lines. */
const CLIP_LEVEL = 0.979;
const DROPOUT_MS_MIN = 10;
const DROPOUT_MS_MAX = 200;
/** A dropout is nearly zero, and begins within this time after a sound at least this loud. */
const HELD_LEVEL = 0.002;
const ABRUPT_LEVEL = 0.01;
const ABRUPT_MS = 2;
/** Two per 10 ms. */
const STEPS_PER_SECOND = 200;
const FRAMES_PER_SECOND = 100;

interface Dropout {
  /** The 10 ms frame in which it begins. */
  frame: number;
  /** The sample after it. */
  end: number;
}

/** Consecutive samples of one value. */
interface Stretch {
  held: number;
  heldFrom: number;
  /** The last loud sample. */
  loudAt: number;
}

interface Limits {
  /** How many samples were examined. */
  length: number;
  peak: number;
  /** Samples on flat tops; a single sample at the limit is just a peak. */
  saturated: number;
}

export class SoundLimits {
  readonly #rateHz: number;
  readonly #peaks = new GrowingFloats();
  readonly #clipped = new GrowingFloats();
  readonly #dropouts: Dropout[] = [];
  /** Totals of the steps that were discarded. */
  #old = { steps: 0, peak: 0, saturated: 0 };
  /** Figures of the step that is being filled. */
  #stepPeak = 0;
  #stepSaturated = 0;
  #length = 0;
  /** Length of the current run of samples at the limit. */
  #clipRun = 0;
  #held = NaN;
  #heldFrom = 0;
  #loudAt = -Infinity;

  constructor(sampleRateHz: number) {
    this.#rateHz = sampleRateHz;
  }

  get sampleRateHz(): number {
    return this.#rateHz;
  }

  get heldBytes(): number {
    return this.#peaks.heldBytes + this.#clipped.heldBytes + 32 * this.#dropouts.length;
  }

  push(samples: Float32Array): void {
    for (let done = 0; done < samples.length;) {
      const stepEnd = this.#sampleAt(this.#peaks.length + 1);
      const take = Math.min(samples.length - done, stepEnd - this.#length);
      this.#look(samples, done, done + take);
      done += take;
      if (this.#length < stepEnd) continue;
      this.#peaks.push(this.#stepPeak);
      this.#clipped.push(this.#stepSaturated);
      this.#stepPeak = this.#stepSaturated = 0;
    }
  }

  /** The limits of the first `steps` steps of 5 ms, or of everything. */
  limits(steps?: number): Limits {
    const count = steps === undefined ? this.#peaks.length : Math.min(steps, this.#peaks.length);
    let { peak, saturated } = this.#old;
    for (const value of this.#peaks.subarray(this.#old.steps, count)) peak = Math.max(peak, value);
    for (const value of this.#clipped.subarray(this.#old.steps, count)) saturated += value;
    if (steps !== undefined) return { length: this.#sampleAt(count), peak, saturated };
    return {
      length: this.#length,
      peak: Math.max(peak, this.#stepPeak),
      saturated: saturated + this.#stepSaturated,
    };
  }

  /**
   * Stretches of one constant value that begin right after loud sound, within speech: packets that never
   * arrived.
   */
  dropouts(mask: Uint8Array, length: number): number {
    const inSpeech = ({ frame, end }: Dropout): boolean => mask[frame] === 1 && end <= length;
    const now = { held: this.#held, heldFrom: this.#heldFrom, loudAt: this.#loudAt };
    const last = length >= this.#length ? this.#dropout(this.#length, now) : undefined;
    return this.#dropouts.filter(inSpeech).length + (last && inSpeech(last) ? 1 : 0);
  }

  /** Promises that no later call asks about fewer steps than this. */
  forgetBefore(steps: number): void {
    const { peak, saturated } = this.limits(steps);
    const count = Math.min(steps, this.#peaks.length);
    if (count <= this.#old.steps) return;
    this.#old = { steps: count, peak, saturated };
    this.#peaks.forgetBefore(count);
    this.#clipped.forgetBefore(count);
  }

  #sampleAt(step: number): number {
    return Math.round((step * this.#rateHz) / STEPS_PER_SECOND);
  }

  /**
   * Examines one step at most, which is half as long as the shortest dropout. So only a stretch of one value
   * that began earlier can be a dropout, and of all samples only the largest is needed: the samples before
   * the first change and after the last tell the rest.
   */
  #look(samples: Float32Array, from: number, to: number): void {
    let peak = 0;
    for (let i = from; i < to; i++) {
      const size = Math.abs(samples[i] as number);
      if (size > peak) peak = size;
    }
    if (peak > this.#stepPeak) this.#stepPeak = peak;
    if (peak < CLIP_LEVEL) this.#clipRun = 0;
    else this.#countClipped(samples, from, to);
    this.#followStretch(samples, from, to);
    if (peak >= ABRUPT_LEVEL) {
      let last = to - 1;
      while (Math.abs(samples[last] as number) < ABRUPT_LEVEL) last--;
      this.#loudAt = this.#length + last - from;
    }
    this.#length += to - from;
  }

  #countClipped(samples: Float32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (Math.abs(samples[i] as number) < CLIP_LEVEL) this.#clipRun = 0;
      else if (++this.#clipRun >= 2) this.#stepSaturated += this.#clipRun === 2 ? 2 : 1;
    }
  }

  #followStretch(samples: Float32Array, from: number, to: number): void {
    let change = from;
    while (change < to && samples[change] === this.#held) change++;
    if (change === to) return;
    const ended = { held: this.#held, heldFrom: this.#heldFrom, loudAt: this.#loudAt };
    const dropout = this.#dropout(this.#length + change - from, ended);
    if (dropout) this.#dropouts.push(dropout);
    const held = samples[to - 1] as number;
    let first = to - 1;
    while (first > change && samples[first - 1] === held) first--;
    this.#held = held;
    this.#heldFrom = this.#length + first - from;
  }

  /** The stretch of one value that ends before `end`, if it is a dropout. */
  #dropout(end: number, { held, heldFrom, loudAt }: Stretch): Dropout | undefined {
    const perMs = this.#rateHz / 1000;
    const length = end - heldFrom;
    if (length < DROPOUT_MS_MIN * perMs || length > DROPOUT_MS_MAX * perMs) return undefined;
    if (Math.abs(held) >= HELD_LEVEL) return undefined;
    if (loudAt < heldFrom - Math.round(ABRUPT_MS * perMs)) return undefined;
    return { frame: Math.floor((heldFrom * FRAMES_PER_SECOND) / this.#rateHz), end };
  }
}

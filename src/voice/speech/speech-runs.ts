/**
 * From probabilities to speech, frame by frame as they come: hysteresis, pauses too short to count,
 * certainty, padding. Frames once called speech stay speech, and they are returned in the order of the
 * recording, however the probabilities were split up.
 */
import { GrowingFloats } from '../float-buffers.js';
import { FRAME_MS, type SpeechParams } from './types.js';

export interface Run {
  from: number;
  to: number;
}

interface GrowingRun extends Run {
  /** Sum over the last `certainMs`. */
  sum: number;
  /**
   * Mean of the best stretch of that length; missing frames of a shorter run count as zero, so that more
   * audio never lowers it.
   */
  best: number;
  believed: boolean;
  /** Frames up to here have been returned. */
  filledTo: number;
}

/** Sound before the onset that may belong to it; anything longer below the onset is something else. */
const LEAD_FRAMES_MAX = 100;

export class SpeechRuns {
  readonly #params: SpeechParams;
  readonly #stretch: number;
  readonly #pause: number;
  readonly #pad: number;
  readonly #doubt: number;
  readonly #probability = new GrowingFloats(1024);
  #mask = new Uint8Array(1024);
  #frames = 0;
  /** Without runs that were returned in full, or are out of reach of anything new. */
  #runs: GrowingRun[] = [];
  #inside = false;
  #lastEnd = 0;

  constructor(params: SpeechParams) {
    this.#params = params;
    this.#stretch = Math.max(1, Math.round(params.certainMs / FRAME_MS));
    this.#pause = params.silenceMsMin / FRAME_MS;
    this.#pad = Math.round(params.padMs / FRAME_MS);
    this.#doubt = params.doubtMsMax / FRAME_MS;
  }

  get heldBytes(): number {
    return this.#mask.byteLength + this.#probability.heldBytes;
  }

  get frames(): number {
    return this.#frames;
  }

  get mask(): Uint8Array {
    return this.#mask.subarray(0, this.#frames);
  }

  /** Of the first `frames` frames; zero if they were discarded. */
  probability(frames = this.#frames): Float32Array {
    const from = Math.min(frames, this.#probability.from);
    if (from === 0) return this.#probability.subarray(0, frames);
    const out = new Float32Array(frames);
    out.set(this.#probability.subarray(from, frames), from);
    return out;
  }

  /** Discards the probabilities of frames that have long been settled. */
  forgetProbability(before: number): void {
    this.#probability.forgetMostBefore(Math.min(before, this.openFrom - LEAD_FRAMES_MAX - this.#stretch));
  }

  /**
   * Takes the probabilities of the next frames and returns the indices of frames that are now known to be
   * speech.
   */
  push(probabilities: Float32Array): number[] {
    this.#grow(this.#frames + probabilities.length);
    this.#probability.append(probabilities);
    for (let i = 0; i < probabilities.length; i++) this.#step(this.#frames + i);
    this.#frames += probabilities.length;
    this.#believe();
    return this.#handOut();
  }

  /** What `push` would return, and what would still be open afterwards, without taking anything. */
  preview(probabilities: Float32Array): { fresh: number[]; openFrom: number } {
    const [runs, inside, lastEnd, frames] = [this.#runs, this.#inside, this.#lastEnd, this.#frames];
    this.#runs = runs.map((run) => ({ ...run }));
    const fresh = this.push(probabilities);
    const { openFrom } = this;
    [this.#runs, this.#inside, this.#lastEnd, this.#frames] = [runs, inside, lastEnd, frames];
    this.#probability.shorten(frames);
    for (const frame of fresh) this.#mask[frame] = 0;
    return { fresh, openFrom };
  }

  #grow(frames: number): void {
    if (frames <= this.#mask.length) return;
    const size = Math.max(frames, Math.ceil(1.5 * this.#mask.length));
    const mask = new Uint8Array(size);
    mask.set(this.#mask);
    this.#mask = mask;
  }

  #step(frame: number): void {
    const value = this.#probability.at(frame);
    const { onset, offset } = this.#params;
    let run = this.#runs.at(-1);
    if (!this.#inside) {
      if (value < onset) return;
      const from = this.#leadFrom(frame);
      if (!run || from - run.to >= this.#pause) run = this.#begin(from);
      this.#inside = true;
    } else if (value < offset) {
      this.#inside = false;
      this.#lastEnd = frame;
      return;
    } else if (run && run.best < this.#params.certainMin && frame - run.from >= this.#doubt) {
      // Sound that has been in doubt for this long is judged by itself: one certain moment must not decide
      // about minutes before it.
      run = this.#begin(frame);
    }
    // Includes the pause that a run was joined over.
    while (run && run.to <= frame) this.#extend(run);
  }

  /** Where a run that reaches the onset at this frame would begin. */
  #leadFrom(frame: number): number {
    const floor = Math.max(this.#lastEnd, frame - LEAD_FRAMES_MAX);
    let from = frame;
    while (from > floor && this.#probability.at(from - 1) >= this.#params.offset) from--;
    return from;
  }

  #begin(from: number): GrowingRun {
    const filledTo = Math.max(0, from - this.#pad);
    const run = { from, to: from, sum: 0, best: 0, believed: false, filledTo };
    this.#runs.push(run);
    return run;
  }

  #extend(run: GrowingRun): void {
    run.sum += this.#probability.at(run.to);
    const dropped = run.to - this.#stretch;
    if (dropped >= run.from) run.sum -= this.#probability.at(dropped);
    run.best = Math.max(run.best, run.sum / this.#stretch);
    run.to++;
  }

  /**
   * Accepts runs that are certain, and doubtful ones close to these. More audio can add runs but never
   * removes one.
   */
  #believe(): void {
    const { certainMin, certainReachMs, doubtfulMin, speechMsMin } = this.#params;
    const long = this.#runs.filter((run) => (run.to - run.from) * FRAME_MS >= speechMsMin);
    const mark = (runs: readonly GrowingRun[]): void => {
      let certain: Run | undefined;
      for (const run of runs) {
        if (run.best >= certainMin) certain = run;
        if (certain === undefined || run.best < doubtfulMin) continue;
        const gap = Math.max(run.from - certain.to, certain.from - run.to, 0);
        if (gap * FRAME_MS <= certainReachMs) run.believed = true;
      }
    };
    mark(long);
    mark(long.slice().reverse());
  }

  #handOut(): number[] {
    const fresh: number[] = [];
    for (const run of this.#runs) {
      if (!run.believed) continue;
      const to = Math.min(this.#frames, run.to + this.#pad);
      for (; run.filledTo < to; run.filledTo++) {
        if (this.#mask[run.filledTo]) continue;
        this.#mask[run.filledTo] = 1;
        fresh.push(run.filledTo);
      }
    }
    // A run is finished once it is out of reach of the last run, the only one still growing, and of all
    // future audio.
    const old = Math.min(this.#frames, this.#runs.at(-1)?.from ?? 0) - this.#reach - 1;
    const kept = this.#runs.findIndex((run) => run.to >= old);
    if (kept > 0) this.#runs = this.#runs.slice(kept);
    return fresh;
  }

  get #reach(): number {
    return this.#params.certainReachMs / FRAME_MS;
  }

  /** The first frame whose status as speech later audio may still change. */
  get openFrom(): number {
    const { doubtfulMin, speechMsMin } = this.#params;
    const next = this.#inside ? this.#frames : this.#leadFrom(this.#frames);
    let open = Math.max(0, next - this.#pad);
    const last = this.#runs.at(-1);
    for (const run of this.#runs) {
      const grows = run === last && (this.#inside || next - run.to < this.#pause);
      const nearest = last && this.#inside ? last.from : next;
      const mayBeBelieved =
        !run.believed &&
        (run.to - run.from) * FRAME_MS >= speechMsMin &&
        run.best >= doubtfulMin &&
        nearest - run.to <= this.#reach;
      if (grows || mayBeBelieved) open = Math.min(open, run.filledTo);
    }
    return open;
  }
}

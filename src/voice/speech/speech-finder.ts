/**
 * Finds speech in log-mel frames that arrive in pieces of any size. The net needs 1.3 s beyond a frame for
 * its final answer, which is too long for a caller waiting for a decision. So when the speech for a
 * checkpoint may be complete, the detector looks ahead: it answers for everything that has arrived, as at the
 * end of a recording, and if that completes the checkpoint, these answers stand. The moments of these looks
 * follow from the sound alone, in files as in calls, whatever is requested, so the same audio always has the
 * same speech.
 */
import { SpeechFrames } from './speech-frames.js';
import type { SpeechModel } from './speech-model.js';
import { SpeechNet } from './speech-net.js';
import { SpeechRuns } from './speech-runs.js';
import { silenceTones } from './tones.js';
import { CONTEXT_FRAMES, defaultSpeechParams, FRAME_MS } from './types.js';

const FIRST_MARK = 300;
const SECOND_MARK = 600;
const LATER_MARKS = 1000;
const PAD_FRAMES = Math.round(defaultSpeechParams.padMs / FRAME_MS);
/** A pause of up to this many frames may still be filled in. */
const PAUSE_FRAMES = defaultSpeechParams.silenceMsMin / FRAME_MS;
/** Frames between two looks; longer if the sound has been in doubt for a while, as music is. */
const STEP_FRAMES = 4;
const DOUBT_STEP_FRAMES = 20;

/** Whether the detector looks ahead for this much speech. */
export const isLookaheadMark = (speechFrames: number): boolean =>
  speechFrames === FIRST_MARK || speechFrames === SECOND_MARK || speechFrames % LATER_MARKS === 0;

function markAfter(speechFrames: number): number {
  if (speechFrames < FIRST_MARK) return FIRST_MARK;
  if (speechFrames < SECOND_MARK) return SECOND_MARK;
  return LATER_MARKS * (Math.floor(speechFrames / LATER_MARKS) + 1);
}

/**
 * The frame at which a mark is due, including its settled context, if everything from `openFrom` on is
 * speech.
 */
const dueAt = (openFrom: number, missing: number): number => openFrom + missing + CONTEXT_FRAMES + PAD_FRAMES;

export class SpeechFinder {
  readonly #net: SpeechNet;
  readonly #rows: (from: number, to: number) => Float32Array;
  readonly #runs = new SpeechRuns(defaultSpeechParams);
  /** Indices of the frames that are speech, in order; entries are never removed. */
  readonly speechFrames = new SpeechFrames();
  #heard = 0;
  #ended = false;
  /** The number of coming answers that an earlier look has already replaced. */
  #overruled = 0;
  #mark = FIRST_MARK;
  #lookAt = dueAt(0, FIRST_MARK) + 1;

  /**
   * `rows`: returns the log-mel rows of frames that have been announced but not answered by the net yet; the
   * result need only be valid until the next call.
   */
  constructor(model: SpeechModel, rows: (from: number, to: number) => Float32Array) {
    this.#net = new SpeechNet(model);
    this.#rows = rows;
  }

  get heldBytes(): number {
    return this.#net.heldBytes + this.#runs.heldBytes + this.speechFrames.heldBytes;
  }

  /** Frames that have been answered; speech begins and ends only among these. */
  get judgedFrames(): number {
    return this.#runs.frames;
  }

  /** Frames whose status as speech no later audio can change. */
  get settledFrames(): number {
    return this.#ended ? this.#heard : this.#runs.openFrom;
  }

  /** The next look happens when this many frames have arrived. */
  get nextLook(): number {
    return this.#lookAt;
  }

  get mask(): Uint8Array {
    return this.#runs.mask;
  }

  /** Of the first `frames` frames; zero if they were discarded. */
  probability(frames = this.#runs.frames): Float32Array {
    return this.#runs.probability(frames);
  }

  forgetProbability(before: number): void {
    this.#runs.forgetProbability(before);
  }

  /** Call when this many frames have arrived in all. */
  advance(frames: number): void {
    while (this.#heard < frames) {
      const [from, to] = [this.#heard, Math.min(frames, this.#lookAt)];
      this.#heard = to;
      this.#judge(this.#net.push(this.#rows(from, to)));
      if (to === this.#lookAt) this.#look();
    }
  }

  finish(): void {
    this.#ended = true;
    this.#judge(this.#net.finish());
  }

  #judge(answers: Float32Array): void {
    const overruled = Math.min(this.#overruled, answers.length);
    this.#overruled -= overruled;
    if (answers.length > overruled) this.#believe(this.#perFrame(answers.subarray(overruled)));
  }

  #believe(probability: Float32Array): void {
    for (const frame of this.#runs.push(probability)) this.speechFrames.push(frame);
  }

  /** The net answers every 20 ms, for two frames; the last answer may be for one. */
  #perFrame(answers: Float32Array): Float32Array {
    const from = this.#runs.frames;
    const count = Math.min(this.#heard - from, 2 * answers.length);
    silenceTones(answers, this.#rows(from, from + count), count);
    const probability = new Float32Array(count);
    for (let i = 0; i < count; i++) probability[i] = answers[i >> 1] as number;
    return probability;
  }

  #look(): void {
    const known = this.speechFrames.length;
    if (this.#mark <= known) this.#mark = markAfter(known);
    const answers = this.#net.preview().subarray(this.#overruled);
    const probability = this.#perFrame(answers);
    const { fresh, openFrom } = this.#runs.preview(probability);
    const last = fresh[this.#mark - known - 1];
    if (last !== undefined && last + CONTEXT_FRAMES < openFrom) {
      this.#overruled += answers.length;
      this.#believe(probability);
      this.#mark = markAfter(this.#mark);
    }
    const missing = this.#mark - known - fresh.filter((frame) => frame < openFrom).length;
    const isInDoubt = openFrom < this.#heard - PAD_FRAMES - PAUSE_FRAMES;
    const soonest = this.#heard + (isInDoubt ? DOUBT_STEP_FRAMES : STEP_FRAMES);
    const next = Math.max(soonest, dueAt(openFrom, missing));
    // An answer of the net is for two frames.
    this.#lookAt = next + (next % 2);
  }
}

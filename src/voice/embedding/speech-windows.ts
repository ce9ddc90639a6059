/**
 * How speech is split for embedding: always at the same positions of the net speech, whatever is requested:
 * at 3, 6 and 10 s, then after every further 10 s. So the embedding of some speech is the mean of those of
 * its windows, nothing that a checkpoint embedded is embedded again, and a change of speaker shows in the
 * windows at no further cost.
 */
import type { Check } from '../check.js';
import type { VoiceWindow } from './voice-window.js';
import { CONTEXT_FRAMES } from '../speech/types.js';
import type { EmbedWindow, WindowLimits } from './embed-speech.js';
import { embedSpeech } from './embed-speech.js';
import { weightedMean } from './vector.js';

const FRAME_MS = 10;
const BLOCK_FRAMES = 1000;
const ends = [300, 600, 1000] as const;
/** A remainder shorter than this is too little to say who speaks; it is added to the window before it. */
const REST_FRAMES_MIN = 150;

type Bounds = readonly [from: number, to: number];

/** The windows of this many frames of speech. */
export function planWindows(speechFrames: number): Bounds[] {
  const plan: [number, number][] = [];
  let from = 0;
  for (let block = 0; from < speechFrames; block += BLOCK_FRAMES) {
    for (const end of ends) {
      const to = Math.min(speechFrames, block + end);
      if (to <= from) break;
      const last = plan.at(-1);
      if (last && to - from < REST_FRAMES_MIN) last[1] = to;
      else plan.push([from, to]);
      from = to;
    }
  }
  return plan;
}

/** Where the windows of this much speech end. */
export const windowEndsMs = (netMs: number): number[] =>
  planWindows(netMs / FRAME_MS).map(([, to]) => to * FRAME_MS);

/** The first frame of speech that future windows may begin with, given this many frames of speech so far. */
export const lastWindowFrom = (speechFrames: number): number => planWindows(speechFrames).at(-1)?.[0] ?? 0;

/** Whether a window keeps its end when there is more speech. */
const isLasting = ([, to]: Bounds): boolean =>
  (ends as readonly number[]).includes(((to - 1) % BLOCK_FRAMES) + 1);

/** The data that windows are cut from. */
export interface SpeechSource {
  logmel: { subarray(from: number, to: number): Float32Array };
  bins: number;
  frames: number;
  /** Numbers of the frames that are speech, in order. */
  speechFrames: { readonly length: number; at(index: number): number | undefined };
}

/** The rows of a window: its speech, and nearby frames that are not the speech of another window. */
export function windowRows(
  { logmel, bins, frames, speechFrames }: SpeechSource,
  [from, to]: Bounds,
): { data: Float32Array; frames: number } {
  const chosen: number[] = [];
  const before = from > 0 ? (speechFrames.at(from - 1) as number) : -1;
  const after = to < speechFrames.length ? (speechFrames.at(to) as number) : frames;
  let next = before + 1;
  const take = (first: number, last: number): void => {
    for (let frame = Math.max(next, first); frame < last; frame++) chosen.push(frame);
    next = Math.max(next, last);
  };
  for (let i = from; i < to; i++) {
    const frame = speechFrames.at(i) as number;
    // Up to the next speech of this window, or of the one after it.
    const following = i + 1 < to ? (speechFrames.at(i + 1) as number) : after;
    take(frame - CONTEXT_FRAMES, frame + 1);
    take(frame + 1, Math.min(following, frame + 1 + CONTEXT_FRAMES));
  }
  const data = new Float32Array(chosen.length * bins);
  for (let row = 0; row < chosen.length;) {
    // Adjacent frames are copied together.
    const frame = chosen[row] as number;
    let count = 1;
    while (chosen[row + count] === frame + count) count++;
    data.set(logmel.subarray(frame * bins, (frame + count) * bins), row * bins);
    row += count;
  }
  return { data, frames: chosen.length };
}

/** Embeds the windows of one recording, each of them once. */
export class WindowEmbedder {
  readonly #embed: EmbedWindow;
  readonly #limits: WindowLimits;
  readonly #known = new Map<string, VoiceWindow>();

  constructor(embed: EmbedWindow, limits: WindowLimits) {
    this.#embed = embed;
    this.#limits = limits;
  }

  /**
   * The windows of the first `speechFrames` frames of speech. `check` throws if the result is no longer
   * needed.
   */
  async windows(source: SpeechSource, speechFrames: number, check: Check): Promise<VoiceWindow[]> {
    const out: VoiceWindow[] = [];
    for (const bounds of planWindows(speechFrames)) {
      const key = String(bounds);
      let window = this.#known.get(key);
      if (!window) {
        window = await this.#window(source, bounds, check);
        if (isLasting(bounds)) this.#known.set(key, window);
      }
      out.push(window);
    }
    return out;
  }

  get heldBytes(): number {
    return [...this.#known.values()].reduce((sum, { embedding }) => sum + embedding.byteLength, 0);
  }

  /**
   * Embeds the windows within the first `settledFrames` frames that will not change any more, so that less
   * work, and less audio, is left for a later request.
   */
  async settle(
    source: SpeechSource,
    speechFrames: number,
    settledFrames: number,
    check: Check,
  ): Promise<void> {
    for (const bounds of planWindows(speechFrames)) {
      const key = String(bounds);
      if (this.#known.has(key) || !isLasting(bounds)) continue;
      if ((source.speechFrames.at(bounds[1] - 1) as number) + CONTEXT_FRAMES >= settledFrames) return;
      this.#known.set(key, await this.#window(source, bounds, check));
    }
  }

  async #window(source: SpeechSource, bounds: Bounds, check: Check): Promise<VoiceWindow> {
    const [from, to] = bounds;
    const rows = windowRows(source, bounds);
    return {
      startMs: (source.speechFrames.at(from) as number) * FRAME_MS,
      endMs: ((source.speechFrames.at(to - 1) as number) + 1) * FRAME_MS,
      netMs: (to - from) * FRAME_MS,
      embedding: await embedSpeech(this.#embed, this.#limits, rows, source.bins, check),
    };
  }
}

/** The voice of several windows together, weighted by their net speech. */
export function voiceOfWindows(windows: readonly VoiceWindow[]): Float32Array {
  return weightedMean(
    windows.map((window) => window.embedding),
    windows.map((window) => window.netMs),
  );
}

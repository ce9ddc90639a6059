// Splits a recording into stretches: runs of windows with just enough speech to say whose voice it is. A
// person who speaks for only a part of the recording is lost in the voice of the whole, but not in the
// stretches.
import { voiceOfWindows } from '../embedding/speech-windows.js';
import type { VoiceWindow } from '../embedding/voice-window.js';
import type { VoiceSample } from './speaker-model.js';

export interface Stretch {
  /** Times of its first and last speech, in the recording. */
  startMs: number;
  endMs: number;
  sample: VoiceSample;
}

/**
 * Scoring a stretch against a large watchlist takes milliseconds: beyond this number they begin further apart
 * and are longer.
 */
const STRETCHES_MAX = 60;

/**
 * From each window, the shortest run with at least this much speech; none if that would be the whole
 * recording.
 */
export function stretchesOf(
  voice: VoiceSample,
  windows: readonly VoiceWindow[],
  netMsMin: number,
): Stretch[] {
  const step = Math.ceil(windows.length / STRETCHES_MAX);
  // Each overlaps the next by half, so that nobody falls between two.
  const wanted = step > 1 ? Math.max(netMsMin, (2 * step * voice.netMs) / windows.length) : netMsMin;
  const found: Stretch[] = [];
  for (let from = 0; from < windows.length; from += step) {
    let netMs = 0;
    let to = from;
    while (to < windows.length && netMs < wanted) netMs += windows[to++]?.netMs ?? 0;
    const run = windows.slice(from, to);
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last || netMs < netMsMin || run.length === windows.length) continue;
    const sample = { ...voice, embedding: voiceOfWindows(run), netMs };
    found.push({ startMs: first.startMs, endMs: last.endMs, sample });
  }
  return found;
}

/** The windows of the first `netMs` of speech. */
export function windowsUpTo(windows: readonly VoiceWindow[], netMs: number): VoiceWindow[] {
  const kept: VoiceWindow[] = [];
  let sum = 0;
  for (const window of windows) {
    sum += window.netMs;
    if (sum > netMs) break;
    kept.push(window);
  }
  return kept;
}

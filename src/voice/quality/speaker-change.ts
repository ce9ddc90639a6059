/**
 * Where the speaker changes in a recording, if anywhere: the place between two windows at which the voices
 * before and after are least alike. A measure, not a decision; even one person's voice has such a place, only
 * with a higher likeness.
 */
import type { SpeakerChange, VoiceWindow } from '../embedding/voice-window.js';

/** Less speech on one side says too little about a voice. */
const SIDE_MS_MIN = 3000;

/** Undefined if no place has enough speech on both sides. */
export function speakerChange(windows: readonly VoiceWindow[]): SpeakerChange | undefined {
  let found: SpeakerChange | undefined;
  const all = new Float64Array(windows[0]?.embedding.length ?? 0);
  for (const window of windows) add(all, window);
  const allMs = windows.reduce((sum, { netMs }) => sum + netMs, 0);
  const before = new Float64Array(all.length);
  let beforeMs = 0;
  // An hour of speech has a thousand windows, so each is added up only once.
  for (let at = 1; at < windows.length; at++) {
    const last = windows[at - 1] as VoiceWindow;
    add(before, last);
    beforeMs += last.netMs;
    if (beforeMs < SIDE_MS_MIN || allMs - beforeMs < SIDE_MS_MIN) continue;
    const likeness = likenessToRest(before, all);
    if (!found || likeness < found.likeness) found = { atMs: windows[at]?.startMs ?? 0, likeness };
  }
  return found;
}

/** Weighted by net speech. */
function add(sum: Float64Array, { embedding, netMs }: VoiceWindow): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + netMs * (embedding[i] as number);
}

/** Cosine between a part of a sum and the rest of it. */
function likenessToRest(part: Float64Array, all: Float64Array): number {
  let across = 0;
  let partly = 0;
  let rest = 0;
  for (let i = 0; i < part.length; i++) {
    const value = part[i] as number;
    const other = (all[i] as number) - value;
    across += value * other;
    partly += value * value;
    rest += other * other;
  }
  return partly > 0 && rest > 0 ? across / Math.sqrt(partly * rest) : 0;
}

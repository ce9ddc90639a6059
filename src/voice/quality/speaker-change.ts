/**
 * Where in a recording the speaker changes, if anywhere: the place between two windows at which the voice before and the voice
 * after are least alike. A measure, and no decision; one person's voice gives such a place too, only with a higher likeness.
 */
import { dot } from '../embedding/vector.js';
import { voiceOfWindows } from '../embedding/speech-windows.js';
import type { SpeakerChange, VoiceWindow } from '../engine.js';

/** Less speech on one side says too little about a voice. */
const SIDE_MS_MIN = 3000;

const netMs = (windows: readonly VoiceWindow[]): number =>
  windows.reduce((sum, window) => sum + window.netMs, 0);

/** Undefined where no place has enough speech on either side. */
export function speakerChange(windows: readonly VoiceWindow[]): SpeakerChange | undefined {
  let found: SpeakerChange | undefined;
  for (let at = 1; at < windows.length; at++) {
    const [before, after] = [windows.slice(0, at), windows.slice(at)];
    if (netMs(before) < SIDE_MS_MIN || netMs(after) < SIDE_MS_MIN) continue;
    const likeness = dot(voiceOfWindows(before), voiceOfWindows(after));
    if (!found || likeness < found.likeness) found = { atMs: after[0]?.startMs ?? 0, likeness };
  }
  return found;
}

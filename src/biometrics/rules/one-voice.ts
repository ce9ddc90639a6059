// Whether all speech of a call is one person's, before it becomes part of a print: stricter than for a decision, since a print of two
// people lets both of them in ever after. Pure.
import { dot } from '../../voice/embedding/vector.js';
import { voiceOfWindows } from '../../voice/embedding/speech-windows.js';
import type { VoiceWindow } from '../../voice/engine.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate } from '../../voice/scoring/template.js';

/** Less speech says too little about a voice. */
const SIDE_MS_MIN = 3000;
/**
 * Below it, two parts of a call are rather two people's. Of 148 real calls of one person, 12 to 25 s over the telephone, 4 are refused (2 by the
 * change of speaker alone); of 100 in which two people speak one after the other 1 passes (27), of 50 in which they take turns 6 (41).
 */
const ONE_VOICE_LLR_MIN = 0;

type Sides = readonly [readonly VoiceWindow[], readonly VoiceWindow[]];

const netMs = (windows: readonly VoiceWindow[]): number =>
  windows.reduce((sum, window) => sum + window.netMs, 0);

const isEnough = (sides: Sides): boolean => sides.every((side) => netMs(side) >= SIDE_MS_MIN);

const likeness = ([one, other]: Sides): number => dot(voiceOfWindows(one), voiceOfWindows(other));

export function isOneVoice(
  model: SpeakerModel,
  voice: VoiceSample,
  windows: readonly VoiceWindow[],
): boolean {
  const sides = leastAlike(windows);
  if (!sides) return true;
  const [one, other] = sides.map((side) => ({
    ...voice,
    embedding: voiceOfWindows(side),
    netMs: netMs(side),
  })) as [VoiceSample, VoiceSample];
  return scoreSample(model, buildTemplate(model, [one]), other).llr >= ONE_VOICE_LLR_MIN;
}

/** The two parts of a call that differ most: split at one place, then each window to where it makes them differ more. */
function leastAlike(windows: readonly VoiceWindow[]): Sides | undefined {
  let best: Sides | undefined;
  const take = (sides: Sides): void => {
    if (isEnough(sides) && (!best || likeness(sides) < likeness(best))) best = sides;
  };
  for (let at = 1; at < windows.length; at++) take([windows.slice(0, at), windows.slice(at)]);
  for (let before: Sides | undefined; best && best !== before;) {
    before = best;
    const isFirst = new Set(before[0]);
    for (const moved of windows) {
      const inFirst = (window: VoiceWindow): boolean => isFirst.has(window) !== (window === moved);
      take([windows.filter(inFirst), windows.filter((window) => !inFirst(window))]);
    }
  }
  return best;
}

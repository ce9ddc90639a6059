// When a running call is judged next: by the speech that has been heard, here or on another node.
import { FIRST_LIVE_CHECKPOINT_MS, liveCheckpointsMs } from '../biometrics/rules/checkpoints.js';
import { windowEndsMs } from '../voice/embedding/speech-windows.js';

/** Less than this says too little about who is speaking. */
const SPEECH_MS_MIN = 1500;
const LISTENED_MS_MAX = 3600_000;

/** The next checkpoint after this much speech. */
export const checkpointAfter = (heardMs: number): number =>
  liveCheckpointsMs.find((mark) => mark > heardMs) ?? Infinity;

/**
 * The checkpoints for the rest of a call, part of which was heard on another node. There the sound is
 * measured again: a standing decision is not questioned on little speech, while a pending one is made as soon
 * as possible.
 */
export function checkpointsAfter(heardMs: number): number[] {
  const leastMs = heardMs < FIRST_LIVE_CHECKPOINT_MS ? SPEECH_MS_MIN : FIRST_LIVE_CHECKPOINT_MS;
  return liveCheckpointsMs.filter((mark) => mark > heardMs).map((mark) => Math.max(leastMs, mark - heardMs));
}

/**
 * The same if the agent may be heard too: the amount of the customer's speech is known window by window, so
 * the call is examined whenever a window is complete. `heardMs`: speech of the customer on another node.
 */
export const checkpointsByWindow = (heardMs: number): number[] => [
  ...(heardMs > 0 && heardMs < FIRST_LIVE_CHECKPOINT_MS ? [SPEECH_MS_MIN] : []),
  ...windowEndsMs(LISTENED_MS_MAX),
];

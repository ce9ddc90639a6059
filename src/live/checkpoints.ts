// When a running call is judged: at these amounts of the customer's net speech, early at first, then every
// ten seconds for an hour.
import { windowEndsMs } from '../voice/embedding/speech-windows.js';

/** Nothing is decided on less, unless the call is over. */
export const FIRST_CHECKPOINT_MS = 3000;

const checkpointsMs = [FIRST_CHECKPOINT_MS, 6000, ...Array.from({ length: 360 }, (_, i) => 10_000 * (i + 1))];
/** Less than this says too little about who is speaking. */
const SPEECH_MS_MIN = 1500;
const LISTENED_MS_MAX = 3600_000;

/** The next checkpoint after this much speech. */
export const checkpointAfter = (heardMs: number): number =>
  checkpointsMs.find((mark) => mark > heardMs) ?? Infinity;

/**
 * The checkpoints for the rest of a call, part of which was heard on another node. There the sound is
 * measured again: a standing decision is not questioned on little speech, while a pending one is made as soon
 * as possible.
 */
export function checkpointsAfter(heardMs: number): number[] {
  const leastMs = heardMs < FIRST_CHECKPOINT_MS ? SPEECH_MS_MIN : FIRST_CHECKPOINT_MS;
  return checkpointsMs.filter((mark) => mark > heardMs).map((mark) => Math.max(leastMs, mark - heardMs));
}

/**
 * The same if the agent may be heard too: the amount of the customer's speech is known window by window, so
 * the call is examined whenever a window is complete. `heardMs`: speech of the customer on another node.
 */
export const checkpointsByWindow = (heardMs: number): number[] => [
  ...(heardMs > 0 && heardMs < FIRST_CHECKPOINT_MS ? [SPEECH_MS_MIN] : []),
  ...windowEndsMs(LISTENED_MS_MAX),
];

// When a running call is judged: at these amounts of net speech, early at first, then every ten seconds for an hour.

/** Nothing is decided on less, unless the call is over. */
export const FIRST_CHECKPOINT_MS = 3000;

const checkpointsMs = [FIRST_CHECKPOINT_MS, 6000, ...Array.from({ length: 360 }, (_, i) => 10_000 * (i + 1))];
/** Less than this says too little about who speaks. */
const SPEECH_MS_MIN = 1500;

/**
 * The checkpoints of the rest of a call, of which so much speech was heard on another node. There the sound is measured anew: a decision
 * that stands is not put in question by little of it, while one that is waited for comes as soon as may be.
 */
export function checkpointsAfter(heardMs: number): number[] {
  const leastMs = heardMs < FIRST_CHECKPOINT_MS ? SPEECH_MS_MIN : FIRST_CHECKPOINT_MS;
  return checkpointsMs.filter((mark) => mark > heardMs).map((mark) => Math.max(leastMs, mark - heardMs));
}

// Long jobs yield: between two steps, a worker checks whether somebody is waiting, puts its job aside and resumes it later.
// The request to yield is a word of shared memory, because a worker that is computing reads no messages.
import type { SharedWords } from './runtime-gate.js';

const PREEMPTION_AT = 2;

/** `afterSlice`: a job of the same rank waits for its turn; `atOnce`: a job of a higher rank waits. */
export type Preemption = 'no' | 'afterSlice' | 'atOnce';

const wishes: readonly Preemption[] = ['no', 'afterSlice', 'atOnce'];

/**
 * A job runs at least this long before another of its rank takes the worker. Switching costs a five-hundredth
 * of it.
 */
const SLICE_MS = 100;

/** The pool's side. */
export const requestPreemption = (words: SharedWords, wish: Preemption): void =>
  void Atomics.store(words, PREEMPTION_AT, wishes.indexOf(wish));

/** The worker's side; `ranMs` is how long the job has run. */
export function isPreempted(words: SharedWords, ranMs: number): boolean {
  const wish = wishes[Atomics.load(words, PREEMPTION_AT)];
  return wish === 'atOnce' || (wish === 'afterSlice' && ranMs >= SLICE_MS);
}

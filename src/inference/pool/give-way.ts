// Long jobs yield: between two steps, a worker checks whether somebody is waiting, puts its job aside and resumes it later.
// The request to yield is a word of shared memory, because a worker that is computing reads no messages.
import type { SharedWords } from './runtime-gate.js';

const GIVE_WAY_AT = 2;

/** `afterSlice`: somebody waits whose turn it then is; `atOnce`: somebody who goes first. */
export type GiveWay = 'no' | 'afterSlice' | 'atOnce';

const wishes: readonly GiveWay[] = ['no', 'afterSlice', 'atOnce'];

/** A job runs at least so long before another of its rank takes the worker. To change jobs costs a five-hundredth of it. */
const SLICE_MS = 100;

/** The pool's side. */
export const askToGiveWay = (words: SharedWords, wish: GiveWay): void =>
  void Atomics.store(words, GIVE_WAY_AT, wishes.indexOf(wish));

/** The worker's side, for a job that has run for so long. */
export function isAskedToGiveWay(words: SharedWords, ranMs: number): boolean {
  const wish = wishes[Atomics.load(words, GIVE_WAY_AT)];
  return wish === 'atOnce' || (wish === 'afterSlice' && ranMs >= SLICE_MS);
}

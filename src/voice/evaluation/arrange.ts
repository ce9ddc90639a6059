// Trials laid out for fast repeated passes: scores in ascending order, in flat arrays. Sorting many of them
// takes a while, so there are two ways: at once, and in pieces that let a server do other work in between.

export interface Trial {
  score: number;
  target: boolean;
  /** The people or things that the two sides belong to; trials that share one are not independent. */
  groups?: readonly [string, string];
}

/** Trials in rising order of score. */
export interface Sorted {
  scores: Float64Array;
  target: Uint8Array;
  groups: Int32Array;
  groupCount: number;
}

/** Awaited between pieces of work. */
export type Pause = () => Promise<void>;

/** Small enough for a millisecond or two of work. */
const PIECE_SIZE = 4096;

export function sortTrials(trials: readonly Trial[]): Sorted {
  const unsorted = Float64Array.from(trials, (trial) => trial.score);
  const order = Uint32Array.from(trials, (_, i) => i).sort(byScore(unsorted));
  const sorted = emptySorted(trials.length);
  layOut(trials, order, sorted, numbering(), [0, trials.length]);
  return sorted;
}

/** The same order as `sortTrials`, by merging sorted pieces. */
export async function arrangeTrials(trials: readonly Trial[], pause: Pause): Promise<Sorted> {
  const { length } = trials;
  const unsorted = new Float64Array(length);
  let order = new Uint32Array(length);
  for (let from = 0; from < length; from += PIECE_SIZE) {
    const to = Math.min(length, from + PIECE_SIZE);
    for (let i = from; i < to; i++) {
      unsorted[i] = (trials[i] as Trial).score;
      order[i] = i;
    }
    order.subarray(from, to).sort(byScore(unsorted));
    await pause();
  }
  let other = new Uint32Array(length);
  for (let width = PIECE_SIZE; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width)
      await merge(unsorted, order, other, { start: from, width, pause });
    [order, other] = [other, order];
  }
  const sorted = emptySorted(length);
  const numberOf = numbering();
  for (let from = 0; from < length; from += PIECE_SIZE) {
    layOut(trials, order, sorted, numberOf, [from, Math.min(length, from + PIECE_SIZE)]);
    await pause();
  }
  return sorted;
}

const byScore =
  (scores: Float64Array) =>
  (a: number, b: number): number =>
    (scores[a] as number) - (scores[b] as number);

/** Merges two adjacent runs of `width`; equal scores keep their order. */
async function merge(
  scores: Float64Array,
  from: Uint32Array,
  into: Uint32Array,
  { start, width, pause }: { start: number; width: number; pause: Pause },
): Promise<void> {
  const middle = Math.min(from.length, start + width);
  const end = Math.min(from.length, start + 2 * width);
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const takeLeft =
      right >= end ||
      (left < middle &&
        (scores[from[left] as number] as number) <= (scores[from[right] as number] as number));
    into[at] = from[takeLeft ? left++ : right++] as number;
    if (at % PIECE_SIZE === 0) await pause();
  }
}

function emptySorted(length: number): Sorted {
  return {
    scores: new Float64Array(length),
    target: new Uint8Array(length),
    groups: new Int32Array(2 * length),
    groupCount: 0,
  };
}

/** Numbers groups in the order in which they first occur; a trial without groups is one of its own. */
function numbering(): { of: (name: string) => number; alone: () => number; count: () => number } {
  const numbers = new Map<string, number>();
  let next = 0;
  return {
    of: (name) => {
      let number = numbers.get(name);
      if (number === undefined) numbers.set(name, (number = next++));
      return number;
    },
    alone: () => next++,
    count: () => next,
  };
}

function layOut(
  trials: readonly Trial[],
  order: Uint32Array,
  sorted: Sorted,
  number: ReturnType<typeof numbering>,
  [from, to]: readonly [from: number, to: number],
): void {
  for (let at = from; at < to; at++) {
    const { score, target, groups } = trials[order[at] as number] as Trial;
    sorted.scores[at] = score;
    sorted.target[at] = target ? 1 : 0;
    const first = groups ? number.of(groups[0]) : number.alone();
    sorted.groups[2 * at] = first;
    sorted.groups[2 * at + 1] = groups ? number.of(groups[1]) : first;
  }
  sorted.groupCount = number.count();
}

// Scores expected words against what a network hears in an answer: for each frame the odds of nothing, of
// each word and of other speech. The probability of a sequence is the sum over all ways in which the frames
// can say it (connectionist temporal classification); other speech may come before and after the words, but
// not between them. As training/words/judge.py does it.
import type { WordHeard } from './model.js';

/** A row per frame: nothing, the words in their order, other speech; then whether the frame is in a word. */
export interface FrameLogits {
  data: Float32Array;
  frames: number;
  frameMs: number;
}

/** Natural-log odds to calibrated ones. */
export interface WordCalibration {
  a: number;
  b: number;
}

export interface ScoredWords {
  score: number;
  words: WordHeard[];
  detectedText: string;
}

const ODDS_MAX = 30;
const NOTHING = 0;
const LEAST = 1e-300;

/** Probabilities of the classes, frame by frame. */
interface Frames {
  p: Float64Array;
  count: number;
  classes: number;
}

function probabilities({ data, frames }: FrameLogits, classes: number): Frames {
  const p = new Float64Array(frames * classes);
  for (let frame = 0; frame < frames; frame++) {
    const from = frame * (classes + 1);
    let most = -Infinity;
    for (let k = 0; k < classes; k++) most = Math.max(most, data[from + k] as number);
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += Math.exp((data[from + k] as number) - most);
    for (let k = 0; k < classes; k++)
      p[frame * classes + k] = Math.exp((data[from + k] as number) - most) / sum;
  }
  return { p, count: frames, classes };
}

/** The class of each state: other speech and nothing, each word and nothing, other speech and nothing. */
const statesOf = (sequence: readonly number[], other: number): number[] => [
  other,
  NOTHING,
  ...sequence.flatMap((word) => [word, NOTHING]),
  ...(sequence.length > 0 ? [other, NOTHING] : []),
];

/** The natural logarithm of the probability of exactly this sequence of classes. */
function logProbability({ p, count, classes }: Frames, sequence: readonly number[]): number {
  const other = classes - 1;
  const states = statesOf(sequence, other);
  const n = states.length;
  let now = new Float64Array(n);
  let next = new Float64Array(n);
  let total = 0;
  for (let frame = 0; frame < count; frame++) {
    let sum = 0;
    for (let s = 0; s < n; s++) {
      const kind = states[s] as number;
      let reach = 0;
      if (frame === 0) reach = s < 3 ? 1 : 0;
      else {
        reach = now[s] as number;
        if (s > 0) reach += now[s - 1] as number;
        if (s > 1 && kind !== NOTHING && kind !== states[s - 2]) reach += now[s - 2] as number;
        // Other speech comes in several runs.
        if (kind === other) reach += now[s + 1] as number;
      }
      next[s] = reach * (p[frame * classes + kind] as number);
      sum += next[s] as number;
    }
    if (sum <= 0) return -Infinity;
    total += Math.log(sum);
    for (let s = 0; s < n; s++) next[s] = (next[s] as number) / sum;
    [now, next] = [next, now];
  }
  let end = 0;
  for (let s = Math.max(0, n - 4); s < n; s++) end += now[s] as number;
  return total + Math.log(Math.max(LEAST, end));
}

const limited = (odds: number): number => Math.max(-ODDS_MAX, Math.min(ODDS_MAX, odds));

/** The odds of something with this logarithm of its probability. */
const oddsOf = (log: number): number => limited(log - Math.log(-Math.expm1(Math.min(log, -1e-13))));

/** A word in the most probable reading, with the frames in which it is more probable than all else. */
interface Run {
  word: number;
  first: number;
  last: number;
}

function mostProbable({ p, count, classes }: Frames): Run[] {
  const runs: Run[] = [];
  let before = NOTHING;
  for (let frame = 0; frame < count; frame++) {
    let best = 0;
    for (let k = 1; k < classes; k++)
      if ((p[frame * classes + k] as number) > (p[frame * classes + best] as number)) best = k;
    const run = runs.at(-1);
    if (best !== NOTHING && best !== classes - 1) {
      if (best === before && run) run.last = frame;
      else runs.push({ word: best, first: frame, last: frame });
    }
    before = best;
  }
  return runs;
}

/** For each expected word the index of the run that stands in its place, by the fewest changes. */
function align(expected: readonly number[], runs: readonly Run[]): (number | undefined)[] {
  const [rows, columns] = [expected.length + 1, runs.length + 1];
  const cost = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => (i === 0 ? j : i)),
  );
  const at = (i: number, j: number): number => cost[i]?.[j] ?? 0;
  const change = (i: number, j: number): number => (expected[i] === runs[j]?.word ? 0 : 1);
  for (let i = 1; i < rows; i++)
    for (let j = 1; j < columns; j++)
      (cost[i] as number[])[j] = Math.min(
        at(i - 1, j - 1) + change(i - 1, j - 1),
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
      );
  const places: (number | undefined)[] = expected.map(() => undefined);
  let [i, j] = [expected.length, runs.length];
  while (i > 0 && j > 0) {
    if (at(i, j) === at(i - 1, j - 1) + change(i - 1, j - 1)) places[--i] = --j;
    else if (at(i, j) === at(i - 1, j) + 1) i--;
    else j--;
  }
  return places;
}

function logSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  if (most === -Infinity) return -Infinity;
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

/** The odds of a word in its place, if the others are as they were most probably said. */
function wordOdds(
  frames: Frames,
  runs: readonly Run[],
  place: { at: number; isInserted: boolean },
  word: number,
): number {
  const read = runs.map((run) => run.word);
  const [before, after] = [read.slice(0, place.at), read.slice(place.isInserted ? place.at : place.at + 1)];
  const withWord = (...words: number[]): number => logProbability(frames, [...before, ...words, ...after]);
  const others: number[] = [withWord()];
  for (let k = 1; k < frames.classes - 1; k++) if (k !== word) others.push(withWord(k));
  const odds = withWord(word) - logSum(others);
  return Number.isNaN(odds) ? -ODDS_MAX : limited(odds);
}

/** From where to where a word lasts: frames around its run that are in a word, up to half way to the next run. */
function spanOf(logits: FrameLogits, classes: number, runs: readonly Run[], index: number): [number, number] {
  const { word: _, first, last } = runs[index] as Run;
  const [earlier, later] = [runs[index - 1]?.last, runs[index + 1]?.first];
  const low = earlier === undefined ? 0 : Math.floor((earlier + first) / 2) + 1;
  const high = later === undefined ? logits.frames - 1 : Math.floor((last + later) / 2);
  const isInside = (frame: number): boolean => (logits.data[frame * (classes + 1) + classes] as number) > 0;
  let [start, end] = [first, last];
  while (start > low && isInside(start - 1)) start--;
  while (end < high && isInside(end + 1)) end++;
  return [start * logits.frameMs, (end + 1) * logits.frameMs];
}

/** `vocabulary` has the words in the order of the network's classes. */
export function scoreWords(
  logits: FrameLogits,
  asked: { vocabulary: readonly string[]; expected: readonly string[] },
  calibration: WordCalibration,
): ScoredWords {
  const { vocabulary } = asked;
  const frames = probabilities(logits, vocabulary.length + 2);
  const expected = asked.expected.map((word) => 1 + vocabulary.indexOf(word));
  const runs = mostProbable(frames);
  const places = align(expected, runs);
  const wordOf = (kind: number): string => vocabulary[kind - 1] as string;
  let next = 0;
  const words = expected.map((kind, i): WordHeard => {
    const index = places[i];
    const place = { at: index ?? next, isInserted: index === undefined };
    const odds = wordOdds(frames, runs, place, kind);
    const [startMs, endMs] =
      index === undefined ? gapAt(logits, runs, next) : spanOf(logits, frames.classes, runs, index);
    if (index !== undefined) next = index + 1;
    const heard = index === undefined ? undefined : wordOf((runs[index] as Run).word);
    return { expected: wordOf(kind), ...(heard !== undefined && { heard }), score: odds, startMs, endMs };
  });
  const odds = frames.count === 0 ? -ODDS_MAX : oddsOf(logProbability(frames, expected));
  return {
    score: calibration.a * odds + calibration.b,
    words,
    detectedText: runs.map((run) => wordOf(run.word)).join(' '),
  };
}

/** Where a word is missing: between its neighbors. */
function gapAt({ frames, frameMs }: FrameLogits, runs: readonly Run[], next: number): [number, number] {
  const start = next === 0 ? 0 : (runs[next - 1] as Run).last + 1;
  const end = runs[next]?.first ?? frames;
  return [start * frameMs, Math.max(start, end) * frameMs];
}

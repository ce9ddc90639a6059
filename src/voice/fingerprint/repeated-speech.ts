/**
 * How much of a recording's speech was heard before in other recordings: finds copies in any format, cut at
 * either end, or joined.
 */
import { SHAPE_BITS, SPEECH_BIT, STEP_MS, type Fingerprint } from './fingerprint.js';

/** How closely two recordings are compared, and when they agree. */
interface Look {
  /** Compares every n-th step of speech. */
  stride: number;
  /** This many of them in a row. */
  window: number;
  /** Bits that may differ in a window. */
  errorsMax: number;
}

const WINDOW_STEPS = 2000 / STEP_MS;

function look(stride: number, differentMax: number): Look {
  const window = WINDOW_STEPS / stride;
  return { stride, window, errorsMax: Math.floor(differentMax * window * SHAPE_BITS) };
}

/**
 * Speech is repeated if 2 s of it agree in all but 23 % of the bits. Copies differ in up to a fifth; other
 * speech of the same voice differs in more than a quarter even where it agrees best. Measured, see
 * docs/adr/0064-one-recording-twice.md.
 */
const fine = look(1, 0.23);
/** Rules out nearly all positions at a fifth of the work: at random half of the bits differ. */
const coarse = look(5, 0.32);

const SHAPE_MASK = SPEECH_BIT - 1;
const bitsIn = Uint8Array.from({ length: SPEECH_BIT }, (_, word) => countBits(word));

function countBits(word: number): number {
  let count = 0;
  for (let rest = word; rest > 0; rest &= rest - 1) count++;
  return count;
}

/** Share of the speech in `fresh` that one of the others also contains; 0 if there is too little to tell. */
export function repeatedSpeech(fresh: Fingerprint, known: readonly Fingerprint[]): number {
  const steps = speechSteps(fresh);
  if (steps.length < WINDOW_STEPS) return 0;
  const repeated = new Uint8Array(steps.length);
  for (const other of known) markRepeated({ fresh, steps, other }, repeated);
  return repeated.reduce((sum, value) => sum + value, 0) / steps.length;
}

function speechSteps(fingerprint: Fingerprint): Uint32Array {
  const steps: number[] = [];
  fingerprint.forEach((word, step) => {
    if (word & SPEECH_BIT) steps.push(step);
  });
  return Uint32Array.from(steps);
}

interface Pair {
  fresh: Fingerprint;
  /** The steps at which `fresh` has speech. */
  steps: Uint32Array;
  other: Fingerprint;
}

/** Shifts one over the other to every position, and marks the speech of windows that agree. */
function markRepeated(pair: Pair, repeated: Uint8Array): void {
  const { fresh, steps, other } = pair;
  let from = 0;
  for (let shift = WINDOW_STEPS - other.length; shift <= fresh.length - WINDOW_STEPS; shift++) {
    while (from < steps.length && (steps[from] as number) < shift) from++;
    if (!agreesAt(pair, shift, from, coarse)) continue;
    agreesAt(pair, shift, from, fine, (first, last) => repeated.fill(1, first, last + 1));
  }
}

/** Whether a window agrees. With `found`, reports all of them; otherwise the first is enough. */
function agreesAt(
  { fresh, steps, other }: Pair,
  shift: number,
  from: number,
  { stride, window, errorsMax }: Look,
  found?: (firstPlace: number, lastPlace: number) => void,
): boolean {
  const errors = new Uint8Array(window);
  const places = new Uint32Array(window);
  let [count, slot, sum] = [0, 0, 0];
  let agrees = false;
  for (let place = from; place < steps.length; place += stride) {
    const step = steps[place] as number;
    const theirs = step - shift;
    if (theirs >= other.length) break;
    const word = other[theirs] as number;
    if ((word & SPEECH_BIT) === 0) continue;
    const wrong = bitsIn[(word ^ (fresh[step] as number)) & SHAPE_MASK] as number;
    sum += wrong - (errors[slot] as number);
    errors[slot] = wrong;
    places[slot] = place;
    count++;
    slot = slot + 1 === window ? 0 : slot + 1;
    if (count < window || sum > errorsMax) continue;
    if (!found) return true;
    agrees = true;
    // The slot that is filled next holds the oldest value.
    found(places[slot] as number, place);
  }
  return agrees;
}

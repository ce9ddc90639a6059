/** From probabilities to segments: hysteresis, minimum lengths, certainty, padding. */
import {
  defaultSpeechParams,
  FRAME_MS,
  FRAME_TAIL_MS,
  type Speech,
  type SpeechParams,
  type SpeechSegment,
} from './types.js';

interface Run {
  from: number;
  to: number;
}

/** Stretches that reach the onset somewhere and stay above the offset. */
function hysteresis(p: Float32Array, onset: number, offset: number): Run[] {
  const runs: Run[] = [];
  let from = -1;
  for (let i = 0; i < p.length; i++) {
    const v = p[i] as number;
    if (from < 0 && v >= onset) {
      from = i;
      const floor = runs.length > 0 ? (runs[runs.length - 1] as Run).to : 0;
      while (from > floor && (p[from - 1] as number) >= offset) from--;
    } else if (from >= 0 && v < offset) {
      runs.push({ from, to: i });
      from = -1;
    }
  }
  if (from >= 0) runs.push({ from, to: p.length });
  return runs;
}

/** The same, with pauses too short to count filled. */
function joinedRuns(p: Float32Array, q: Pick<SpeechParams, 'onset' | 'offset' | 'silenceMsMin'>): Run[] {
  const joined: Run[] = [];
  for (const run of hysteresis(p, q.onset, q.offset)) {
    const last = joined[joined.length - 1];
    if (last !== undefined && (run.from - last.to) * FRAME_MS < q.silenceMsMin) last.to = run.to;
    else joined.push({ ...run });
  }
  return joined;
}

/** Mean of the best stretch of this many frames; what a shorter run lacks counts as zero, so that more audio never lowers it. */
function bestStretch(p: Float32Array, run: Run, frames: number): number {
  let sum = 0;
  let best = 0;
  for (let i = run.from; i < run.to; i++) {
    sum += p[i] as number;
    if (i - frames >= run.from) sum -= p[i - frames] as number;
    if (sum > best) best = sum;
  }
  return best / frames;
}

/** Runs that are certain, and doubtful ones close to these. More audio can add to them and never takes one back. */
function believed(p: Float32Array, runs: readonly Run[], q: SpeechParams): Run[] {
  const frames = Math.max(1, Math.round(q.certainMs / FRAME_MS));
  const best = runs.map((run) => bestStretch(p, run, frames));
  const near = new Uint8Array(runs.length);
  const mark = (order: number[]): void => {
    let certain: Run | undefined;
    for (const i of order) {
      const run = runs[i] as Run;
      if ((best[i] as number) >= q.certainMin) certain = run;
      if (certain === undefined) continue;
      const gap = Math.max(run.from - certain.to, certain.from - run.to, 0);
      if (gap * FRAME_MS <= q.certainReachMs) near[i] = 1;
    }
  };
  const forward = runs.map((_, i) => i);
  mark(forward);
  mark(forward.reverse());
  return runs.filter((_, i) => near[i] === 1 && (best[i] as number) >= q.doubtfulMin);
}

export function formSegments(probability: Float32Array, params: Partial<SpeechParams> = {}): Speech {
  const q = { ...defaultSpeechParams, ...params };
  const frames = probability.length;
  const long = joinedRuns(probability, q).filter((run) => (run.to - run.from) * FRAME_MS >= q.speechMsMin);
  const mask = new Uint8Array(frames);
  const pad = Math.round(q.padMs / FRAME_MS);
  for (const run of believed(probability, long, q))
    mask.fill(1, Math.max(0, run.from - pad), Math.min(frames, run.to + pad));
  return fromMask(mask, probability);
}

const doubtParams: Readonly<SpeechParams> = Object.freeze({
  ...defaultSpeechParams,
  onset: 0.3,
  offset: 0.2,
});

/**
 * Marks what may be speech but is not certain enough to count: voices deep in noise. On noise alone the net stays below these
 * limits, so they tell a voice that cannot be used from a line on which nobody speaks.
 */
export function uncertainSpeech({ mask, probability }: Pick<Speech, 'mask' | 'probability'>): Uint8Array {
  const out = new Uint8Array(mask.length);
  const { speechMsMin, padMs } = doubtParams;
  const pad = Math.round(padMs / FRAME_MS);
  for (const run of joinedRuns(probability, doubtParams))
    if ((run.to - run.from) * FRAME_MS >= speechMsMin)
      out.fill(1, Math.max(0, run.from - pad), Math.min(out.length, run.to + pad));
  for (let i = 0; i < out.length; i++) if (mask[i] === 1) out[i] = 0;
  return out;
}

/** Reads segments and sums off a finished mask. */
export function fromMask(mask: Uint8Array, probability: Float32Array): Speech {
  const segments: SpeechSegment[] = [];
  let net = 0;
  let start = -1;
  for (let i = 0; i <= mask.length; i++) {
    if (mask[i] === 1) {
      net++;
      if (start < 0) start = i;
    } else if (start >= 0) {
      segments.push({ startMs: start * FRAME_MS, endMs: i * FRAME_MS });
      start = -1;
    }
  }
  return {
    segments,
    netMs: net * FRAME_MS,
    grossMs: mask.length === 0 ? 0 : mask.length * FRAME_MS + FRAME_TAIL_MS,
    mask,
    probability,
  };
}

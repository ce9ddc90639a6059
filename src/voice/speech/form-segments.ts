/** From probabilities to segments: hysteresis, minimum lengths, padding. */
import {
  defaultSpeechParams,
  frameMs,
  frameTailMs,
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
    if (last !== undefined && (run.from - last.to) * frameMs < q.silenceMsMin) last.to = run.to;
    else joined.push({ ...run });
  }
  return joined;
}

/** Mean of the better half of the frames. */
function topHalf(p: Float32Array, run: Run): number {
  const sorted = p.slice(run.from, run.to).sort();
  const from = Math.floor(sorted.length / 2);
  let sum = 0;
  for (let i = from; i < sorted.length; i++) sum += sorted[i] as number;
  return sum / Math.max(1, sorted.length - from);
}

export function formSegments(probability: Float32Array, params: Partial<SpeechParams> = {}): Speech {
  const q = { ...defaultSpeechParams, ...params };
  const frames = probability.length;
  const merged = joinedRuns(probability, q);
  const mask = new Uint8Array(frames);
  const pad = Math.round(q.padMs / frameMs);
  for (const run of merged) {
    if ((run.to - run.from) * frameMs < q.speechMsMin || topHalf(probability, run) < q.segmentTopHalfMin)
      continue;
    mask.fill(1, Math.max(0, run.from - pad), Math.min(frames, run.to + pad));
  }
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
  const pad = Math.round(padMs / frameMs);
  for (const run of joinedRuns(probability, doubtParams))
    if ((run.to - run.from) * frameMs >= speechMsMin)
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
      segments.push({ startMs: start * frameMs, endMs: i * frameMs });
      start = -1;
    }
  }
  return {
    segments,
    netMs: net * frameMs,
    grossMs: mask.length === 0 ? 0 : mask.length * frameMs + frameTailMs,
    mask,
    probability,
  };
}

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
  const merged: Run[] = [];
  for (const run of hysteresis(probability, q.onset, q.offset)) {
    const last = merged[merged.length - 1];
    if (last !== undefined && (run.from - last.to) * frameMs < q.silenceMsMin) last.to = run.to;
    else merged.push({ ...run });
  }
  const mask = new Uint8Array(frames);
  const pad = Math.round(q.padMs / frameMs);
  for (const run of merged) {
    if ((run.to - run.from) * frameMs < q.speechMsMin || topHalf(probability, run) < q.segmentTopHalfMin)
      continue;
    mask.fill(1, Math.max(0, run.from - pad), Math.min(frames, run.to + pad));
  }
  return fromMask(mask, probability);
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

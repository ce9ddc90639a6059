/** Segments of speech, and of possible speech, in a whole recording. */
import { SpeechRuns, type Run } from './speech-runs.js';
import {
  defaultSpeechParams,
  FRAME_MS,
  FRAME_TAIL_MS,
  type Speech,
  type SpeechParams,
  type SpeechSegment,
} from './types.js';

export function formSegments(probability: Float32Array, params: Partial<SpeechParams> = {}): Speech {
  const runs = new SpeechRuns({ ...defaultSpeechParams, ...params });
  runs.push(probability);
  return fromMask(runs.mask, runs.probability());
}

/**
 * Stretches that reach the onset somewhere and stay above the offset, with pauses too short to count filled
 * in.
 */
function joinedRuns(
  p: Float32Array,
  { onset, offset, silenceMsMin }: Pick<SpeechParams, 'onset' | 'offset' | 'silenceMsMin'>,
): Run[] {
  const runs: Run[] = [];
  let from = -1;
  const end = (to: number): void => {
    const last = runs.at(-1);
    if (last && (from - last.to) * FRAME_MS < silenceMsMin) last.to = to;
    else runs.push({ from, to });
    from = -1;
  };
  for (let i = 0; i < p.length; i++) {
    const v = p[i] as number;
    if (from < 0 && v >= onset) {
      from = i;
      const floor = runs.at(-1)?.to ?? 0;
      while (from > floor && (p[from - 1] as number) >= offset) from--;
    } else if (from >= 0 && v < offset) end(i);
  }
  if (from >= 0) end(p.length);
  return runs;
}

const doubtParams: Readonly<SpeechParams> = Object.freeze({
  ...defaultSpeechParams,
  onset: 0.3,
  offset: 0.2,
});

/**
 * Marks possible speech that is not certain enough to count: voices deep in noise. On noise alone the net
 * stays below these limits, so they tell an unusable voice from a line on which nobody speaks.
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

/** Derives segments and sums from a finished mask. */
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

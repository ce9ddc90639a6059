// The evidence of an attack check: the stretches that suggest an attack, and the measures by which a detector
// recognizes audio unlike anything it was trained on.
import type { Bandwidth } from '../scoring/speaker-model.js';

/** A stretch of the recording that sounds like an attack by itself. */
export interface AttackSpan {
  startMs: number;
  endMs: number;
  /** Log-likelihood ratio of its strongest window. */
  llr: number;
}

/** Measures by which a detector recognizes audio unlike its training data. */
export const familiarityMeasures = ['spread', 'distance', 'net_speech_s', 'snr_db'] as const;
type FamiliarityMeasure = (typeof familiarityMeasures)[number];

/** Measures of one audio; `spread` and `distance` only if the network provides them. */
export type Familiarity = Partial<Record<FamiliarityMeasure, number>>;

/** A limit beyond which the detector cannot know. */
export interface FamiliarityLimit {
  measure: FamiliarityMeasure;
  bandwidth: Bandwidth | 'any';
  /** Which side of the limit is beyond it. */
  beyond: 'above' | 'below';
  limit: number;
  /** An alarm still stands; only the all-clear is withheld. */
  onlyClear: boolean;
}

/** Why an answer cannot be trusted: a measure beyond its limit. */
export interface Doubt {
  /**
   * `score`: in the range that attacks and people share. `reliability`: bandwidth, noise and length, by the
   * detector's own table. `bandwidth`, in kHz: the check was not made, because it needs more than this channel carries.
   */
  measure: FamiliarityMeasure | 'score' | 'reliability' | 'bandwidth';
  value: number;
  limit: number;
}

/**
 * The windows at or above the threshold, adjacent and overlapping ones merged, in the order of the recording.
 */
export function spansAbove(windows: readonly AttackSpan[], lineLlr: number): AttackSpan[] {
  const spans: AttackSpan[] = [];
  const above = windows.filter(({ llr }) => llr >= lineLlr).sort((a, b) => a.startMs - b.startMs);
  for (const { startMs, endMs, llr } of above) {
    const last = spans.at(-1);
    if (last && startMs <= last.endMs) {
      last.endMs = Math.max(last.endMs, endMs);
      last.llr = Math.max(last.llr, llr);
    } else spans.push({ startMs, endMs, llr });
  }
  return spans;
}

/** Every measure of this audio that is beyond its limit. */
export function unfamiliarity(
  limits: readonly FamiliarityLimit[],
  familiarity: Familiarity,
  { bandwidth, alarm }: { bandwidth: Bandwidth; alarm: boolean },
): Doubt[] {
  return limits.flatMap((line) => {
    const value = familiarity[line.measure];
    const applies = line.bandwidth === 'any' || line.bandwidth === bandwidth;
    if (value === undefined || !applies || (line.onlyClear && alarm)) return [];
    const isBeyond = line.beyond === 'above' ? value > line.limit : value < line.limit;
    return isBeyond ? [{ measure: line.measure, value, limit: line.limit }] : [];
  });
}

/** The disagreement between the members of a vote: their standard deviation. */
export function spreadOf(votes: Float32Array): number {
  const mean = votes.reduce((sum, vote) => sum + vote, 0) / votes.length;
  return Math.sqrt(votes.reduce((sum, vote) => sum + (vote - mean) ** 2, 0) / votes.length);
}

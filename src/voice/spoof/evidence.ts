// What an attack check rests on: the stretches that speak for an attack, and the measures by which a detector knows that
// it has met nothing like this audio.
import type { Bandwidth } from '../scoring/speaker-model.js';

/** A stretch of the recording that sounds like an attack by itself. */
export interface AttackSpan {
  startMs: number;
  endMs: number;
  /** Log-likelihood ratio of its strongest window. */
  llr: number;
}

/** What tells a detector that audio is unlike what it was trained on. */
export const familiarityMeasures = ['spread', 'distance', 'net_speech_s', 'snr_db'] as const;
type FamiliarityMeasure = (typeof familiarityMeasures)[number];

/** Of one audio; `spread` and `distance` only where the network tells them. */
export type Familiarity = Partial<Record<FamiliarityMeasure, number>>;

/** A line beyond which the detector cannot know. */
export interface FamiliarityLimit {
  measure: FamiliarityMeasure;
  bandwidth: Bandwidth | 'any';
  /** Which side of the limit is beyond it. */
  beyond: 'above' | 'below';
  limit: number;
  /** An alarm stands; only the all-clear is withheld. */
  onlyClear: boolean;
}

/** Why an answer is not to be trusted: a measure that is beyond its limit. */
export interface Doubt {
  /** `score`: where attacks and people mix. `reliability`: band, noise and length, by the detector's own table. */
  measure: FamiliarityMeasure | 'score' | 'reliability';
  value: number;
  limit: number;
}

/** The windows at or above the line, neighbors and overlapping ones as one, in the order of the recording. */
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

/** How far the members of a vote lie apart: their standard deviation. */
export function spreadOf(votes: Float32Array): number {
  const mean = votes.reduce((sum, vote) => sum + vote, 0) / votes.length;
  return Math.sqrt(votes.reduce((sum, vote) => sum + (vote - mean) ** 2, 0) / votes.length);
}

// What a comparison of a voice with prints finds out: the scores of the nearest prints and the decision.
import type { Decision, RiskResult, VoiceprintReason } from './outcome.js';
import type { PrintDetails } from './profiles.js';

/** Which question is asked: is it this person, or is it one of these fraudsters? */
export type Side = 'AUTHENTICATION' | 'FRAUD_DETECTION';

export interface CandidateScore {
  candidate: PrintDetails;
  llr: number;
  reliability: number;
}

export interface ComparisonOutcome {
  decision: Decision;
  reason: VoiceprintReason;
  /** Best first, of a group or watchlist the nearest only; empty when nothing could be scored. */
  scores: readonly CandidateScore[];
  risk?: RiskResult;
  /** Net speech that the decision rests on; less than all when a checkpoint ended it. */
  netSpeechMs: number;
  /** How many prints were compared. */
  prints: number;
  /** Prints that were named but whose stored content cannot be read; none of them was compared. */
  damaged?: readonly string[];
}

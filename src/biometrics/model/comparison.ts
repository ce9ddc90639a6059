// What a comparison of a voice with prints finds out: the scores of the nearest prints and the decision.
import type { Decision, RiskResult, VoiceprintReason } from './outcome.js';
import type { PrintDetails } from './profiles.js';
import type { WhyNoPrint } from './sessions.js';

/** Which question is asked: is it this person, or is it one of these fraudsters? */
export type Side = 'AUTHENTICATION' | 'FRAUD_DETECTION';

export interface CandidateScore {
  candidate: PrintDetails;
  llr: number;
  reliability: number;
}

/** A part of the recording, as it scores by itself. */
export interface ScoredStretch {
  /** In the recording. */
  startMs: number;
  endMs: number;
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
  /** The part of the recording that decided, where it is not the whole. */
  stretch?: ScoredStretch;
  /** How many prints were compared. */
  prints: number;
  /** Prints that were named but whose stored content cannot be read; none of them was compared. */
  damaged?: readonly string[];
  /** Prints of persons that were named one by one and left out because they are locked. */
  locked?: readonly LockedPrint[];
  /** Nothing was compared, because of these: for whom, where one print was asked for. */
  refused?: { print?: LockedPrint };
  /** The same of prints that are too new. */
  coolingOff?: readonly CoolingPrint[];
  /** Nothing was compared, because there is no trained print of the person who was asked for. */
  whyNoPrint?: WhyNoPrint;
  /** The group or watchlist that was asked about. */
  gkCollectionId?: string;
  /** Where only some of its members could be compared: how many could not, and of how many. */
  notCompared?: NotCompared;
}

interface NotCompared {
  count: number;
  members: number;
}

/** The print of a person that was trained too short a while ago to be compared. */
export interface CoolingPrint {
  gkVoiceprintProfileId: string;
  comparedFromMs: number;
}

export interface LockedPrint {
  gkVoiceprintProfileId: string;
  gkOwnerId: string;
  autoUnlockAtMs?: number;
}

// What a comparison of a voice with prints finds out: the scores of the nearest prints and the decision.
import type { Weakness } from '../../voice/scoring/reliability.js';
import type { Decision, RiskResult, VoiceprintReason } from './outcome.js';
import type { PrintDetails } from './profiles.js';
import type { WhyNoPrint } from './sessions.js';

/** Which question is asked: is it this person, or is it one of these fraudsters? */
export type Side = 'AUTHENTICATION' | 'FRAUD_DETECTION';

/** Why nothing reliable can be said. */
interface Unreliability {
  cause: Weakness | 'two_voices';
  value?: number;
  limit?: number;
}

export interface CandidateScore {
  candidate: PrintDetails;
  llr: number;
  reliability: number;
  /** What lowers the reliability most; not known of the prints of a large list. */
  weakness?: Weakness;
}

/** A part of the recording, scored by itself. */
export interface ScoredStretch {
  /** Position in the recording. */
  startMs: number;
  endMs: number;
  llr: number;
  reliability: number;
}

export interface ComparisonOutcome {
  decision: Decision;
  reason: VoiceprintReason;
  /** Best first; for a group or watchlist, only the nearest; empty if nothing could be scored. */
  scores: readonly CandidateScore[];
  risk?: RiskResult;
  /** With LOW_RELIABILITY. */
  unreliable?: Unreliability;
  /** The net speech that the decision is based on; less than all if a checkpoint ended it. */
  netSpeechMs: number;
  /** The part of the recording that decided, if it was not the whole. */
  stretch?: ScoredStretch;
  /** How many looks at the call share the target rate with this one; absent: it is the only one. */
  looks?: number;
  /** How many prints were compared. */
  prints: number;
  /** Named prints whose stored content cannot be read; none of them was compared. */
  damaged?: readonly string[];
  /** Prints of persons that were named individually and left out because they are locked. */
  locked?: readonly LockedPrint[];
  /** Nothing was compared because of these; `print` is set if one print was requested. */
  refused?: { print?: LockedPrint };
  /** The same for prints that are too new. */
  coolingOff?: readonly CoolingPrint[];
  /** Nothing was compared, because the requested person has no trained print. */
  whyNoPrint?: WhyNoPrint;
  /** The requested group or watchlist. */
  gkCollectionId?: string;
  /** None of its members has a print with the requested tag. */
  hasUnknownTag?: boolean;
  /** If only some of its members could be compared: how many could not, and of how many. */
  notCompared?: NotCompared;
}

interface NotCompared {
  count: number;
  members: number;
}

/** A person's print that was trained too recently to be compared. */
export interface CoolingPrint {
  gkVoiceprintProfileId: string;
  comparedFromMs: number;
}

export interface LockedPrint {
  gkVoiceprintProfileId: string;
  gkOwnerId: string;
  autoUnlockAtMs?: number;
}

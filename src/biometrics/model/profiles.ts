// Voiceprint profiles: one tagged print of one owner, its enrollment segments, its template and its lock.
import type { Template } from '../../voice/scoring/template.js';
import type { CustomData, OwnerType } from './outcome.js';

export type ProfileStatus = 'NOT_TRAINED' | 'BASIC_TRAINED' | 'OPTIMAL_TRAINED';

type LockReason = 'CONSECUTIVE_MISMATCHES' | 'OTHER';

export interface ProfileLock {
  locked: boolean;
  reason?: LockReason;
  /** Free text of a manual lock. */
  text: string;
  lockedBy: string;
  /** Consecutive mismatches; a match sets it back to zero. */
  mismatchCounter: number;
  lockedAtMs?: number;
  autoUnlockAtMs?: number;
}

/** What training made: never leaves the store unsealed except to be scored. */
export interface TrainedPrint {
  template: Template;
  /** Calibration that its scores belong to; scores across incompatible revisions mean nothing. */
  calibrationRevisionId: string;
  voiceClassScore?: number;
  segmentCount: number;
  trainedAtMs: number;
}

export interface Profile {
  gkVoiceprintProfileId: string;
  gkScopeId: string;
  gkOwnerId: string;
  ownerType: OwnerType;
  tag: string;
  status: ProfileStatus;
  /** 0 until first trained, then 1, 2, ... */
  version: number;
  lock: ProfileLock;
  /** Absent until trained. */
  trained?: TrainedPrint;
  /**
   * It was trained, but its stored content cannot be read: nothing can be compared until it is trained again.
   */
  damaged?: true;
  nearTermAdaptation: boolean;
  /**
   * The config set of its first segment, whose limits apply to the whole enrollment; absent until there is
   * one.
   */
  configsetId?: string;
  customData: CustomData;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** Everything that a comparison with many prints at once needs from each. */
export type ComparablePrint = Pick<
  Profile,
  'gkVoiceprintProfileId' | 'gkOwnerId' | 'ownerType' | 'tag' | 'version' | 'lock' | 'trained' | 'damaged'
>;

/** Identifies a print, without anything biometric. */
export type PrintDetails = Pick<
  ComparablePrint,
  'gkVoiceprintProfileId' | 'gkOwnerId' | 'ownerType' | 'tag' | 'version'
>;

type Consistency = 'CONSISTENT' | 'INCONSISTENT';

export interface EnrollmentSegment {
  gkVoiceprintProfileId: string;
  gkProcessedAudioId: string;
  gkMediaSegmentId: string;
  /** Set by the last training that looked at it. */
  consistency?: Consistency;
  consistencyScore?: number;
  usedForTrain: boolean;
  addedAtMs: number;
  gkEngagementId: string;
}

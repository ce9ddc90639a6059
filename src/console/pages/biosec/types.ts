// The JSON forms of the biometric messages, as far as the pages read them.

export interface Id {
  value: string;
}

export interface AudioDetails {
  grossAudio?: string;
  netAudio?: string;
  snrDb?: number;
  speechLevel?: number;
  saturationLevel?: number;
  mediaSamplingRateHz?: number;
  mediaNumberOfChannels?: number;
}

export interface VoiceprintDetails {
  gkVoiceprintProfileId?: Id;
  gkOwnerId?: Id;
  ownerType?: string;
  profileTag?: string;
}

export interface RiskResult {
  risk?: number;
  reliability?: number;
}

export interface ProcessResult {
  gkMediaSegmentId?: Id;
  gkProcessedAudioId?: Id;
  validity?: string;
  audioDetails?: AudioDetails;
}

export interface EnrollResult {
  enrollStatus?: string;
  enrolled?: boolean;
  reason?: string;
  audioDetails?: AudioDetails;
}

export interface SegmentDetails {
  gkMediaSegmentId?: Id;
  gkProcessedAudioId?: Id;
  consistencyDecision?: string;
  consistencyScore?: number;
  usedForTrain?: boolean;
  audioDetails?: AudioDetails;
}

export interface TrainResult {
  trainStatus?: string;
  reason?: string;
  status?: string;
  totalSegments?: number;
  totalValidSegments?: number;
  minSegmentsRequired?: number;
  totalNetAudio?: string;
  minNetAudioRequired?: string;
  enrollmentSegmentsDetails?: SegmentDetails[];
}

/** Verify, Identify and DetectKnownFraudsters answer alike. */
export interface MatchResult {
  voiceprintDetails?: VoiceprintDetails;
  gkMediaSegmentId?: Id;
  decision?: string;
  reason?: string;
  authenticationScore?: { biometricScore?: number };
  fraudDetectionScore?: { biometricScore?: number };
  riskEngineResult?: RiskResult;
  audioDetails?: AudioDetails;
  voiceprintResults?: {
    gkVoiceprintProfileId?: Id;
    authenticationScore?: { biometricScore?: number };
    fraudDetectionScore?: { biometricScore?: number };
  }[];
  numberOfPrints?: number;
}

export interface SpoofResult {
  decision?: string;
  reason?: string;
  result?: RiskResult;
  score?: number;
}

export interface SpoofAnswer {
  audioDetails?: AudioDetails;
  validity?: string;
  syntheticSpeechDetectionResult?: SpoofResult;
  channelPlaybackDetectionResult?: SpoofResult;
}

export interface Inspection {
  mediaLength?: string;
  envelope?: { minimum?: number[]; maximum?: number[] };
  speechSegments?: { start?: string; end?: string }[];
  audioDetails?: AudioDetails;
  validity?: string;
  spectrogram?: { columns?: number; rows?: number; values?: string; maxHz?: number; mel?: boolean };
}

export interface PersonDetails {
  gkPersonId?: Id;
  personId?: string;
  firstName?: string;
  lastName?: string;
  preferredLanguage?: string;
  phoneNumbers?: string[];
  consentInfo?: { status?: string; reason?: string; timestamp?: string; optInTime?: string };
  creationTimestamp?: string;
}

export interface FraudsterDetails {
  gkFraudsterId?: Id;
  fraudsterId?: string;
  firstName?: string;
  lastName?: string;
  creationTimestamp?: string;
}

export interface ProfileDetails {
  gkVoiceprintProfileId?: Id;
  gkOwnerId?: Id;
  ownerType?: string;
  tag?: string;
  version?: number;
  status?: string;
  lockInfo?: {
    status?: string;
    lockedBy?: string;
    reason?: string;
    mismatchCounter?: number;
    lockTimestamp?: string;
    autoUnlockTimestamp?: string;
    lockReason?: string;
  };
  templateInfo?: { gkCalibrationModelRevisionId?: Id; latestTrainTimestamp?: string };
  creationTimestamp?: string;
}

export interface Member {
  externalId?: string;
  memberName?: string;
  type?: string;
  label?: string;
}

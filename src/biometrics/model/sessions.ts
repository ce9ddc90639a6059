// Engagements (one customer transaction) and sessions (one interaction on one channel inside it), the
// factors that were measured in them, and the verdict an analyst gave.
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import type { ClaimEnd, ComparedVoice, HeardChannel } from './compared-voices.js';
import type { CustomData, Decision, SessionReason } from './outcome.js';

export type SessionType =
  | 'CALL_CENTER'
  | 'IVR'
  | 'DIGITAL'
  | 'FRAUD_ANALYST'
  | 'ADMINISTRATION'
  | 'OFFLINE_MEDIA_PROCESSING'
  | 'WEB'
  | 'POST_CALL'
  | 'PRE_CALL'
  | 'OTHER';

/** Sessions that people open by working in the console, or in a similar one. */
export const consoleTypes: readonly SessionType[] = ['ADMINISTRATION', 'FRAUD_ANALYST'];

export type SessionIntent =
  | 'OPT_OUT'
  | 'ENROLLMENT'
  // A print is adapted to a call.
  | 'ADAPTATION'
  | 'VERIFICATION'
  | 'FRAUD'
  | 'FRAUD_DETECTION'
  | 'ORPHAN'
  | 'OTHER';

export type EngagementVerdict = 'AUTHENTIC' | 'FRAUD' | 'SOMEONE_ELSE' | 'UNCERTAIN';

export type CallType =
  | 'INBOUND'
  | 'OUTBOUND'
  // In an unknown direction.
  | 'EXTERNAL'
  | 'INTERNAL'
  | 'CONSULT'
  | 'TRANSFER'
  | 'CONFERENCE';

export interface DecisionSummary {
  decision: Decision;
  reason: SessionReason;
  risk?: number;
  reliability?: number;
}

export interface Verdict {
  verdict: EngagementVerdict;
  description: string;
  /** Money involved, in the tenant's own unit. */
  amount?: bigint;
  atMs: number;
  analystId: string;
}

export interface Engagement {
  gkEngagementId: string;
  gkScopeId: string;
  isActive: boolean;
  engagementId: string;
  correlationId: string;
  analystId: string;
  /** Config set named at the start, used when later calls name none. */
  configsetId: string;
  verdict?: Verdict;
  decision?: DecisionSummary;
  customData: CustomData;
  createdAtMs: number;
  completedAtMs?: number;
  modifiedAtMs: number;
  /** Updated with every call; idle timeouts count from here. */
  lastActivityAtMs: number;
  /** The person it was with was erased: nothing more may be stored in it. */
  isErased?: true;
}

/** Members of an engagement's custom data that analysts write, that are searchable and shown in lists. */
export const CASE_NUMBER = 'caseNumber';
const NOTE = 'note';
/** Whom the case is assigned to: a user ID. */
export const CASE_OWNER = 'caseOwner';
export const notedMembers = [CASE_NUMBER, NOTE, CASE_OWNER] as const;
export type NotedMember = (typeof notedMembers)[number];

export const caseNumberOf = ({ customData }: Engagement): string => customData[CASE_NUMBER] ?? '';
export const noteOf = ({ customData }: Engagement): string => customData[NOTE] ?? '';
export const caseOwnerOf = ({ customData }: Engagement): string => customData[CASE_OWNER] ?? '';

export interface SessionError {
  statusCode: number;
  message: string;
  context: string;
  atMs?: number;
  diagnostics: readonly { code: string; extras: Readonly<Record<string, string>> }[];
}

/** The caller's details about a session; stored sealed, because ANI and DNIS are personal data. */
export interface SessionDetails {
  sessionId: string;
  ani: string;
  dnis: string;
  agentId: string;
  agentExtension: string;
  callType?: CallType;
  isSuspicious: boolean;
  suspiciousReason: string;
  wasAbandon: boolean;
  businessType: string;
  datacenter: string;
  groupSize?: number;
  error?: SessionError;
  customData: CustomData;
  /** The batch line that it is for, if that names an unknown person: the name stays with the line. */
  batchLine?: BatchLineRef;
}

export interface BatchLineRef {
  gkJobId: string;
  line: number;
}

/** What was open in a session that was emptied when a person was erased: its checks can no longer tell. */
export interface RetainedCaveats {
  unresolvedChecks?: readonly FactorKind[];
  missingChecks?: readonly FactorKind[];
  isListOpen?: true;
  /** The channel of the caller was not checked by itself. */
  isCallerMixed?: true;
  /** The session that its decision comes from, if not its own; empty if that was deleted. */
  inheritedFrom?: RetainedCaveats & { gkSessionId: string };
}

export interface Session {
  gkSessionId: string;
  gkScopeId: string;
  gkEngagementId: string;
  sessionType: SessionType;
  isTest: boolean;
  isActive: boolean;
  claimedGkPersonId?: string;
  /** Set by the caller; if absent, it is derived from what ran. */
  intent?: SessionIntent;
  configsetId: string;
  details: SessionDetails;
  decision?: DecisionSummary;
  createdAtMs: number;
  completedAtMs?: number;
  modifiedAtMs: number;
  lastActivityAtMs: number;
  /** The person it was with was erased: nothing more may be stored in it. */
  isErased?: true;
  /** Somebody was claimed whose data was erased since. */
  isClaimErased?: true;
  retained?: RetainedCaveats;
  /**
   * A person other than the claimed one was compared; the claim was removed, because that person was erased.
   */
  hadOtherPerson?: true;
  /** The same for somebody other than the person whom the decision of another session was about. */
  hadOtherClaimed?: true;
  /**
   * The result for the claimed person; the claim was removed, because that person was erased. A match is no
   * longer reported.
   */
  claimEnd?: Exclude<ClaimEnd, 'MATCHED'>;
  /** The same for whether anybody had said who called. */
  wasClaimOpen?: true;
}

/**
 * A person's role in a session if nobody was claimed: their voice was to be verified, was recognized among
 * several, or was enrolled in it.
 */
export type SessionPersonRole = 'VERIFIED' | 'RECOGNIZED' | 'ENROLLED';

export interface SessionPerson {
  gkPersonId: string;
  role: SessionPersonRole;
  /** The person's print matched. */
  isMatch?: true;
  /** The person's print was compared alone, and did not match. */
  isMismatch?: true;
  /** They were heard only on an agent's channel: it says nothing about the caller. */
  isAgent?: true;
  /** The person's prints that were compared or enrolled. */
  gkVoiceprintProfileIds?: readonly string[];
}

/** The persons a session is about, according to what ran in it. */
export interface SessionAbout {
  persons: readonly SessionPerson[];
  /** Known fraudsters whose voice was recognized. */
  gkFraudsterIds: readonly string[];
  /** Fraudsters whose voice was enrolled. */
  gkEnrolledFraudsterIds: readonly string[];
  /** Verifications that were refused because of a lock. */
  refused: number;
  /** All comparisons with persons. */
  voices: readonly ComparedVoice[];
}

export type FactorKind =
  | 'AUTHENTICATION'
  | 'FRAUD_DETECTION'
  | 'SYNTHETIC_SPEECH'
  | 'CHANNEL_PLAYBACK'
  // Whether an answer to a prompt has its words, and the voice of other speech of the call.
  | 'LIVENESS'
  // These decide nothing about the caller.
  | 'TEXT_VALIDATION'
  | 'ENROLLMENT'
  | 'AUDIO';

/**
 * The reason of a factor without a measurement, because the print was locked; it has no score, risk or
 * speech.
 */
export const REFUSED_FOR_LOCK = 'PROFILE_LOCKED';

/**
 * The reason of a factor without a measurement, because the print is too new to be compared
 * (`enrollment.coolingOffMinutes`).
 */
export const COOLING_OFF = 'PROFILE_COOLING_OFF';

/** The same, because the requested person has no trained print. */
export const NOT_ENROLLED = 'NOT_ENROLLED';

/** The same, because that person has opted out. */
export const OPTED_OUT = 'PERSON_OPTED_OUT';

/** Why there is no print of somebody to compare with. */
export type WhyNoPrint = typeof NOT_ENROLLED | typeof OPTED_OUT;

/**
 * The reason of a comparison in which the voice matches as a whole, but somebody else speaks in a part of it.
 * Results have no word for that.
 */
export const SPEAKER_CHANGED = 'SPEAKER_CHANGED';

export const isRefused = ({ reason }: Pick<Factor, 'reason'>): boolean => reason === REFUSED_FOR_LOCK;

/**
 * For decisions that are made repeatedly while a call runs: each change of the decision, and the last one.
 */
export const LIVE_OPERATION = 'LiveAudio';

/** One measured outcome inside a session: the material of session decisions, timelines and shadow reports. */
export interface Factor {
  factorId: string;
  gkScopeId: string;
  gkEngagementId: string;
  gkSessionId: string;
  kind: FactorKind;
  /** Operation that produced it, such as Verify. */
  operation: string;
  decision: Decision;
  reason: string;
  risk?: number;
  reliability?: number;
  /** Calibrated log-likelihood ratio. */
  score?: number;
  netSpeechMs: number;
  /** With LOW_RELIABILITY: what makes it unreliable, such as two_voices or noise. */
  unreliableFor?: readonly string[];
  /** Number of prints compared; the more there are, the more certain each match has to be. */
  prints?: number;
  /** How many looks at the call share the target rate; absent: it is the only one. */
  looks?: number;
  gkVoiceprintProfileId?: string;
  /** The requested group or watchlist. */
  gkCollectionId?: string;
  gkProcessedAudioId?: string;
  /** For an answer to a prompt: the recording whose voice it was compared with. */
  gkReferenceProcessedAudioId?: string;
  liveCallId?: string;
  /**
   * As it is read: the recording or the live call that it is about; for an answer to a prompt, that of the reference. Empty for a live
   * call of 0.2.0.
   */
  recording?: string;
  /** For a recording with several channels, or if somebody has said who speaks on it. */
  channel?: HeardChannel;
  /** With several prints: whether one of them was the claimed person's. */
  hasClaimed?: boolean;
  /** Members of the group or watchlist that could not be compared. */
  notCompared?: number;
  configsetRevisionId: string;
  calibrationRevisionId: string;
  createdAtMs: number;
  /**
   * For an attack check with a score: the detector and the alarm threshold. Absent in older ones.
   */
  detector?: string;
  alarmRisk?: number;
  /** What it heard. Absent in older ones. */
  bandwidth?: Bandwidth;
  /**
   * For a live call, which is checked several times: the highest risk since there was enough speech for a
   * latched alarm.
   */
  highestRisk?: number;
  /** By the config set, the caller should be asked to repeat digits because of it. */
  wantsPrompt?: true;
  /** From a trial session: statistics do not count it. */
  isTest?: true;
}

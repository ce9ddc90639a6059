// Engagements (one customer transaction) and sessions (one interaction on one channel inside it), the
// factors that were measured in them, and the verdict an analyst gave.
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import type { ClaimEnd, ComparedVoice, HeardChannel, LeftOut } from '../../marks/who-called.js';
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

/** Sessions that people open by working in the console, or in one like it. */
export const consoleTypes: readonly SessionType[] = ['ADMINISTRATION', 'FRAUD_ANALYST'];

export type SessionIntent =
  | 'OPT_OUT'
  | 'ENROLLMENT'
  // A print learns from a call.
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
  // In a direction that is not known.
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
  /** Moves with every call; idle timeouts count from here. */
  lastActivityAtMs: number;
  /** The person it was with was erased: nothing more may be stored in it. */
  isErased?: true;
}

/** Members of an engagement's custom data that analysts write, that sessions are found by and lists show. */
export const CASE_NUMBER = 'caseNumber';
const NOTE = 'note';
export const notedMembers = [CASE_NUMBER, NOTE] as const;
export type NotedMember = (typeof notedMembers)[number];

export const caseNumberOf = ({ customData }: Engagement): string => customData[CASE_NUMBER] ?? '';
export const noteOf = ({ customData }: Engagement): string => customData[NOTE] ?? '';

export interface SessionError {
  statusCode: number;
  message: string;
  context: string;
  atMs?: number;
  diagnostics: readonly { code: string; extras: Readonly<Record<string, string>> }[];
}

/** What the caller tells about a session; kept sealed, because ANI and DNIS are personal data. */
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
  /** The line of a batch that it is for, where that names a person whom nobody knows: the name stays with the line. */
  batchLine?: BatchLineRef;
}

export interface BatchLineRef {
  gkJobId: string;
  line: number;
}

/** What was not decided or not compared, beside a decision. */
export interface Marks {
  /** Attack checks that could not tell whether a live person spoke, and none of their kind could since. */
  undecidedChecks?: readonly FactorKind[];
  /** Something was compared, and nobody looked for attacks in it. */
  isUnchecked?: true;
  /** Attack checks that were not made where the other one was. */
  missingChecks?: readonly FactorKind[];
  /** A watchlist was named, and there was nobody on it to compare with, it could not be told, or a recording was compared with none; nor since. */
  isListOpen?: true;
  /** Whatever it was decided: a caller was left out of what was made of another channel of the same recording. */
  leftOutCaller?: LeftOut;
  /** Whatever it was decided: on a watchlist, or in a group, in which nobody was found, some could not be compared. */
  hasLeftOutMembers?: true;
}

/** All that stands beside a decision, as it is stored. */
export interface SessionMarks extends Marks {
  /** It was decided by a match, and the voice did not match in another comparison. */
  hasMismatch?: true;
  /** Whatever it was decided: somebody else speaks in a part of what was heard. */
  hasSecondVoice?: true;
  /** Whatever it was decided: the voice was compared with that of somebody else than the one claimed. */
  hasOtherPerson?: true;
  /** More than one person matched. */
  hasSeveralPersons?: true;
  /** Whatever it was decided: somebody was claimed, and the voice was compared with nobody's. */
  isClaimOpen?: true;
  /** Something was decided, and no check of its own says so. */
  isFromElsewhere?: true;
  /** Where its decision comes from, if not from itself. */
  carried?: CarriedMarks;
}

/** With the marks of the session that a decision comes from. */
export interface CarriedMarks extends Marks {
  /** Empty where that is gone. */
  gkSessionId: string;
  /** Somebody else is claimed than the one whom it was decided of there. */
  isOtherPerson?: true;
  /** The person claimed was compared there. */
  isClaimCompared?: true;
}

/** What sessions are found by. */
export type MarkName =
  | 'UNDECIDED_CHECKS'
  | 'UNCHECKED'
  | 'MISSING_CHECKS'
  | 'OPEN_LIST'
  | 'MISMATCH'
  | 'SECOND_VOICE'
  | 'OTHER_PERSON'
  | 'OTHER_CLAIMED'
  | 'SEVERAL_PERSONS'
  | 'OPEN_CLAIM'
  | 'LEFT_OUT_CALLER'
  | 'LEFT_OUT_MEMBERS';

export interface Session {
  gkSessionId: string;
  gkScopeId: string;
  gkEngagementId: string;
  sessionType: SessionType;
  isTest: boolean;
  isActive: boolean;
  claimedGkPersonId?: string;
  /** Set by the caller; when absent it is derived from what ran. */
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
  /** What stood beside its decision when that was done: its checks cannot tell it any more. */
  marks?: Marks;
  /** Another person than the one claimed was compared; the claim is gone, because that person was erased. */
  hadOtherPerson?: true;
  /** How it ended with the person claimed; the claim is gone, because that person was erased. A match is not told any more. */
  claimEnd?: Exclude<ClaimEnd, 'MATCHED'>;
  /** The same of what stood beside its decision (`isClaimOpen`). */
  wasClaimOpen?: true;
}

/**
 * How a session knows a person without being told: their voice was to be verified, was recognized among several, or was
 * enrolled in it.
 */
export type SessionPersonRole = 'VERIFIED' | 'RECOGNIZED' | 'ENROLLED';

export interface SessionPerson {
  gkPersonId: string;
  role: SessionPersonRole;
  /** Their print matched. */
  isMatch?: true;
  /** Their print was compared by itself, and did not match. */
  isMismatch?: true;
  /** They were heard on the channel of an agent alone: it says nothing of the caller. */
  isAgent?: true;
  /** Of theirs, those that were compared or enrolled. */
  gkVoiceprintProfileIds?: readonly string[];
}

/** Whom a session is about by what ran in it. */
export interface SessionAbout {
  persons: readonly SessionPerson[];
  /** Known fraudsters whose voice was recognized. */
  gkFraudsterIds: readonly string[];
  /** Fraudsters whose voice was enrolled. */
  gkEnrolledFraudsterIds: readonly string[];
  /** Verifications that a lock has refused. */
  refused: number;
  /** All comparisons with persons. */
  voices: readonly ComparedVoice[];
}

export type FactorKind =
  | 'AUTHENTICATION'
  | 'FRAUD_DETECTION'
  | 'SYNTHETIC_SPEECH'
  | 'CHANNEL_PLAYBACK'
  // These decide nothing about the caller.
  | 'ENROLLMENT'
  | 'AUDIO';

/** The reason of a factor that measured nothing, because the print was locked; its score, risk and speech are missing. */
export const REFUSED_FOR_LOCK = 'PROFILE_LOCKED';

/** The reason of a factor that measured nothing, because the print is too new to be compared (`enrollment.coolingOffMinutes`). */
export const COOLING_OFF = 'PROFILE_COOLING_OFF';

/** The same, because the person who was asked for has no trained print. */
export const NOT_ENROLLED = 'NOT_ENROLLED';

/** The same, because that person has opted out. */
export const OPTED_OUT = 'PERSON_OPTED_OUT';

/** Why there is no print of somebody to compare with. */
export type WhyNoPrint = typeof NOT_ENROLLED | typeof OPTED_OUT;

/** The reason of a comparison in which the voice matches as a whole, and somebody else speaks in a part of it. Results have no word for that. */
export const SPEAKER_CHANGED = 'SPEAKER_CHANGED';

export const isRefused = ({ reason }: Pick<Factor, 'reason'>): boolean => reason === REFUSED_FOR_LOCK;

/** Of what is decided while a call runs, again and again: each change of mind, and the end of it. */
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
  /** Prints compared; the more there are, the surer each has to be. */
  prints?: number;
  gkVoiceprintProfileId?: string;
  /** The group or watchlist that was asked about. */
  gkCollectionId?: string;
  gkProcessedAudioId?: string;
  /** Of a recording with several channels, or of which somebody has said who speaks. */
  channel?: HeardChannel;
  /** Among several prints: whether one of them was that of the person who was claimed then. */
  hasClaimed?: boolean;
  /** Members of the group or watchlist that could not be compared. */
  leftOut?: number;
  configsetRevisionId: string;
  calibrationRevisionId: string;
  createdAtMs: number;
  /** Of an attack check with a score: the detector, the band that it heard and the risk from which on it is an alarm. Absent in older ones. */
  detector?: string;
  bandwidth?: Bandwidth;
  alarmRisk?: number;
  /** Of a live call, which is listened to several times: the highest risk since there was enough speech for an alarm that stands. */
  highestRisk?: number;
  /** Of a session that somebody opened to try things out: no rate counts it. */
  isTest?: true;
}

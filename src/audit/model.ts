// What the audit trail keeps: who did what, to whom, with which numbers. Records are never changed; their
// order and content are tied together by hashes (chain.ts). Personal values are kept apart, so that they
// can be masked in an export and erased for good without touching the chain.
import type { Call, Caller } from '../platform.js';
import type { AuditAct } from '../words/audit/english.js';
import type { AuditMember } from '../words/audit/members.js';

/**
 * The record types of the contract, without the RECORD_TYPE_ prefix
 * (docs/reference/voiceprint-management.md#audit-export).
 */
export const recordTypes = [
  'AUDIO_EVENT',
  'CALIBRATION_EVENT',
  'DELETE_PERSONAL_DATA_EVENT',
  'ENGAGEMENT_EVENT',
  'FRAUDSTER_EVENT',
  'GROUP_EVENT',
  'PERSON_EVENT',
  'PERSONAL_DATA_DELETED_EVENT',
  'SCOPE_EVENT',
  'SESSION_EVENT',
  'VOICEPRINT_EVENT',
  'WATCHLIST_EVENT',
  'WEB_APP_EVENT',
  'ASR_AUDIT_INFO_EVENT',
  'FACTORS_AUDIT_INFO_EVENT',
  'ANTI_SPOOFING_AUDIT_INFO_EVENT',
  'RISK_ENGINE_EVENT',
  'MEDIA_EVENT',
  'CALLER_ID_RISK_ASSESSMENT_EVENT',
  'CALLER_ID_WATCH_LIST_EVENT',
  'CONVOPRINT_EVENT',
  'DEVICEPRINT_EVENT',
  'JOBS_EVENT',
  'TEXT_EVENT',
] as const;

export type RecordType = (typeof recordTypes)[number];

/** What calls and sign-ins do by themselves, and what people only look at; every other operation changes something. */
export const passing: readonly AuditAct[] = [
  'AnalyzeAudio',
  'CutOffCall',
  'DelayCall',
  'DetectAudioSpoofing',
  'DetectKnownFraudsters',
  'DetectLiveness',
  'EndCall',
  'ExecuteVoiceprintProfilesStatusJob',
  'ExpireSessions',
  'FindCalls',
  'FindRecurringVoices',
  'GetDownloadUrl',
  'GetLivenessPrompt',
  'GetUploadUrl',
  'Identify',
  'LiveAudio',
  'LoseCall',
  'ProcessAudio',
  'ResumeCall',
  'StartEngagement',
  'StartSession',
  'StopEngagement',
  'StopSession',
  'ValidateConfigsetRevision',
  'ValidateText',
  'Verify',
  'client.authentication-failed',
  'user.sign-in',
  'user.sign-in-failed',
  'user.sign-out',
  'user.slow-down',
];

/** The chain of everything that belongs to no tenant. Tenants' chains are named by their gk_scope_id. */
export const SYSTEM_CHAIN = 'system';

export interface AuditActor {
  subject: string;
  issuer: string;
}

/** The context members of the call, as far as it had them. */
export interface AuditContext {
  gkEngagementId?: string;
  gkSessionId?: string;
  gkScopeId?: string;
  configsetId?: string;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** A JSON object; members that are undefined are left out. */
export type JsonObject = { readonly [name: string]: JsonValue | undefined };

declare const isTold: unique symbol;
type Name = AuditMember | `${AuditMember}Before`;

/** What a record tells. Every member has a name in both languages: `auditDetail` makes one, and so do the functions that record something. */
export type AuditDetail = { readonly [N in Name]?: JsonValue | undefined } & { readonly [isTold]: true };

type Value<V> = V extends readonly unknown[] ? unknown : V extends object ? Members<V> : unknown;
type Members<D> = { [K in keyof D]: string extends K ? unknown : K extends Name ? Value<D[K]> : never };

/** The type of members that all have a name: an object that has another one cannot be passed as `D extends Named<D>`. */
export type Named<D> = {
  [K in keyof D]: K extends Name ? Value<D[K]> : K extends typeof isTold ? unknown : never;
};

export const auditDetail = <D extends Named<D>>(detail: D): AuditDetail => detail as unknown as AuditDetail;

/** What an operation reports. The log adds time and place in the chain. */
export interface AuditEntry {
  /** gk_scope_id of the tenant, or `systemChain`. */
  chain: string;
  recordType: RecordType;
  /** `Verify`, `CreatePerson`, `client.create`: the name of the operation. */
  operation: AuditAct;
  actor: AuditActor;
  requestId?: string;
  context?: AuditContext;
  /** gk ids of the persons, fraudsters, prints or audios concerned; erasure finds records by these. */
  subjectIds?: readonly string[];
  /** For a decision: model, calibration, config revision, scores, reason. Never personal values or secrets. */
  detail?: AuditDetail;
  /** Personal values: names, own IDs, phone numbers, free text. Sealed at rest. */
  personal?: JsonObject;
}

export interface AuditRecord {
  chain: string;
  /** From 1, without gaps, per chain. */
  seq: number;
  atMs: number;
  recordType: RecordType;
  operation: string;
  actor: AuditActor;
  context: AuditContext & { requestId?: string };
  subjectIds: readonly string[];
  detail: JsonObject;
  personal: PersonalPart;
}

/** `sealed` is what lies in the store; `erased` is left when the values or their key were destroyed. */
export type PersonalPart =
  | { kind: 'none' }
  | { kind: 'sealed'; bytes: Uint8Array; digest: string }
  | { kind: 'erased'; digest: string };

/** Actor and request of a call, to spread into an entry. */
export function auditedBy(call: Pick<Call, 'caller' | 'requestId'>): Pick<AuditEntry, 'actor' | 'requestId'> {
  return { actor: { subject: call.caller.subject, issuer: call.caller.issuer }, requestId: call.requestId };
}

/** Who acts when nobody calls: timers, the command line. */
export const systemActor: AuditActor = { subject: 'system', issuer: 'voxgate' };

/** The same where an operation wants a caller: nothing is closed to it. */
export const systemCaller: Caller = { ...systemActor, clientId: 'system', scopes: [], tenants: 'all' };

// The events of a timeline: a factor with its numbers, or another action that the audit trail knows of. A
// factor and its audit record are one event.
import type { AuditActor, AuditRecord, JsonObject, RecordType } from '../../audit/model.js';
import type { Decision } from '../model/outcome.js';
import { isRefused, type Factor } from '../model/sessions.js';
import { evidenceIn, evidenceMembers, type RememberedEvidence } from './attack-evidence.js';

export interface TimelineEvent {
  atMs: number;
  operation: string;
  recordType: RecordType;
  summary: string;
  decision?: Decision;
  reason?: string;
  score?: number;
  risk?: number;
  reliability?: number;
  gkVoiceprintProfileId?: string;
  gkProcessedAudioId?: string;
  gkMediaSegmentId?: string;
  configsetRevisionId?: string;
  calibrationRevisionId?: string;
  actor?: AuditActor & { name?: string };
  isFactor: boolean;
  /** For an attack check. */
  evidence?: RememberedEvidence;
  requestId?: string;
  attributes: Record<string, string>;
}

/** Types of records that describe a factor. */
export const factorTypes: readonly RecordType[] = [
  'FACTORS_AUDIT_INFO_EVENT',
  'ANTI_SPOOFING_AUDIT_INFO_EVENT',
];

export function mergeEvents(
  factors: readonly Factor[],
  records: readonly AuditRecord[],
  mediaOf: ReadonlyMap<string, string>,
): TimelineEvent[] {
  const merged = new Set<AuditRecord>();
  const events = factorEvents(factors, records, mediaOf, merged);
  for (const record of records) if (!merged.has(record)) events.push(recordEvent(record, mediaOf));
  return events.sort((a, b) => a.atMs - b.atMs);
}

/** Only the factors, in order, with what their records know; those records are marked as used. */
export function factorEvents(
  factors: readonly Factor[],
  records: readonly AuditRecord[],
  mediaOf: ReadonlyMap<string, string>,
  merged = new Set<AuditRecord>(),
): TimelineEvent[] {
  return factors.map((factor) => {
    const record = records.find((candidate) => !merged.has(candidate) && describesFactor(candidate, factor));
    if (record) merged.add(record);
    const heard = mediaOf.get(factor.gkProcessedAudioId ?? '') ?? textIn(record, 'gkMediaSegmentId');
    return factorEvent(factor, record, heard);
  });
}

function describesFactor(record: AuditRecord, factor: Factor): boolean {
  const { detail } = record;
  return (
    factorTypes.includes(record.recordType) &&
    record.operation === factor.operation &&
    detail['gkProcessedAudioId'] === factor.gkProcessedAudioId &&
    detail['decision'] === factor.decision &&
    detail['reason'] === factor.reason &&
    factor.kind in checks &&
    detail['check'] === checks[factor.kind]
  );
}

/** Tells attack checks apart in audit records; both may decide alike, and their order says nothing. */
const checks: Readonly<Partial<Record<Factor['kind'], string | undefined>>> = {
  AUTHENTICATION: undefined,
  FRAUD_DETECTION: undefined,
  SYNTHETIC_SPEECH: 'synthetic',
  CHANNEL_PLAYBACK: 'playback',
  LIVENESS: 'liveness',
  TEXT_VALIDATION: 'text',
};

function factorEvent(
  factor: Factor,
  record: AuditRecord | undefined,
  gkMediaSegmentId: string | undefined,
): TimelineEvent {
  const { score, risk, reliability, gkVoiceprintProfileId, gkProcessedAudioId } = factor;
  const isAttack = factor.kind === 'SYNTHETIC_SPEECH' || factor.kind === 'CHANNEL_PLAYBACK';
  return {
    atMs: factor.createdAtMs,
    operation: factor.operation,
    recordType:
      record?.recordType ?? (isAttack ? 'ANTI_SPOOFING_AUDIT_INFO_EVENT' : 'FACTORS_AUDIT_INFO_EVENT'),
    summary: `${factor.operation}: ${outcomeOf(factor)}`,
    // Adding a segment decides nothing about the caller.
    ...(factor.kind !== 'ENROLLMENT' && { decision: factor.decision }),
    reason: factor.reason,
    ...(score !== undefined && { score }),
    ...(risk !== undefined && { risk }),
    ...(reliability !== undefined && { reliability }),
    ...(gkVoiceprintProfileId && { gkVoiceprintProfileId }),
    ...(gkProcessedAudioId && { gkProcessedAudioId }),
    ...(gkMediaSegmentId && { gkMediaSegmentId }),
    configsetRevisionId: factor.configsetRevisionId,
    calibrationRevisionId: factor.calibrationRevisionId,
    ...(record && who(record)),
    isFactor: true,
    ...(isAttack && record && { evidence: evidenceIn(record.detail) }),
    attributes: {
      ...attributesOf(record?.detail ?? {}),
      ...channelIn(factor),
      factor: factor.kind,
      netSpeechMs: String(Math.round(factor.netSpeechMs)),
    },
  };
}

/** Which of several channels was heard, and whose it is, if known. */
function channelIn({ channel }: Factor): Record<string, string> {
  if (!channel) return {};
  const { heard, of, callers } = channel;
  const party =
    callers && (heard > 0 ? (callers.includes(heard) ? 'CALLER' : 'AGENT') : callers.length < of && 'MIXED');
  return {
    ...(of > 1 && { channel: String(heard), channels: String(of) }),
    ...(party && { party }),
  };
}

/** Such as "Start session". */
export const summaryOf = (operation: string): string =>
  operation.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

function recordEvent(record: AuditRecord, mediaOf: ReadonlyMap<string, string>): TimelineEvent {
  const heard = examinedIn(record);
  const media = mediaOf.get(heard ?? '');
  const print = textIn(record, 'gkVoiceprintProfileId');
  return {
    atMs: record.atMs,
    operation: record.operation,
    recordType: record.recordType,
    summary: summaryOf(record.operation),
    ...who(record),
    ...(print && { gkVoiceprintProfileId: print }),
    ...(heard && media && { gkProcessedAudioId: heard, gkMediaSegmentId: media }),
    isFactor: false,
    attributes: attributesOf(record.detail),
  };
}

/** Audio that was only examined: its record names it first. */
export const examinedIn = ({ operation, subjectIds }: AuditRecord): string | undefined =>
  operation === 'ProcessAudio' ? subjectIds[0] : undefined;

function textIn(record: AuditRecord | undefined, member: string): string | undefined {
  const value = record?.detail[member];
  return typeof value === 'string' ? value : undefined;
}

function who({ actor, context }: AuditRecord): Pick<TimelineEvent, 'actor' | 'requestId'> {
  return { actor, ...(context.requestId && { requestId: context.requestId }) };
}

/** Members with a field of their own are not repeated. */
const namedMembers = new Set([
  'decision',
  'reason',
  'score',
  'risk',
  'reliability',
  'gkVoiceprintProfileId',
  'gkProcessedAudioId',
  'gkMediaSegmentId',
  'configsetRevisionId',
  'calibrationRevisionId',
  ...evidenceMembers,
]);

function attributesOf(detail: JsonObject): Record<string, string> {
  const entries = Object.entries(detail).filter(
    ([name, value]) => !namedMembers.has(name) && value !== undefined && value !== null,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
}

/** What a factor says, in words that fit its kind. */
function outcomeOf(factor: Factor): string {
  const { kind, decision, reason, netSpeechMs } = factor;
  if (isRefused(factor)) return `refused (${words(reason)})`;
  const outcome = kind === 'ENROLLMENT' ? 'segment added' : `${decision} (${words(reason)})`;
  return `${outcome}, ${(netSpeechMs / 1000).toFixed(1)} s of speech`;
}

const words = (reason: string): string => reason.toLowerCase().replaceAll('_', ' ');

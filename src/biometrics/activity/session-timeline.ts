// What happened in a session, in order: every factor with its numbers, and every other act that the audit trail
// knows of. A factor and its audit record are one event.
import type { AuditActor, AuditRecord, JsonObject, RecordType } from '../../audit/model.js';
import type { Actors, AuditReader } from '../../audit/ports.js';
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { Decision } from '../model/outcome.js';
import { isRefused, type Engagement, type Factor, type Session } from '../model/sessions.js';
import type { SearchDeps } from '../search/search-indexes.js';
import { asOfNow, idsIn, namedIn, type NamedFraudster, type NamedPerson } from './list-sessions.js';
import { evidenceIn, evidenceMembers, type RememberedEvidence } from './attack-evidence.js';

export interface ActivityDeps extends SearchDeps {
  audit: AuditReader;
  actors: Actors;
}

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
  /** Of an attack check. */
  evidence?: RememberedEvidence;
  requestId?: string;
  attributes: Record<string, string>;
}

export interface Timeline {
  session: Session;
  engagement: Engagement;
  /** All sessions of the engagement, oldest first. */
  sessions: Session[];
  events: TimelineEvent[];
  /** Whom it is about by what ran in it. */
  persons: NamedPerson[];
  fraudsters: NamedFraudster[];
}

/** More than any session has; one that has more shows its newest. */
const RECORDS_MAX = 1000;
const factorTypes: readonly RecordType[] = ['FACTORS_AUDIT_INFO_EVENT', 'ANTI_SPOOFING_AUDIT_INFO_EVENT'];

export async function getSessionTimeline(
  deps: ActivityDeps,
  call: Call,
  input: { context: RequestContext; gkSessionId: string },
): Promise<Timeline> {
  const gkSessionId = input.gkSessionId || input.context.gkSessionId || '';
  const faults = new Faults().required('gk_session_id', gkSessionId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const { read } = deps.store;
  const session = await read.sessions.find(gkScopeId, gkSessionId);
  if (!session) throw notFound('session', 'gk_session_id');
  const engagement = await read.engagements.find(gkScopeId, session.gkEngagementId);
  if (!engagement) throw notFound('engagement', 'gk_session_id');
  const factors = await read.factors.listBySession(gkScopeId, gkSessionId);
  const records = await recordsOf(deps, session, engagement);
  const audios = await read.processedAudios.findMany(gkScopeId, [
    ...new Set(factors.flatMap((factor) => factor.gkProcessedAudioId ?? [])),
  ]);
  const about = (await read.factors.aboutSessions(gkScopeId, [gkSessionId])).get(gkSessionId);
  const parties = await read.parties.findMany(gkScopeId, about ? idsIn(about) : []);
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  return {
    session: await asOfNow(deps, session, factors.length > 0),
    engagement,
    sessions: await read.sessions.listByEngagement(gkScopeId, session.gkEngagementId),
    events: await withNames(deps, mergeEvents(factors, records, mediaOf)),
    ...namedIn(about, new Map(parties.map((party) => [party.gkId, party]))),
  };
}

/** Of the session, and what was done to its engagement as a whole, such as the verdict; oldest first. */
async function recordsOf(
  { audit }: ActivityDeps,
  { gkScopeId: chain, gkSessionId, createdAtMs }: Session,
  engagement: Engagement,
): Promise<AuditRecord[]> {
  const own = await audit.search({ chain, gkSessionId, startMs: createdAtMs, limit: RECORDS_MAX });
  const whole = await audit.search({
    chain,
    gkEngagementId: engagement.gkEngagementId,
    startMs: engagement.createdAtMs,
    limit: RECORDS_MAX,
  });
  return [...own, ...whole.filter(({ record }) => record.context.gkSessionId === undefined)]
    .map(({ record }) => record)
    .sort((a, b) => a.seq - b.seq);
}

async function withNames({ actors }: ActivityDeps, events: TimelineEvent[]): Promise<TimelineEvent[]> {
  const names = await actors.namesOf(events.flatMap(({ actor }) => actor?.subject ?? []));
  return events.map((event) => {
    const name = names.get(event.actor?.subject ?? '');
    return event.actor && name ? { ...event, actor: { ...event.actor, name } } : event;
  });
}

function mergeEvents(
  factors: readonly Factor[],
  records: readonly AuditRecord[],
  mediaOf: ReadonlyMap<string, string>,
): TimelineEvent[] {
  const merged = new Set<AuditRecord>();
  const events = factors.map((factor) => {
    const record = records.find((candidate) => !merged.has(candidate) && describesFactor(candidate, factor));
    if (record) merged.add(record);
    const heard = mediaOf.get(factor.gkProcessedAudioId ?? '') ?? textIn(record, 'gkMediaSegmentId');
    return factorEvent(factor, record, heard);
  });
  for (const record of records) if (!merged.has(record)) events.push(recordEvent(record));
  return events.sort((a, b) => a.atMs - b.atMs);
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

/** By which an audit record tells attack checks apart; both may decide alike, and their order says nothing. */
const checks: Readonly<Partial<Record<Factor['kind'], string | undefined>>> = {
  AUTHENTICATION: undefined,
  FRAUD_DETECTION: undefined,
  SYNTHETIC_SPEECH: 'synthetic',
  CHANNEL_PLAYBACK: 'playback',
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
      factor: factor.kind,
      netSpeechMs: String(Math.round(factor.netSpeechMs)),
    },
  };
}

function recordEvent(record: AuditRecord): TimelineEvent {
  const print = textIn(record, 'gkVoiceprintProfileId');
  return {
    atMs: record.atMs,
    operation: record.operation,
    recordType: record.recordType,
    summary: record.operation.replace(
      /([a-z])([A-Z])/g,
      (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
    ),
    ...who(record),
    ...(print && { gkVoiceprintProfileId: print }),
    isFactor: false,
    attributes: attributesOf(record.detail),
  };
}

function textIn(record: AuditRecord | undefined, member: string): string | undefined {
  const value = record?.detail[member];
  return typeof value === 'string' ? value : undefined;
}

function who({ actor, context }: AuditRecord): Pick<TimelineEvent, 'actor' | 'requestId'> {
  return { actor, ...(context.requestId && { requestId: context.requestId }) };
}

/** What has a field of its own is not repeated. */
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

/** What a factor says, in words that are true of its kind. */
function outcomeOf(factor: Factor): string {
  const { kind, decision, reason, netSpeechMs } = factor;
  if (isRefused(factor)) return `refused (${words(reason)})`;
  const outcome = kind === 'ENROLLMENT' ? 'segment added' : `${decision} (${words(reason)})`;
  return `${outcome}, ${(netSpeechMs / 1000).toFixed(1)} s of speech`;
}

const words = (reason: string): string => reason.toLowerCase().replaceAll('_', ' ');

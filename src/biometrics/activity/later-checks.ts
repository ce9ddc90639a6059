// What became known of a session's recordings after the call: checks that were made in other sessions, and searches through stored
// calls that found it. The decision of the session stays as it was; whoever opens it sees them all the same.
import type { AuditRecord } from '../../audit/model.js';
import type { AuditReader } from '../../audit/ports.js';
import { mayReach, narrowedTo, type Call } from '../../platform.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import type { Factor, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { fraudsterOf, type NamedFraudster } from './list-sessions.js';
import { factorEvents, factorTypes, recordEvent, textIn, type TimelineEvent } from './timeline-events.js';

export interface LaterCheck {
  /** It counts where it was made, and not here. */
  event: TimelineEvent;
  /** In which it was made; a search belongs to none. */
  madeIn?: Pick<Session, 'gkSessionId'> & { sessionId: string };
  /** Who was found. */
  fraudster?: NamedFraudster;
  watchlist?: { gkWatchlistId: string; watchlistId: string };
}

interface LaterDeps extends BiometricsDeps {
  audit: AuditReader;
}

/** More than anybody reads; of more the newest. */
const CHECKS_MAX = 100;
const SESSIONS_READ = 5;
/** Who may search stored calls may know what came of it. */
const SEARCH_PERMISSION = 'voice.fraud';
const SEARCH = 'FindCalls';

/** Oldest first. */
export async function laterChecks(deps: LaterDeps, call: Call, session: Session): Promise<LaterCheck[]> {
  if (session.isErased) return [];
  const checks = [...(await checksElsewhere(deps, session)), ...(await searchesIn(deps, call, session))];
  return checks.sort((a, b) => a.event.atMs - b.event.atMs);
}

async function checksElsewhere(deps: LaterDeps, session: Session): Promise<LaterCheck[]> {
  const { read } = deps.store;
  const { gkScopeId } = session;
  const factors = await read.factors.listByRecordingsOf(session, CHECKS_MAX);
  if (factors.length === 0) return [];
  const named = (member: 'gkProcessedAudioId' | 'gkVoiceprintProfileId' | 'gkCollectionId'): string[] => [
    ...new Set(factors.flatMap((factor) => factor[member] ?? [])),
  ];
  const audios = await read.processedAudios.findMany(gkScopeId, named('gkProcessedAudioId'));
  const prints = await read.profiles.findMany(gkScopeId, named('gkVoiceprintProfileId'));
  const parties = await read.parties.findMany(gkScopeId, [
    ...new Set(prints.map((print) => print.gkOwnerId)),
  ]);
  const lists = await read.collections.findMany(gkScopeId, named('gkCollectionId'));
  const sessions = await read.sessions.findMany(gkScopeId, [
    ...new Set(factors.map(({ gkSessionId }) => gkSessionId)),
  ]);
  const ownerOf = (print: string | undefined) =>
    prints.find(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId === print)?.gkOwnerId;
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  const events = factorEvents(factors, await recordsOf(deps, factors), mediaOf);
  return factors.flatMap((factor, at): LaterCheck[] => {
    const event = events[at];
    const owner = parties.find(({ gkId }) => gkId === ownerOf(factor.gkVoiceprintProfileId));
    // Who is gone from the lists was not found.
    if (!event || (isHit(factor) && !owner)) return [];
    const madeIn = sessions.find(({ gkSessionId }) => gkSessionId === factor.gkSessionId);
    const list = lists.find(({ gkId, kind }) => gkId === factor.gkCollectionId && kind === 'WATCHLIST');
    return [
      {
        event: { ...event, isFactor: false },
        ...(madeIn && { madeIn: { gkSessionId: madeIn.gkSessionId, sessionId: madeIn.details.sessionId } }),
        ...(isHit(factor) && owner && { fraudster: fraudsterOf(owner) }),
        ...(list && { watchlist: { gkWatchlistId: list.gkId, watchlistId: list.externalId } }),
      },
    ];
  });
}

/** Who asked, and what an attack check rests on, is in the audit trail; of the sessions in which was asked last. */
async function recordsOf({ audit }: LaterDeps, factors: readonly Factor[]): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  const bySession = new Map(factors.map((factor) => [factor.gkSessionId, factor]));
  for (const { gkScopeId, gkSessionId } of [...bySession.values()].slice(-SESSIONS_READ)) {
    const first = factors.find((factor) => factor.gkSessionId === gkSessionId);
    const found = await audit.search({
      chain: gkScopeId,
      recordTypes: factorTypes,
      gkSessionId,
      startMs: first?.createdAtMs ?? 0,
      limit: CHECKS_MAX,
    });
    records.push(...found.map(({ record }) => record));
  }
  return records.sort((a, b) => a.seq - b.seq);
}

const isHit = ({ kind, decision }: Factor): boolean => kind === 'FRAUD_DETECTION' && decision === 'FRAUD';

/** For each fraudster the search that found the call first. */
async function searchesIn(deps: LaterDeps, call: Call, session: Session): Promise<LaterCheck[]> {
  const { gkScopeId, gkSessionId, createdAtMs } = session;
  if (!mayReach(narrowedTo(call.caller, [SEARCH_PERMISSION]), gkScopeId)) return [];
  if (!(await tenantParameters(deps, gkScopeId)).lookBack.hasLegalBasis) return [];
  const found = await deps.audit.search({
    chain: gkScopeId,
    recordTypes: ['VOICEPRINT_EVENT'],
    operations: [SEARCH],
    startMs: createdAtMs,
    text: gkSessionId,
    limit: CHECKS_MAX,
  });
  const first = new Map<string, AuditRecord>();
  for (const { record } of found)
    if (names(record, gkSessionId)) first.set(record.subjectIds[1] ?? '', record);
  const parties = await deps.store.read.parties.findMany(gkScopeId, [...first.keys()]);
  return parties.flatMap((party): LaterCheck[] => {
    const record = first.get(party.gkId);
    return record ? [{ event: hitOf(record), fraudster: fraudsterOf(party) }] : [];
  });
}

/** By its own list, and not by chance in another part of the record. */
const names = ({ detail }: AuditRecord, gkSessionId: string): boolean =>
  Array.isArray(detail['sessions']) && detail['sessions'].includes(gkSessionId);

/** A search tells only of calls of which DetectKnownFraudsters would have said the same. */
function hitOf(record: AuditRecord): TimelineEvent {
  const [print] = record.subjectIds;
  const job = textIn(record, 'gkJobId');
  return {
    ...recordEvent(record),
    decision: 'FRAUD',
    reason: 'FRAUDSTER_INDICATION',
    ...(print && { gkVoiceprintProfileId: print }),
    // The other calls that it found are no matter of this one.
    attributes: { factor: 'FRAUD_DETECTION', ...(job && { gkJobId: job }) },
  };
}

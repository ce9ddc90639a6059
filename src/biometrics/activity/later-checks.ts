// What became known about a session's recordings after the call: checks made in other sessions, searches through stored calls
// that found it, and fraudsters whose print was made from it. The decision of the session does not change, but whoever opens
// it sees them.
import type { AuditRecord } from '../../audit/model.js';
import type { AuditReader } from '../../audit/ports.js';
import type { Call } from '../../platform.js';
import type { CallFinding } from '../model/findings.js';
import type { Factor, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { isFraudsterHit } from '../rules/session-persons.js';
import { fraudstersOf, fraudstersOfDeletedPrints } from './deleted-fraudsters.js';
import { fraudsterOf, watchlistOf, type NamedFraudster, type NamedWatchlist } from './named.js';
import { seesSearches } from './sees-searches.js';
import { factorEvents, factorTypes, summaryOf, type TimelineEvent } from './timeline-events.js';

export interface LaterCheck {
  /** It counts where it was made, not here. */
  event: TimelineEvent;
  /** The session in which it was made; a search has none. */
  madeIn?: Pick<Session, 'gkSessionId'> & { sessionId: string };
  /** Who was found. */
  fraudster?: NamedFraudster;
  watchlist?: NamedWatchlist;
  /** For a search, or a print made from it: the lists that the fraudster is on now. */
  listedOn?: readonly NamedWatchlist[];
}

interface LaterDeps extends BiometricsDeps {
  audit: AuditReader;
}

/** More than anybody reads; if there are more, the newest. */
const CHECKS_MAX = 100;
const SESSIONS_READ = 5;

/** Oldest first. */
export async function laterChecks(deps: LaterDeps, call: Call, session: Session): Promise<LaterCheck[]> {
  if (session.isErased) return stillListed(deps, session);
  const checks = [...(await checksElsewhere(deps, session)), ...(await noted(deps, call, session))];
  return checks.sort((a, b) => a.event.atMs - b.event.atMs || rankOf(a) - rankOf(b));
}

/** Order among checks made at once: first who it is, then how it sounds. */
const ranks = ['AUTHENTICATION', 'FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'];
const rankOf = ({ event }: LaterCheck): number => ranks.indexOf(event.attributes['factor'] ?? '');

async function checksElsewhere(deps: LaterDeps, session: Session): Promise<LaterCheck[]> {
  const { read } = deps.store;
  const { gkScopeId } = session;
  const factors = await read.factors.listByRecordingsOf(session, { limit: CHECKS_MAX });
  if (factors.length === 0) return [];
  const idsOf = (member: 'gkProcessedAudioId' | 'gkVoiceprintProfileId' | 'gkCollectionId'): string[] => [
    ...new Set(factors.flatMap((factor) => factor[member] ?? [])),
  ];
  const audios = await read.processedAudios.findMany(gkScopeId, idsOf('gkProcessedAudioId'));
  const prints = await read.profiles.findMany(gkScopeId, idsOf('gkVoiceprintProfileId'));
  const parties = await read.parties.findMany(gkScopeId, [
    ...new Set(prints.map((print) => print.gkOwnerId)),
  ]);
  const lists = await read.collections.findMany(gkScopeId, idsOf('gkCollectionId'));
  const sessions = await read.sessions.findMany(gkScopeId, [
    ...new Set(factors.map(({ gkSessionId }) => gkSessionId)),
  ]);
  const ownerOf = (print: string | undefined) =>
    prints.find(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId === print)?.gkOwnerId;
  const hits = factors.filter(isFraudsterHit);
  const ofDeleted = await fraudstersOfDeletedPrints(deps, gkScopeId, hits);
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  const events = factorEvents(factors, await recordsOf(deps, factors), mediaOf);
  return factors.flatMap((factor, at): LaterCheck[] => {
    const event = events[at];
    const owner = parties.find(({ gkId }) => gkId === ownerOf(factor.gkVoiceprintProfileId));
    const found = owner ? fraudsterOf(owner) : ofDeleted.get(factor.gkVoiceprintProfileId ?? '');
    // Fraudsters about whom nothing is known any more are skipped.
    if (!event || (isFraudsterHit(factor) && !found)) return [];
    const madeIn = sessions.find(({ gkSessionId }) => gkSessionId === factor.gkSessionId);
    const list = lists.find(({ gkId, kind }) => gkId === factor.gkCollectionId && kind === 'WATCHLIST');
    return [
      {
        event: { ...event, isFactor: false },
        ...(madeIn && { madeIn: { gkSessionId: madeIn.gkSessionId, sessionId: madeIn.details.sessionId } }),
        ...(isFraudsterHit(factor) && found && { fraudster: found }),
        ...(list && { watchlist: watchlistOf(list) }),
      },
    ];
  });
}

/**
 * Who asked, and the evidence of an attack check, are in the audit trail of the sessions in which it was
 * asked last.
 */
async function recordsOf({ audit }: LaterDeps, factors: readonly Factor[]): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  const bySession = new Map(factors.map((factor) => [factor.gkSessionId, factor]));
  for (const { gkScopeId, gkSessionId } of [...bySession.values()].slice(-SESSIONS_READ)) {
    const first = factors.find((factor) => factor.gkSessionId === gkSessionId);
    const found = await audit.search({
      chain: gkScopeId,
      recordTypes: factorTypes,
      gkSessionId,
      fromMs: first?.createdAtMs ?? 0,
      limit: CHECKS_MAX,
    });
    records.push(...found.map(({ record }) => record));
  }
  return records.sort((a, b) => a.seq - b.seq);
}

/**
 * Of an erased session only this is reported: whose print was made from it, while that fraudster exists. The
 * recording is kept only for the print.
 */
async function stillListed(deps: LaterDeps, session: Session): Promise<LaterCheck[]> {
  const all = await deps.store.read.findings.listOf(session.gkScopeId, session.gkSessionId);
  const additions = all
    .filter((one) => one.operation === 'AddVoiceToWatchlist')
    .map(({ gkMediaSegmentId: _recording, ...one }) => one);
  const checks = await withFraudsters(deps, session.gkScopeId, additions);
  return checks.filter(({ fraudster }) => !fraudster?.isDeleted);
}

/** Searches that found the call, and fraudsters whose print was made from it, including deleted ones. */
async function noted(deps: LaterDeps, call: Call, session: Session): Promise<LaterCheck[]> {
  const { gkScopeId } = session;
  const all = await deps.store.read.findings.listOf(gkScopeId, session.gkSessionId);
  if (all.length === 0) return [];
  const shown = (await seesSearches(deps, call, gkScopeId)) ? all : all.filter((one) => !isSearch(one));
  return withFraudsters(deps, gkScopeId, shown);
}

async function withFraudsters(
  deps: LaterDeps,
  gkScopeId: string,
  shown: readonly CallFinding[],
): Promise<LaterCheck[]> {
  const { read } = deps.store;
  const ids = (values: readonly (string | undefined)[]) => [
    ...new Set(values.filter((value) => value !== undefined)),
  ];
  const parties = await read.parties.findMany(gkScopeId, ids(shown.map((one) => one.gkFraudsterId)));
  const sessions = await read.sessions.findMany(gkScopeId, ids(shown.map((one) => one.madeInGkSessionId)));
  const lists = await read.collections.findMany(gkScopeId, ids(shown.map((one) => one.gkWatchlistId)));
  const there = parties.map(({ gkId }) => gkId);
  const listed = await read.collections.listsOf(gkScopeId, there);
  const deleted = shown.map((one) => one.gkFraudsterId).filter((gkId) => !there.includes(gkId));
  const ofDeleted = await fraudstersOf(deps.audit, gkScopeId, deleted);
  return shown.flatMap((finding): LaterCheck[] => {
    const party = parties.find(({ gkId }) => gkId === finding.gkFraudsterId);
    const madeIn = sessions.find(({ gkSessionId }) => gkSessionId === finding.madeInGkSessionId);
    const list = lists.find(({ gkId }) => gkId === finding.gkWatchlistId);
    const fraudster = party ? fraudsterOf(party) : ofDeleted.get(finding.gkFraudsterId);
    if (!fraudster) return [];
    return [
      {
        event: eventOf(finding),
        fraudster,
        ...(madeIn && { madeIn: { gkSessionId: madeIn.gkSessionId, sessionId: madeIn.details.sessionId } }),
        ...(list && { watchlist: watchlistOf(list) }),
        // A search knows no list, and a fraudster may no longer be on theirs.
        ...(party && { listedOn: (listed.get(party.gkId) ?? []).map(watchlistOf) }),
      },
    ];
  });
}

const isSearch = ({ operation }: CallFinding): boolean => operation === 'FindCalls';

/** A search reports only calls for which DetectKnownFraudsters would have said the same. */
function eventOf(finding: CallFinding): TimelineEvent {
  const { operation, createdAtMs: atMs, gkJobId: job, requestId, gkMediaSegmentId } = finding;
  return {
    atMs,
    operation,
    recordType: 'VOICEPRINT_EVENT',
    summary: summaryOf(operation),
    actor: finding.actor,
    ...(requestId && { requestId }),
    ...(isSearch(finding) && { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION' }),
    gkVoiceprintProfileId: finding.gkVoiceprintProfileId,
    ...(gkMediaSegmentId && { gkMediaSegmentId }),
    isFactor: false,
    attributes: { ...(isSearch(finding) && { factor: 'FRAUD_DETECTION' }), ...(job && { gkJobId: job }) },
  };
}

// What happened in a session, in order: every factor with its numbers, and every other operation that the audit trail knows
// of. A factor and its audit record are one event.
import type { AuditRecord } from '../../audit/model.js';
import type { Actors, AuditReader } from '../../audit/ports.js';
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { caseOwnerOf, type Engagement, type Session } from '../model/sessions.js';
import type { SearchDeps } from '../search/search-indexes.js';
import { uploadsAmong } from '../sessions/uploads.js';
import type { NamedAssessment } from '../assessment/names.js';
import { asOfNow } from '../sessions/as-of-now.js';
import { withAssessments } from './assessed.js';
import { claimedNames } from '../sessions/claimed-names.js';
import { fraudstersOfDeletedPrints, namedBy, withDeletedNames } from './deleted-fraudsters.js';
import { outcomeEffects } from './kept-for.js';
import { laterChecks, type LaterCheck } from './later-checks.js';
import { idsIn, namedIn, type NamedFraudster, type NamedPerson } from './named.js';
import type { OutcomeEffects } from './outcome-effects.js';
import { seesSearches } from './sees-searches.js';
import { erasedClaims } from './session-entries.js';
import { examinedIn, mergeEvents, type TimelineEvent } from './timeline-events.js';

export interface ActivityDeps extends SearchDeps {
  audit: AuditReader;
  actors: Actors;
}

interface Timeline extends OutcomeEffects {
  session: Session;
  /** The own ID of the person whom the caller claims to be. */
  claimedPersonId: string;
  engagement: Engagement;
  /** All sessions of the engagement, oldest first. */
  sessions: Session[];
  events: TimelineEvent[];
  /** The persons it is about, according to its checks. */
  persons: NamedPerson[];
  fraudsters: NamedFraudster[];
  /** Fraudsters whose voice was enrolled in it. */
  enrolledFraudsters: NamedFraudster[];
  /** What became known about its recordings afterwards. */
  later: LaterCheck[];
  assessment?: NamedAssessment;
  /** Absent if the name is not known. */
  caseOwnerName?: string;
  /** Recordings of an erased person that are on legal hold. */
  heldRecordings: number;
  /** Batches that it is a line of, or whose lines have heard its recordings. */
  gkJobIds: string[];
}

/** More than any session has; a session with more shows its newest. */
const RECORDS_MAX = 1000;
/** Of the sessions that heard an upload: the last ones, with how each began and ended. */
const SESSIONS_READ = 5;
const RECORDS_READ = 5;

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
    ...new Set([
      ...factors.flatMap((factor) => factor.gkProcessedAudioId ?? []),
      ...records.flatMap((record) => examinedIn(record) ?? []),
    ]),
  ]);
  const about = (await read.factors.aboutSessions(gkScopeId, [gkSessionId])).get(gkSessionId);
  const parties = await read.parties.findMany(gkScopeId, about ? idsIn(about) : []);
  const isUpload = (await uploadsAmong(read, gkScopeId, [session])).has(gkSessionId);
  const later = await laterChecks(deps, call, session);
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  const now = await asOfNow(deps, session, factors.length > 0);
  const bySearches = await seesSearches(deps, call, gkScopeId);
  const partyOf = new Map(parties.map((party) => [party.gkId, party]));
  const named = namedIn(about, partyOf);
  const events = await withNames(deps, mergeEvents(factors, records, mediaOf));
  const ofDeleted = await fraudstersOfDeletedPrints(deps, gkScopeId, factors);
  const erased = await erasedClaims(read, [session], partyOf);
  const sessions = await read.sessions.listByEngagement(gkScopeId, session.gkEngagementId);
  const kept = await read.erasure.keptIn(gkScopeId, session.gkEngagementId);
  const shown = { ...now, ...erased(session) };
  const owner = caseOwnerOf(engagement);
  const caseOwnerName = owner && (await deps.actors.namesOf([owner])).get(owner);
  const [assessed] = await withAssessments(deps, gkScopeId, [{ session: shown }], { bySearches });
  return {
    ...assessed,
    ...(caseOwnerName && { caseOwnerName }),
    session: shown,
    claimedPersonId: await claimedIn(deps, session),
    engagement,
    sessions,
    events: await withDeletedNames(deps, gkScopeId, events, ofDeleted),
    ...named,
    fraudsters: [...named.fraudsters, ...namedBy(factors, ofDeleted)],
    later: await namedLater(deps, gkScopeId, later),
    ...(await outcomeEffects(deps, engagement, sessions, { kept, bySearches })),
    heldRecordings: kept.recordings.filter((one) => one.gkSessionId === session.gkSessionId && one.legalHold)
      .length,
    gkJobIds: await batchesOf(deps, session, records, isUpload ? later : []),
  };
}

async function claimedIn(deps: ActivityDeps, session: Session): Promise<string> {
  const { gkScopeId, gkSessionId, claimedGkPersonId } = session;
  if (claimedGkPersonId === undefined)
    return (await claimedNames(deps, gkScopeId, [session])).get(gkSessionId) ?? '';
  const [claimed] = await deps.store.read.parties.findMany(gkScopeId, [claimedGkPersonId]);
  return claimed?.externalId ?? '';
}

/**
 * According to the session's start record, and to those of existing sessions that heard what was uploaded in
 * it.
 */
async function batchesOf(
  { audit, store: { read } }: ActivityDeps,
  { gkScopeId, createdAtMs }: Session,
  records: readonly AuditRecord[],
  later: readonly LaterCheck[],
): Promise<string[]> {
  const heardIn = new Set(later.flatMap(({ madeIn }) => madeIn?.gkSessionId ?? []));
  const begun = [...records];
  for (const gkSessionId of [...heardIn].slice(-SESSIONS_READ)) {
    const recordTypes = ['SESSION_EVENT'] as const;
    const search = { chain: gkScopeId, gkSessionId, recordTypes, fromMs: createdAtMs, limit: RECORDS_READ };
    begun.push(...(await audit.search(search)).map(({ record }) => record));
  }
  const ids = begun.flatMap(({ operation, detail }) =>
    operation === 'StartSession' ? (detail['gkJobId'] ?? []) : [],
  );
  const kept: string[] = [];
  for (const gkJobId of new Set(ids.map(String)))
    if (await read.jobs.find(gkScopeId, gkJobId)) kept.push(gkJobId);
  return kept;
}

/** Records of the session, and of its engagement as a whole, such as the verdict; oldest first. */
async function recordsOf(
  { audit }: ActivityDeps,
  { gkScopeId: chain, gkSessionId, createdAtMs }: Session,
  engagement: Engagement,
): Promise<AuditRecord[]> {
  const own = await audit.search({ chain, gkSessionId, fromMs: createdAtMs, limit: RECORDS_MAX });
  const whole = await audit.search({
    chain,
    gkEngagementId: engagement.gkEngagementId,
    fromMs: engagement.createdAtMs,
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

async function namedLater(
  deps: ActivityDeps,
  gkScopeId: string,
  checks: readonly LaterCheck[],
): Promise<LaterCheck[]> {
  const found = new Map(
    checks.flatMap(({ event: { gkVoiceprintProfileId: print }, fraudster }): [string, NamedFraudster][] =>
      print && fraudster ? [[print, fraudster]] : [],
    ),
  );
  for (const print of await deps.store.read.profiles.findMany(gkScopeId, [...found.keys()]))
    found.delete(print.gkVoiceprintProfileId);
  const events = await withNames(
    deps,
    await withDeletedNames(
      deps,
      gkScopeId,
      checks.map(({ event }) => event),
      found,
    ),
  );
  return checks.map((check, at) => ({ ...check, event: events[at] ?? check.event }));
}

// What became known about calls after they ended. Findings of searches, and prints made from a call, have
// rows of their own; what checks in other sessions found is read from the factors each time, so that nothing
// is stored twice.
import { type RawBuilder, sql } from 'kysely';
import type { CallFinding, FindingOperation, LaterFinding } from '../../biometrics/model/findings.js';
import type { FactorKind } from '../../biometrics/model/sessions.js';
import type { FindingRepository } from '../../biometrics/ports/findings.js';
import type { FraudsterFilter } from '../../biometrics/ports/sessions.js';
import { namedInTenant, optional, orNull } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { CallFindingsTable } from '../schema/call-findings.js';
import { enrolledFrom, enrolledIn, sessionsEnrolled } from './enrolled-from.js';
import { heardBefore, heardBySessions, heldBySessions } from './heard-recordings.js';
import { reassess } from './reassess.js';
import { ownersOf } from './session-persons.js';

const IDS_PER_QUERY = 500;
const SEARCH: FindingOperation = 'FindCalls';
const ADDITION: FindingOperation = 'AddVoiceToWatchlist';

const isAlarm = sql<boolean>`factors.decision = 'FRAUD'
  and factors.kind in ('FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')`;

export function findingRepository(db: Db): FindingRepository {
  return {
    async note(findings) {
      const there = await audiosAmong(
        db,
        findings.map(({ gkProcessedAudioId }) => gkProcessedAudioId),
      );
      const noted = findings.filter(({ gkProcessedAudioId }) => there.has(gkProcessedAudioId));
      if (noted.length === 0) return;
      await db
        .insertInto('call_findings')
        .values(noted.map(rowOf))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      for (const { gkScopeId, gkSessionId } of noted)
        await reassess(db, gkScopeId, { sessions: [gkSessionId] });
    },
    async listOf(gkScopeId, gkSessionId) {
      const rows = await db
        .selectFrom('call_findings')
        .selectAll()
        .where('gk_session_id', '=', gkSessionId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .orderBy('created_at')
        .execute();
      return rows.map(findingOf);
    },
    async laterIn(gkScopeId, gkSessionIds) {
      const found = new Map<string, LaterFinding[]>();
      for (let first = 0; first < gkSessionIds.length; first += IDS_PER_QUERY) {
        const ids = gkSessionIds.slice(first, first + IDS_PER_QUERY);
        const all = [...(await byChecks(db, gkScopeId, ids)), ...(await bySearch(db, gkScopeId, ids))];
        for (const [session, finding] of all.sort(
          ([, one], [, other]) => one.atMs - other.atMs || rankOf(one) - rankOf(other),
        )) {
          const before = found.get(session) ?? [];
          const known = before.find((other) => isSame(other, finding));
          if (!known) found.set(session, [...before, finding]);
          else if (!finding.isBySearch) delete known.isBySearch;
        }
      }
      return found;
    },
    madeFrom: (gkScopeId, gkSessionIds) => madeFrom(db, gkScopeId, gkSessionIds),
    enrolledFrom: (gkScopeId, gkEngagementId) => enrolledFrom(db, gkScopeId, gkEngagementId),
    async forgetSession(gkSessionId) {
      await db
        .deleteFrom('call_findings')
        .where('gk_session_id', '=', gkSessionId)
        .where(({ or, not, exists, eb, selectFrom }) =>
          or([
            eb('operation', '!=', ADDITION),
            not(
              exists(
                selectFrom('voiceprint_profiles')
                  .select('gk_owner_id')
                  .whereRef(
                    'voiceprint_profiles.gk_voiceprint_profile_id',
                    '=',
                    'call_findings.gk_voiceprint_profile_id',
                  ),
              ),
            ),
          ]),
        )
        .execute();
    },
  };
}

/** Findings are deleted with their recording; call this before the recording is deleted. */
export async function forgetFindingsIn(db: Db, gkMediaSegmentId: string): Promise<void> {
  const ofRecording = db.deleteFrom('call_findings').where('gk_media_segment_id', '=', gkMediaSegmentId);
  await ofRecording.execute();
  const heardIn = db
    .selectFrom('media_segments')
    .select('gk_session_id')
    .where('gk_media_segment_id', '=', gkMediaSegmentId);
  // These findings do not say which recording of the call they are about.
  const ofCall = db.deleteFrom('call_findings').where('gk_session_id', 'in', heardIn);
  await ofCall.where('gk_media_segment_id', 'is', null).execute();
}

/**
 * Locks the rows until the transaction ends: a concurrent erasure either waits or has already removed them.
 */
async function audiosAmong(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (let first = 0; first < ids.length; first += IDS_PER_QUERY) {
    const query = db
      .selectFrom('processed_audios')
      .select('gk_processed_audio_id')
      .where('gk_processed_audio_id', 'in', ids.slice(first, first + IDS_PER_QUERY))
      .orderBy('gk_processed_audio_id');
    const rows = await (locksRows(db) ? query.forShare() : query).execute();
    for (const row of rows) there.add(row.gk_processed_audio_id);
  }
  return there;
}

/** Order among findings of one check: first who it is, then how it sounds. */
const ranks: readonly FactorKind[] = ['FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'];
const rankOf = ({ kind }: LaterFinding): number => ranks.indexOf(kind);

const isSame = (one: LaterFinding, other: LaterFinding): boolean =>
  one.kind === other.kind && one.gkFraudsterId === other.gkFraudsterId;

interface FoundRow {
  of_session: string;
  kind: string;
  print: string | null;
  found_at: number;
}

/**
 * Findings per call, including those about fraudsters who were deleted since. What the call itself found is
 * no news.
 */
async function byChecks(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<[string, LaterFinding][]> {
  const inTenant = namedInTenant('factors.gk_scope_id', gkScopeId);
  const { rows } = await sql<FoundRow>`
    select sessions.gk_session_id as of_session, factors.kind as kind, factors.gk_voiceprint_profile_id as print,
      min(factors.created_at) as found_at
    from ${heldBySessions}
    where sessions.gk_session_id in (${sql.join(gkSessionIds)}) and ${inTenant} and ${isAlarm} group by 1, 2, 3
    union all
    select mine.gk_session_id, factors.kind, factors.gk_voiceprint_profile_id, min(factors.created_at)
    from ${heardBySessions}
    where mine.gk_session_id in (${sql.join(gkSessionIds)}) and ${inTenant} and ${isAlarm} group by 1, 2, 3`.execute(
    db,
  );
  if (rows.length === 0) return [];
  const own = await alarmsIn(db, gkScopeId, [...new Set(rows.map(({ of_session }) => of_session))]);
  const fraudsters = await fraudstersBy(db, [...rows, ...own]);
  const findingOf = (row: Omit<FoundRow, 'found_at'>) =>
    row.kind === 'FRAUD_DETECTION' ? fraudsters.get(row.print ?? '') : '';
  const known = new Set(own.map((row) => `${row.of_session} ${row.kind} ${findingOf(row) ?? ''}`));
  return rows.flatMap((row): [string, LaterFinding][] => {
    const gkFraudsterId = findingOf(row);
    if (gkFraudsterId === undefined || known.has(`${row.of_session} ${row.kind} ${gkFraudsterId}`)) return [];
    const kind = row.kind as FactorKind;
    return [[row.of_session, { kind, ...(gkFraudsterId && { gkFraudsterId }), atMs: row.found_at }]];
  });
}

async function fraudstersBy(
  db: Db,
  rows: readonly { print: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  return (await ownersOf(db, [...new Set(rows.flatMap((row) => row.print ?? []))])).fraudsters;
}

/** The alarms that these calls raised themselves. */
async function alarmsIn(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Omit<FoundRow, 'found_at'>[]> {
  const { rows } = await sql<FoundRow>`
    select distinct factors.gk_session_id as of_session, factors.kind as kind, factors.gk_voiceprint_profile_id as print from factors
    where factors.gk_session_id in (${sql.join(gkSessionIds)})
      and ${namedInTenant('factors.gk_scope_id', gkScopeId)} and ${isAlarm}`.execute(db);
  return rows;
}

/** Here too, what the call itself found is no news. */
async function bySearch(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<[string, LaterFinding][]> {
  const rows = await db
    .selectFrom('call_findings')
    .select(['gk_session_id', 'gk_fraudster_id', 'created_at'])
    .where('gk_session_id', 'in', [...gkSessionIds])
    .where(namedInTenant('gk_scope_id', gkScopeId))
    .where('operation', '=', SEARCH)
    .execute();
  if (rows.length === 0) return [];
  const found = [...new Set(rows.map((row) => row.gk_session_id))];
  const own = await alarmsIn(db, gkScopeId, found);
  const fraudsters = await fraudstersBy(db, own);
  const known = new Set(own.map((row) => `${row.of_session} ${fraudsters.get(row.print ?? '') ?? ''}`));
  return rows
    .filter((row) => !known.has(`${row.gk_session_id} ${row.gk_fraudster_id}`))
    .map((row) => [
      row.gk_session_id,
      { kind: 'FRAUD_DETECTION', gkFraudsterId: row.gk_fraudster_id, isBySearch: true, atMs: row.created_at },
    ]);
}

/** The fraudsters whose print was made from each of these calls; by the calls, however many fraudsters there are. */
async function madeFrom(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Map<string, string[]>> {
  const made = new Map<string, string[]>();
  for (let first = 0; first < gkSessionIds.length; first += IDS_PER_QUERY) {
    const ids = gkSessionIds.slice(first, first + IDS_PER_QUERY);
    const rows = await db
      .selectFrom('call_findings')
      .select(['gk_session_id', 'gk_fraudster_id'])
      .where('gk_session_id', 'in', ids)
      .where(namedInTenant('gk_scope_id', gkScopeId))
      .where('operation', '=', ADDITION)
      .orderBy('created_at')
      .execute();
    for (const { gk_session_id: call, gk_fraudster_id: fraudster } of rows)
      made.set(call, [...(made.get(call) ?? []), fraudster]);
    for (const [call, fraudsters] of await enrolledIn(db, gkScopeId, ids, {
      isAfterwards: true,
    }))
      made.set(call, [...new Set([...(made.get(call) ?? []), ...fraudsters])]);
  }
  return made;
}

/**
 * The sessions with a check that found a fraudster, and those of the recordings in which one was found or
 * that had heard them before: an analyst may have checked in a separate session after the call. Also the
 * sessions that a search found, and those that the print was made from.
 */
export async function sessionsWithFraudster(
  db: Db,
  gkScopeId: string,
  { gkFraudsterId = '', bySearches = false }: FraudsterFilter,
): Promise<RawBuilder<string>> {
  const prints = await printsOf(db, gkFraudsterId);
  // Without any print there is nothing to find.
  const isTheirs = sql`factors.gk_voiceprint_profile_id in (${sql.join(prints.length > 0 ? prints : [null])})`;
  const found = sql`factors.kind = 'FRAUD_DETECTION' and factors.decision = 'FRAUD' and ${isTheirs}`;
  const noted = sql`select gk_session_id from call_findings where gk_fraudster_id = ${gkFraudsterId}`;
  return sql<string>`(select factors.gk_session_id from factors where ${found}
    union select media_segments.gk_session_id from processed_audios
      join media_segments on media_segments.gk_media_segment_id = processed_audios.gk_media_segment_id
      where processed_audios.gk_processed_audio_id in (
        select factors.gk_processed_audio_id from factors where ${found})
    union select mine.gk_session_id from ${heardBefore} where ${found}
    union ${sessionsEnrolled({ gkScopeId, gkFraudsterId })}
    union ${bySearches ? noted : sql`${noted} and operation != ${SEARCH}`})`;
}

/** Also prints that were deleted. */
async function printsOf(db: Db, gkFraudsterId: string): Promise<string[]> {
  const there = await db
    .selectFrom('voiceprint_profiles')
    .select('gk_voiceprint_profile_id')
    .where('gk_owner_id', '=', gkFraudsterId)
    .execute();
  const removed = await db
    .selectFrom('former_fraudster_prints')
    .select('gk_voiceprint_profile_id')
    .where('gk_fraudster_id', '=', gkFraudsterId)
    .execute();
  return [...there, ...removed].map((row) => row.gk_voiceprint_profile_id);
}

function rowOf(finding: CallFinding): CallFindingsTable {
  return {
    gk_session_id: finding.gkSessionId,
    gk_fraudster_id: finding.gkFraudsterId,
    operation: finding.operation,
    gk_scope_id: finding.gkScopeId,
    gk_voiceprint_profile_id: finding.gkVoiceprintProfileId,
    gk_media_segment_id: orNull(finding.gkMediaSegmentId),
    gk_job_id: orNull(finding.gkJobId),
    gk_watchlist_id: orNull(finding.gkWatchlistId),
    made_in_session: orNull(finding.madeInGkSessionId),
    actor_subject: finding.actor.subject,
    actor_issuer: finding.actor.issuer,
    request_id: orNull(finding.requestId),
    created_at: finding.createdAtMs,
  };
}

function findingOf(row: CallFindingsTable): CallFinding {
  return {
    gkSessionId: row.gk_session_id,
    gkFraudsterId: row.gk_fraudster_id,
    operation: row.operation as FindingOperation,
    gkScopeId: row.gk_scope_id,
    gkVoiceprintProfileId: row.gk_voiceprint_profile_id,
    ...optional('gkMediaSegmentId', row.gk_media_segment_id),
    ...optional('gkJobId', row.gk_job_id),
    ...optional('gkWatchlistId', row.gk_watchlist_id),
    ...optional('madeInGkSessionId', row.made_in_session),
    actor: { subject: row.actor_subject, issuer: row.actor_issuer },
    ...optional('requestId', row.request_id),
    createdAtMs: row.created_at,
  };
}

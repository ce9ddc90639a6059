// Whoever writes something that an assessment depends on names what has changed. Before the transaction commits, it assesses
// the sessions concerned and stores what they mean; a change that concerns too many makes them unassessed instead.
import { type RawBuilder, sql } from 'kysely';
import type { Db, DialectName, Tx } from '../database.js';
import { doLast } from '../last-steps.js';

/** In a tenant. */
interface Changed {
  sessions?: readonly string[];
  /** All of their sessions. */
  engagements?: readonly string[];
  /** Checks of their sessions: those that have their decision from there follow. */
  checksIn?: readonly string[];
  /** The sessions that have heard what was processed of a recording. */
  audios?: readonly string[];
  /** Also those that hold the recording. */
  media?: readonly string[];
  /** A config set judges the sessions that nobody has stopped. */
  configset?: boolean;
}

type Kind = Exclude<keyof Changed, 'configset'>;
const kinds = ['sessions', 'engagements', 'checksIn', 'audios', 'media'] as const;

interface Pending extends Record<Kind, Set<string>> {
  hasConfigset: boolean;
}

type Assess = (gkScopeId: string, gkSessionIds: readonly string[]) => Promise<void>;

interface Collected {
  dialect: DialectName;
  byTenant: Map<string, Pending>;
  assess: Assess;
}

const collected = new WeakMap<object, Collected>();

/** Called when a transaction begins. */
export function collectChanges(tx: Tx, dialect: DialectName, assess: Assess): void {
  if (!collected.has(tx)) collected.set(tx, { dialect, byTenant: new Map(), assess });
}

export async function reassess(db: Db, gkScopeId: string, changed: Changed): Promise<void> {
  const of = collected.get(db);
  if (!of) return;
  const pending = of.byTenant.get(gkScopeId) ?? nothingPending();
  of.byTenant.set(gkScopeId, pending);
  for (const kind of kinds) for (const id of changed[kind] ?? []) pending[kind].add(id);
  pending.hasConfigset ||= changed.configset === true;
  // One step for each change, because a part of the transaction may be rolled back with its steps; the first one does it all.
  await doLast(db, { lock: 'ASSESSMENT', key: '', work: () => assessPending(db, of) });
}

/** Called before a recording, or what was processed of it, is deleted. */
export async function reassessMedia(db: Db, gkScopeId: string, gkMediaSegmentId: string): Promise<void> {
  const audios = db.selectFrom('processed_audios').select('gk_processed_audio_id as id');
  const { rows } = await sql<{ id: string }>`
    select gk_session_id as id from media_segments where gk_media_segment_id = ${gkMediaSegmentId}
    union select gk_session_id from call_findings where gk_media_segment_id = ${gkMediaSegmentId}`.execute(
    db,
  );
  await reassess(db, gkScopeId, {
    sessions: rows.map(({ id }) => id),
    audios: (await audios.where('gk_media_segment_id', '=', gkMediaSegmentId).execute()).map(({ id }) => id),
  });
}

/** Called before speech is removed from a print, or after it was added: a call may be what a fraudster's print was made from. */
export async function reassessPrint(db: Db, gkVoiceprintProfileId: string): Promise<void> {
  const rows = await db
    .selectFrom('enrollment_segments as segments')
    .innerJoin(
      'voiceprint_profiles as prints',
      'prints.gk_voiceprint_profile_id',
      'segments.gk_voiceprint_profile_id',
    )
    .select(['prints.gk_scope_id', 'segments.gk_media_segment_id'])
    .where('prints.gk_voiceprint_profile_id', '=', gkVoiceprintProfileId)
    .where('prints.owner_type', '=', 'FRAUDSTER')
    .execute();
  const [first] = rows;
  if (first) await reassess(db, first.gk_scope_id, { media: rows.map((row) => row.gk_media_segment_id) });
}

const nothingPending = (): Pending => ({
  sessions: new Set(),
  engagements: new Set(),
  checksIn: new Set(),
  audios: new Set(),
  media: new Set(),
  hasConfigset: false,
});

/** In one transaction. */
const SESSIONS_MAX = 100;
const IDS_PER_QUERY = 500;

async function assessPending(db: Db, { dialect, byTenant, assess }: Collected): Promise<void> {
  for (const [gkScopeId, pending] of byTenant) {
    byTenant.delete(gkScopeId);
    const size = kinds.reduce((sum, kind) => sum + pending[kind].size, 0);
    const isLarge = size > SESSIONS_MAX || pending.hasConfigset;
    await addMediaOf(db, pending);
    // Two transactions that change the same must not each store what it sees alone.
    if (!isLarge) await lock(db, dialect, causesIn(pending));
    const concerned = await concernedBy(db, gkScopeId, pending);
    if (isLarge || concerned.sessions.length > SESSIONS_MAX) {
      await makeUnassessed(db, concerned.sessions);
      continue;
    }
    await lock(db, dialect, concerned.engagements);
    await assess(gkScopeId, concerned.sessions);
  }
}

async function addMediaOf(db: Db, { audios, media }: Pending): Promise<void> {
  for (const part of chunks([...audios])) {
    const of = db.selectFrom('processed_audios').select('gk_media_segment_id').distinct();
    for (const row of await of.where('gk_processed_audio_id', 'in', part).execute())
      media.add(row.gk_media_segment_id);
  }
}

const causesIn = (pending: Pending): string[] => [
  ...new Set([...pending.engagements, ...pending.checksIn, ...pending.media]),
];

/** SQLite writes one transaction at a time. */
async function lock(db: Db, dialect: DialectName, keys: readonly string[]): Promise<void> {
  if (dialect === 'sqlite' || keys.length === 0) return;
  const given = sql.join([...new Set(keys)].map((key) => sql`(${key})`));
  await sql`select pg_advisory_xact_lock(keys.number) from (
    select hashtextextended(given.key, 63) as number from (values ${given}) given(key) order by 1
  ) keys`.execute(db);
}

interface Concerned {
  sessions: string[];
  engagements: string[];
}

async function concernedBy(db: Db, gkScopeId: string, pending: Pending): Promise<Concerned> {
  const sessions = new Set(pending.sessions);
  const following = new Set(pending.checksIn);
  const addAll = async (
    ids: Iterable<string>,
    queryOf: (ids: RawBuilder<unknown>) => RawBuilder<SessionOf>,
  ) => {
    for (const part of chunks([...ids]))
      for (const row of (await queryOf(sql`(${sql.join(part)})`).execute(db)).rows) {
        sessions.add(row.gk_session_id);
        following.add(row.gk_engagement_id);
      }
  };
  await addAll(pending.sessions, (ids) => sql`select ${names} from sessions where gk_session_id in ${ids}`);
  await addAll(
    pending.engagements,
    (ids) => sql`select ${names} from sessions where gk_engagement_id in ${ids}`,
  );
  await addAll(
    pending.audios,
    (ids) => sql`select distinct ${names} from factors where gk_processed_audio_id in ${ids}`,
  );
  await addAll(
    pending.media,
    (ids) => sql`select ${names} from media_segments where gk_media_segment_id in ${ids}
      union select factors.gk_session_id, factors.gk_engagement_id from processed_audios
        join factors on factors.gk_processed_audio_id = processed_audios.gk_processed_audio_id
        where processed_audios.gk_media_segment_id in ${ids}
      union select sessions.gk_session_id, sessions.gk_engagement_id from call_findings
        join sessions on sessions.gk_session_id = call_findings.gk_session_id
        where call_findings.gk_media_segment_id in ${ids}`,
  );
  if (pending.hasConfigset) {
    const query = sql<SessionOf>`select ${names} from session_assessments
      where gk_scope_id = ${gkScopeId} and follows_engagement = 1`;
    for (const row of (await query.execute(db)).rows) sessions.add(row.gk_session_id);
  }
  await addAll(
    [...following],
    (ids) => sql`select ${names} from session_assessments
      where gk_engagement_id in ${ids} and follows_engagement = 1`,
  );
  return { sessions: [...sessions].sort(), engagements: [...following].sort() };
}

const names = sql.raw('gk_session_id, gk_engagement_id');

interface SessionOf {
  gk_session_id: string;
  gk_engagement_id: string;
}

/** Whoever assesses them takes them out of this table first, and so does not miss what is committed meanwhile. */
async function makeUnassessed(db: Db, gkSessionIds: readonly string[]): Promise<void> {
  for (const part of chunks(gkSessionIds))
    await sql`insert into unassessed_sessions (gk_session_id, gk_scope_id, created_at)
      select gk_session_id, gk_scope_id, created_at from sessions where gk_session_id in (${sql.join(part)})
      order by gk_session_id
      on conflict (gk_session_id) do update set created_at = excluded.created_at`.execute(db);
}

function chunks(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) parts.push(ids.slice(at, at + IDS_PER_QUERY));
  return parts;
}

// Sessions that only hold recordings: nothing was checked in them, and they were made for work on recordings, or such work, as that on
// the lines of batches, has heard what lies in them. What an analyst hears of a recording afterwards makes no upload of it.
import { sql } from 'kysely';
import { consoleTypes, type SessionType } from '../../biometrics/model/sessions.js';
import { namedInTenant } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import { namedByFactor } from './factor-row.js';

const OFFLINE: SessionType = 'OFFLINE_MEDIA_PROCESSING';
const isConsole = sql`other.session_type in (${sql.join(consoleTypes.map((type) => sql.lit(type)))})`;

/** Of these sessions. */
export async function onlyHolding(
  { db, dialect }: { db: Db; dialect: DialectName },
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Set<string>> {
  if (gkSessionIds.length === 0) return new Set();
  const audio = namedByFactor(dialect, 'gkProcessedAudioId', 'factors');
  const { rows } = await sql<{ gk_session_id: string }>`
    select distinct sessions.gk_session_id from sessions
    join media_segments on media_segments.gk_engagement_id = sessions.gk_engagement_id
      and media_segments.gk_session_id || '' = sessions.gk_session_id
    where sessions.gk_session_id in (${sql.join(gkSessionIds)}) and ${namedInTenant('sessions.gk_scope_id', gkScopeId)}
      and not exists (select 1 from factors mine where mine.gk_session_id = sessions.gk_session_id)
      and (sessions.session_type = ${OFFLINE} or exists (
        select 1 from processed_audios
        join factors on ${audio} = processed_audios.gk_processed_audio_id || ''
        join sessions other on other.gk_session_id = factors.gk_session_id
        where processed_audios.gk_media_segment_id = media_segments.gk_media_segment_id
          and other.session_type = ${OFFLINE}))`.execute(db);
  return new Set(rows.map((row) => row.gk_session_id));
}

/** The session that has heard a recording first; not one of the console. */
export async function firstToHear(
  { db, dialect }: { db: Db; dialect: DialectName },
  gkScopeId: string,
  gkMediaSegmentId: string,
): Promise<{ gkSessionId: string; gkEngagementId: string } | undefined> {
  const audio = namedByFactor(dialect, 'gkProcessedAudioId', 'factors');
  const { rows } = await sql<{ gk_session_id: string; gk_engagement_id: string }>`
    select other.gk_session_id, other.gk_engagement_id from processed_audios
    join factors on ${audio} = processed_audios.gk_processed_audio_id || ''
    join sessions other on other.gk_session_id = factors.gk_session_id
    where processed_audios.gk_media_segment_id = ${gkMediaSegmentId}
      and ${namedInTenant('processed_audios.gk_scope_id', gkScopeId)} and not ${isConsole}
    order by factors.created_at, factors.factor_id limit 1`.execute(db);
  const [first] = rows;
  return first && { gkSessionId: first.gk_session_id, gkEngagementId: first.gk_engagement_id };
}

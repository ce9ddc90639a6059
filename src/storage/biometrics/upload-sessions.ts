// Sessions that only hold recordings: nothing was checked in them, and they were made for work on recordings,
// or such work (for example on the lines of batches) has heard the recordings in them. An analyst who listens
// to a recording later does not turn its session into an upload.
import { sql } from 'kysely';
import { consoleTypes, type SessionType } from '../../biometrics/model/sessions.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';

const IDS_PER_QUERY = 500;
const OFFLINE: SessionType = 'OFFLINE_MEDIA_PROCESSING';
const isConsole = sql`other.session_type in (${sql.join(consoleTypes.map((type) => sql.lit(type)))})`;

/** The given sessions that only hold recordings. */
export async function onlyHolding(
  db: Db,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Set<string>> {
  if (gkSessionIds.length === 0) return new Set();
  const { rows } = await sql<{ gk_session_id: string }>`
    select distinct sessions.gk_session_id from sessions
    join media_segments on media_segments.gk_engagement_id = sessions.gk_engagement_id
      and media_segments.gk_session_id || '' = sessions.gk_session_id
    where sessions.gk_session_id in (${sql.join(gkSessionIds)}) and ${namedInTenant('sessions.gk_scope_id', gkScopeId)}
      and not exists (select 1 from factors mine where mine.gk_session_id = sessions.gk_session_id)
      and (sessions.session_type = ${OFFLINE} or exists (
        select 1 from processed_audios
        join factors on factors.gk_processed_audio_id = processed_audios.gk_processed_audio_id || ''
        join sessions other on other.gk_session_id = factors.gk_session_id
        where processed_audios.gk_media_segment_id = media_segments.gk_media_segment_id
          and other.session_type = ${OFFLINE}))`.execute(db);
  return new Set(rows.map((row) => row.gk_session_id));
}

/** For each recording, the sessions that have heard it, earliest first, without those of the console. */
export async function sessionsThatHeard(
  db: Db,
  gkScopeId: string,
  gkMediaSegmentIds: readonly string[],
): Promise<Map<string, { gkSessionId: string; gkEngagementId: string }[]>> {
  const heard = new Map<string, { gkSessionId: string; gkEngagementId: string }[]>();
  for (let first = 0; first < gkMediaSegmentIds.length; first += IDS_PER_QUERY) {
    const ids = gkMediaSegmentIds.slice(first, first + IDS_PER_QUERY);
    const { rows } = await sql<{ media: string; gk_session_id: string; gk_engagement_id: string }>`
      select processed_audios.gk_media_segment_id as media, other.gk_session_id, other.gk_engagement_id
      from processed_audios
      join factors on factors.gk_processed_audio_id = processed_audios.gk_processed_audio_id || ''
      join sessions other on other.gk_session_id = factors.gk_session_id
      where processed_audios.gk_media_segment_id in (${sql.join(ids)})
        and ${namedInTenant('processed_audios.gk_scope_id', gkScopeId)} and not ${isConsole}
      group by 1, 2, 3 order by min(factors.created_at), min(factors.factor_id)`.execute(db);
    for (const { media, gk_session_id: gkSessionId, gk_engagement_id: gkEngagementId } of rows)
      heard.set(media, [...(heard.get(media) ?? []), { gkSessionId, gkEngagementId }]);
  }
  return heard;
}

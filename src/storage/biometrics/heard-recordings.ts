// The checks that concern the recordings of a session: those of recordings stored in it, wherever they were
// checked; and those of recordings that it has heard, which may be stored in another session, once another
// session hears them later.
import { type RawBuilder, sql } from 'kysely';
import type { Factor } from '../../biometrics/model/sessions.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import type { FactorsTable } from '../schema/biometrics.js';
import { factorOf } from './factor-row.js';

const isLater = sql`factors.gk_session_id || '' != mine.gk_session_id and factors.created_at > mine.created_at`;

// In each of these, `factors` are the checks that were made elsewhere. SQLite keeps no statistics: an expression in place of a plain
// column says in which order to join.

/** For a `from` clause: sessions, with the recordings stored in them. */
export const heldBySessions = sql`sessions
    join media_segments on media_segments.gk_engagement_id = sessions.gk_engagement_id
      and media_segments.gk_session_id || '' = sessions.gk_session_id
    join processed_audios on processed_audios.gk_media_segment_id = media_segments.gk_media_segment_id
    join factors on factors.gk_processed_audio_id = processed_audios.gk_processed_audio_id || ''
      and factors.gk_session_id || '' != sessions.gk_session_id`;

/** For a `from` clause: `mine` are factors of the sessions that heard the recordings. */
export const heardBySessions = sql`factors mine
    join processed_audios heard on heard.gk_processed_audio_id = mine.gk_processed_audio_id
    join processed_audios on processed_audios.gk_media_segment_id = heard.gk_media_segment_id
    join factors on factors.gk_processed_audio_id = processed_audios.gk_processed_audio_id || ''
      and ${isLater}`;

/** The reverse, for a `from` clause: from the checks to the sessions that heard the same recording before. */
export const heardBefore = sql`factors
    join processed_audios on processed_audios.gk_processed_audio_id = factors.gk_processed_audio_id
    join processed_audios heard on heard.gk_media_segment_id = processed_audios.gk_media_segment_id
    join factors mine on mine.gk_processed_audio_id = heard.gk_processed_audio_id || '' and ${isLater}`;

/** The recordings that checks in an engagement have heard, wherever they are stored; as a subquery. */
export const heardInEngagement = (gkEngagementId: string): RawBuilder<string> =>
  sql<string>`(select processed_audios.gk_media_segment_id from factors
    join processed_audios on processed_audios.gk_processed_audio_id = factors.gk_processed_audio_id
    where factors.gk_engagement_id = ${gkEngagementId})`;

/** Enrollments made in other sessions from the recordings of this one. */
export async function enrolledElsewhere(db: Db, gkScopeId: string, gkSessionId: string): Promise<Factor[]> {
  const wanted = sql`${namedInTenant('factors.gk_scope_id', gkScopeId)} and factors.kind = 'ENROLLMENT'`;
  const { rows } = await sql<FactorsTable>`
    select factors.* from ${heldBySessions} where sessions.gk_session_id = ${gkSessionId} and ${wanted}
    union select factors.* from ${heardBySessions} where mine.gk_session_id = ${gkSessionId} and ${wanted}`.execute(
    db,
  );
  return rows.map(factorOf);
}

// The checks that concern the recordings of a session: those of recordings stored in it, wherever they were
// checked; and those of recordings that it has heard, which may be stored in another session, once another
// session hears them later.
import { type RawBuilder, sql } from 'kysely';
import type { Factor } from '../../biometrics/model/sessions.js';
import { namedInTenant } from '../columns.js';
import type { Db, DialectName } from '../database.js';
import type { FactorsTable } from '../schema/biometrics.js';
import { factorOf, namedByFactor } from './factor-row.js';

// In each of these, `factors` are the checks that were made elsewhere. SQLite uses the index on the IDs they
// name only if the value is an expression, not a plain column.

/** For a `from` clause: sessions, with the recordings stored in them. */
export const heldBySessions = (dialect: DialectName): RawBuilder<unknown> => sql`sessions
    join media_segments on media_segments.gk_engagement_id = sessions.gk_engagement_id
      and media_segments.gk_session_id || '' = sessions.gk_session_id
    join processed_audios on processed_audios.gk_media_segment_id = media_segments.gk_media_segment_id
    join factors on ${audioOf(dialect, 'factors')} = processed_audios.gk_processed_audio_id || ''
      and factors.gk_session_id || '' != sessions.gk_session_id`;

/** For a `from` clause: `mine` are factors of the sessions that heard the recordings. */
export const heardBySessions = (dialect: DialectName): RawBuilder<unknown> => sql`factors mine
    join processed_audios heard on heard.gk_processed_audio_id = ${audioOf(dialect, 'mine')}
    join processed_audios on processed_audios.gk_media_segment_id = heard.gk_media_segment_id
    join factors on ${audioOf(dialect, 'factors')} = processed_audios.gk_processed_audio_id || ''
      and ${isLater}`;

/** The reverse, for a `from` clause: from the checks to the sessions that heard the same recording before. */
export const heardBefore = (dialect: DialectName): RawBuilder<unknown> => sql`factors
    join processed_audios on processed_audios.gk_processed_audio_id = ${audioOf(dialect, 'factors')}
    join processed_audios heard on heard.gk_media_segment_id = processed_audios.gk_media_segment_id
    join factors mine on ${audioOf(dialect, 'mine')} = heard.gk_processed_audio_id || '' and ${isLater}`;

/** The recordings that checks in an engagement have heard, wherever they are stored; as a subquery. */
export const heardInEngagement = (dialect: DialectName, gkEngagementId: string): RawBuilder<string> =>
  sql<string>`(select processed_audios.gk_media_segment_id from factors
    join processed_audios on processed_audios.gk_processed_audio_id = ${audioOf(dialect, 'factors')}
    where factors.gk_engagement_id = ${gkEngagementId})`;

/** Enrollments made in other sessions from the recordings of this one. */
export async function enrolledElsewhere(
  { db, dialect }: { db: Db; dialect: DialectName },
  gkScopeId: string,
  gkSessionId: string,
): Promise<Factor[]> {
  const wanted = sql`${namedInTenant('factors.gk_scope_id', gkScopeId)} and factors.kind = 'ENROLLMENT'`;
  const { rows } = await sql<FactorsTable>`
    select factors.* from ${heldBySessions(dialect)} where sessions.gk_session_id = ${gkSessionId} and ${wanted}
    union select factors.* from ${heardBySessions(dialect)} where mine.gk_session_id = ${gkSessionId} and ${wanted}`.execute(
    db,
  );
  return rows.map(factorOf);
}

const audioOf = (dialect: DialectName, table: 'factors' | 'mine'): RawBuilder<string> =>
  namedByFactor(dialect, 'gkProcessedAudioId', table);

const isLater = sql`factors.gk_session_id || '' != mine.gk_session_id and factors.created_at > mine.created_at`;

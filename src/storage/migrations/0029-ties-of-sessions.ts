// Ties say how they came about, so that the other recordings of a session can follow the person who was
// recognized in it; and erased persons are remembered by their bare ID, so that data that arrives late is
// found and erased too.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createTable } from './table.js';

/** A session with more recordings is not a call with one person. */
const SESSION_RECORDINGS_MAX = 100;

export const tiesOfSessions: Migration = {
  version: 29,
  name: 'ties-of-sessions',
  async up(db, { dialect }) {
    for (const column of ['by_session', 'is_speaker', 'is_kept'])
      await db.schema
        .alterTable('voice_ties')
        .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
    await createTable(db, 'erased_persons', {
      gk_person_id: 'text',
      gk_scope_id: 'text',
      erased_at: 'bigint',
    });
    await markSpeakers(db, dialect);
    await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session)
      select distinct t.gk_person_id, other.gk_media_segment_id, t.gk_scope_id, 1
      from voice_ties t
      join media_segments heard on heard.gk_media_segment_id = t.gk_media_segment_id
      join media_segments other on other.gk_session_id = heard.gk_session_id
      where t.is_speaker = 1 and heard.gk_session_id in (
        select gk_session_id from media_segments group by gk_session_id
        having count(*) <= ${sql.lit(SESSION_RECORDINGS_MAX)})
      on conflict do nothing`.execute(db);
  },
};

/** Marks the persons whose voice was enrolled from a recording or recognized in it. */
async function markSpeakers(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const member = (name: string) =>
    dialect === 'postgres'
      ? sql`(f.document::json ->> ${sql.lit(name)})`
      : sql`json_extract(f.document, ${sql.lit(`$.${name}`)})`;
  await sql`update voice_ties set is_speaker = 1 where exists (
    select 1 from enrollment_segments e
    join voiceprint_profiles p on p.gk_voiceprint_profile_id = e.gk_voiceprint_profile_id
    where e.gk_media_segment_id = voice_ties.gk_media_segment_id and p.gk_owner_id = voice_ties.gk_person_id)`.execute(
    db,
  );
  await sql`update voice_ties set is_speaker = 1 where (gk_person_id, gk_media_segment_id) in (
    select p.gk_owner_id, a.gk_media_segment_id
    from factors f
    join voiceprint_profiles p on p.gk_voiceprint_profile_id = ${member('gkVoiceprintProfileId')}
    join processed_audios a on a.gk_processed_audio_id = ${member('gkProcessedAudioId')}
    where f.kind = 'AUTHENTICATION' and ${member('decision')} = 'AUTHENTIC')`.execute(db);
}

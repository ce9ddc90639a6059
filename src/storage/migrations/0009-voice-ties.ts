// Whose voice a recording holds, as far as it is known: named at the upload, claimed by the session, enrolled
// or verified. Erasure finds a person's recordings by it, whatever has become of prints and sessions since.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const voiceTies: Migration = {
  version: 9,
  name: 'voice-ties',
  async up(db, { dialect }) {
    await createTable(
      db,
      'voice_ties',
      { gk_person_id: 'text', gk_media_segment_id: 'text', gk_scope_id: 'text' },
      2,
    );
    await createIndex(db, 'voice_ties', ['gk_media_segment_id']);
    await createIndex(db, 'sessions', ['claimed_gk_person_id']);
    await createIndex(db, 'media_segments', ['gk_session_id']);
    await tieWhatIsThere(db, dialect);
  },
};

async function tieWhatIsThere(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const member = (name: string) =>
    dialect === 'postgres'
      ? sql`(f.document::json ->> ${sql.lit(name)})`
      : sql`json_extract(f.document, ${sql.lit(`$.${name}`)})`;
  const sources = [
    sql`select gk_person_id, gk_media_segment_id, gk_scope_id from media_segments where gk_person_id is not null`,
    sql`select p.gk_owner_id, e.gk_media_segment_id, p.gk_scope_id
        from enrollment_segments e
        join voiceprint_profiles p on p.gk_voiceprint_profile_id = e.gk_voiceprint_profile_id
        where p.owner_type = 'PERSON'`,
    sql`select s.claimed_gk_person_id, m.gk_media_segment_id, m.gk_scope_id
        from sessions s join media_segments m on m.gk_session_id = s.gk_session_id
        where s.claimed_gk_person_id is not null`,
    sql`select p.gk_owner_id, a.gk_media_segment_id, a.gk_scope_id
        from factors f
        join voiceprint_profiles p on p.gk_voiceprint_profile_id = ${member('gkVoiceprintProfileId')}
        join processed_audios a on a.gk_processed_audio_id = ${member('gkProcessedAudioId')}
        where p.owner_type = 'PERSON' and f.kind = 'AUTHENTICATION'`,
  ];
  for (const source of sources)
    await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id) ${source}
      on conflict do nothing`.execute(db);
}

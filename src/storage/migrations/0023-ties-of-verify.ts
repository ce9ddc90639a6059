// Recordings that were to be verified against one person's print and could not be compared (too little
// speech, an unusable print) were tied to nobody, so that erasure did not find them.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const tiesOfVerify: Migration = {
  version: 23,
  name: 'ties-of-verify',
  async up(db, { dialect }) {
    const member = (name: string) =>
      dialect === 'postgres'
        ? sql`(f.document::json ->> ${sql.lit(name)})`
        : sql`json_extract(f.document, ${sql.lit(`$.${name}`)})`;
    await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id)
      select p.gk_owner_id, a.gk_media_segment_id, a.gk_scope_id
      from factors f
      join voiceprint_profiles p on p.gk_voiceprint_profile_id = ${member('gkVoiceprintProfileId')}
      join processed_audios a on a.gk_processed_audio_id = ${member('gkProcessedAudioId')}
      where p.owner_type = 'PERSON' and f.kind = 'AUTHENTICATION' and ${member('operation')} = 'Verify'
      on conflict do nothing`.execute(db);
  },
};

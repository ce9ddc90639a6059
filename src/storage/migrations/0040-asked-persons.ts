// The persons whom calls in a session have asked for, whatever the outcome: also if they were refused, or if
// a running call had no recording. And what live calls ask for, so that those waiting for an erased person
// are found.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const askedPersons: Migration = {
  version: 40,
  name: 'asked-persons',
  async up(db, { dialect }) {
    await createTable(
      db,
      'asked_persons',
      {
        gk_person_id: 'text',
        gk_session_id: 'text',
        gk_engagement_id: 'text',
        gk_scope_id: 'text',
        is_kept: 'integer',
      },
      2,
    );
    await createIndex(db, 'asked_persons', ['gk_engagement_id']);
    await createIndex(db, 'asked_persons', ['gk_session_id']);
    await db.schema.alterTable('live_calls').addColumn('asked', 'text').execute();
    await noteVerified(db, dialect);
  },
};

/**
 * For existing sessions: persons whose print was the only one compared. Nothing is known any more about
 * refused calls.
 */
async function noteVerified(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const [print, prints] =
    dialect === 'postgres'
      ? [
          `substring(document from '"gkVoiceprintProfileId":"([^"]*)"')`,
          `cast(substring(document from '"prints":([0-9]+)') as integer)`,
        ]
      : [`json_extract(document, '$.gkVoiceprintProfileId')`, `json_extract(document, '$.prints')`];
  await sql`insert into asked_persons (gk_person_id, gk_session_id, gk_engagement_id, gk_scope_id, is_kept)
    select distinct p.person, f.gk_session_id, f.gk_engagement_id, f.gk_scope_id, 0
    from factors f join (
      select gk_voiceprint_profile_id as print, gk_owner_id as person from voiceprint_profiles where owner_type = 'PERSON'
      union select gk_voiceprint_profile_id, gk_person_id from former_prints
    ) p on p.print = ${sql.raw(print)}
    where f.kind = 'AUTHENTICATION' and coalesce(${sql.raw(prints)}, 0) <= 1
    on conflict do nothing`.execute(db);
}

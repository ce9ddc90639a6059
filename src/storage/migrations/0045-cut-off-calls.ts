// When the audio of a live call in a session broke off before anybody had ended the call.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const cutOffCalls: Migration = {
  version: 45,
  name: 'cut-off-calls',
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('cut_off_at', 'bigint').execute();
    // Few sessions have it: lists that filter by it read no others.
    await sql`create index sessions_cut_off on sessions (gk_scope_id, created_at)
      where cut_off_at is not null`.execute(db);
  },
};

// Pairs of persons that somebody has declared to be one person under two names.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const samePersons: Migration = {
  version: 46,
  name: 'same-persons',
  async up(db) {
    await createTable(
      db,
      'same_persons',
      {
        gk_person_id: 'text',
        gk_other_person_id: 'text',
        gk_scope_id: 'text',
        actor_subject: 'text',
        actor_issuer: 'text',
        created_at: 'bigint',
      },
      2,
    );
    await createIndex(db, 'same_persons', ['gk_scope_id', 'created_at']);
    await createIndex(db, 'same_persons', ['gk_other_person_id']);
  },
};

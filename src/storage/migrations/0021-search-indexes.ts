// Indexes by last modification, which keep the in-memory search up to date.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const searchIndexes: Migration = {
  version: 21,
  name: 'search-indexes',
  async up(db) {
    await createIndex(db, 'parties', ['gk_scope_id', 'kind', 'modified_at', 'gk_id']);
    await createIndex(db, 'sessions', ['gk_scope_id', 'modified_at', 'gk_session_id']);
  },
};

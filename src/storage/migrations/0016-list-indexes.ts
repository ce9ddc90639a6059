// Indexes for lists that people look at: the requests log reads the calls of an application by time and one request by its
// identifier; persons and fraudsters come newest first.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const listIndexes: Migration = {
  version: 16,
  name: 'list-indexes',
  async up(db) {
    await createIndex(db, 'runtime_events', ['app_id', 'type', 'at']);
    await createIndex(db, 'runtime_events', ['request_id']);
    await createIndex(db, 'parties', ['gk_scope_id', 'kind', 'created_at']);
  },
};

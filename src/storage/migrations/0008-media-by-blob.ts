// The sweep of stored audio asks for every file whether a segment names it; that must not read the whole
// scope.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const mediaByBlob: Migration = {
  version: 8,
  name: 'media-by-blob',
  async up(db) {
    await createIndex(db, 'media_segments', ['gk_scope_id', 'blob_id']);
  },
};

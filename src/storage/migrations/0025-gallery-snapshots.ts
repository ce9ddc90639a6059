// Which groups and watchlists have a snapshot of their prints in the store of recordings.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const gallerySnapshots: Migration = {
  version: 25,
  name: 'gallery-snapshots',
  async up(db) {
    await createTable(db, 'gallery_snapshots', {
      snapshot_id: 'text',
      gk_scope_id: 'text',
      collection_gk_id: 'text',
      made_for: 'text',
      seq: 'bigint',
      prints: 'bigint',
      blob_ids: 'text',
      created_at: 'bigint',
    });
    await createIndex(db, 'gallery_snapshots', ['gk_scope_id', 'collection_gk_id', 'made_for'], true);
  },
};

// The lines of batches and their results.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const batches: Migration = {
  version: 32,
  name: 'batches',
  async up(db, { bytes }) {
    await createTable(db, 'batch_items', {
      item_id: 'text',
      gk_job_id: 'text',
      gk_scope_id: 'text',
      line: 'integer',
      outcome: 'text?',
      sealed: bytes,
      result: `${bytes}?`,
    });
    await createIndex(db, 'batch_items', ['gk_job_id', 'line']);
    await createIndex(db, 'batch_items', ['gk_scope_id']);
  },
};

// Why a line of a batch ended as it did, beside how: it can be counted and searched without unsealing.
// Existing lines have none.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const batchReasons: Migration = {
  version: 34,
  name: 'batch-reasons',
  async up(db) {
    await db.schema.alterTable('batch_items').addColumn('reason', 'text').execute();
    // Counting reads only the index, which also has the unfinished lines in order.
    await createIndex(db, 'batch_items', ['gk_job_id', 'outcome', 'reason', 'line']);
  },
};

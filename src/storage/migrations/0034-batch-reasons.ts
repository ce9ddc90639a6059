// Why a line of a batch ended as it did, beside how: counted and searched without opening what is sealed. Lines from before have none.
import type { Migration } from './migration.js';
import { createIndex } from './table.js';

export const batchReasons: Migration = {
  version: 34,
  name: 'batch-reasons',
  async up(db) {
    await db.schema.alterTable('batch_items').addColumn('reason', 'text').execute();
    // Counting reads the index alone; the lines that are still to be done come out of it in their order.
    await createIndex(db, 'batch_items', ['gk_job_id', 'outcome', 'reason', 'line']);
  },
};

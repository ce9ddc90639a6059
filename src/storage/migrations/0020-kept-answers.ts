// Answers of calls with an idempotency key.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const keptAnswers: Migration = {
  version: 20,
  name: 'kept-answers',
  async up(db, { bytes }) {
    await createTable(db, 'kept_answers', { id: 'text', created_at: 'bigint', sealed: bytes });
    await createIndex(db, 'kept_answers', ['created_at']);
  },
};

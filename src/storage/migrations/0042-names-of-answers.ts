// The persons and objects that answers kept for repeated calls are about, so that an erasure finds them.
// Existing answers have no names: they expire within a day.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const namesOfAnswers: Migration = {
  version: 42,
  name: 'names-of-answers',
  async up(db) {
    await createTable(
      db,
      'kept_answer_names',
      { named_id: 'text', answer_id: 'text', created_at: 'bigint' },
      2,
    );
    await createIndex(db, 'kept_answer_names', ['answer_id']);
    await createIndex(db, 'kept_answer_names', ['created_at']);
  },
};

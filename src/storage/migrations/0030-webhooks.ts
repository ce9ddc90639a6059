// Webhooks, and the events that their receivers have not accepted.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const webhooks: Migration = {
  version: 30,
  name: 'webhooks',
  async up(db, { bytes }) {
    await createTable(db, 'webhooks', {
      webhook_id: 'text',
      gk_scope_id: 'text',
      enabled: 'integer',
      disabled_reason: 'text',
      sealed: bytes,
      after_seq: 'bigint',
      failures: 'integer',
      failing_since: 'bigint?',
      paused_until: 'bigint',
      created_at: 'bigint',
      modified_at: 'bigint',
    });
    await createIndex(db, 'webhooks', ['gk_scope_id']);
    await createTable(
      db,
      'webhook_deliveries',
      {
        webhook_id: 'text',
        seq: 'bigint',
        event_at: 'bigint',
        attempts: 'integer',
        first_at: 'bigint',
        last_at: 'bigint',
        next_at: 'bigint',
        dead: 'integer',
        last_fault: 'text',
      },
      2,
    );
    await createIndex(db, 'webhook_deliveries', ['webhook_id', 'dead', 'next_at']);
  },
};

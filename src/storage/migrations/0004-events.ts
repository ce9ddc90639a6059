// The runtime event log.
import type { Migration } from './migration.js';

export const events: Migration = {
  version: 4,
  name: 'events',
  async up(db) {
    await db.schema
      .createTable('runtime_events')
      .addColumn('seq', 'bigint', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text')
      .addColumn('client_id', 'text')
      .addColumn('request_id', 'text')
      .addColumn('gk_scope_id', 'text')
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('attributes', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('runtime_events_app')
      .on('runtime_events')
      .columns(['app_id', 'seq'])
      .execute();
    await db.schema.createIndex('runtime_events_at').on('runtime_events').column('at').execute();
    await db.schema
      .createIndex('runtime_events_client')
      .on('runtime_events')
      .columns(['client_id', 'type', 'at'])
      .execute();

    await db.schema
      .createTable('runtime_event_head')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .execute();
  },
};

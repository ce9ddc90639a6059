// Scopes, sealing keys, the audit chains and settings.
import type { Migration } from './migration.js';

const createTenants: Migration['up'] = async (db, { bytes }) => {
  await db.schema
    .createTable('scopes')
    .addColumn('gk_scope_id', 'text', (c) => c.primaryKey())
    .addColumn('scope_id', 'text', (c) => c.notNull().unique())
    .addColumn('customer_name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('is_billable', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('profile', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('expected_persons_number', 'integer', (c) => c.notNull())
    .addColumn('go_live_at', 'bigint')
    .addColumn('activated_at', 'bigint')
    .addColumn('delete_after', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('modified_at', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('sealing_keys')
    .addColumn('scope_key', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('wrapped_key', bytes)
    .addColumn('master_key_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('destroyed_at', 'bigint')
    .addPrimaryKeyConstraint('sealing_keys_pk', ['scope_key', 'version'])
    .execute();
};

const createAuditTrail: Migration['up'] = async (db, { bytes }) => {
  await db.schema
    .createTable('audit_heads')
    .addColumn('scope_key', 'text', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('audit_records')
    .addColumn('scope_key', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('time', 'bigint', (c) => c.notNull())
    .addColumn('record_type', 'text', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('actor_subject', 'text', (c) => c.notNull())
    .addColumn('actor_issuer', 'text', (c) => c.notNull())
    .addColumn('context', 'text', (c) => c.notNull())
    .addColumn('subject_ids', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .addColumn('personal', bytes)
    .addColumn('personal_digest', 'text')
    .addColumn('prev_hash', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_records_pk', ['scope_key', 'seq'])
    .execute();
  await db.schema
    .createIndex('audit_records_type')
    .on('audit_records')
    .columns(['scope_key', 'record_type', 'seq'])
    .execute();

  await db.schema
    .createTable('audit_subjects')
    .addColumn('scope_key', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_subjects_pk', ['scope_key', 'subject_id', 'seq'])
    .execute();
};

const createSettings: Migration['up'] = async (db) => {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
};

export const core: Migration = {
  version: 1,
  name: 'core',
  async up(db, kit) {
    for (const create of [createTenants, createAuditTrail, createSettings]) await create(db, kit);
  },
};

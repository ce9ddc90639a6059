// Recordings found to be of one voice stay together from one request to the next: the group of each
// recording, the score with which it joined, and whether it is part of the middle (centroid); the middles
// themselves; and the basis of a tenant's groups.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const voiceGroups: Migration = {
  version: 39,
  name: 'voice-groups',
  async up(db, { bytes }) {
    await createTable(db, 'voice_groupings', { gk_scope_id: 'text', basis: 'text', version: 'integer' });
    await createTable(db, 'voice_groups', {
      group_id: 'text',
      gk_scope_id: 'text',
      samples: 'integer',
      middle: bytes,
    });
    await createIndex(db, 'voice_groups', ['gk_scope_id']);
    await db.schema.alterTable('call_voices').addColumn('group_id', 'text').execute();
    await db.schema.alterTable('call_voices').addColumn('group_llr', 'double precision').execute();
    await db.schema.alterTable('call_voices').addColumn('is_group_sample', 'integer').execute();
    await createIndex(db, 'call_voices', ['gk_scope_id', 'group_id']);
  },
};

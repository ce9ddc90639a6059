// What nodes need to know about each other's live calls: those prepared or running, requests about them, and
// the tokens of agents.
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const liveOnManyNodes: Migration = {
  version: 35,
  name: 'live-on-many-nodes',
  async up(db, { bytes }) {
    await createTable(db, 'live_calls', {
      live_call_id: 'text',
      gk_scope_id: 'text',
      stage: 'text',
      node_id: 'text',
      token_hash: 'text',
      external_hash: 'text',
      expires_at: 'bigint',
      sealed: bytes,
    });
    await createIndex(db, 'live_calls', ['token_hash']);
    await createIndex(db, 'live_calls', ['external_hash']);
    await createIndex(db, 'live_calls', ['gk_scope_id']);
    await createIndex(db, 'live_calls', ['node_id']);
    await createIndex(db, 'live_calls', ['expires_at']);
    await createTable(db, 'live_requests', {
      request_id: 'text',
      live_call_id: 'text',
      gk_scope_id: 'text',
      node_id: 'text',
      expires_at: 'bigint',
      asked: bytes,
      answer: `${bytes}?`,
    });
    await createIndex(db, 'live_requests', ['node_id']);
    await createIndex(db, 'live_requests', ['gk_scope_id']);
    await createIndex(db, 'live_requests', ['expires_at']);
    await createTable(db, 'live_agent_tokens', {
      token_hash: 'text',
      live_call_id: 'text',
      gk_scope_id: 'text',
      expires_at: 'bigint',
      caller: bytes,
    });
    await createIndex(db, 'live_agent_tokens', ['gk_scope_id']);
    await createIndex(db, 'live_agent_tokens', ['expires_at']);
  },
};

// Requests from one node to another about a live call, with their answers, and the tokens of agents:
// short-lived, sealed rows.
import type {
  AgentTokenRepository,
  LiveRequest,
  LiveRequestRepository,
} from '../../biometrics/ports/live-calls.js';
import type { Db } from '../database.js';
import type { Keyring } from '../sealing/keyring.js';

export function liveRequestRepository(db: Db, keyring: Keyring): LiveRequestRepository {
  const place = (column: 'asked' | 'answer', requestId: string) => `live_requests/${column}/${requestId}`;

  return {
    async put({ requestId, liveCallId, gkScopeId, nodeId, expiresAtMs, asked }) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      await db
        .insertInto('live_requests')
        .values({
          request_id: requestId,
          live_call_id: liveCallId,
          gk_scope_id: gkScopeId,
          node_id: nodeId,
          expires_at: expiresAtMs,
          asked: sealer.seal(asked, place('asked', requestId)),
          answer: null,
        })
        .execute();
    },
    async waitingFor(nodeId, nowMs) {
      const rows = await db
        .selectFrom('live_requests')
        .selectAll()
        .where('node_id', '=', nodeId)
        .where('answer', 'is', null)
        .where('expires_at', '>', nowMs)
        .execute();
      const requests: LiveRequest[] = [];
      for (const row of rows) {
        const sealer = await keyring.forTenant(db, row.gk_scope_id);
        requests.push({
          requestId: row.request_id,
          liveCallId: row.live_call_id,
          gkScopeId: row.gk_scope_id,
          nodeId,
          expiresAtMs: row.expires_at,
          asked: sealer.open(row.asked, place('asked', row.request_id)),
        });
      }
      return requests;
    },
    async answer({ requestId, gkScopeId }, answer) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      await db
        .updateTable('live_requests')
        .set({ answer: sealer.seal(answer, place('answer', requestId)) })
        .where('request_id', '=', requestId)
        .execute();
    },
    async findAnswer(requestId) {
      const row = await db
        .selectFrom('live_requests')
        .select(['gk_scope_id', 'answer'])
        .where('request_id', '=', requestId)
        .executeTakeFirst();
      if (!row?.answer) return undefined;
      const sealer = await keyring.forTenant(db, row.gk_scope_id);
      return sealer.open(row.answer, place('answer', requestId));
    },
    async delete(requestId) {
      await db.deleteFrom('live_requests').where('request_id', '=', requestId).execute();
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('live_requests').where('expires_at', '<=', nowMs).execute();
    },
  };
}

export function agentTokenRepository(db: Db, keyring: Keyring): AgentTokenRepository {
  const place = (tokenHash: string) => `live_agent_tokens/caller/${tokenHash}`;

  return {
    async put({ tokenHash, liveCallId, gkScopeId, expiresAtMs, caller }) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      await db
        .insertInto('live_agent_tokens')
        .values({
          token_hash: tokenHash,
          live_call_id: liveCallId,
          gk_scope_id: gkScopeId,
          expires_at: expiresAtMs,
          caller: sealer.seal(caller, place(tokenHash)),
        })
        .execute();
    },
    async find(tokenHash) {
      const row = await db
        .selectFrom('live_agent_tokens')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      if (!row) return undefined;
      const sealer = await keyring.forTenant(db, row.gk_scope_id);
      return {
        tokenHash,
        liveCallId: row.live_call_id,
        gkScopeId: row.gk_scope_id,
        expiresAtMs: row.expires_at,
        caller: sealer.open(row.caller, place(tokenHash)),
      };
    },
    async count() {
      const { count } = await db
        .selectFrom('live_agent_tokens')
        .select((e) => e.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('live_agent_tokens').where('expires_at', '<=', nowMs).execute();
    },
  };
}

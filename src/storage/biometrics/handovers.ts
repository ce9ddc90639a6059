// Calls on their way to another node: one sealed row each, for as long as a node may come for it.
import type { Handover, HandoverRepository } from '../../biometrics/ports/handovers.js';
import type { Db } from '../database.js';
import type { LiveHandoversTable } from '../schema/live-calls.js';
import type { Keyring } from '../sealing/keyring.js';

export function handoverRepository(db: Db, keyring: Keyring): HandoverRepository {
  const place = (tokenHash: string) => `live_handovers/state/${tokenHash}`;

  async function opened(row: LiveHandoversTable | undefined, nowMs: number): Promise<Handover | undefined> {
    if (!row || row.expires_at <= nowMs) return undefined;
    const sealer = await keyring.forTenant(db, row.gk_scope_id);
    return {
      tokenHash: row.token_hash,
      gkScopeId: row.gk_scope_id,
      externalHash: row.external_hash,
      expiresAtMs: row.expires_at,
      state: sealer.open(row.state, place(row.token_hash)),
    };
  }

  return {
    async put({ tokenHash, gkScopeId, externalHash, expiresAtMs, state }) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      await db
        .insertInto('live_handovers')
        .values({
          token_hash: tokenHash,
          gk_scope_id: gkScopeId,
          external_hash: externalHash,
          expires_at: expiresAtMs,
          state: sealer.seal(state, place(tokenHash)),
        })
        .execute();
    },
    async isKept(tokenHash) {
      const query = db.selectFrom('live_handovers').select('token_hash').where('token_hash', '=', tokenHash);
      return (await query.executeTakeFirst()) !== undefined;
    },
    async takeByToken(tokenHash, nowMs) {
      const row = await db
        .deleteFrom('live_handovers')
        .where('token_hash', '=', tokenHash)
        .returningAll()
        .executeTakeFirst();
      return opened(row, nowMs);
    },
    async takeByExternal(gkScopeId, externalHash, nowMs) {
      if (externalHash === '') return undefined;
      const row = await db
        .deleteFrom('live_handovers')
        .where('gk_scope_id', '=', gkScopeId)
        .where('external_hash', '=', externalHash)
        .returningAll()
        .executeTakeFirst();
      return opened(row, nowMs);
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('live_handovers').where('expires_at', '<=', nowMs).execute();
    },
  };
}

// How live calls stand: a row for each, sealed, for a day.
import type { LiveOutcome, LiveOutcomeRepository } from '../../biometrics/ports/live-outcomes.js';
import type { Db } from '../database.js';
import type { Keyring } from '../sealing/keyring.js';

export function liveOutcomeRepository(db: Db, keyring: Keyring): LiveOutcomeRepository {
  const place = (liveCallId: string) => `live_outcomes/info/${liveCallId}`;

  async function found(liveCallIds: readonly string[], nowMs: number): Promise<LiveOutcome[]> {
    if (liveCallIds.length === 0) return [];
    const rows = await db
      .selectFrom('live_outcomes')
      .selectAll()
      .where('live_call_id', 'in', [...liveCallIds])
      .where('expires_at', '>', nowMs)
      .execute();
    const outcomes: LiveOutcome[] = [];
    for (const row of rows) {
      const sealer = await keyring.forTenant(db, row.gk_scope_id);
      outcomes.push({
        liveCallId: row.live_call_id,
        gkScopeId: row.gk_scope_id,
        expiresAtMs: row.expires_at,
        info: sealer.open(row.info, place(row.live_call_id)),
      });
    }
    return outcomes;
  }

  return {
    async put({ liveCallId, gkScopeId, expiresAtMs, info }) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      const values = { expires_at: expiresAtMs, info: sealer.seal(info, place(liveCallId)) };
      await db
        .insertInto('live_outcomes')
        .values({ live_call_id: liveCallId, gk_scope_id: gkScopeId, ...values })
        .onConflict((c) => c.column('live_call_id').doUpdateSet(values))
        .execute();
    },
    async find(liveCallId, nowMs) {
      return (await found([liveCallId], nowMs))[0];
    },
    findAll: found,
    async deleteExpired(nowMs) {
      await db.deleteFrom('live_outcomes').where('expires_at', '<=', nowMs).execute();
    },
  };
}

// The state and outcome of live calls: one sealed row each, kept for a day.
import { withoutScores } from '../../biometrics/model/live-outcomes.js';
import type { LiveOutcome, LiveOutcomeRepository } from '../../biometrics/ports/live-outcomes.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import type { Keyring } from '../sealing/keyring.js';
import { openJson, sealJson } from '../sealing/sealed-json.js';
import { reassess } from './reassess.js';

/** The part of a live call's document that is needed here. */
interface Course {
  gkSessionId: string;
  events: readonly object[];
  isErased?: true;
}

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
        gkSessionId: row.gk_session_id ?? '',
        expiresAtMs: row.expires_at,
        info: sealer.open(row.info, place(row.live_call_id)),
      });
    }
    return outcomes;
  }

  return {
    async put({ liveCallId, gkScopeId, gkSessionId, expiresAtMs, info }) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      const sealed = sealer.seal(info, place(liveCallId));
      const values = { expires_at: expiresAtMs, gk_session_id: gkSessionId, info: sealed };
      await db
        .insertInto('live_outcomes')
        .values({ live_call_id: liveCallId, gk_scope_id: gkScopeId, ...values })
        .onConflict((c) => c.column('live_call_id').doUpdateSet(values))
        .execute();
      await reassess(db, gkScopeId, { sessions: [gkSessionId] });
    },
    async find(liveCallId, nowMs) {
      return (await found([liveCallId], nowMs))[0];
    },
    findAll: found,
    async forgetScores(gkScopeId, { gkSessionIds, liveCallIds }) {
      const sessions = new Set(gkSessionIds);
      const calls = new Set(liveCallIds);
      // Nodes of an earlier version name the session only in the sealed part.
      const rows = await db
        .selectFrom('live_outcomes')
        .select(['live_call_id', 'info'])
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where((where) =>
          where.or([
            where('gk_session_id', 'in', ['', ...sessions]),
            where('gk_session_id', 'is', null),
            ...(calls.size > 0 ? [where('live_call_id', 'in', [...calls])] : []),
          ]),
        )
        .execute();
      if (rows.length === 0) return 0;
      const sealer = await keyring.forTenant(db, gkScopeId);
      let written = 0;
      for (const { live_call_id, info } of rows) {
        const course = openJson<Course>(sealer, place(live_call_id), info);
        if (!sessions.has(course.gkSessionId) && !calls.has(live_call_id)) continue;
        await db
          .updateTable('live_outcomes')
          .set({ info: sealJson(sealer, place(live_call_id), withoutScores(course)) })
          .where('live_call_id', '=', live_call_id)
          .execute();
        if (!course.isErased) written += 1;
      }
      return written;
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('live_outcomes').where('expires_at', '<=', nowMs).execute();
    },
  };
}

// Sessions in which a live call's audio broke off and nothing has been heard since.
import { sql } from 'kysely';
import type { SessionRepository } from '../../biometrics/ports/sessions.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { reassess } from './reassess.js';

/** Any later factor means that something was heard again. */
const nothingSince = sql<boolean>`not exists (select 1 from factors
  where factors.gk_session_id = sessions.gk_session_id and factors.created_at > sessions.cut_off_at)`;

export function cutOffSessions(
  db: Db,
): Pick<SessionRepository, 'markCutOff' | 'unmarkCutOff' | 'cutOffAmong'> {
  return {
    async markCutOff(gkScopeId, gkSessionId, { atMs, alsoIfOver }) {
      const named = db
        .updateTable('sessions')
        .set({ cut_off_at: atMs })
        .where('gk_session_id', '=', gkSessionId)
        .where(namedInTenant('gk_scope_id', gkScopeId));
      const { numUpdatedRows } = await (
        alsoIfOver ? named : named.where('is_active', '=', 1)
      ).executeTakeFirst();
      await reassess(db, gkScopeId, { sessions: [gkSessionId] });
      return numUpdatedRows > 0n;
    },
    async unmarkCutOff(gkScopeId, gkSessionId) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ cut_off_at: null })
        .where('gk_session_id', '=', gkSessionId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('is_active', '=', 1)
        .where('cut_off_at', 'is not', null)
        .executeTakeFirst();
      await reassess(db, gkScopeId, { sessions: [gkSessionId] });
      return numUpdatedRows > 0n;
    },
    async cutOffAmong(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('sessions')
        .select(['gk_session_id', 'cut_off_at'])
        .where('gk_session_id', 'in', [...gkSessionIds])
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('cut_off_at', 'is not', null)
        .where(nothingSince)
        .execute();
      return new Map(rows.map((row) => [row.gk_session_id, row.cut_off_at ?? 0]));
    },
  };
}

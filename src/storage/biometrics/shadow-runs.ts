// Shadow runs: at most one per config set; the last one is kept after it has ended.
import type { ShadowRepository } from '../../biometrics/ports/shadows.js';
import type { Db } from '../database.js';

export function shadowRepository(db: Db): ShadowRepository {
  return {
    async find(gkScopeId, configsetId) {
      const row = await db
        .selectFrom('shadow_runs')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('configset_key', '=', configsetId.toLowerCase())
        .executeTakeFirst();
      return (
        row && {
          gkScopeId,
          configsetId,
          gkConfigsetRevisionId: row.gk_configset_revision_id,
          sinceAtMs: row.since,
          ...(row.ended !== null && { endedAtMs: row.ended }),
        }
      );
    },
    async put({ gkScopeId, configsetId, gkConfigsetRevisionId, sinceAtMs }) {
      const changed = { gk_configset_revision_id: gkConfigsetRevisionId, since: sinceAtMs, ended: null };
      await db
        .insertInto('shadow_runs')
        .values({ gk_scope_id: gkScopeId, configset_key: configsetId.toLowerCase(), ...changed })
        .onConflict((conflict) => conflict.columns(['gk_scope_id', 'configset_key']).doUpdateSet(changed))
        .execute();
    },
    async end(gkScopeId, configsetId, atMs) {
      const result = await db
        .updateTable('shadow_runs')
        .set({ ended: atMs })
        .where('gk_scope_id', '=', gkScopeId)
        .where('configset_key', '=', configsetId.toLowerCase())
        .where('ended', 'is', null)
        .executeTakeFirst();
      return Number(result.numUpdatedRows) > 0;
    },
  };
}

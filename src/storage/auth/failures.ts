// Consecutive wrong passwords, one row per name that they were tried for.
import type { FailureRow, Failures } from '../../auth/ports.js';
import type { Db, Tx } from '../database.js';
import type { AuthFailuresTable } from '../schema/auth.js';

export function failuresIn(db: Db | Tx): Failures {
  return {
    async get(key) {
      const row = await db.selectFrom('auth_failures').selectAll().where('key', '=', key).executeTakeFirst();
      return row && toFailureRow(row);
    },
    async hold(key, nowMs) {
      // An update that changes nothing, so that the row is locked whether or not it existed before.
      const row = await db
        .insertInto('auth_failures')
        .values({ key, failures: 0, last_at: nowMs, free_at: 0 })
        .onConflict((c) => c.column('key').doUpdateSet({ key }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toFailureRow(row);
    },
    async put(key, { failures, lastAtMs, freeAtMs }) {
      await db
        .updateTable('auth_failures')
        .set({ failures, last_at: lastAtMs, free_at: freeAtMs })
        .where('key', '=', key)
        .execute();
    },
    async clear(key) {
      await db.deleteFrom('auth_failures').where('key', '=', key).execute();
    },
    async deleteIdle(beforeMs, rowsMax) {
      await db.deleteFrom('auth_failures').where('last_at', '<', beforeMs).execute();
      const first = await db
        .selectFrom('auth_failures')
        .select('last_at')
        .orderBy('last_at', 'desc')
        .offset(rowsMax)
        .limit(1)
        .executeTakeFirst();
      if (first) await db.deleteFrom('auth_failures').where('last_at', '<=', first.last_at).execute();
    },
  };
}

function toFailureRow({ failures, last_at, free_at }: AuthFailuresTable): FailureRow {
  return { failures, lastAtMs: last_at, freeAtMs: free_at };
}

// Authenticator apps and recovery codes in the database; passkeys have a file of their own.
import type { Factors } from '../../auth/ports.js';
import type { Db, Tx } from '../database.js';
import { passkeysIn } from './passkeys.js';

/** A row in either of these is a second factor. */
const tables = ['auth_totp', 'auth_passkeys'] as const;

export function factorsIn(db: Db | Tx): Factors {
  return {
    async getTotp(userId) {
      const row = await db
        .selectFrom('auth_totp')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return (
        row && {
          userId: row.user_id,
          sealedSecret: row.sealed_secret,
          lastStep: row.last_step,
          createdAtMs: row.created_at,
        }
      );
    },
    async putTotp({ userId, sealedSecret, lastStep, createdAtMs }) {
      const rest = { sealed_secret: sealedSecret, last_step: lastStep, created_at: createdAtMs };
      await db
        .insertInto('auth_totp')
        .values({ user_id: userId, ...rest })
        .onConflict((c) => c.column('user_id').doUpdateSet(rest))
        .execute();
    },
    async deleteTotp(userId) {
      await db.deleteFrom('auth_totp').where('user_id', '=', userId).execute();
    },
    async useTotpStep(userId, step) {
      const used = await db
        .updateTable('auth_totp')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .returning('user_id')
        .executeTakeFirst();
      return used !== undefined;
    },
    ...recoveryCodesIn(db),
    ...passkeysIn(db),
    async holdUser(userId) {
      await db
        .selectFrom('auth_users')
        .select('user_id')
        .where('user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst();
    },
    async holders(userId) {
      const found = new Set<string>();
      for (const table of tables) {
        const all = db.selectFrom(table).select('user_id').distinct();
        const rows = await (userId === undefined ? all : all.where('user_id', '=', userId)).execute();
        for (const row of rows) found.add(row.user_id);
      }
      return found;
    },
    async deleteOfUser(userId) {
      for (const table of [...tables, 'auth_recovery_codes'] as const)
        await db.deleteFrom(table).where('user_id', '=', userId).execute();
    },
  };
}

function recoveryCodesIn(
  db: Db | Tx,
): Pick<Factors, 'setRecoveryCodes' | 'countRecoveryCodes' | 'recoveryCodeHashes' | 'useRecoveryCode'> {
  return {
    async setRecoveryCodes(userId, hashes, nowMs) {
      await db.deleteFrom('auth_recovery_codes').where('user_id', '=', userId).execute();
      const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: nowMs }));
      if (rows.length > 0) await db.insertInto('auth_recovery_codes').values(rows).execute();
    },
    async countRecoveryCodes(userId) {
      const row = await db
        .selectFrom('auth_recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async recoveryCodeHashes(userId) {
      const rows = await db
        .selectFrom('auth_recovery_codes')
        .select('code_hash')
        .where('user_id', '=', userId)
        .execute();
      return rows.map((row) => row.code_hash);
    },
    async useRecoveryCode(userId, hash) {
      const used = await db
        .deleteFrom('auth_recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .returning('code_hash')
        .executeTakeFirst();
      return used !== undefined;
    },
  };
}

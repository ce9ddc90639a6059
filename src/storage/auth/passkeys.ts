// Passkeys in the database.
import type { Passkey } from '../../auth/model.js';
import type { Passkeys } from '../../auth/ports.js';
import { orNull, orUndefined } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { AuthPasskeysTable } from '../schema/auth.js';
import { orAlreadyExists } from '../violations.js';

export function passkeysIn(db: Db | Tx): Passkeys {
  return {
    async listPasskeys(userId) {
      const rows = await db
        .selectFrom('auth_passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('credential_id')
        .execute();
      return rows.map(toPasskey);
    },
    async getPasskey(credentialId) {
      const row = await db
        .selectFrom('auth_passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row && toPasskey(row);
    },
    async insertPasskey(passkey) {
      await orAlreadyExists('passkey', 'credential_json', () =>
        db.insertInto('auth_passkeys').values(toRow(passkey)).execute(),
      );
    },
    async renamePasskey(userId, credentialId, name) {
      const changed = await db
        .updateTable('auth_passkeys')
        .set({ name })
        .where('user_id', '=', userId)
        .where('credential_id', '=', credentialId)
        .returning('name')
        .executeTakeFirst();
      return changed !== undefined;
    },
    async deletePasskey(userId, credentialId) {
      const removed = await db
        .deleteFrom('auth_passkeys')
        .where('user_id', '=', userId)
        .where('credential_id', '=', credentialId)
        .returning('name')
        .executeTakeFirst();
      return removed !== undefined;
    },
    async usePasskey(credentialId, counter, nowMs) {
      const used = await db
        .updateTable('auth_passkeys')
        .set({ counter, last_used_at: nowMs })
        .where('credential_id', '=', credentialId)
        // Passkeys that are synced between devices do not count at all: their counter stays 0.
        .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
        .returning('name')
        .executeTakeFirst();
      return used !== undefined;
    },
  };
}

function toPasskey(row: AuthPasskeysTable): Passkey {
  return {
    credentialId: row.credential_id,
    userId: row.user_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    createdAtMs: row.created_at,
    lastUsedAtMs: orUndefined(row.last_used_at),
  };
}

function toRow(passkey: Passkey): AuthPasskeysTable {
  return {
    credential_id: passkey.credentialId,
    user_id: passkey.userId,
    name: passkey.name,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    created_at: passkey.createdAtMs,
    last_used_at: orNull(passkey.lastUsedAtMs),
  };
}

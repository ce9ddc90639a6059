// Where the authorization server's own secrets meet encryption at rest: private signing keys, the secrets of authenticator
// apps, and the pepper of the client secrets. The pepper is random and sealed rather than derived, so that the master key can be rotated.
import { randomBytes } from 'node:crypto';
import type { KeySealer } from '../../auth/ports.js';
import type { Database } from '../database.js';
import { type Keyring, placeOf, SYSTEM_TENANT_KEY } from '../sealing/keyring.js';

const PEPPER = 'pepper';
const PEPPER_BYTES = 32;

export function keySealer(database: Database, keyring: Keyring): KeySealer {
  return columnSealer(database, keyring, (kid) => placeOf('auth_signing_keys', 'sealed_private_key', kid));
}

export function totpSealer(database: Database, keyring: Keyring): KeySealer {
  return columnSealer(database, keyring, (userId) => placeOf('auth_totp', 'sealed_secret', userId));
}

function columnSealer(database: Database, keyring: Keyring, place: (id: string) => string): KeySealer {
  return {
    seal: async (plaintext, id) =>
      (await keyring.forTenant(database.db, SYSTEM_TENANT_KEY)).seal(plaintext, place(id)),
    open: async (sealed, id) =>
      (await keyring.forTenant(database.db, SYSTEM_TENANT_KEY)).open(sealed, place(id)),
  };
}

/** The pepper of this installation, made at first use; two nodes that start at once agree on one. */
export async function loadPepper(database: Database, keyring: Keyring): Promise<Uint8Array> {
  const sealer = await keyring.forTenant(database.db, SYSTEM_TENANT_KEY);
  const place = placeOf('auth_sealed_values', 'sealed', PEPPER);
  const sealed = await database.transaction(async (tx) => {
    await tx
      .insertInto('auth_sealed_values')
      .values({ name: PEPPER, sealed: sealer.seal(randomBytes(PEPPER_BYTES), place) })
      .onConflict((c) => c.column('name').doNothing())
      .execute();
    return tx
      .selectFrom('auth_sealed_values')
      .select('sealed')
      .where('name', '=', PEPPER)
      .executeTakeFirstOrThrow();
  });
  return sealer.open(sealed.sealed, place);
}

// Seals the authorization server's own secrets at rest: private signing keys and the secrets of authenticator
// apps.
import type { KeySealer } from '../../auth/ports.js';
import type { Database } from '../database.js';
import { type Keyring, placeOf, SYSTEM_TENANT_KEY } from '../sealing/keyring.js';

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

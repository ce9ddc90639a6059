// Random secrets of the installation: sealed, made at first use, the same on every node. They are stored
// rather than derived from the master key, so that it can be rotated under running nodes.
import { randomBytes } from 'node:crypto';
import type { Database } from '../database.js';
import { type Keyring, placeOf, SYSTEM_TENANT_KEY } from './keyring.js';

const SECRET_BYTES = 32;

/**
 * `pepper` is for client secrets, `media addresses` signs upload and download addresses, `nodes` is for
 * messages between nodes.
 */
type SecretName = 'pepper' | 'media addresses';

/** Two nodes that start at once agree on the same one. */
export async function loadSecret(
  database: Database,
  keyring: Keyring,
  name: SecretName,
): Promise<Uint8Array> {
  const sealer = await keyring.forTenant(database.db, SYSTEM_TENANT_KEY);
  const place = placeOf('auth_sealed_values', 'sealed', name);
  const { sealed } = await database.transaction(async (tx) => {
    await tx
      .insertInto('auth_sealed_values')
      .values({ name, sealed: sealer.seal(randomBytes(SECRET_BYTES), place) })
      .onConflict((c) => c.column('name').doNothing())
      .execute();
    return tx
      .selectFrom('auth_sealed_values')
      .select('sealed')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
  });
  return sealer.open(sealed, place);
}

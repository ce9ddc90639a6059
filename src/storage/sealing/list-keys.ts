// Lists the versions of a tenant's data key, without the keys, for the people who look after them.
import type { Database } from '../database.js';

interface SealingKeyVersion {
  version: number;
  createdAtMs: number;
  isDestroyed: boolean;
}

/** Oldest first. */
export async function listKeyVersions({ db }: Database, tenantKey: string): Promise<SealingKeyVersion[]> {
  const rows = await db
    .selectFrom('sealing_keys')
    .select(['version', 'created_at', 'destroyed_at'])
    .where('scope_key', '=', tenantKey)
    .orderBy('version')
    .execute();
  return rows.map(({ version, created_at, destroyed_at }) => ({
    version,
    createdAtMs: created_at,
    isDestroyed: destroyed_at !== null,
  }));
}

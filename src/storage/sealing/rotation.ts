// An operator's work with keys: list them, replace the master key, start new data keys, and seal old values
// again under the newest key.
import { type Kysely, sql } from 'kysely';
import type { Database, Tx } from '../database.js';
import { StorageError } from '../storage-error.js';
import { keyVersionOf } from './cipher.js';
import { type Keyring, MASTER_KEY_SETTING, placeOf, unwrapDataKey, wrapDataKey } from './keyring.js';
import type { MasterKey, MasterKeySource } from './master-key.js';
import type { SealedColumn } from './sealed-columns.js';

interface KeyListing {
  masterKeyId: string;
  dataKeys: {
    tenantKey: string;
    version: number;
    masterKeyId: string;
    createdAtMs: number;
    destroyedAtMs: number | null;
  }[];
}

export async function listKeys(database: Database, keyring: Keyring): Promise<KeyListing> {
  const rows = await database.db
    .selectFrom('sealing_keys')
    .selectAll()
    .orderBy('scope_key')
    .orderBy('version')
    .execute();
  return {
    masterKeyId: (await keyring.master(database.db)).id,
    dataKeys: rows.map((row) => ({
      tenantKey: row.scope_key,
      version: row.version,
      masterKeyId: row.master_key_id,
      createdAtMs: row.created_at,
      destroyedAtMs: row.destroyed_at,
    })),
  };
}

interface MasterRotation {
  previousKeyId: string;
  masterKeyId: string;
  rewrapped: number;
}

/**
 * Wraps every data key under a new master key in one transaction. With a key file, the new key is first
 * written beside the old one and replaces it after the commit; if the key is given from outside, the operator
 * passes in `next` and changes the setting afterwards.
 */
export async function rotateMasterKey(
  database: Database,
  source: MasterKeySource,
  next?: MasterKey,
): Promise<MasterRotation> {
  const newKey = next ?? source.prepareNext?.();
  if (!newKey)
    throw new StorageError(
      'MASTER_KEY_MISSING',
      'the master key is given from outside: name a file with the new one',
    );
  const rotation = await database.transaction((tx) => rewrapAll(tx, source, newKey));
  if (!next) source.adopt?.(newKey);
  return rotation;
}

async function rewrapAll(tx: Tx, source: MasterKeySource, newKey: MasterKey): Promise<MasterRotation> {
  const inForce = await tx
    .selectFrom('settings')
    .select('value')
    .where('name', '=', MASTER_KEY_SETTING)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const oldKey = source.load(inForce.value);
  if (!oldKey)
    throw new StorageError(
      'MASTER_KEY_WRONG',
      `${source.description} does not hold master key ${inForce.value}`,
    );
  const rows = await tx.selectFrom('sealing_keys').selectAll().where('wrapped_key', 'is not', null).execute();
  for (const row of rows) {
    if (row.wrapped_key === null) continue;
    const dataKey = unwrapDataKey(oldKey, row.scope_key, row.version, row.wrapped_key);
    await tx
      .updateTable('sealing_keys')
      .set({
        wrapped_key: wrapDataKey(newKey, row.scope_key, row.version, dataKey),
        master_key_id: newKey.id,
      })
      .where('scope_key', '=', row.scope_key)
      .where('version', '=', row.version)
      .execute();
  }
  await tx.updateTable('settings').set({ value: newKey.id }).where('name', '=', MASTER_KEY_SETTING).execute();
  return { previousKeyId: oldKey.id, masterKeyId: newKey.id, rewrapped: rows.length };
}

/** Starts new data keys for one tenant, or for every tenant that has a usable one. */
export async function rotateDataKeys(
  database: Database,
  keyring: Keyring,
  tenantKey?: string,
): Promise<{ tenantKey: string; version: number }[]> {
  return database.transaction(async (tx) => {
    const query = tx
      .selectFrom('sealing_keys')
      .select('scope_key')
      .distinct()
      .where('wrapped_key', 'is not', null)
      .orderBy('scope_key');
    const rows = await (tenantKey === undefined ? query : query.where('scope_key', '=', tenantKey)).execute();
    const rotated: { tenantKey: string; version: number }[] = [];
    for (const row of rows)
      rotated.push({ tenantKey: row.scope_key, version: await keyring.rotate(tx, row.scope_key) });
    return rotated;
  });
}

interface ResealProgress {
  table: string;
  column: string;
  scanned: number;
  resealed: number;
}

const BATCH_ROWS = 200;

/** Seals values under older keys again, one batch per transaction, so that a server can go on working. */
export async function resealColumn(
  database: Database,
  keyring: Keyring,
  target: SealedColumn,
  tenantKey: string,
): Promise<ResealProgress> {
  const progress: ResealProgress = { table: target.table, column: target.column, scanned: 0, resealed: 0 };
  let after = '';
  for (;;) {
    const batch = await database.transaction((tx) => resealBatch(tx, keyring, target, tenantKey, after));
    progress.scanned += batch.scanned;
    progress.resealed += batch.resealed;
    if (batch.last === undefined) return progress;
    after = batch.last;
  }
}

interface SealedRow {
  id: string;
  sealed: Uint8Array;
}

async function resealBatch(tx: Tx, keyring: Keyring, target: SealedColumn, tenantKey: string, after: string) {
  const db = tx as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const sealer = await keyring.forTenant(tx, tenantKey);
  let query = db
    .selectFrom(target.table)
    .select([sql.ref<string>(target.idColumn).as('id'), sql.ref<Uint8Array>(target.column).as('sealed')])
    .where(target.column, 'is not', null)
    .where(target.idColumn, '>', after);
  if (target.tenantColumn !== undefined) query = query.where(target.tenantColumn, '=', tenantKey);
  const rows = (await query
    .orderBy(target.idColumn)
    .limit(BATCH_ROWS)
    .forUpdate()
    .execute()) as unknown as SealedRow[];
  let resealed = 0;
  for (const { id, sealed } of rows) {
    // Empty: there was nothing to seal.
    if (sealed.length === 0 || keyVersionOf(sealed) === sealer.keyVersion) continue;
    const place = placeOf(target.table, target.column, id);
    await db
      .updateTable(target.table)
      .set({ [target.column]: sealer.seal(sealer.open(sealed, place), place) })
      .where(target.idColumn, '=', id)
      .execute();
    resealed++;
  }
  return { scanned: rows.length, resealed, last: rows.length === BATCH_ROWS ? rows.at(-1)?.id : undefined };
}

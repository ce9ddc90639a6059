// The envelope: each tenant has data keys of its own, kept in the database under the master key. Destroying
// a tenant's data keys makes all its sealed content unreadable at once, backups included.
import { randomBytes } from 'node:crypto';
import { sql, Transaction } from 'kysely';
import { AppError, type DiagnosticCode } from '../../errors.js';
import type { Clock } from '../../platform.js';
import type { Database, Db, Tx } from '../database.js';
import { StorageError } from '../storage-error.js';
import { KEY_BYTES, keyVersionOf, openBytes, sealBytes } from './cipher.js';
import type { MasterKey, MasterKeySource } from './master-key.js';

/** Seals for one tenant. Short-lived: ask the keyring again for the next piece of work. */
export interface TenantSealer {
  /** `aad` is the place of the value, see `placeOf`; opening needs the same. */
  seal(plaintext: Uint8Array, aad: string): Uint8Array;
  open(sealed: Uint8Array, aad: string): Uint8Array;
  /** The version that `seal` uses now. */
  readonly keyVersion: number;
  /** For content that is not sealed in one piece (keys for blobs are derived from it). */
  dataKey(version: number): Uint8Array;
}

export interface Keyring {
  /**
   * The sealer of a tenant (gk_scope_id, or `system`); makes its first key if it has none. Reads the key rows
   * each time, but only once per transaction: a rotation or destruction by another process takes effect at
   * once.
   */
  forTenant(db: Db | Tx, tenantKey: string): Promise<TenantSealer>;
  /** Crypto-shredding: whatever was sealed for this tenant can never be opened again. */
  destroy(tx: Tx, tenantKey: string): Promise<void>;
  /** Starts a new version of the tenant's key; older ones stay for opening. Returns the new version. */
  rotate(tx: Tx, tenantKey: string): Promise<number>;
  /** The master key that is in force now. */
  master(db: Db | Tx): Promise<MasterKey>;
}

/** Any fixed number does: it only has to differ from other users of the same PostgreSQL database. */
const FIRST_KEY_LOCK = 0x766f7868;
export const SYSTEM_TENANT_KEY = 'system';
export const MASTER_KEY_SETTING = 'sealing.master_key_id';

/** The place of a sealed column, as additional data: a sealed value opens only where it was put. */
export function placeOf(table: string, column: string, rowId: string): string {
  return `${table}/${column}/${rowId}`;
}

interface KeyringDeps {
  database: Database;
  source: MasterKeySource;
  clock: Clock;
}

/** Checks at start that the master key fits the database; makes one for a database that has none yet. */
export async function openKeyring(deps: KeyringDeps): Promise<Keyring> {
  await deps.database.transaction(async (tx) => {
    // If several nodes start together on an empty database, one of them makes the key.
    if (deps.database.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${FIRST_KEY_LOCK})`.execute(tx);
    if ((await masterKeyIdInForce(tx)) !== undefined) return;
    const key = deps.source.load() ?? deps.source.create?.();
    if (!key)
      throw new StorageError('MASTER_KEY_MISSING', `no master key: ${deps.source.description} holds none`);
    await tx
      .insertInto('settings')
      .values({ name: MASTER_KEY_SETTING, value: key.id })
      .onConflict((c) => c.doNothing())
      .execute();
  });
  const keyring = new DatabaseKeyring(deps.source, deps.clock);
  await keyring.master(deps.database.db);
  return keyring;
}

/** For a database whose rows are only just being written: checks nothing and makes nothing. */
export function uncheckedKeyring({ source, clock }: Omit<KeyringDeps, 'database'>): Keyring {
  return new DatabaseKeyring(source, clock);
}

async function masterKeyIdInForce(db: Db | Tx): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', MASTER_KEY_SETTING)
    .executeTakeFirst();
  return row?.value;
}

class DatabaseKeyring implements Keyring {
  readonly #source: MasterKeySource;
  readonly #clock: Clock;
  #loaded: MasterKey | undefined;
  /**
   * By transaction and tenant; undefined for transactions that have changed keys and may still roll that
   * back.
   */
  readonly #known = new WeakMap<object, Map<string, TenantSealer> | undefined>();

  constructor(source: MasterKeySource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  async master(db: Db | Tx): Promise<MasterKey> {
    const id = await masterKeyIdInForce(db);
    if (id === undefined) throw new StorageError('MASTER_KEY_MISSING', 'the database names no master key');
    return this.#masterKey(id);
  }

  /** The file is read again when another key is asked for: it may have been rotated under a running server. */
  #masterKey(id: string): MasterKey {
    if (this.#loaded?.id === id) return this.#loaded;
    const key = this.#source.load(id);
    if (!key) {
      const there = this.#source.load();
      const code = there ? 'MASTER_KEY_WRONG' : 'MASTER_KEY_MISSING';
      const fault = new StorageError(
        code,
        `the database is sealed with master key ${id}; ${this.#source.description} holds ${there ? `key ${there.id}` : 'none'}`,
      );
      // Rotated under a running node that was not given the new key: its callers may try another node.
      throw this.#loaded ? keyOutOfDate(code, fault) : fault;
    }
    this.#loaded = key;
    return key;
  }

  async forTenant(db: Db | Tx, tenantKey: string): Promise<TenantSealer> {
    const known = this.#knownIn(db);
    const sealer = known?.get(tenantKey) ?? (await this.#sealerOf(db, tenantKey));
    known?.set(tenantKey, sealer);
    return sealer;
  }

  /**
   * Only for a real transaction: an object that stands for several of them would remember keys for too long.
   */
  #knownIn(db: Db | Tx): Map<string, TenantSealer> | undefined {
    if (!(db instanceof Transaction)) return undefined;
    if (!this.#known.has(db)) this.#known.set(db, new Map());
    return this.#known.get(db);
  }

  async #sealerOf(db: Db | Tx, tenantKey: string): Promise<TenantSealer> {
    let keys = await this.#dataKeys(db, tenantKey);
    if (keys.current === undefined) {
      await this.#addKey(db, tenantKey, keys.newest + 1);
      keys = await this.#dataKeys(db, tenantKey);
    }
    if (keys.current === undefined)
      throw new StorageError('KEY_DESTROYED', `tenant ${tenantKey} has no data key`);
    return tenantSealer(tenantKey, keys.current, keys.usable, keys.destroyed);
  }

  async rotate(tx: Tx, tenantKey: string): Promise<number> {
    const { newest } = await this.#dataKeys(tx, tenantKey);
    await this.#addKey(tx, tenantKey, newest + 1);
    return newest + 1;
  }

  async destroy(tx: Tx, tenantKey: string): Promise<void> {
    this.#known.set(tx, undefined);
    // The rows stay, without their keys: a version is never reused, and an old value can say why it cannot be
    // opened.
    await tx
      .updateTable('sealing_keys')
      .set({ wrapped_key: null, destroyed_at: this.#clock.now() })
      .where('scope_key', '=', tenantKey)
      .where('wrapped_key', 'is not', null)
      .execute();
  }

  async #dataKeys(db: Db | Tx, tenantKey: string): Promise<DataKeys> {
    const rows = await db
      .selectFrom('sealing_keys')
      .selectAll()
      .where('scope_key', '=', tenantKey)
      .orderBy('version')
      .execute();
    const keys: DataKeys = { usable: new Map(), destroyed: new Set(), current: undefined, newest: 0 };
    for (const row of rows) {
      keys.newest = row.version;
      if (row.wrapped_key === null) {
        keys.destroyed.add(row.version);
        continue;
      }
      const master = this.#masterKey(row.master_key_id);
      keys.usable.set(
        row.version,
        openBytes(master.bytes, row.wrapped_key, wrapPlace(tenantKey, row.version)),
      );
      keys.current = row.version;
    }
    return keys;
  }

  async #addKey(db: Db | Tx, tenantKey: string, version: number): Promise<void> {
    if (!db.isTransaction) return db.transaction().execute((tx) => this.#addKey(tx, tenantKey, version));
    this.#known.set(db, undefined);
    // The lock keeps a rotation of the master key from missing this row.
    const query = db.selectFrom('settings').select('value').where('name', '=', MASTER_KEY_SETTING);
    const inForce = await query.forUpdate().executeTakeFirstOrThrow();
    const master = this.#masterKey(inForce.value);
    const dataKey = new Uint8Array(randomBytes(KEY_BYTES));
    await db
      .insertInto('sealing_keys')
      .values({
        scope_key: tenantKey,
        version,
        wrapped_key: wrapDataKey(master, tenantKey, version, dataKey),
        master_key_id: master.id,
        created_at: this.#clock.now(),
        destroyed_at: null,
      })
      .onConflict((c) => c.doNothing())
      .execute();
  }
}

const RETRY_AFTER_MS = 1000;

function keyOutOfDate(code: DiagnosticCode, cause: StorageError): AppError {
  return new AppError('BUSY', 'this node needs the new master key', {
    retryAfterMs: RETRY_AFTER_MS,
    diagnostics: [{ code }],
    cause,
  });
}

interface DataKeys {
  usable: Map<number, Uint8Array>;
  destroyed: Set<number>;
  current: number | undefined;
  newest: number;
}

function wrapPlace(tenantKey: string, version: number): string {
  return `data-key/${version}/${tenantKey}`;
}

export function wrapDataKey(
  master: MasterKey,
  tenantKey: string,
  version: number,
  dataKey: Uint8Array,
): Uint8Array {
  return sealBytes(master.bytes, 0, dataKey, wrapPlace(tenantKey, version));
}

export function unwrapDataKey(
  master: MasterKey,
  tenantKey: string,
  version: number,
  wrapped: Uint8Array,
): Uint8Array {
  return openBytes(master.bytes, wrapped, wrapPlace(tenantKey, version));
}

function tenantSealer(
  tenantKey: string,
  current: number,
  usable: Map<number, Uint8Array>,
  destroyed: Set<number>,
): TenantSealer {
  const dataKey = (version: number): Uint8Array => {
    const key = usable.get(version);
    if (key) return key;
    if (destroyed.has(version))
      throw new StorageError('KEY_DESTROYED', `key ${version} of tenant ${tenantKey} was destroyed`);
    throw new StorageError('SEAL_BROKEN', `tenant ${tenantKey} never had a key of version ${version}`);
  };
  // The tenant is part of the place: keys differ anyway, but this way no mistake in key handling can mix
  // tenants.
  const place = (aad: string): string => `${tenantKey}\n${aad}`;
  return {
    keyVersion: current,
    dataKey,
    seal: (plaintext, aad) => sealBytes(dataKey(current), current, plaintext, place(aad)),
    open: (sealed, aad) => openBytes(dataKey(keyVersionOf(sealed)), sealed, place(aad)),
  };
}

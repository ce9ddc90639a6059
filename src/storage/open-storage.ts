// Opens everything that keeps state, in order of dependency: database, schema, keys, audit trail, blobs. The
// server and the commands share it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../platform.js';
import { type AuditLog, auditLog } from './audit/audit-log.js';
import { refuseUnfinished } from './backup/restore-mark.js';
import type { BlobStore } from './blobs/blob-store.js';
import { openBlobs, type S3Access } from './blobs/open-blobs.js';
import { findDamage } from './checks/database.js';
import { prepareHome } from './checks/home.js';
import { type Database, type DatabaseOptions, openDatabase, type PostgresLimits } from './database.js';
import { type MigrationReport, migrate } from './migrate.js';
import type { DatabaseEvent } from './postgres/pool.js';
import { fillFactors } from './biometrics/fill-factors.js';
import { sealPlainTexts } from './biometrics/seal-plain-texts.js';
import { type Keyring, openKeyring } from './sealing/keyring.js';
import { fileMasterKey, givenMasterKey, type MasterKeySource } from './sealing/master-key.js';
import { StorageError } from './storage-error.js';

interface StorageOptions {
  /** Folder of the SQLite file, the key file and the blobs. */
  home: string;
  /** postgres:// URL; empty for the SQLite file. */
  databaseUrl: string;
  /** Base64; empty for the key file. */
  masterKey: string;
  /** Where recordings are stored; without it, a folder of the home directory. */
  media?: MediaOptions;
  clock: Clock;
  /** Look for damage before anything is changed; a server does, a command need not. */
  checkDamage?: boolean;
  postgres?: PostgresLimits;
  /** Told when the database goes away and comes back; see DatabaseEvent. */
  onDatabaseEvent?: (event: DatabaseEvent) => void;
}

interface MediaOptions {
  /** s3://BUCKET/PREFIX; empty for the folder of the home directory. */
  store: string;
  s3: S3Access;
}

export interface Storage {
  database: Database;
  keyring: Keyring;
  masterKey: MasterKeySource;
  audit: AuditLog;
  blobs: BlobStore;
  migration: MigrationReport;
  close(): Promise<void>;
}

export async function openStorage(options: StorageOptions): Promise<Storage> {
  await prepareHome(options.home);
  const where = databaseOptions(options);
  const early = where.kind === 'postgres' ? await migrateWithRetry(where, options.clock) : undefined;
  const database = openDatabase(where);
  try {
    if (options.checkDamage && where.kind === 'sqlite') await refuseDamaged(database, where.file);
    if (!early) await refuseUnfinished(database);
    const migration = early ?? (await migrate(database, options.clock));
    const masterKey = masterKeySource(options);
    const keyring = await openKeyring({ database, clock: options.clock, source: masterKey });
    await sealPlainTexts(database, keyring);
    await fillFactors(database);
    return {
      database,
      keyring,
      masterKey,
      migration,
      audit: auditLog({ database, keyring, clock: options.clock }),
      blobs: blobsAt(options, { database, keyring, clock: options.clock }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The store that the options name, or another one at `address` that is reached in the same way. */
export function blobsAt(
  { home, media }: Pick<StorageOptions, 'home' | 'media'>,
  { database, keyring, clock }: { database: Database; keyring: Keyring; clock: Clock },
  address = media?.store || join(home, 'blobs'),
): BlobStore {
  return openBlobs(address, media?.s3 ?? noAccess, {
    clock,
    sealerOf: (tenantKey) => keyring.forTenant(database.db, tenantKey),
  });
}

const noAccess: S3Access = {
  endpoint: '',
  region: '',
  addressing: 'auto',
  accessKeyId: '',
  secretAccessKey: '',
};

/** Reading a file of this size takes seconds; larger ones are checked by `voxgate doctor`. */
const CHECKED_BYTES_MAX = 1024 * 1024 * 1024;

/** Finds a damaged page now, rather than when some caller happens to need it. */
async function refuseDamaged(database: Database, file: string): Promise<void> {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > CHECKED_BYTES_MAX) return;
  const damage = await findDamage(database, 'quick');
  if (damage.length > 0)
    throw new StorageError(
      'DATABASE_DAMAGED',
      `the database ${file} is damaged (${damage[0]}): restore a backup; \`voxgate doctor\` says more`,
    );
}

/**
 * Changing a large table may take any amount of time: the usual limits are for callers who wait for an
 * answer.
 */
async function migrateWithRetry(
  where: DatabaseOptions & { kind: 'postgres' },
  clock: Clock,
): Promise<MigrationReport> {
  const { onEvent: _quiet, ...options } = where;
  const database = openDatabase({ ...options, poolMax: 1, statementTimeoutMs: 0 });
  try {
    await refuseUnfinished(database);
    return await migrate(database, clock);
  } finally {
    await database.close();
  }
}

/** `sqlite:` and `file:` URLs name a file other than the default one. */
export function databaseOptions(
  options: Pick<StorageOptions, 'home' | 'databaseUrl' | 'postgres' | 'onDatabaseEvent'>,
): DatabaseOptions {
  const { databaseUrl, onDatabaseEvent } = options;
  if (/^postgres(ql)?:/.test(databaseUrl)) {
    return {
      kind: 'postgres',
      url: databaseUrl,
      ...options.postgres,
      ...(onDatabaseEvent && { onEvent: onDatabaseEvent }),
    };
  }
  const named = databaseUrl.replace(/^(sqlite|file):(\/\/)?/, '');
  return { kind: 'sqlite', file: named === '' ? join(options.home, 'voxgate.db') : named };
}

export function masterKeySource(options: Pick<StorageOptions, 'home' | 'masterKey'>): MasterKeySource {
  if (options.masterKey !== '')
    return givenMasterKey(options.masterKey, 'sealing.masterKey (VOXGATE_SEALING_MASTER_KEY)');
  return fileMasterKey(join(options.home, 'master.key'));
}

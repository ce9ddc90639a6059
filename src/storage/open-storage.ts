// Opens everything that keeps state, in the order in which it depends on itself: database, schema, keys,
// audit trail, blobs. The server and the commands share it.
import { join } from 'node:path';
import type { Clock } from '../platform.js';
import { type AuditLog, auditLog } from './audit/audit-log.js';
import type { BlobStore } from './blobs/blob-store.js';
import { fileBlobs } from './blobs/file-blobs.js';
import { type Database, type DatabaseOptions, openDatabase } from './database.js';
import { type MigrationReport, migrate } from './migrate.js';
import { type Keyring, openKeyring } from './sealing/keyring.js';
import { fileMasterKey, givenMasterKey, type MasterKeySource } from './sealing/master-key.js';

export interface StorageOptions {
  /** Folder of the SQLite file, the key file and the blobs. */
  home: string;
  /** postgres:// URL; empty for the SQLite file. */
  databaseUrl: string;
  /** Base64; empty for the key file. */
  masterKey: string;
  clock: Clock;
  onIdleError?: (error: Error) => void;
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
  const database = openDatabase(databaseOptions(options));
  try {
    const migration = await migrate(database, options.clock);
    const masterKey = masterKeySource(options);
    const keyring = await openKeyring({ database, clock: options.clock, source: masterKey });
    return {
      database,
      keyring,
      masterKey,
      migration,
      audit: auditLog({ database, keyring, clock: options.clock }),
      blobs: fileBlobs({
        root: join(options.home, 'blobs'),
        clock: options.clock,
        sealerOf: (tenantKey) => keyring.forTenant(database.db, tenantKey),
      }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** `sqlite:` and `file:` URLs name another file than the default one. */
export function databaseOptions(
  options: Pick<StorageOptions, 'home' | 'databaseUrl' | 'onIdleError'>,
): DatabaseOptions {
  const { databaseUrl } = options;
  if (/^postgres(ql)?:/.test(databaseUrl)) {
    return {
      kind: 'postgres',
      url: databaseUrl,
      ...(options.onIdleError ? { onIdleError: options.onIdleError } : {}),
    };
  }
  const named = databaseUrl.replace(/^(sqlite|file):(\/\/)?/, '');
  return { kind: 'sqlite', file: named === '' ? join(options.home, 'voxgate.db') : named };
}

function masterKeySource(options: StorageOptions): MasterKeySource {
  if (options.masterKey !== '')
    return givenMasterKey(options.masterKey, 'sealing.masterKey (VOXGATE_SEALING_MASTER_KEY)');
  return fileMasterKey(join(options.home, 'master.key'));
}

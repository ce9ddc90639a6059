// Backup and restore of everything that keeps state, as the configuration says. The master key is in no backup: it is what
// opens them, and is kept apart.
import { existsSync } from 'node:fs';
import { SYSTEM_CHAIN, systemActor, auditDetail } from '../audit/model.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Config } from '../config.js';
import type { Clock } from '../platform.js';
import { readFacts, type BackupCounts, type BackupFacts } from '../storage/backup/archive.js';
import { createBackup, type BackupReport } from '../storage/backup/create-backup.js';
import { checkBackup, restoreBackup } from '../storage/backup/restore-backup.js';
import { changeStore } from '../storage/blobs/store-note.js';
import { checkBlobs } from '../storage/checks/blobs.js';
import { schemaVersion } from '../storage/checks/database.js';
import { prepareHome } from '../storage/checks/home.js';
import { openDatabase, type Database, type DatabaseOptions } from '../storage/database.js';
import { blobsAt, databaseOptions, masterKeySource } from '../storage/open-storage.js';
import { MASTER_KEY_SETTING, uncheckedKeyring } from '../storage/sealing/keyring.js';
import { readKeyFile, type MasterKey, type MasterKeySource } from '../storage/sealing/master-key.js';
import { readSetting } from '../storage/settings.js';
import { StorageError } from '../storage/storage-error.js';
import { noteMissing } from './restore-place.js';
import { openStorage } from './storage.js';
import { programVersion } from './version.js';

interface RestoreReport extends BackupFacts, BackupCounts {
  /** Of the audit trail, which was checked after it was restored. */
  auditRecords: number;
  missing: string[];
  damaged: string[];
}

/** Neither migrates nor changes anything else: an older or newer server may be running on the same database. */
export async function backup(config: Config, clock: Clock, path: string): Promise<BackupReport> {
  const where = databaseAt(config);
  // Opening it would make one: a wrong address must not look like an empty installation.
  if (where.kind === 'sqlite' && !existsSync(where.file)) throw nothingThere(where.file);
  return withDatabase(where, async (database) => {
    const source = sourceOf(config);
    const isMade = (await schemaVersion(database)) !== undefined;
    const keyId = isMade ? await readSetting(database, MASTER_KEY_SETTING) : undefined;
    if (keyId === undefined) throw nothingThere('the address of the setting `database`');
    const master = keyFor(keyId, 'the database', source);
    const keyring = uncheckedKeyring({ source, clock });
    const blobs = blobsAt(config, { database, keyring, clock });
    const createdAt = new Date(clock.now()).toISOString();
    return createBackup({ database, blobs, master }, path, { createdAt, program: programVersion() });
  });
}

/** Reads a backup to its end; changes nothing. */
export async function inspectBackup(
  config: Config,
  path: string,
  keyFile: string | undefined,
): Promise<BackupFacts & BackupCounts> {
  const facts = await readFacts(path);
  const master = keyOfBackup(config, facts, keyFile);
  return { ...facts, ...(await checkBackup(path, master)) };
}

/** Into an empty home and database; afterwards all that was restored is read and checked. */
export async function restore(
  config: Config,
  clock: Clock,
  { path, keyFile }: { path: string; keyFile: string | undefined },
): Promise<RestoreReport> {
  const facts = await readFacts(path);
  const master = keyOfBackup(config, facts, keyFile);
  const where = databaseAt(config);
  const place = noteMissing(config, where);
  let forgetKey: (() => void) | undefined;
  let counts: BackupCounts | undefined;
  try {
    await prepareHome(config.home);
    // Where the server will look for the key: an empty place gets it, another key there must not be lost.
    const source = sourceOf(config);
    forgetKey = source.install?.(master);
    keyFor(master.id, 'the backup', source);
    counts = await withDatabase(where, (database) =>
      restoreBackup(
        {
          database,
          clock,
          master,
          openBlobs: (tx, keyring) => blobsAt(config, { database: { ...database, db: tx }, keyring, clock }),
        },
        path,
      ),
    );
    return { ...facts, ...counts, ...(await checkRestored(config, clock, facts)) };
  } catch (error) {
    // What is committed goes only as a whole; and what was damaged before it was backed up is still all that there is.
    const isToGo = counts === undefined || (place.isDatabaseNew && !isDamaged(error));
    if (isToGo) {
      forgetKey?.();
      place.clear();
    }
    throw error;
  }
}

const isDamaged = (error: unknown): boolean =>
  error instanceof StorageError && error.fault === 'BACKUP_DAMAGED';

async function checkRestored(
  config: Config,
  clock: Clock,
  facts: BackupFacts,
): Promise<Pick<RestoreReport, 'auditRecords' | 'missing' | 'damaged'>> {
  const { database, audit, blobs, close } = await openStorage(config, clock);
  try {
    let auditRecords = 0;
    for (const chain of await audit.chains()) {
      const { records, broken } = await verifyChain(audit, chain);
      if (broken)
        throw new StorageError('BACKUP_DAMAGED', `the audit trail of ${chain} is broken: ${broken.message}`);
      auditRecords += records;
    }
    const { missing, damaged } = await checkBlobs(database, blobs, 'full');
    // The rows remember the store of the installation that was backed up.
    await changeStore(database, blobs);
    await database.transaction((tx) =>
      audit.within(tx).append({
        chain: SYSTEM_CHAIN,
        recordType: 'WEB_APP_EVENT',
        operation: 'backup.restore',
        actor: systemActor,
        detail: auditDetail({ backupCreatedAt: facts.createdAt, backupMadeBy: facts.program }),
      }),
    );
    return { auditRecords, missing, damaged };
  } finally {
    await close();
  }
}

function databaseAt(config: Config): DatabaseOptions {
  return databaseOptions({
    home: config.home,
    databaseUrl: config.database,
    // Reading or writing everything takes as long as it takes.
    postgres: { ...config.postgres, statementTimeoutMs: 0 },
  });
}

const nothingThere = (where: string): StorageError =>
  new StorageError('MISUSE', `there is nothing to back up: no installation at ${where}`);

async function withDatabase<T>(where: DatabaseOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(where);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const sourceOf = (config: Config): MasterKeySource =>
  masterKeySource({ home: config.home, masterKey: config.sealing.masterKey });

function keyOfBackup(config: Config, facts: BackupFacts, keyFile: string | undefined): MasterKey {
  if (keyFile === undefined) return keyFor(facts.masterKeyId, 'the backup', sourceOf(config));
  const key = readKeyFile(keyFile);
  if (!key) throw new StorageError('MASTER_KEY_MISSING', `file not found: ${keyFile}`);
  return keyFor(facts.masterKeyId, 'the backup', { description: keyFile, load: () => key });
}

function keyFor(id: string, what: string, source: Pick<MasterKeySource, 'description' | 'load'>): MasterKey {
  const key = source.load(id) ?? source.load();
  if (key?.id === id) return key;
  throw new StorageError(
    key ? 'MASTER_KEY_WRONG' : 'MASTER_KEY_MISSING',
    `${what} is sealed with master key ${id}; ${source.description} holds ${key ? `key ${key.id}` : 'none'}`,
  );
}

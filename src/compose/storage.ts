// Opens everything that keeps state: the database with its schema brought up to date, the keyring, the audit trail.
import { inHome, type Config } from '../config.js';
import type { Clock } from '../platform.js';
import { auditLog, type AuditLog } from '../storage/audit/audit-log.js';
import { openDatabase, type Database, type DatabaseOptions } from '../storage/database.js';
import { migrate } from '../storage/migrate.js';
import { openKeyring, type Keyring } from '../storage/sealing/keyring.js';
import { fileMasterKey, givenMasterKey, type MasterKeySource } from '../storage/sealing/master-key.js';
import { mkdirSync } from 'node:fs';

export interface Storage {
  database: Database;
  keyring: Keyring;
  audit: AuditLog;
  close(): Promise<void>;
}

export async function openStorage(config: Config, clock: Clock): Promise<Storage> {
  const database = openDatabase(databaseOptions(config));
  try {
    await migrate(database, clock);
    const keyring = await openKeyring({ database, source: masterKeySource(config), clock });
    return { database, keyring, audit: auditLog({ database, keyring, clock }), close: () => database.close() };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}

export function databaseOptions(config: Config): DatabaseOptions {
  if (config.database !== '') return { kind: 'postgres', url: config.database };
  mkdirSync(config.home, { recursive: true, mode: 0o700 });
  return { kind: 'sqlite', file: inHome(config, 'voxgate.db') };
}

export function masterKeySource(config: Config): MasterKeySource {
  const { masterKey } = config.sealing;
  return masterKey === '' ? fileMasterKey(inHome(config, 'master.key')) : givenMasterKey(masterKey, 'sealing.masterKey');
}

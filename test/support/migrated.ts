// Databases with all tables, made once in a run: bringing an empty one up to date takes half as long as starting a server, and
// every server and most tests need one. What a first start does has its own tests, on empty databases.
import { join } from 'node:path';
import { inject } from 'vitest';
import { type DatabaseOptions, openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { onceInRun } from './once-in-run.js';

export async function migrateAt(options: DatabaseOptions): Promise<void> {
  const database = openDatabase(options);
  try {
    await migrate(database, { now: () => 0 });
  } finally {
    await database.close();
  }
}

/** A SQLite file to copy. */
export async function migratedFile(): Promise<string> {
  const outcome = await onceInRun('sqlite-template', async () => {
    const file = join(inject('runFolder'), 'template.db');
    await migrateAt({ kind: 'sqlite', file });
    return file;
  });
  if ('fault' in outcome) throw new Error(outcome.fault);
  return outcome.value;
}

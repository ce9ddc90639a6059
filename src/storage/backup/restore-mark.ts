// An interrupted restore leaves empty tables, which would pass for a new installation. So the transaction
// that makes the tables also marks the database, and the one that fills them removes the mark: a database
// with the mark is not an installation.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { schemaVersion } from '../checks/database.js';
import type { Database, Tx } from '../database.js';
import { deleteSetting, readSetting, writeSetting } from '../settings.js';
import { StorageError } from '../storage-error.js';
import { tableNames } from './snapshot.js';

export const MARK_SETTING = 'restore.unfinished';

interface Mark {
  since: string;
  /** Tells this restore from another one that may have followed it. */
  id: string;
}

export const newMark = (nowMs: number): string =>
  JSON.stringify({ since: new Date(nowMs).toISOString(), id: randomUUID() } satisfies Mark);

export const mark = (tx: Tx, value: string): Promise<void> => writeSetting({ db: tx }, MARK_SETTING, value);

/** Returns whether the mark was there. While that restore is still running, this waits until it ends. */
export const unmark = (tx: Tx, value: string): Promise<boolean> =>
  deleteSetting({ db: tx }, MARK_SETTING, value);

export async function markIn(database: Database): Promise<string | undefined> {
  return (await schemaVersion(database)) === undefined ? undefined : readSetting(database, MARK_SETTING);
}

/** Drops the tables that were made for a restore; returns whether they still belonged to that restore. */
export async function dropMarked(database: Database, value: string): Promise<boolean> {
  const names = await tableNames(database);
  return database.transaction(async (tx) => {
    if (!(await unmark(tx, value))) return false;
    for (const name of names) await sql`drop table ${sql.table(name)}`.execute(tx);
    return true;
  });
}

/** Describes a restore that was begun here and has not ended. */
export async function unfinishedRestore(database: Database): Promise<string | undefined> {
  const value = await markIn(database);
  return value === undefined
    ? undefined
    : `a restore into this database, begun ${(JSON.parse(value) as Mark).since}, has not ended`;
}

export const UNFINISHED_ADVICE =
  'If it is still running, wait for it; if it was stopped, run `voxgate restore` again: it removes what is left and starts over';

export async function refuseUnfinished(database: Database): Promise<void> {
  const found = await unfinishedRestore(database);
  if (found !== undefined) throw new StorageError('RESTORE_UNFINISHED', `${found}. ${UNFINISHED_ADVICE}`);
}

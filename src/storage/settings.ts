// Small named values of the installation itself, such as what the first run made.
import type { Database, Db } from './database.js';

/** The database, or the transaction that the change is part of. */
type Settings = Readonly<{ db: Db }>;

export async function readSetting({ db }: Settings, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function writeSetting({ db }: Settings, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute();
}

/** Sets the value unless there is one; returns the value that is now in force. */
export async function setIfUnset(database: Database, name: string, value: string): Promise<string> {
  await database.db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((c) => c.doNothing())
    .execute();
  return (await readSetting(database, name)) ?? value;
}

/** Deletes the setting only while it still has this value; returns whether it had. */
export async function deleteSetting({ db }: Settings, name: string, value: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('settings')
    .where('name', '=', name)
    .where('value', '=', value)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Resolves once the database has answered a query about one of our tables. */
export async function pingDatabase({ db }: Database): Promise<void> {
  await db.selectFrom('settings').select('name').limit(1).execute();
}

// Leases on small pieces of work of the whole installation: one node at a time, and the lease of one that died runs out.
import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';

/** Does the work unless somebody else holds the lease; `forMs` is how long one that died can hold it. */
export async function underLease<T>(
  database: Database,
  name: string,
  forMs: number,
  work: () => Promise<T>,
): Promise<{ held: true; result: T } | { held: false }> {
  const value = leaseUntil(Date.now() + forMs);
  if (!(await takeLease(database, name, value))) return { held: false };
  try {
    return { held: true, result: await work() };
  } finally {
    await releaseLease(database, name, value);
  }
}

/** The value of a lease: nobody else's, and until when it holds. */
function leaseUntil(endsAtMs: number): string {
  return `${randomUUID()} ${endsAtMs}`;
}

function takeLease(database: Database, name: string, value: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const inserted = await tx
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (Number(inserted.numInsertedOrUpdatedRows) > 0) return true;
    const held = await tx
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirst();
    if (!held || Number(held.value.split(' ')[1]) > Date.now()) return false;
    await tx.updateTable('settings').set({ value }).where('name', '=', name).execute();
    return true;
  });
}

async function releaseLease({ db }: Database, name: string, value: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).where('value', '=', value).execute();
}

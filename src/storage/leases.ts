// Leases on small pieces of work of the whole installation: one node at a time, and the lease of one that died runs out.
import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';

/** The value of a lease: nobody else's, and until when it holds. */
export function leaseUntil(endsAtMs: number): string {
  return `${randomUUID()} ${endsAtMs}`;
}

export function takeLease(database: Database, name: string, value: string): Promise<boolean> {
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

export async function releaseLease({ db }: Database, name: string, value: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).where('value', '=', value).execute();
}

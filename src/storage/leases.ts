// Leases on small pieces of work of the whole installation: one node at a time, and the lease of one that died runs out.
import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';

const LONGEST_MS = 24 * 3600_000;

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

/**
 * Does the work on one node per period: whoever comes first does it, the others leave it alone until the period is over. Work
 * that failed is free for whoever comes next; undefined where somebody else has done it or is at it.
 */
export async function oncePer<T>(
  database: Database,
  name: string,
  periodMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const value = leaseUntil(Date.now() + periodMs);
  if (!(await takeLease(database, name, value))) return undefined;
  try {
    return await work();
  } catch (error) {
    await releaseLease(database, name, value);
    throw error;
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
    if (!held || isInForce(held.value)) return false;
    await tx.updateTable('settings').set({ value }).where('name', '=', name).execute();
    return true;
  });
}

/** One that ends later than any does was set by a clock that was wrong. */
function isInForce(value: string): boolean {
  const leftMs = Number(value.split(' ')[1]) - Date.now();
  return leftMs > 0 && leftMs <= LONGEST_MS;
}

async function releaseLease({ db }: Database, name: string, value: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).where('value', '=', value).execute();
}

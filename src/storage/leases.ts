// Leases on small, installation-wide pieces of work: one node holds a lease at a time, and the lease of a
// node that died expires.
import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';

const LONGEST_MS = 24 * 3600_000;

/**
 * Does the work unless another node holds the lease; `forMs` is how long a node that died can keep others
 * out.
 */
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
 * Does the work on one node per period: the first node to ask does it, the others skip it until the period is
 * over. If it failed, the next node may try. Undefined if another node has done it or is doing it.
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

/** A unique lease value that also says when it ends. */
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

/** A lease that ends later than any lease can was set by a wrong clock, and does not count. */
function isInForce(value: string): boolean {
  const leftMs = Number(value.split(' ')[1]) - Date.now();
  return leftMs > 0 && leftMs <= LONGEST_MS;
}

async function releaseLease({ db }: Database, name: string, value: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).where('value', '=', value).execute();
}

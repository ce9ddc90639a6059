// @module-tag slow
// Another program holds the lock of the SQLite file for longer than anybody waits: calls are refused as busy, and when the lock is free
// again, everything can be written again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-locked-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

it('writes again after a lock that was held too long', async () => {
  const file = join(FOLDER, 'voxgate.db');
  const [database, other] = [0, 1].map(() => openDatabase({ kind: 'sqlite', file }));
  if (!database || !other) throw new Error('not opened');
  await sql`create table t (x integer)`.execute(database.db);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let holding = Promise.resolve();
  await new Promise<void>((resolve) => {
    holding = other.transaction(async (tx) => {
      await sql`insert into t values (1)`.execute(tx);
      resolve();
      await held;
    });
  });
  await expect(sql`delete from t where x = 5 returning x`.execute(database.db)).rejects.toThrow();
  await expect(sql`insert into t values (2)`.execute(database.db)).rejects.toThrow();
  release();
  await holding;
  await sql`insert into t values (3)`.execute(database.db);
  await database.transaction((tx) => sql`insert into t values (4)`.execute(tx));
  const { rows } = await sql<{ x: number }>`select x from t order by x`.execute(database.db);
  expect(rows.map(({ x }) => x)).toEqual([1, 3, 4]);
  await Promise.all([database.close(), other.close()]);
});

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkDatabase } from '../../src/compose/doctor/state-checks.js';
import { AppError } from '../../src/errors.js';
import { afterCommit, type Database, openDatabase } from '../../src/storage/database.js';
import { underLease } from '../../src/storage/leases.js';
import { migrate } from '../../src/storage/migrate.js';
import { migrations } from '../../src/storage/migrations/index.js';
import { orAlreadyExists } from '../../src/storage/violations.js';
import { forEachDatabase } from '../support/database.js';
import { hindrances, shapeOf } from './schema-shape.js';

const clock = { now: () => 1_763_172_000_123 };

function putSetting(database: Database, name: string, value: string): Promise<unknown> {
  return database.db.insertInto('settings').values({ name, value }).execute();
}

await forEachDatabase(({ dialect, open, locate }) => {
  describe('a lease', () => {
    it('is held by one at a time, is free afterwards, and runs out when its holder has died', async () => {
      const database = await open();
      let release = (): void => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      let refused = 0;
      let ran = 0;
      const ask = async (): Promise<boolean> => {
        const { held } = await underLease(database, 'test.lease', 60_000, async () => {
          ran += 1;
          await gate;
        });
        if (!held && ++refused === 4) release();
        return held;
      };
      const answers = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
      expect([answers.filter(Boolean).length, ran]).toEqual([1, 1]);
      const taken = await underLease(database, 'test.lease', -1, () =>
        underLease(database, 'test.lease', 60_000, async () => 'the next one'),
      );
      expect(taken).toEqual({ held: true, result: { held: true, result: 'the next one' } });
    });
  });

  describe('values', () => {
    it('returns bytes, millisecond times, counts and text as they were written', async () => {
      const database = await open();
      const wrapped = new Uint8Array(new Uint8Array([9, 9, 0, 1, 255, 9]).buffer, 2, 3);
      await database.db
        .insertInto('sealing_keys')
        .values({
          scope_key: 'ключ "x"',
          version: 1,
          wrapped_key: wrapped,
          master_key_id: 'm',
          created_at: 1_763_172_000_123,
          destroyed_at: null,
        })
        .execute();
      const row = await database.db.selectFrom('sealing_keys').selectAll().executeTakeFirstOrThrow();
      expect(row).toEqual({
        scope_key: 'ключ "x"',
        version: 1,
        wrapped_key: new Uint8Array([0, 1, 255]),
        master_key_id: 'm',
        created_at: 1_763_172_000_123,
        destroyed_at: null,
      });
      expect(Object.getPrototypeOf(row.wrapped_key)).toBe(Uint8Array.prototype);
      const { n } = await database.db
        .selectFrom('sealing_keys')
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      expect(n).toBe(1);
    });

    it('refuses NUL in text as a fault of the request', async () => {
      const database = await open();
      await expect(putSetting(database, 'a\u0000b', 'x')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });

    it('refuses values that only one database would take', async () => {
      const database = await open();
      await expect(putSetting(database, 'a', true as unknown as string)).rejects.toMatchObject({
        fault: 'MISUSE',
      });
      await expect(putSetting(database, 'a', { b: 1 } as unknown as string)).rejects.toMatchObject({
        fault: 'MISUSE',
      });
    });
  });

  describe('transactions', () => {
    it('keeps nothing of a failed one and runs no commit hook', async () => {
      const database = await open();
      let told = 0;
      const failing = database.transaction(async (tx) => {
        afterCommit(tx, () => told++);
        await tx.insertInto('settings').values({ name: 'a', value: '1' }).execute();
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      expect(await database.db.selectFrom('settings').selectAll().execute()).toEqual([]);
      expect(told).toBe(0);
    });

    it('runs commit hooks after the commit is visible', async () => {
      const database = await open();
      const seen: unknown[] = [];
      await database.transaction(async (tx) => {
        afterCommit(tx, () => seen.push('told'));
        await tx.insertInto('settings').values({ name: 'a', value: '1' }).execute();
        expect(seen).toEqual([]);
      });
      expect(seen).toEqual(['told']);
    });

    it('loses no increment of a locked row', async () => {
      const database = await open();
      await putSetting(database, 'n', '0');
      const increment = (): Promise<void> =>
        database.transaction(async (tx) => {
          const row = await tx
            .selectFrom('settings')
            .selectAll()
            .where('name', '=', 'n')
            .forUpdate()
            .executeTakeFirstOrThrow();
          await new Promise((resolve) => setImmediate(resolve));
          await tx
            .updateTable('settings')
            .set({ value: String(Number(row.value) + 1) })
            .where('name', '=', 'n')
            .execute();
        });
      await Promise.all(Array.from({ length: 40 }, increment));
      expect(await database.db.selectFrom('settings').select('value').execute()).toEqual([{ value: '40' }]);
    });

    it('survives two transactions that lock the same rows in opposite order', async () => {
      const database = await open();
      await putSetting(database, 'a', '0');
      await putSetting(database, 'b', '0');
      const touch = (first: string, second: string): Promise<void> =>
        database.transaction(async (tx) => {
          for (const name of [first, second]) {
            await tx
              .updateTable('settings')
              .set({ value: sql`value || 'x'` })
              .where('name', '=', name)
              .execute();
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        });
      await Promise.all([touch('a', 'b'), touch('b', 'a')]);
      const rows = await database.db.selectFrom('settings').select('value').execute();
      expect(rows).toEqual([{ value: '0xx' }, { value: '0xx' }]);
    });

    it('refuses the outer database and nested transactions instead of waiting for itself', async () => {
      const database = await open();
      const outer = database.transaction(() => database.db.selectFrom('settings').selectAll().execute());
      await expect(outer).rejects.toMatchObject({ fault: 'MISUSE' });
      const nested = database.transaction(() => database.transaction(async () => 1));
      await expect(nested).rejects.toMatchObject({ fault: 'MISUSE' });
      expect(await database.db.selectFrom('settings').selectAll().execute()).toEqual([]);
    });

    it('turns a unique violation into ALREADY_EXISTS that names the field', async () => {
      const database = await open();
      await putSetting(database, 'a', '1');
      const again = orAlreadyExists('setting', 'name', () => putSetting(database, 'a', '2'));
      await expect(again).rejects.toBeInstanceOf(AppError);
      await expect(again).rejects.toMatchObject({ code: 'ALREADY_EXISTS', fields: [{ field: 'name' }] });
    });
  });

  describe('migrations', () => {
    it('applies each step once, in order, and reports what it did', async () => {
      const database = await open({ empty: true });
      const first = await migrate(database, clock);
      expect(first.applied[0]).toBe('0049-baseline');
      expect(first).toMatchObject({ from: 0, to: migrations.at(-1)?.version });
      expect(await migrate(database, clock)).toEqual({ from: first.to, to: first.to, applied: [] });
    });

    it('refuses a schema that is newer than the program', async () => {
      const database = await open({ empty: true });
      const future = { version: 9000, name: 'future', breaksOlder: true as const, up: async () => {} };
      await migrate(database, clock, [...migrations, future]);
      await expect(migrate(database, clock)).rejects.toMatchObject({
        fault: 'SCHEMA_TOO_NEW',
        message: expect.stringContaining('9000'),
      });
      expect(await checkDatabase(database, 'quick')).toMatchObject({ status: 'fault' });
    });

    it('takes a newer schema that breaks nothing as it is', async () => {
      const database = await open({ empty: true });
      const future = { version: 9000, name: 'future', up: async () => {} };
      await migrate(database, clock, [...migrations, future]);
      expect(await migrate(database, clock)).toEqual({ from: 9000, to: 9000, applied: [] });
      expect(await checkDatabase(database, 'quick')).toEqual({
        status: 'ok',
        found: expect.stringMatching(/to 9000.*can work with it/),
      });
    });

    it('changes nothing under the feet of the version before, step by step', async () => {
      const database = await open({ empty: true });
      await migrate(database, clock, migrations.slice(0, 1));
      for (let count = 2; count <= migrations.length; count++) {
        const before = await shapeOf(database);
        const { applied } = await migrate(database, clock, migrations.slice(0, count));
        expect(hindrances(before, await shapeOf(database)), applied.join()).toEqual([]);
      }
      const whole = await shapeOf(database);
      await database.db.schema.alterTable('collections').dropColumn('custom_data').execute();
      await database.db.schema
        .createIndex('one_name')
        .unique()
        .on('collections')
        .column('external_id')
        .execute();
      expect(hindrances(whole, await shapeOf(database))).toEqual([
        'collections.custom_data is gone',
        expect.stringMatching(/^collections.*external_id.* must be unique$/),
      ]);
    });

    it('leaves nothing behind when a step fails', async () => {
      const database = await open({ empty: true });
      await migrate(database, clock);
      const broken = {
        version: 9001,
        name: 'broken',
        up: async (db: Parameters<(typeof migrations)[0]['up']>[0]) => {
          await db.schema.createTable('half').addColumn('a', 'text').execute();
          throw new Error('step failed');
        },
      };
      await expect(migrate(database, clock, [...migrations, broken])).rejects.toThrow('step failed');
      const repaired = {
        ...broken,
        up: async (db: Parameters<(typeof migrations)[0]['up']>[0]) =>
          db.schema.createTable('half').addColumn('a', 'text').execute(),
      };
      expect((await migrate(database, clock, [...migrations, repaired])).applied).toEqual(['9001-broken']);
    });

    it('lets two servers start at once on an empty database', async () => {
      const where = await locate();
      const both = [openDatabase(where), openDatabase(where)];
      try {
        const reports = await Promise.all(both.map((database) => migrate(database, clock)));
        expect(reports.map((report) => report.applied.length).sort()).toEqual([0, migrations.length]);
      } finally {
        for (const database of both) await database.close();
      }
    });
  });

  it(`is the database that it says it is (${dialect})`, async () => {
    const database = await open();
    const probe =
      dialect === 'sqlite'
        ? sql<{ v: string }>`select sqlite_version() as v`
        : sql<{ v: string }>`select version() as v`;
    const { rows } = await probe.execute(database.db);
    expect(rows[0]?.v).toMatch(dialect === 'sqlite' ? /^3\./ : /PostgreSQL/);
  });
}, 'both quick');

// The sort key of persons, fraudsters, groups and watchlists, if it differs from the identifier: without case
// and accents. A node of an earlier version leaves it out, and its rows are sorted by the identifier as
// written.
import { sql, type Kysely } from 'kysely';
import { folded } from '../../biometrics/rules/fold-text.js';
import type { Migration } from './migration.js';

const ROWS_AT_ONCE = 1000;

export const orderOfIdentifiers: Migration = {
  version: 49,
  name: 'order-of-identifiers',
  async up(db) {
    for (const table of ['parties', 'collections']) {
      await db.schema.alterTable(table).addColumn('sort_key', 'text').execute();
      await fillIn(db, table);
      await sql`create index ${sql.ref(`${table}_sort_key`)} on ${sql.table(table)}
        (gk_scope_id, kind, (coalesce(sort_key, external_id)), external_id)`.execute(db);
    }
  },
};

async function fillIn(db: Kysely<unknown>, table: string): Promise<void> {
  for (let last = ''; ;) {
    const { rows } = await sql<{ gk_id: string; external_id: string }>`
      select gk_id, external_id from ${sql.table(table)} where gk_id > ${last}
      order by gk_id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    for (const { gk_id, external_id } of rows) {
      const key = folded(external_id);
      if (key !== external_id)
        await sql`update ${sql.table(table)} set sort_key = ${key} where gk_id = ${gk_id}`.execute(db);
    }
    last = rows.at(-1)?.gk_id ?? '';
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

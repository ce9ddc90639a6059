// Seals the free texts of rows that were written before texts were sealed: after an upgrade, and when a node
// of the previous version wrote them beside us. A batch is one transaction, and a sealed row is not found
// again: an interrupted run continues at the next start.
import { sql, type Kysely } from 'kysely';
import type { Database, Tx } from '../database.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { withdrawDescription } from './job-texts.js';
import { sealTexts, textTables, type TextTableName } from './texts.js';

const BATCH_ROWS = 200;

type PlainRow = Record<string, unknown> & { gk_scope_id: string };

/** Returns how many rows it sealed. */
export async function sealPlainTexts(database: Database, keyring: Keyring): Promise<number> {
  let total = 0;
  for (const table of Object.keys(textTables) as TextTableName[]) {
    // Queried without a lock: except at the first start there is nothing to do.
    while (await hasPlainTexts(database, table)) {
      const sealed = await database.transaction((tx) => sealBatch(tx, keyring, table));
      total += sealed;
    }
  }
  // Until then SQLite's log still holds the old pages in the clear.
  if (total > 0 && database.dialect === 'sqlite')
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
  return total;
}

async function hasPlainTexts({ db }: Database, table: TextTableName): Promise<boolean> {
  const plain = db.selectFrom(table).select('gk_scope_id').where('texts', 'is', null);
  return (await plain.limit(1).executeTakeFirst()) !== undefined;
}

async function sealBatch(tx: Tx, keyring: Keyring, table: TextTableName): Promise<number> {
  const db = tx as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const { idColumn, texts } = textTables[table];
  const columns = Object.keys(texts);
  const rows = (await db
    .selectFrom(table)
    .select([idColumn, 'gk_scope_id', ...columns])
    .where('texts', 'is', null)
    .limit(BATCH_ROWS)
    .forUpdate()
    .execute()) as PlainRow[];
  const sealers = new Map<string, Promise<TenantSealer>>();
  const sealerOf = (gkScopeId: string): Promise<TenantSealer> => {
    const sealer = sealers.get(gkScopeId) ?? keyring.forTenant(tx, gkScopeId);
    sealers.set(gkScopeId, sealer);
    return sealer;
  };
  for (const row of rows) {
    const id = String(row[idColumn]);
    const plain = columns.flatMap((column) =>
      typeof row[column] === 'string' ? [[column, documentIn(table, row[column])] as const] : [],
    );
    const { gk_scope_id: gkScopeId } = row;
    const ownSealer = gkScopeId === '' ? undefined : () => sealerOf(gkScopeId);
    const sealed = await sealTexts(ownSealer, { table, id }, Object.fromEntries(plain));
    await db.updateTable(table).set(sealed).where(idColumn, '=', id).execute();
  }
  return rows.length;
}

function documentIn(table: TextTableName, text: string): object {
  const document = JSON.parse(text) as object;
  return table === 'jobs' ? withdrawDescription(document as { input: string }) : document;
}

// Pages of lists by (created_at, id), newest first: stable while rows come and go, because a page begins behind
// the last row of the one before and not at a count.
import { sql, type Expression, type SqlBool } from 'kysely';
import { decodePosition, encodePosition } from '../../biometrics/call/paging.js';
import type { Page } from '../../biometrics/ports/page.js';

interface PagedQuery<Row> {
  where(condition: Expression<SqlBool>): PagedQuery<Row>;
  orderBy(column: Expression<unknown>, direction: 'asc' | 'desc'): PagedQuery<Row>;
  limit(rows: number): PagedQuery<Row>;
  execute(): Promise<Row[]>;
}

/** The rows of one page, and where the next one begins when there is one. */
export async function readPage<Row extends { created_at: number }, Id extends keyof Row & string>(
  query: PagedQuery<Row>,
  idColumn: Id,
  { limit, after }: Page,
): Promise<{ rows: Row[]; next?: string }> {
  const [created, id] = [sql.ref<number>('created_at'), sql.ref<string>(idColumn)];
  let paged = query;
  if (after) {
    const from = decodePosition(after);
    paged = paged.where(
      sql<SqlBool>`(${created} < ${from.createdAtMs} or (${created} = ${from.createdAtMs} and ${id} > ${from.id}))`,
    );
  }
  const found = await paged
    .orderBy(created, 'desc')
    .orderBy(id, 'asc')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    ...(found.length > limit &&
      last && { next: encodePosition({ createdAtMs: last.created_at, id: String(last[idColumn]) }) }),
  };
}

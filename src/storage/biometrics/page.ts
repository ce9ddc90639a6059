// Pages of lists, ordered by (created_at, id) or by the own ID without case and accents. They are stable
// while rows come and go, because a page begins after the last row of the previous one, not at a count.
import { sql, type Expression, type SqlBool } from 'kysely';
import { decodePosition, encodePosition, type Position } from '../../biometrics/call/paging.js';
import { folded } from '../../biometrics/rules/fold-text.js';
import type { ChangePosition, ListOrder, Page } from '../../biometrics/ports/page.js';

interface PagedQuery<Row> {
  where(condition: Expression<SqlBool>): PagedQuery<Row>;
  orderBy(column: Expression<unknown>, direction: 'asc' | 'desc'): PagedQuery<Row>;
  limit(rows: number): PagedQuery<Row>;
  execute(): Promise<Row[]>;
}

/** Null if it is the own ID itself, as for most. */
export function sortKeyOf(externalId: string): string | null {
  const key = folded(externalId);
  return key === externalId ? null : key;
}

/**
 * The rows of one page, and where the next page begins if there is one. Without an order by own ID, rows come
 * by time.
 */
export async function readPage<
  Row extends { created_at: number; external_id?: string; sort_key?: string | null },
  Id extends keyof Row & string,
>(
  query: PagedQuery<Row>,
  idColumn: Id,
  { limit, after, order = 'newest' }: Page,
  /** The table that has the time column, if rows come from more than one table. */
  table = '',
): Promise<{ rows: Row[]; next?: string }> {
  const from =
    after === undefined
      ? query
      : query.where(behind(decodePosition(after, order), timesIn(idColumn, table), order));
  const found = await ordered(from, timesIn(idColumn, table), order)
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  if (!last) return { rows };
  const { created_at: createdAtMs, external_id: identifier, sort_key: key } = last;
  const position = {
    createdAtMs,
    id: String(last[idColumn]),
    ...(identifier !== undefined && { identifier, key: key ?? identifier }),
  };
  return { rows, next: encodePosition(position, order) };
}

interface Times {
  created: Expression<number>;
  ref: Expression<string>;
}

const timesIn = (idColumn: string, table: string): Times => {
  const prefix = table && `${table}.`;
  return { created: sql.ref<number>(`${prefix}created_at`), ref: sql.ref<string>(`${prefix}${idColumn}`) };
};

const own = sql.ref<string>('external_id');
/** Spelled as in the indexes (migration 49). */
const sortKey = sql<string>`coalesce(${sql.ref('sort_key')}, ${own})`;

function behind(
  { createdAtMs, id, identifier, key }: Position,
  { created, ref }: Times,
  order: ListOrder,
): Expression<SqlBool> {
  switch (order) {
    case 'newest':
      return sql<SqlBool>`(${created} < ${createdAtMs} or (${created} = ${createdAtMs} and ${ref} > ${id}))`;
    case 'oldest':
      return sql<SqlBool>`(${created} > ${createdAtMs} or (${created} = ${createdAtMs} and ${ref} > ${id}))`;
    case 'identifier':
      return sql<SqlBool>`(${sortKey} >= ${key} and (${sortKey} > ${key} or ${own} > ${identifier}))`;
    case 'identifier-reversed':
      return sql<SqlBool>`(${sortKey} <= ${key} and (${sortKey} < ${key} or ${own} < ${identifier}))`;
  }
}

function ordered<Row>(query: PagedQuery<Row>, { created, ref }: Times, order: ListOrder): PagedQuery<Row> {
  if (order === 'identifier') return query.orderBy(sortKey, 'asc').orderBy(own, 'asc');
  if (order === 'identifier-reversed') return query.orderBy(sortKey, 'desc').orderBy(own, 'desc');
  return query.orderBy(created, order === 'newest' ? 'desc' : 'asc').orderBy(ref, 'asc');
}

/** Rows after a position, in order of their last modification. */
export function modifiedBehind(idColumn: string, { atMs, id }: ChangePosition): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.ref('modified_at')}, ${sql.ref(idColumn)}) > (${atMs}, ${id})`;
}

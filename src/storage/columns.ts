// How values that SQL dialects spell differently are kept: booleans as 0/1, JSON as text, times as
// milliseconds, bytes as blob or bytea. Adapters convert with these and with nothing else.
import { sql, type RawBuilder, type SqlBool } from 'kysely';

export function flag(value: boolean): number {
  return value ? 1 : 0;
}

export function isSet(column: number): boolean {
  return column !== 0;
}

export function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/**
 * Stored documents name their times without the unit (`completedAt`), as the first version wrote them, so
 * that nodes of different versions can read each other's rows; in the code a time carries its unit
 * (`completedAtMs`).
 */
export function storedTimes(document: object, ...names: readonly string[]): Record<string, unknown> {
  return renamed(document, (name) => names.find((stored) => `${stored}Ms` === name));
}

export function readTimes<T>(document: object, ...names: readonly string[]): T {
  return renamed(document, (name) => (names.includes(name) ? `${name}Ms` : undefined)) as T;
}

function renamed(document: object, to: (name: string) => string | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [to(name) ?? name, value]));
}

/** The caller names the type: the column was written by `toJson` of the same adapter. */
export function fromJson<T>(column: string): T {
  return JSON.parse(column) as T;
}

/** The query builder leaves `undefined` out of inserts and updates; only null clears a column. */
export function orNull<T>(value: T | undefined): T | null {
  return value ?? null;
}

export function orUndefined<T>(column: T | null): T | undefined {
  return column ?? undefined;
}

/** Spread into an object literal: the member is there only when the column holds a value. */
export function optional<K extends string, T>(name: K, column: T | null | undefined): { [P in K]?: T } {
  return (column === null || column === undefined ? {} : { [name]: column }) as { [P in K]?: T };
}

/**
 * The tenant check for rows that are already selected by something narrower (an id, an owner, a session).
 * SQLite keeps no statistics here: it assumes that a tenant has a handful of rows and would scan all of them
 * through an index that begins with the tenant. Wrapped in an expression, the tenant is still checked, but
 * that index cannot be used.
 */
export function namedInTenant(column: string, gkScopeId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} || '' = ${gkScopeId}`;
}

/** Whether a text column contains the text, ignoring case; the same on both databases. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

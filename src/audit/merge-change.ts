// Two people edit the same thing: what each of them has changed is kept; if both have changed the same part, the later one is
// refused (ADR 78).
import { changedMeanwhile, notFound } from '../errors.js';

/** Of members that both have, or have not. */
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

/** Maps come in no order, lists in theirs. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .sort()
    .join()}}`;
}

/** For the audit trail: which of its members are no longer as they were. */
export const changedNames = <T extends object>(before: T | undefined, after: T): string[] =>
  Object.keys({ ...before, ...after }).filter(
    (name) => !isSame(before?.[name as keyof T], after[name as keyof T]),
  );

type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Refuses to change what is neither as the caller had read it (`read`; absent where the caller does not say) nor as the caller wants
 * it. `wanted` has the members that are to be changed.
 */
export function refuseStale<T extends object>(
  wanted: Some<T>,
  read: Some<T> | undefined,
  stored: Some<T>,
): void {
  if (!read) return;
  const stale = (Object.keys(wanted) as (keyof T & string)[]).filter(
    (name) =>
      wanted[name] !== undefined && !isSame(stored[name], read[name]) && !isSame(stored[name], wanted[name]),
  );
  if (stale.length > 0) throw changedMeanwhile(stale.map(protoName));
}

const protoName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * What to store of `wanted`: all of it where nobody says what they had read (`read`); else what differs from that, beside what is
 * stored now. `of` is the name of the thing in the request; empty where its members are the request's own.
 */
export function mergedChange<T extends object>(
  of: string,
  { wanted, read, stored }: { wanted: T; read: T | undefined; stored: T | undefined },
): T {
  if (!read) return wanted;
  if (!stored) throw notFound(of.replaceAll('_', ' '), of);
  const merged = { ...stored } as Record<string, unknown>;
  const conflicts: string[] = [];
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(read), ...Object.keys(stored)])) {
    const [mine, before, theirs] = [wanted, read, stored].map(
      (each) => (each as Record<string, unknown>)[name],
    );
    if (isSame(mine, before)) continue;
    if (!isSame(theirs, before) && !isSame(theirs, mine))
      conflicts.push(of === '' ? protoName(name) : `${of}.${protoName(name)}`);
    merged[name] = mine;
  }
  if (conflicts.length > 0) throw changedMeanwhile(conflicts);
  return merged as T;
}

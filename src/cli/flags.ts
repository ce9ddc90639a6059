// Flags as commands read them, and rows as they print them.
import { AppError } from '../errors.js';
import type { CommonFlags } from './io.js';
import { inEnglish } from '../words/server/say.js';

export type Flags = CommonFlags & Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Commander's collector for flags that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function text(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

export function list(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

export function wholeNumber(flags: Flags, name: string): number | undefined {
  const value = text(flags, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value))
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)} must be a whole number`),
    );
  return Number(value);
}

/** Of a flag that names a moment. */
export function timeMs(flags: Flags, name: string): number | undefined {
  const value = text(flags, name);
  if (value === undefined) return undefined;
  const ms = Date.parse(value);
  if (Number.isNaN(ms))
    throw new AppError('INVALID_REQUEST', inEnglish(`--${name} must be a time such as 2026-11-16T08:00:00Z`));
  return ms;
}

/** Rows as aligned columns; a word instead when there are none. */
export function table(rows: readonly (readonly string[])[], none: string): string[] {
  if (rows.length === 0) return [none];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

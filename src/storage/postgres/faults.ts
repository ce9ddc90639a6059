// Which errors of PostgreSQL and of the connection to it mean that the database, not the request, is in
// trouble.
import { COMMIT_UNKNOWN } from '../../errors.js';
import { databaseBusy, DatabaseUnavailable, READ_ONLY } from '../unavailable.js';
import { isTransient } from '../violations.js';

/** The connection is gone, or the server says that it is about to be. */
const lostStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
  'ENOENT',
]);
const lostMessages = /^(Connection terminated|timeout expired|Client (was closed|has encountered))/;

export const TOO_MANY_CONNECTIONS = '53300';
const READ_ONLY_TRANSACTION = '25006';
const DISK_FULL = '53100';
const STATEMENT_CANCELED = '57014';

export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The connection cannot be used any more. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code.startsWith('08') || lostStates.has(code) || lostCodes.has(code)) return true;
  return error instanceof Error && lostMessages.test(error.message);
}

export function timeout(): Error {
  return new Error('timeout expired');
}

export function isTimeout(error: unknown): boolean {
  return codeOf(error) === 'ETIMEDOUT' || (error instanceof Error && error.message === 'timeout expired');
}

/** A server that refuses writes is the wrong one: another may have been promoted. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_TRANSACTION;
}

/** The database is away, or the one that was reached refuses writes. */
export function unavailable(cause: unknown, options: { retryNow?: boolean } = {}): DatabaseUnavailable {
  return isReadOnly(cause)
    ? new DatabaseUnavailable('the database accepts no writes', { ...options, cause, detail: READ_ONLY })
    : new DatabaseUnavailable('the database is not available', { ...options, cause });
}

/**
 * The error that callers of the adapters get; errors caused by the request itself are passed on unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  if (isLost(error) || isReadOnly(error)) return unavailable(error, { retryNow: true });
  if (isTransient(error)) return databaseBusy(error);
  const code = codeOf(error);
  if (code === DISK_FULL)
    return new DatabaseUnavailable('the disk of the database is full', { cause: error, detail: 'DISK_FULL' });
  if (code === STATEMENT_CANCELED)
    return new DatabaseUnavailable('the database took too long', { cause: error });
  // Out of memory, locks or disk; system errors such as failing reads.
  if (code.startsWith('53') || code.startsWith('58'))
    return new DatabaseUnavailable('the database reports a system error', { cause: error });
  return error;
}

/**
 * It is unknown whether the change was made. The caller must learn that: it must be neither repeated nor
 * reported as undone.
 */
export function lostInCommit(error: unknown): unknown {
  if (!isLost(error)) return asUnavailable(error);
  return new DatabaseUnavailable(
    'the database went away while a change was being committed; it may have been made',
    { cause: error, detail: COMMIT_UNKNOWN },
  );
}

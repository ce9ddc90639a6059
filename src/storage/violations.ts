// The database errors that have a meaning for the domains. Everything else is a defect or an outage and is
// passed on unchanged.
import { AppError } from '../errors.js';
import { say } from '../words/server/say.js';

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error);
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

const transientCodes = new Set(['40001', '40P01', '55P03', 'SQLITE_BUSY']);

/**
 * Serialization failure, deadlock, lock timeout, or another process holding the SQLite file; recognized both
 * as the driver reports it and as callers are told.
 */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(error instanceof AppError ? error.cause : error) ?? '');
}

/** Runs one insert or rename; a unique violation becomes ALREADY_EXISTS for `what`, named by `field`. */
export async function orAlreadyExists<T>(what: string, field: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('ALREADY_EXISTS', `${what} already exists`, {
      fields: [{ field, violation: 'OTHER', ...say('IN_USE') }],
      cause: error,
    });
  }
}

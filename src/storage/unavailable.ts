// The database cannot serve at the moment: the error that callers of the adapters get instead of the
// driver's. It tells the caller to retry; the reason stays in the cause, for the log.
import { AppError, DATABASE_UNAVAILABLE, type DiagnosticCode } from '../errors.js';

const RETRY_AFTER_MS = 1000;

/** The database is up, but a lock was not granted in time, or two transactions waited for each other. */
export const databaseBusy = (cause: unknown): AppError =>
  cause instanceof AppError
    ? cause
    : new AppError('BUSY', 'the database is busy', { retryAfterMs: RETRY_AFTER_MS, cause });

interface Unavailability {
  cause?: unknown;
  /** The work can be repeated at once on another connection: none of it was kept. */
  retryNow?: boolean;
  /** A more specific code for programs: DISK_FULL, READ_ONLY or COMMIT_UNKNOWN. */
  detail?: DiagnosticCode;
}

/** Detail of a database, or of a disk, that answers but takes no writes. */
export const READ_ONLY = 'READ_ONLY';

export class DatabaseUnavailable extends AppError {
  readonly retryNow: boolean;
  readonly detail: DiagnosticCode | undefined;

  constructor(message: string, { cause, retryNow = false, detail }: Unavailability = {}) {
    super('BUSY', message, {
      retryAfterMs: RETRY_AFTER_MS,
      // The most specific reason first: clients show that one.
      diagnostics: [...(detail ? [{ code: detail }] : []), { code: DATABASE_UNAVAILABLE }],
      cause,
    });
    this.retryNow = retryNow;
    this.detail = detail;
  }
}

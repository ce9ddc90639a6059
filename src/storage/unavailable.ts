// The database cannot serve now: what adapters' callers get instead of a driver's error. The caller is told to
// come again; why it happened stays in the cause, for the log.
import { AppError, DATABASE_UNAVAILABLE } from '../errors.js';

const RETRY_AFTER_MS = 1000;

interface Unavailability {
  cause?: unknown;
  /** The work can be done again at once, on another connection: nothing of it was kept. */
  retryNow?: boolean;
  /** One more thing for programs to tell apart, such as DISK_FULL. */
  detail?: string;
}

export class DatabaseUnavailable extends AppError {
  readonly retryNow: boolean;

  constructor(message: string, { cause, retryNow = false, detail }: Unavailability = {}) {
    super('BUSY', message, {
      retryAfterMs: RETRY_AFTER_MS,
      diagnostics: [{ code: DATABASE_UNAVAILABLE }, ...(detail ? [{ code: detail }] : [])],
      cause,
    });
    this.retryNow = retryNow;
  }
}

// Interprets the errors of an S3 store: which are expected answers, and what callers are told about the
// others.
import { AppError } from '../../../errors.js';
import { diskFull } from '../blob-rules.js';

const RETRY_AFTER_MS = 1000;

/** Diagnostic of every refusal that is caused by the store of recordings and not by the request. */
const MEDIA_STORE_UNAVAILABLE = 'MEDIA_STORE_UNAVAILABLE';

const fullStore = new Set(['XMinioStorageFull', 'QuotaExceeded', 'InsufficientCapacity']);

interface Described {
  name?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

const described = (error: unknown): Described => (error ?? {}) as Described;
const statusOf = (error: unknown): number | undefined => described(error).$metadata?.httpStatusCode;

/** There is no such object; a missing bucket is a different matter. */
export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && described(error).name !== 'NoSuchBucket';
}

/** A write that must not replace anything found something. */
export function isTaken(error: unknown): boolean {
  return statusOf(error) === 412;
}

/** Two writes of one name at the same time; the store asks for another try. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

export function isUploadAborted(error: unknown): boolean {
  return described(error).name === 'NoSuchUpload';
}

/** Our own errors are passed on; everything else is a canceled upload, a full store or an outage. */
export function unavailable(error: unknown): unknown {
  const { name = '' } = described(error);
  if (error instanceof AppError) return error;
  if (name === 'AbortError')
    return new AppError('CANCELLED_CLIENT', 'the upload was canceled', { cause: error });
  if (fullStore.has(name) || statusOf(error) === 507) return diskFull(error);
  return new AppError('BUSY', 'the media store is not available', {
    retryAfterMs: RETRY_AFTER_MS,
    diagnostics: [{ code: MEDIA_STORE_UNAVAILABLE }],
    cause: error,
  });
}

/** The store's own words, for the people who run the server. */
export function whyUnavailable(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  const { name = '', message = '' } = described(cause);
  const status = statusOf(cause);
  return [name, status === undefined ? '' : `(HTTP ${status})`, message]
    .filter((part) => part !== '')
    .join(' ');
}

// Rules for blobs that hold in every store: their names, the sealing of their content, and the errors for a
// refused write.
import { AppError, type DiagnosticCode } from '../../errors.js';
import type { TenantSealer } from '../sealing/keyring.js';
import { StorageError } from '../storage-error.js';
import { READ_ONLY } from '../unavailable.js';
import type { BlobKey, PutOptions } from './blob-store.js';
import { sealStream, type SealedStream } from './stream-cipher.js';
import { say } from '../../words/server/say.js';

/** The keyring's `forTenant`, bound to the database. */
export type SealerOf = (tenantKey: string) => Promise<TenantSealer>;

/** Names become paths, so a name that could leave its folder is a defect of the caller. */
export function safeName(name: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(name)) throw new StorageError('MISUSE', 'not a blob name');
  return name;
}

/**
 * Binds sealed content to its name, the same way in every store, so that a blob can move from one to another.
 */
export function placeOfBlob(key: BlobKey): string {
  return `blob/${key.tenantKey}/${key.blobId}`;
}

/** Seals while it reads; fails above the limit, or once nobody waits for the result any more. */
export async function sealedFor(
  sealerOf: SealerOf,
  key: BlobKey,
  source: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: PutOptions,
): Promise<SealedStream> {
  return sealStream(await sealerOf(key.tenantKey), placeOfBlob(key), source, (sizeBytes) => {
    if (sizeBytes > maxBytes) throw new AppError('TOO_LARGE', `the content is larger than ${maxBytes} bytes`);
    if (signal?.aborted) throw new AppError('CANCELLED_CLIENT', 'the upload was canceled');
  });
}

export function missing(key: BlobKey, cause?: unknown): StorageError {
  return new StorageError('BLOB_MISSING', `there is no content for ${placeOfBlob(key)}`, cause);
}

export function alreadyThere(): AppError {
  return new AppError('ALREADY_EXISTS', say('ALREADY_WRITTEN'));
}

export const diskFull = (cause: unknown): AppError => refused('the disk is full', 'DISK_FULL', cause);

export const notWritable = (cause: unknown): AppError =>
  refused('the folder of the recordings cannot be used', READ_ONLY, cause);

export const tooManyFiles = (cause: unknown): AppError =>
  refused('too many files are open', 'TOO_MANY_FILES', cause);

/** The same call succeeds once the fault is repaired, hence BUSY: the caller should try again later. */
function refused(message: string, code: DiagnosticCode, cause: unknown): AppError {
  return new AppError('BUSY', message, { retryAfterMs: 60_000, diagnostics: [{ code }], cause });
}

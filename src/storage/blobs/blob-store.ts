// The port to large content: written once, streamed, sealed per tenant, checked on every read. Its adapters are
// file-blobs.ts and s3/s3-blobs.ts; both pass one conformance suite.
import type { BlobFacts, OpenOptions } from './stream-cipher.js';

export interface BlobKey {
  /** gk_scope_id of the owner; its data key seals the content. */
  tenantKey: string;
  /** Made by us: 1-128 characters of A-Z a-z 0-9 . _ -, not beginning with a dot. */
  blobId: string;
}

export interface PutOptions {
  maxBytes: number;
  signal?: AbortSignal;
}

export interface SweepReport {
  temporaryFiles: number;
  orphans: number;
}

export interface BlobStore {
  /** The location, for people to read. */
  readonly place: string;
  /** Durable when it returns. TOO_LARGE above the limit, ALREADY_EXISTS for a key that was written before. */
  put(key: BlobKey, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobFacts>;
  /** Throws BLOB_MISSING or BLOB_DAMAGED (StorageError); nothing unchecked is ever yielded. */
  read(key: BlobKey, options?: OpenOptions): AsyncIterable<Uint8Array>;
  exists(key: BlobKey): Promise<boolean>;
  /** Deleting what is not there is no error: a retry must succeed. */
  delete(key: BlobKey): Promise<void>;
  deleteTenant(tenantKey: string): Promise<void>;
  list(tenantKey: string): AsyncIterable<string>;
  tenants(): Promise<string[]>;
  /**
   * Removes what crashes left: unfinished uploads, and blobs that no row refers to. Only files older than
   * `olderThanMs` count, because a row is committed after its blob.
   */
  sweep(isReferenced: (key: BlobKey) => Promise<boolean>, olderThanMs: number): Promise<SweepReport>;
  /** Writes the blob again under the newest data key; false when it has it already. */
  reseal(key: BlobKey): Promise<boolean>;
  /**
   * A name that tells this very store from every other, no matter which node asks; undefined until it is
   * given one.
   */
  identity(): Promise<string | undefined>;
  /** Names the store unless it has a name; returns the name that it has then. */
  establish(id: string): Promise<string>;
  /**
   * Whether it can be used now: true, or the reason why not. Absent if the checks of the home directory cover
   * it.
   */
  check?(): Promise<true | string>;
}

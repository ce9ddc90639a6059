// Blobs as objects of an S3-compatible store: <prefix>/<tenant>/<blob id>, the same sealed bytes that a file
// would hold. A write never replaces (If-None-Match), long content is uploaded in parts, and an interrupted
// read continues where it stopped.
import type { Clock } from '../../../platform.js';
import { StorageError } from '../../storage-error.js';
import { alreadyThere, missing, placeOfBlob, safeName, sealedFor, type SealerOf } from '../blob-rules.js';
import type { BlobKey, BlobStore, PutOptions, SweepReport } from '../blob-store.js';
import {
  type BlobFacts,
  HEADER_BYTES,
  type OpenOptions,
  openStream,
  sealedVersionOf,
} from '../stream-cipher.js';
import { Bucket, type Opened, type Part } from './bucket.js';
import type { BucketOptions } from './client-settings.js';
import { unavailable, whyUnavailable } from './faults.js';

interface S3BlobsDeps {
  bucket: BucketOptions;
  /** Without leading or trailing slashes; may be empty. */
  prefix: string;
  clock: Clock;
  sealerOf: SealerOf;
}

/** Buffer per upload: the smallest part, other than the last, that S3 accepts. */
const PART_BYTES = 5 * 1024 * 1024;
const READ_RETRIES_MAX = 3;
const DELETES_AT_ONCE = 16;
/** Readiness is queried about every second; the store need not be. */
const CHECKED_FOR_MS = 10_000;
/** No blob can have this name: theirs do not begin with a dot. */
const IDENTITY_NAME = '.voxgate-store';

export function s3Blobs(deps: S3BlobsDeps): BlobStore {
  return new S3Blobs(deps);
}

class S3Blobs implements BlobStore {
  readonly place: string;
  readonly #deps: S3BlobsDeps;
  readonly #bucket: Bucket;
  readonly #root: string;
  #wellUntilMs = 0;

  constructor(deps: S3BlobsDeps) {
    this.#deps = deps;
    this.#bucket = new Bucket(deps.bucket);
    this.#root = deps.prefix === '' ? '' : `${deps.prefix}/`;
    const { bucket, endpoint } = deps.bucket;
    this.place = `s3://${bucket}/${this.#root}${endpoint === '' ? '' : ` at ${endpoint}`}`;
  }

  async put(key: BlobKey, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<BlobFacts> {
    const name = this.#name(key);
    const sealed = await sealedFor(this.#deps.sealerOf, key, source, options);
    if (!(await this.#write(name, sealed.pieces, options.signal))) throw alreadyThere();
    return sealed.facts();
  }

  async *read(key: BlobKey, options?: OpenOptions): AsyncGenerator<Uint8Array> {
    const opened = await this.#open(key);
    const pieces = this.#unbroken(key, opened);
    try {
      const sealer = await this.#deps.sealerOf(key.tenantKey);
      yield* openStream(sealer, placeOfBlob(key), pieces, opened.sizeBytes, options);
    } finally {
      // A caller that stops half-way must not leave a connection behind.
      await pieces.return(undefined);
      opened.body.destroy();
    }
  }

  exists(key: BlobKey): Promise<boolean> {
    return this.#bucket.exists(this.#name(key));
  }

  async delete(key: BlobKey): Promise<void> {
    await this.#bucket.remove(this.#name(key));
  }

  async deleteTenant(tenantKey: string): Promise<void> {
    const names: string[] = [];
    const removeAll = () => Promise.all(names.splice(0).map((name) => this.#bucket.remove(name)));
    for await (const { name } of this.#bucket.list(this.#tenantPrefix(tenantKey)))
      if (names.push(name) === DELETES_AT_ONCE) await removeAll();
    await removeAll();
  }

  tenants(): Promise<string[]> {
    return this.#bucket.folders(this.#root);
  }

  async *list(tenantKey: string): AsyncGenerator<string> {
    const prefix = this.#tenantPrefix(tenantKey);
    for await (const { name } of this.#bucket.list(prefix)) yield name.slice(prefix.length);
  }

  async sweep(isReferenced: (key: BlobKey) => Promise<boolean>, olderThanMs: number): Promise<SweepReport> {
    const report: SweepReport = { temporaryFiles: 0, orphans: 0 };
    const beforeMs = this.#deps.clock.now() - olderThanMs;
    for await (const { name, uploadId, startedAtMs } of this.#bucket.unfinished(this.#root)) {
      if (startedAtMs > beforeMs) continue;
      await this.#bucket.abortUpload(name, uploadId);
      report.temporaryFiles++;
    }
    for (const tenantKey of await this.tenants()) {
      const prefix = this.#tenantPrefix(tenantKey);
      for await (const { name, modifiedAtMs } of this.#bucket.list(prefix)) {
        const key = { tenantKey, blobId: name.slice(prefix.length) };
        if (modifiedAtMs > beforeMs || (await isReferenced(key))) continue;
        await this.#bucket.remove(name);
        report.orphans++;
      }
    }
    return report;
  }

  async reseal(key: BlobKey): Promise<boolean> {
    const sealer = await this.#deps.sealerOf(key.tenantKey);
    const { body } = await this.#open(key, { to: HEADER_BYTES - 1 });
    if (sealedVersionOf(await wholeOf(body)) === sealer.keyVersion) return false;
    const sealed = await sealedFor(this.#deps.sealerOf, key, this.read(key), {
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
    // Here replacing is the point: same name, same content, newer key.
    await this.#write(this.#name(key), sealed.pieces, undefined, true);
    return true;
  }

  async identity(): Promise<string | undefined> {
    const opened = await this.#bucket.open(this.#root + IDENTITY_NAME);
    return opened && (await wholeOf(opened.body)).toString('utf8').trim();
  }

  async establish(id: string): Promise<string> {
    const name = this.#root + IDENTITY_NAME;
    const content = Buffer.from(`${id}\n`);
    await this.#bucket.create(name, content);
    // A store that accepts it twice would let one upload replace another.
    if (await this.#bucket.create(name, content))
      throw new StorageError(
        'MISUSE',
        `${this.place} replaces objects although it is asked not to (If-None-Match); use a store that supports conditional writes`,
      );
    return (await this.identity()) ?? id;
  }

  async check(): Promise<true | string> {
    if (Date.now() < this.#wellUntilMs) return true;
    try {
      await this.#bucket.reach(this.#root);
      this.#wellUntilMs = Date.now() + CHECKED_FOR_MS;
      return true;
    } catch (error) {
      return `${this.place}: ${whyUnavailable(error)}`;
    }
  }

  /**
   * One request if the content fits into a part, several if not; false if an object was there, which then
   * stays.
   */
  async #write(
    name: string,
    pieces: AsyncIterable<Uint8Array>,
    signal: AbortSignal | undefined,
    replace = false,
  ): Promise<boolean> {
    const parts = inParts(pieces);
    const first = await parts.next();
    const content = first.done ? new Uint8Array() : first.value;
    const second = await parts.next();
    if (!second.done) return this.#writeLong(name, [content, second.value], parts, { signal, replace });
    if (!replace) return this.#bucket.create(name, content, signal);
    await this.#bucket.replace(name, content);
    return true;
  }

  async #writeLong(
    name: string,
    begun: readonly Uint8Array[],
    rest: AsyncIterable<Uint8Array>,
    { signal, replace }: { signal: AbortSignal | undefined; replace: boolean },
  ): Promise<boolean> {
    const upload = await this.#bucket.beginUpload(name);
    try {
      const sent: Part[] = [];
      const send = async (part: Uint8Array) =>
        sent.push(await this.#bucket.uploadPart(name, upload.uploadId, sent.length + 1, part, signal));
      for (const part of begun) await send(part);
      for await (const part of rest) await send(part);
      const isWritten = await this.#bucket.completeUpload(name, upload, sent, !replace);
      if (!isWritten) await this.#bucket.abortUpload(name, upload.uploadId);
      return isWritten;
    } catch (error) {
      // An upload that cannot be aborted now is removed by the sweep.
      await this.#bucket.abortUpload(name, upload.uploadId).catch(() => {});
      throw error;
    }
  }

  async #open(key: BlobKey, range: { to?: number } = {}): Promise<Opened> {
    const opened = await this.#bucket.open(this.#name(key), range);
    if (!opened) throw missing(key);
    return opened;
  }

  /** The bytes of an object to its end; resumes where a connection broke. */
  async *#unbroken(key: BlobKey, opened: Opened): AsyncGenerator<Uint8Array, void, undefined> {
    let { body } = opened;
    let at = 0;
    for (let failures = 0; ;) {
      try {
        for await (const piece of body as AsyncIterable<Uint8Array>) {
          at += piece.byteLength;
          yield piece;
        }
        if (at >= opened.sizeBytes) return;
        throw new Error('the connection ended early');
      } catch (error) {
        if (++failures > READ_RETRIES_MAX) throw unavailable(error);
      }
      const again = await this.#bucket.open(this.#name(key), { from: at, etag: opened.etag });
      if (!again) throw missing(key);
      ({ body } = again);
    }
  }

  #tenantPrefix(tenantKey: string): string {
    return `${this.#root}${safeName(tenantKey)}/`;
  }

  #name(key: BlobKey): string {
    return this.#tenantPrefix(key.tenantKey) + safeName(key.blobId);
  }
}

/** Regroups pieces of any size into parts of the size that S3 wants; only the last may be shorter. */
async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of body) parts.push(piece);
  return Buffer.concat(parts);
}

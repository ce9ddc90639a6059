// One bucket of an S3-compatible store, with the few operations that blobs need. Expected answers are values;
// every other fault becomes "the media store is not available". The SDK is loaded at the first request, so
// that servers that keep files never pay for it.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { clientSettings, type BucketOptions } from './client-settings.js';
import { isAbsent, isConflict, isUploadAborted, isTaken, unavailable } from './faults.js';

interface Listed {
  name: string;
  modifiedAtMs: number;
}

interface Unfinished {
  name: string;
  uploadId: string;
  startedAtMs: number;
}

export interface Opened {
  sizeBytes: number;
  etag: string;
  body: Readable;
}

export interface Part {
  PartNumber: number;
  ETag: string;
}

interface Connection {
  client: Sdk.S3Client;
  sdk: typeof Sdk;
}

const CONFLICT_ATTEMPTS_MAX = 5;
/**
 * Identifies the writer of an object: a retry that finds the object must know whether its own first try wrote
 * it.
 */
const WRITE_ID = 'voxgate-write';

export class Bucket {
  readonly #options: BucketOptions;
  #opening: Promise<Connection> | undefined;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Whether the bucket is there and we may list it. */
  async reach(prefix: string): Promise<void> {
    await this.#ask(({ client, sdk, Bucket }) =>
      client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })),
    );
  }

  async exists(name: string): Promise<boolean> {
    return (await this.sizeOf(name)) !== undefined;
  }

  /** Size in bytes; undefined if there is no such object. */
  async sizeOf(name: string): Promise<number | undefined> {
    const there = await this.#head(name);
    if (there) return there.ContentLength ?? 0;
    // The answer to HEAD does not tell a missing object from a missing bucket.
    await this.reach(name);
    return undefined;
  }

  /** Reads from a byte on, provided it is still the same object; undefined if there is none. */
  async open(
    name: string,
    { from = 0, to, etag }: { from?: number; to?: number; etag?: string } = {},
  ): Promise<Opened | undefined> {
    const range = from > 0 || to !== undefined ? { Range: `bytes=${from}-${to ?? ''}` } : {};
    const answer = await this.#ask(
      ({ client, sdk, Bucket }) =>
        client.send(
          new sdk.GetObjectCommand({ Bucket, Key: name, ...range, ...(etag && { IfMatch: etag }) }),
        ),
      isAbsent,
    );
    if (!answer?.Body) return undefined;
    const body = answer.Body as Readable;
    return { sizeBytes: answer.ContentLength ?? 0, etag: answer.ETag ?? '', body };
  }

  /** False if there is already an object of this name, which is then left as it is. */
  async create(name: string, body: Uint8Array, signal?: AbortSignal): Promise<boolean> {
    const writeId = randomUUID();
    return this.#once(name, writeId, () =>
      this.#ask(
        ({ client, sdk, Bucket }) =>
          client.send(
            new sdk.PutObjectCommand({
              Bucket,
              Key: name,
              Body: body,
              IfNoneMatch: '*',
              Metadata: { [WRITE_ID]: writeId },
            }),
            abortable(signal),
          ),
        (error) => isTaken(error) || isConflict(error),
      ),
    );
  }

  async replace(name: string, body: Uint8Array): Promise<void> {
    await this.#ask(({ client, sdk, Bucket }) =>
      client.send(new sdk.PutObjectCommand({ Bucket, Key: name, Body: body })),
    );
  }

  async remove(name: string): Promise<void> {
    await this.#ask(({ client, sdk, Bucket }) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket, Key: name })),
    );
  }

  async *list(prefix: string): AsyncGenerator<Listed> {
    for (let token: string | undefined; ;) {
      const page = await this.#page(prefix, token);
      for (const { Key, LastModified } of page?.Contents ?? [])
        if (Key !== undefined) yield { name: Key, modifiedAtMs: LastModified?.getTime() ?? Date.now() };
      token = page?.NextContinuationToken;
      if (token === undefined) return;
    }
  }

  /** The names between the prefix and the next slash. */
  async folders(prefix: string): Promise<string[]> {
    const found: string[] = [];
    for (let token: string | undefined; ;) {
      const page = await this.#page(prefix, token, '/');
      for (const { Prefix = '' } of page?.CommonPrefixes ?? []) found.push(Prefix.slice(prefix.length, -1));
      token = page?.NextContinuationToken;
      if (token === undefined) return found.sort();
    }
  }

  /** Uploads in parts, for content too large for one request. `onlyNew`: as in `create`. */
  async beginUpload(name: string): Promise<{ uploadId: string; writeId: string }> {
    const writeId = randomUUID();
    const { UploadId = '' } =
      (await this.#ask(({ client, sdk, Bucket }) =>
        client.send(
          new sdk.CreateMultipartUploadCommand({ Bucket, Key: name, Metadata: { [WRITE_ID]: writeId } }),
        ),
      )) ?? {};
    return { uploadId: UploadId, writeId };
  }

  async uploadPart(
    name: string,
    uploadId: string,
    number: number,
    body: Uint8Array,
    signal?: AbortSignal,
  ): Promise<Part> {
    const answer = await this.#ask(({ client, sdk, Bucket }) =>
      client.send(
        new sdk.UploadPartCommand({ Bucket, Key: name, UploadId: uploadId, PartNumber: number, Body: body }),
        abortable(signal),
      ),
    );
    return { PartNumber: number, ETag: answer?.ETag ?? '' };
  }

  async completeUpload(
    name: string,
    { uploadId, writeId }: { uploadId: string; writeId: string },
    parts: readonly Part[],
    onlyNew: boolean,
  ): Promise<boolean> {
    return this.#once(name, writeId, () =>
      this.#ask(
        ({ client, sdk, Bucket }) =>
          client.send(
            new sdk.CompleteMultipartUploadCommand({
              Bucket,
              Key: name,
              UploadId: uploadId,
              MultipartUpload: { Parts: [...parts] },
              ...(onlyNew && { IfNoneMatch: '*' }),
            }),
          ),
        (error) => isTaken(error) || isConflict(error) || isUploadAborted(error),
      ),
    );
  }

  async abortUpload(name: string, uploadId: string): Promise<void> {
    await this.#ask(
      ({ client, sdk, Bucket }) =>
        client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key: name, UploadId: uploadId })),
      isUploadAborted,
    );
  }

  async *unfinished(prefix: string): AsyncGenerator<Unfinished> {
    for (let after: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
      const page = await this.#ask(({ client, sdk, Bucket }) =>
        client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...after })),
      );
      for (const { Key = '', UploadId = '', Initiated } of page?.Uploads ?? [])
        yield { name: Key, uploadId: UploadId, startedAtMs: Initiated?.getTime() ?? Date.now() };
      if (!page?.IsTruncated || page.NextKeyMarker === undefined) return;
      after = {
        KeyMarker: page.NextKeyMarker,
        ...(page.NextUploadIdMarker !== undefined && { UploadIdMarker: page.NextUploadIdMarker }),
      };
    }
  }

  /**
   * Whether a write that must not replace anything succeeded. If the answer to the first try was lost, the
   * retry finds the object there: it counts as written if it is ours.
   */
  async #once(name: string, writeId: string, write: () => Promise<object | undefined>): Promise<boolean> {
    for (let attempt = 1; attempt < CONFLICT_ATTEMPTS_MAX; attempt++) {
      if ((await write()) !== undefined) return true;
      const there = await this.#head(name);
      if (there) return there.Metadata?.[WRITE_ID] === writeId;
      // Another writer of the same name has given up, or the store asks us to try again.
    }
    throw unavailable(new Error(`conflicting writes of ${name}`));
  }

  #head(name: string): Promise<Sdk.HeadObjectCommandOutput | undefined> {
    return this.#ask(
      ({ client, sdk, Bucket }) => client.send(new sdk.HeadObjectCommand({ Bucket, Key: name })),
      isAbsent,
    );
  }

  #page(
    prefix: string,
    token: string | undefined,
    delimiter?: string,
  ): Promise<Sdk.ListObjectsV2CommandOutput | undefined> {
    return this.#ask(({ client, sdk, Bucket }) =>
      client.send(
        new sdk.ListObjectsV2Command({
          Bucket,
          Prefix: prefix,
          ...(token !== undefined && { ContinuationToken: token }),
          ...(delimiter !== undefined && { Delimiter: delimiter }),
        }),
      ),
    );
  }

  /** Undefined for faults that are an expected answer. */
  async #ask<T>(
    work: (connection: Connection & { Bucket: string }) => Promise<T>,
    isAnswer: (error: unknown) => boolean = () => false,
  ): Promise<T | undefined> {
    try {
      const connection = await (this.#opening ??= connect(this.#options));
      return await work({ ...connection, Bucket: this.#options.bucket });
    } catch (error) {
      if (isAnswer(error)) return undefined;
      throw unavailable(error);
    }
  }
}

async function connect(options: BucketOptions): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  return { client: new sdk.S3Client(clientSettings(options)), sdk };
}

function abortable(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}

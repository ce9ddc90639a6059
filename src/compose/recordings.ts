// Where batches may read recordings: inside a folder of this machine, and below places of S3. What the operator has not named is
// refused, whatever links, dots or other names lead to it.
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { RecordingSource } from '../biometrics/batch/deps.js';
import type { Recording } from '../manifest/lines.js';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { Bucket, type Opened } from '../storage/blobs/s3/bucket.js';
import { type Said, say } from '../words/server/say.js';

const s3Pattern = /^s3:\/\/([^/]+)\/(.+)$/;
/** Stands for the tenant in a setting, so that none reads what is another's. */
const TENANT = '{tenant}';
/** Of a folder, more are not even counted. */
const LISTED_MAX = 1000;
/** Enough for two frames of MP3. */
const HEAD_BYTES = 8192;

interface Place {
  list(): Promise<string[]>;
  sizeOf(): Promise<number | undefined>;
  head(): Promise<Uint8Array | undefined>;
  read(maxBytes: number): Promise<Uint8Array | undefined>;
}

export function recordingSource({ batch, media }: Pick<Config, 'batch' | 'media'>): RecordingSource {
  const prefixes = batch.s3Prefixes
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const buckets = new Map<string, Bucket>();
  const bucketOf = (bucket: string): Bucket => {
    const known = buckets.get(bucket) ?? new Bucket({ ...media.s3, bucket });
    buckets.set(bucket, known);
    return known;
  };
  const placeOf = (gkScopeId: string, { file, folder, s3Uri }: Recording): Place => {
    const ofTenant = (setting: string): string => setting.replaceAll(TENANT, gkScopeId);
    const [, bucket = '', key = ''] = s3Pattern.exec(s3Uri ?? '') ?? [];
    if (s3Uri !== undefined && prefixes.some((prefix) => isBelow(s3Uri, ofTenant(prefix))))
      return placeInBucket(bucketOf(bucket), key);
    // A bucket may have been copied into the folder, under its name.
    return placeInFolder(
      ofTenant(batch.folder),
      s3Uri === undefined ? (file ?? folder ?? '') : join(bucket, key),
    );
  };
  return {
    async expand(gkScopeId, recording) {
      const { folder, ...rest } = recording;
      const { s3Uri } = rest;
      if (folder === undefined && !s3Uri?.endsWith('/')) return [recording];
      const names = (await placeOf(gkScopeId, recording).list()).sort();
      return names.map((name): Recording =>
        s3Uri === undefined ? { ...rest, file: join(folder ?? '', name) } : { ...rest, s3Uri: s3Uri + name },
      );
    },
    sizeOf: async (gkScopeId, recording) => placeOf(gkScopeId, recording).sizeOf(),
    head: async (gkScopeId, recording) => placeOf(gkScopeId, recording).head(),
    read: async (gkScopeId, recording, maxBytes) => placeOf(gkScopeId, recording).read(maxBytes),
  };
}

/** With whole names: what is below `s3://calls/a` is not below `s3://calls/ab`. Dots would mean something to others than S3. */
function isBelow(s3Uri: string, prefix: string): boolean {
  if (s3Uri.split('/').some((part) => part === '.' || part === '..')) return false;
  return s3Uri.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function placeInBucket(bucket: Bucket, key: string): Place {
  return {
    async list() {
      const names: string[] = [];
      for await (const { name } of bucket.list(key)) {
        const inside = name.slice(key.length);
        if (inside !== '' && !inside.includes('/')) names.push(inside);
        if (names.length === LISTED_MAX) break;
      }
      return names;
    },
    sizeOf: () => bucket.sizeOf(key),
    async head() {
      const opened = await bucket.open(key);
      return opened && headOf(opened);
    },
    async read(maxBytes) {
      const opened = await bucket.open(key);
      return opened && wholeOf(opened, maxBytes);
    },
  };
}

async function headOf({ body }: Opened): Promise<Uint8Array> {
  try {
    let head = Buffer.alloc(0);
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      head = Buffer.concat([head, piece]);
      if (head.byteLength >= HEAD_BYTES) break;
    }
    return head;
  } finally {
    body.destroy();
  }
}

async function wholeOf({ body, sizeBytes }: Opened, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    if (sizeBytes > maxBytes) return undefined;
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    body.destroy();
  }
}

function placeInFolder(root: string, name: string): Place {
  const sizeOf = async (path: string | undefined): Promise<number | undefined> => {
    const facts = path === undefined ? undefined : await stat(path);
    return facts?.isFile() ? facts.size : undefined;
  };
  return {
    async list() {
      const path = await insideOf(root, name);
      if (path === undefined || !(await stat(path)).isDirectory()) return [];
      const entries = await readdir(path, { withFileTypes: true });
      // Folders inside are not looked into; where a link leads is found out when it is read.
      return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
    },
    sizeOf: async () => sizeOf(await insideOf(root, name)),
    async head() {
      const path = await insideOf(root, name);
      if (path === undefined || (await sizeOf(path)) === undefined) return undefined;
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    async read(maxBytes) {
      const path = await insideOf(root, name);
      const bytes = await sizeOf(path);
      return path === undefined || bytes === undefined || bytes > maxBytes ? undefined : readFile(path);
    },
  };
}

/** The real place of something inside the folder; undefined where there is nothing. */
async function insideOf(folder: string, name: string): Promise<string | undefined> {
  if (folder === '') throw notAllowed(say('NO_BATCH_FOLDER'));
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined || name === '' || name.includes('\0')) return undefined;
  const isInside = (path: string): boolean => path.startsWith(root.endsWith(sep) ? root : root + sep);
  const named = resolve(root, name);
  const path = isInside(named) ? await realpath(named).catch(() => undefined) : named;
  if (path !== undefined && !isInside(path)) throw notAllowed(say('OUTSIDE_BATCH_FOLDER'));
  return path;
}

function notAllowed(said: Said): AppError {
  return new AppError('PERMISSION_DENIED', said, {
    diagnostics: [{ code: 'RECORDING_NOT_ALLOWED' }],
  });
}

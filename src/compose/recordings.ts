// Recordings that batches may read: those in one folder of this machine, where the operator allows one. Nothing outside of the
// folder is reached, neither by dots nor by links.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { RecordingSource } from '../biometrics/batch/deps.js';
import type { Recording } from '../biometrics/model/batches.js';
import { AppError } from '../errors.js';

const s3Pattern = /^s3:\/\/([^/]+)\/(.+)$/;

/** Without a folder, recordings have to be uploaded first. */
export function recordingSource(folder: string): RecordingSource {
  return {
    async expand(recording) {
      const { folder: inside, ...rest } = recording;
      if (inside === undefined) return [recording];
      const path = await insideOf(folder, inside);
      const names = path === undefined ? [] : (await readdir(path)).sort();
      return names.map((name): Recording => ({ ...rest, file: join(inside, name) }));
    },
    has: async (recording, maxBytes) => (await fileOf(folder, recording, maxBytes)) !== undefined,
    async read(recording, maxBytes) {
      const path = await fileOf(folder, recording, maxBytes);
      return path === undefined ? undefined : readFile(path);
    },
  };
}

/** Where a recording lies, if it is there and not too large. */
async function fileOf(
  folder: string,
  { file = '', s3Uri }: Recording,
  maxBytes: number,
): Promise<string | undefined> {
  // A bucket is read where it was copied to: in the folder, under its name.
  const [, bucket = '', key = ''] = s3Pattern.exec(s3Uri ?? '') ?? [];
  const path = await insideOf(folder, s3Uri === undefined ? file : join(bucket, key));
  if (path === undefined) return undefined;
  const facts = await stat(path);
  return facts.isFile() && facts.size <= maxBytes ? path : undefined;
}

/** The real place of something inside the folder; undefined where there is nothing. */
async function insideOf(folder: string, name: string): Promise<string | undefined> {
  if (folder === '') throw notAllowed('files of the server: see batch.folder');
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined || name === '' || name.includes('\0')) return undefined;
  const isInside = (path: string): boolean => path.startsWith(root.endsWith(sep) ? root : root + sep);
  const named = resolve(root, name);
  const path = isInside(named) ? await realpath(named).catch(() => undefined) : named;
  if (path !== undefined && !isInside(path)) throw notAllowed('anything outside of batch.folder');
  return path;
}

function notAllowed(what: string): AppError {
  return new AppError('PERMISSION_DENIED', `batches may not read ${what}`, {
    diagnostics: [{ code: 'RECORDING_NOT_ALLOWED' }],
  });
}

// The recordings of a manifest that lie on this machine: found inside one folder, uploaded a few at a time, and noted in a file beside
// the manifest, so that whoever runs it again goes on where it was cut off.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { VoxgateError, type Session } from '../../client/index.js';
import { AppError } from '../../errors.js';
import type { BatchLine, Recording } from '../../manifest/lines.js';
import { inEnglish } from '../../words/server/say.js';

const UPLOADS_AT_ONCE = 4;
const RECORDINGS_MAX = 10;
const s3Pattern = /^s3:\/\/([^/]+)\/(.+)$/;

export interface LocalFile {
  path: string;
  bytes: number;
  modifiedAtMs: number;
}

/** Where on this machine the recordings of each line are; undefined for those that are elsewhere already, or missing. */
export async function findLocal(
  folder: string,
  lines: readonly BatchLine[],
): Promise<(BatchLine & { local: ReadonlyMap<Recording, LocalFile> })[]> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) throw new AppError('INVALID_REQUEST', inEnglish(`no such folder: ${folder}`));
  return Promise.all(
    lines.map(async (line) => {
      const local = new Map<Recording, LocalFile>();
      const recordings: Recording[] = [];
      for (const recording of line.recordings) recordings.push(...(await expanded(root, recording)));
      for (const recording of recordings) {
        const found = await fileOf(root, nameOf(recording));
        if (found) local.set(recording, found);
      }
      return { ...line, recordings: recordings.slice(0, RECORDINGS_MAX), local };
    }),
  );
}

/** Of a bucket a copy is expected, under its name. */
function nameOf({ file, folder, s3Uri }: Recording): string {
  const [, bucket = '', key = ''] = s3Pattern.exec(s3Uri ?? '') ?? [];
  return file ?? folder ?? (bucket === '' ? '' : join(bucket, key));
}

async function expanded(root: string, recording: Recording): Promise<Recording[]> {
  const { folder, s3Uri, ...rest } = recording;
  if (folder === undefined && !s3Uri?.endsWith('/')) return [recording];
  const path = await insideOf(root, nameOf(recording));
  const entries = path === undefined ? [] : await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  if (path === undefined || names.length === 0) return [recording];
  return names.sort().map((name) => ({ ...rest, file: join(relative(root, path), name) }));
}

async function fileOf(root: string, name: string): Promise<LocalFile | undefined> {
  const path = await insideOf(root, name);
  const facts = path === undefined ? undefined : await stat(path);
  if (path === undefined || !facts?.isFile()) return undefined;
  return { path, bytes: facts.size, modifiedAtMs: Math.round(facts.mtimeMs) };
}

/** A manifest may come from somebody else: nothing outside of the folder is ever sent. */
async function insideOf(root: string, name: string): Promise<string | undefined> {
  if (name === '' || name.includes('\0')) return undefined;
  const path = await realpath(resolve(root, name)).catch(() => undefined);
  return path?.startsWith(root.endsWith(sep) ? root : root + sep) ? path : undefined;
}

interface Note extends LocalFile {
  server: string;
  tenant: string;
  media: string;
}

const keyOf = ({ server, tenant, path, bytes, modifiedAtMs }: Omit<Note, 'media'>): string =>
  JSON.stringify([server, tenant, path, bytes, modifiedAtMs]);

/** Uploads that were done, one JSON line each. */
export class UploadNotes {
  readonly #file: string;
  readonly #place: Pick<Note, 'server' | 'tenant'>;
  readonly #known = new Map<string, string>();

  constructor(file: string, place: Pick<Note, 'server' | 'tenant'>) {
    this.#file = file;
    this.#place = place;
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const note = noteIn(line);
      if (note) this.#known.set(keyOf(note), note.media);
    }
  }

  mediaOf(file: LocalFile): string | undefined {
    return this.#known.get(keyOf({ ...file, ...this.#place }));
  }

  add(file: LocalFile, media: string): void {
    const note: Note = { ...this.#place, ...file, media };
    this.#known.set(keyOf(note), media);
    appendFileSync(this.#file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  }
}

/** Undefined for a line that was cut off. */
function noteIn(line: string): Note | undefined {
  try {
    return JSON.parse(line) as Note;
  } catch {
    return undefined;
  }
}

/** Uploads what is not noted yet. A file that the server does not take is left out; its line then says that it is missing. */
export async function uploadAll(
  session: Session,
  files: readonly LocalFile[],
  notes: UploadNotes,
  onDone: () => void,
): Promise<void> {
  const rest = files.values();
  const work = async (): Promise<void> => {
    for (const file of rest) {
      try {
        notes.add(file, await session.upload(await readFile(file.path)));
      } catch (thrown) {
        if (!(thrown instanceof VoxgateError && unfit.has(thrown.code))) throw thrown;
      }
      onDone();
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: UPLOADS_AT_ONCE }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** About the file, not about the server: another try ends in the same way. */
const unfit: ReadonlySet<string> = new Set(['INVALID_REQUEST', 'TOO_LARGE']);

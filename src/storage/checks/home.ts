// Checks whether the home directory can be used, and says so plainly before anything in it is opened.
import { constants, mkdirSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../errors.js';
import { diskFaultOf } from '../disk-errors.js';
import { StorageError } from '../storage-error.js';

/** With less free space, nothing that needs space is started; SQLite alone needs some for its log. */
export const DISK_FREE_MIN_BYTES = 64 * 1024 * 1024;

/** Makes the folder if it is missing; throws HOME_NOT_WRITABLE with the reason in words. */
export async function prepareHome(home: string): Promise<void> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notWritable(home, await whyNotMade(home, error));
  }
  const why = await whyNotWritable(home);
  if (why !== undefined) throw new StorageError('HOME_NOT_WRITABLE', why);
}

/**
 * For a folder inside a read-only one, Node only says that it does not exist; the real reason comes from the
 * parent.
 */
async function whyNotMade(folder: string, error: unknown): Promise<unknown> {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;
  for (let above = dirname(folder); ; above = dirname(above)) {
    const refusal = await access(above, constants.W_OK | constants.X_OK).catch((cause: unknown) => cause);
    if (refusal === undefined) return error;
    if ((refusal as NodeJS.ErrnoException).code !== 'ENOENT' || above === dirname(above)) return refusal;
  }
}

/** The reason in words, or undefined if it can be written. */
export async function whyNotWritable(home: string): Promise<string | undefined> {
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return notWritable(home, error).message;
  }
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function notWritable(home: string, error: unknown): StorageError {
  const why = diskFaultOf(error)?.why ?? messageOf(error);
  return new StorageError(
    'HOME_NOT_WRITABLE',
    `the home directory ${home} cannot be written: ${why}. Database, keys and recordings lie there unless settings put them elsewhere, and even then it has to be writable; name another one with --home`,
    error,
  );
}

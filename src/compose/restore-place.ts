// The place that a backup is restored into: what was not there before is taken away again when the restore fails, so that nothing
// half-written is left that somebody might take for an installation.
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.js';
import type { DatabaseOptions } from '../storage/database.js';

/** Files that SQLite keeps beside its own. */
const besideDatabase = ['', '-wal', '-shm', '-journal'];

interface RestorePlace {
  /** It is a file of its own that was not there. */
  isDatabaseNew: boolean;
  /** What cannot be removed stays: why the restore failed matters more. */
  clear(): void;
}

/** Looks what is missing before anything is restored. */
export function noteMissing(config: Pick<Config, 'home' | 'media'>, database: DatabaseOptions): RestorePlace {
  const isMissing = (path: string): boolean => !existsSync(path);
  const files =
    database.kind === 'sqlite' && isMissing(database.file)
      ? besideDatabase.map((end) => `${database.file}${end}`)
      : [];
  const { store } = config.media;
  // What was put into a bucket is removed by whoever put it there.
  const recordings = store.startsWith('s3:') ? [] : [store || join(config.home, 'blobs')];
  const folders: string[] = [];
  for (let folder = config.home; isMissing(folder); folder = dirname(folder)) folders.push(folder);
  const made = [...files, ...recordings.filter(isMissing)];
  return {
    isDatabaseNew: files.length > 0,
    clear() {
      for (const path of made) quietly(() => rmSync(path, { recursive: true, force: true }));
      // Only where they are empty: somebody else may have put something there meanwhile.
      for (const folder of folders) quietly(() => rmdirSync(folder));
    },
  };
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It stays.
  }
}

// Where the data of the tests lies: in memory, where there is room. It need not survive a power failure, and waiting for the
// disk to promise that it would (every commit, every recording) takes longer than most tests.
import { statfsSync } from 'node:fs';

const MEMORY_FOLDER = '/dev/shm';
const TMPFS_TYPE = 0x01021994;
const ROOM_BYTES_MIN = 2 * 1024 ** 3;

/** Before anybody asks for the folder of temporary files; one that was chosen stays. */
export function keepDataInMemory(): void {
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = MEMORY_FOLDER;
}

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return type === TMPFS_TYPE && bavail * bsize >= ROOM_BYTES_MIN;
  } catch {
    return false;
  }
}

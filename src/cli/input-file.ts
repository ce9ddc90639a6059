// A file that somebody named on the command line: read, or refused in words that say what is wrong with the name.
import { readFileSync } from 'node:fs';
import { messageOf } from '../errors.js';

const faults: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `no such file: ${file}`,
  ENOTDIR: (file) => `no such file: ${file}`,
  EISDIR: (file) => `${file} is a folder, not a file`,
  EACCES: (file) => `${file} cannot be read: permission denied`,
};

export function readInput(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new Error(faults[code]?.(file) ?? `${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

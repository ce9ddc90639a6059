// A small file system of its own, to be filled or made read only. Needs the right to mount; elsewhere tests that need it
// are skipped.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  path: string;
  makeReadOnly(): void;
  makeWritable(): void;
  remove(): void;
}

const run = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });

export function canMount(): boolean {
  const disk = smallDisk(1);
  disk?.remove();
  return disk !== undefined;
}

/** Undefined where this process may not mount. */
export function smallDisk(sizeMiB: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'voxgate-disk-'));
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=700`, 'tmpfs', path);
  } catch {
    rmdirSync(path);
    return undefined;
  }
  return {
    path,
    makeReadOnly: () => run('mount', '-o', 'remount,ro', path),
    makeWritable: () => run('mount', '-o', 'remount,rw', path),
    remove() {
      // Lazily: a process that was killed may still be on its way out.
      run('umount', '-l', path);
      rmdirSync(path);
    },
  };
}

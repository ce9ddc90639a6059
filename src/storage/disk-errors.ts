// What the system's error codes say about a disk or a folder: the kind of error, and the reason in words.

/** FULL until space is freed, NOT_USABLE until somebody repairs it, TOO_MANY_FILES until some are closed. */
export type DiskFault = 'FULL' | 'NOT_USABLE' | 'TOO_MANY_FILES';

const faults: Readonly<Record<string, { fault: DiskFault; why: string }>> = {
  ENOSPC: { fault: 'FULL', why: 'the disk is full' },
  EDQUOT: { fault: 'FULL', why: 'the disk is full' },
  EROFS: { fault: 'NOT_USABLE', why: 'it is on a read-only file system' },
  EACCES: { fault: 'NOT_USABLE', why: 'this user may not write there' },
  EPERM: { fault: 'NOT_USABLE', why: 'this user may not write there' },
  ENOTDIR: { fault: 'NOT_USABLE', why: 'a part of its path is a file' },
  EEXIST: { fault: 'NOT_USABLE', why: 'it is a file' },
  ENOENT: { fault: 'NOT_USABLE', why: 'it does not exist' },
  EMFILE: { fault: 'TOO_MANY_FILES', why: 'too many files are open' },
  ENFILE: { fault: 'TOO_MANY_FILES', why: 'too many files are open' },
};

/** Undefined for errors that are not the disk's or the folder's fault. */
export function diskFaultOf(error: unknown): { fault: DiskFault; why: string } | undefined {
  return faults[(error as NodeJS.ErrnoException).code ?? ''];
}

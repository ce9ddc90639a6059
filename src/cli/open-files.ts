// How many files this process may have open. Alone in its file and without imports of ours: where few may be open, it is what
// can still be loaded.
import { readFileSync } from 'node:fs';

const FILES_NEEDED = 1024;

/** In one sentence, or undefined when it is enough or not known (elsewhere than on Linux). */
export function tooFewFiles(limits = limitsOfProcess()): string | undefined {
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return limit !== undefined && Number(limit) < FILES_NEEDED
    ? `only ${limit} files may be open at the same time; allow at least ${FILES_NEEDED} ("ulimit -n", LimitNOFILE of systemd)`
    : undefined;
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

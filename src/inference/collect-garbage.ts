// A full garbage collection of this thread, for the few moments when the program knows better than V8 that it
// is worthwhile.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectGarbage(): void {
  // The flag only makes the function accessible; nothing else in the process sees it.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

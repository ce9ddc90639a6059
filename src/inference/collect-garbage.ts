// A full garbage collection of this thread, for the few moments at which somebody knows better than V8 that it is worth it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectGarbage(): void {
  // The flag only lets the function be reached; nothing else in the process sees it.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

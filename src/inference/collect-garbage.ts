// A full garbage collection of this thread, for the few moments when the program knows better than V8 that it
// is worthwhile. It does nothing in a process that began without the options of v8-options.ts.
import { runInNewContext } from 'node:vm';

export function collectGarbage(): void {
  runInNewContext(`typeof gc === 'function' && gc()`);
}

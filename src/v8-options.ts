// Options of V8, set once at the start of a process: V8 does not promise to notice one that changes while it works.
import { setFlagsFromString } from 'node:v8';

export function setV8Options(): void {
  // Makes the garbage collector accessible to collect-garbage.ts, in this thread and in those started later.
  setFlagsFromString('--expose-gc');
  // Node.js 20 has the instructions that coarse-look.ts uses, but they have to be enabled.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
}

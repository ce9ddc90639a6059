// The part of the WebAssembly interface that the kernels use. The compiler settings leave out the
// browser library, which is where TypeScript keeps these types.
import { assemble } from './assembler.js';
import type { FunctionBuilder } from './assembler.js';

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WasmRuntime {
  Memory: new (limits: { initial: number; maximum?: number }) => WasmMemory;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (
    module: object,
    imports: object,
  ) => { exports: Record<string, (...args: number[]) => number> };
}

const runtime = (globalThis as unknown as { WebAssembly: WasmRuntime }).WebAssembly;

export type KernelFunction = (...args: number[]) => number;

export const PAGE_BYTES = 65536;

export function createMemory(bytes: number): WasmMemory {
  return new runtime.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/** Assembles and starts a kernel; the functions come back by name. */
export function startKernel(
  functions: readonly FunctionBuilder[],
  memory: WasmMemory,
): (name: string) => KernelFunction {
  const { exports } = new runtime.Instance(new runtime.Module(assemble(functions)), { env: { memory } });
  return (name) => {
    const found = exports[name];
    if (!found) throw new Error(`the kernel has no function ${name}`);
    return found;
  };
}

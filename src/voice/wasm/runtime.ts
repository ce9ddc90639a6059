// The part of the WebAssembly interface that the kernels use. The compiler settings leave out the browser
// library, which has TypeScript's types for it.
import { assemble } from './assembler.js';
import type { FunctionBuilder } from './assembler.js';

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Memory shared between threads: it grows in place, so that views stay valid. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

interface WasmRuntime {
  Memory: {
    new (limits: { initial: number }): WasmMemory;
    new (limits: { initial: number; maximum: number; shared: true }): SharedWasmMemory;
  };
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

/** The maximum size is only an address range and costs nothing until it is used. */
export function createSharedMemory(bytes: number): SharedWasmMemory {
  return new runtime.Memory({ initial: Math.ceil(bytes / PAGE_BYTES), maximum: 65536, shared: true });
}

/** Compiled code that can be started in any memory of the kind that it was made for. */
export type KernelModule = object;

export function compileKernel(functions: readonly FunctionBuilder[], isShared: boolean): KernelModule {
  return new runtime.Module(assemble(functions, isShared));
}

/** Starts a kernel; returns its functions by name. */
export function startModule(
  module: KernelModule,
  memory: WasmMemory | SharedWasmMemory,
): (name: string) => KernelFunction {
  const { exports } = new runtime.Instance(module, { env: { memory } });
  return (name) => {
    const found = exports[name];
    if (!found) throw new Error(`the kernel has no function ${name}`);
    return found;
  };
}

/** Assembles and starts a kernel that is needed only once. */
export function startKernel(
  functions: readonly FunctionBuilder[],
  memory: WasmMemory,
): (name: string) => KernelFunction {
  return startModule(compileKernel(functions, false), memory);
}

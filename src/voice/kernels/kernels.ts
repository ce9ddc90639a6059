/**
 * The WebAssembly kernels as one instance per thread, with a scratch memory that callers lay out afresh for each call. The
 * callers work through long signals in pieces, so the memory stays at a few megabytes.
 */
import type { WasmMemory } from '../wasm/runtime.js';
import { KERNELS_BASE64 } from './kernels-binary.js';

export interface Kernels {
  memory: WasmMemory;
  fir(
    rows: number,
    taps: number,
    input: number,
    out: number,
    count: number,
    up: number,
    stepWhole: number,
    stepRest: number,
    rest: number,
  ): void;
  firDouble(rows: number, taps: number, input: number, out: number, groups: number): void;
  firHalve(
    row: number,
    taps: number,
    input: number,
    parted: number,
    half: number,
    out: number,
    groups: number,
  ): void;
  conv48(
    x: number,
    xStep: number,
    taps: number,
    tapStep: number,
    channels: number,
    w: number,
    bias: number,
    y: number,
    count: number,
    residual: number,
  ): void;
  standardise(x: number, mean: number, scale: number, bytes: number, y: number, rows: number): void;
  correlate(x: number, y: number, count: number, out: number, lags: number): void;
}

interface WasmRuntime {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

let instance: Kernels | undefined;
let floats = new Float32Array(0);

export function kernels(): Kernels {
  if (instance === undefined) {
    const runtime = (globalThis as unknown as { WebAssembly: WasmRuntime }).WebAssembly;
    instance = new runtime.Instance(new runtime.Module(Buffer.from(KERNELS_BASE64, 'base64')))
      .exports as Kernels;
  }
  return instance;
}

/** Floats over the kernel memory, at least `bytes` large. Views taken before a growth are dead, so take them from here. */
export function kernelFloats(bytes: number): Float32Array {
  const { memory } = kernels();
  if (memory.buffer.byteLength < bytes) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / 65536));
  if (floats.buffer !== memory.buffer) floats = new Float32Array(memory.buffer);
  return floats;
}

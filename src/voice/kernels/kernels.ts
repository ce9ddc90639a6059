/**
 * The WebAssembly kernels as one instance per thread, with a scratch memory that callers lay out again for
 * each call. Callers process long signals in pieces, so the memory stays at a few megabytes.
 */
import { createMemory, PAGE_BYTES, startKernel } from '../wasm/runtime.js';
import type { WasmMemory } from '../wasm/runtime.js';
import { conv48Functions } from './conv48.js';
import { firDoubleFunction, firFunction, firHalveFunction } from './filters.js';
import { centerFunction, correlateFunction, standardiseFunction } from './rows.js';

interface Kernels {
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
  center(x: number, bytes: number, rows: number): void;
  correlate(x: number, y: number, count: number, out: number, lags: number): void;
}

const FIRST_BYTES = 1 << 20;
let instance: Kernels | undefined;
let floats = new Float32Array(0);

export function kernels(): Kernels {
  if (instance === undefined) {
    const memory = createMemory(FIRST_BYTES);
    const rest = [
      firFunction(),
      firDoubleFunction(),
      firHalveFunction(),
      standardiseFunction(),
      centerFunction(),
      correlateFunction(),
    ];
    const named = startKernel([...conv48Functions(0), ...rest], memory);
    const names = ['fir', 'firDouble', 'firHalve', 'conv48', 'standardise', 'center', 'correlate'] as const;
    instance = { memory, ...Object.fromEntries(names.map((name) => [name, named(name)])) } as Kernels;
  }
  return instance;
}

/**
 * Floats over the kernel memory, at least `bytes` large. Growing invalidates earlier views, so take them from
 * here.
 */
export function kernelFloats(bytes: number): Float32Array {
  const { memory } = kernels();
  if (memory.buffer.byteLength < bytes)
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES));
  if (floats.buffer !== memory.buffer) floats = new Float32Array(memory.buffer);
  return floats;
}

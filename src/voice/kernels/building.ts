// Small building blocks of the kernels.
import type { FunctionBuilder, Local, ValueType } from '../wasm/assembler.js';

export const FLOAT_BYTES = 4;
export const VECTOR_BYTES = 16;

/** Four floats: in a local, or in memory at a pointer. */
type Operand = Local | { at: Local; offset?: number };

export const parameters = (count: number): ValueType[] => Array.from({ length: count }, () => 'i32');

export const vectors = (f: FunctionBuilder, count: number): Local[] =>
  Array.from({ length: count }, () => f.local('v128'));

export function zero(f: FunctionBuilder, locals: readonly Local[]): void {
  for (const local of locals) f.f32x4(0).set(local);
}

function push(f: FunctionBuilder, operand: Operand): void {
  if (typeof operand === 'number') f.get(operand);
  else f.get(operand.at).load(operand.offset ?? 0);
}

/** sum += a * b, lane by lane. */
export function multiplyAdd(f: FunctionBuilder, sum: Local, a: Operand, b: Operand): void {
  f.get(sum);
  push(f, a);
  push(f, b);
  f.op('f32x4.mul', 'f32x4.add').set(sum);
}

// Chooses between signed and unsigned weights for this processor. Products of unsigned and signed bytes take
// half the time on processors with instructions for whole sums of them (VNNI, AMX). Older processors first
// add two products in 16 bits, which overflow for the largest values: they need unsigned weights. So it is
// tried out, with the largest possible products.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { CONTRIBUTED, FLOAT, floatConstant, INT8, writeGraph, type Constant } from './onnx-graph.js';

/** How the 8-bit weights are represented. */
export type Weights = 'signed' | 'unsigned';

type Run = (data: Float32Array, shape: readonly number[]) => Promise<Float32Array>;
export type OpenBytes = (model: Uint8Array, input: string, output: string) => Promise<Run>;

const INPUT = 'x';
const OUTPUT = 'y';
const OPSET = 13;
const IR_VERSION = 8;
const LARGEST = 255;
/** The number of products in a sum, and of columns: enough to exercise every kernel. */
const DEPTH = 64;
const COLUMNS = 48;
/** A single row has kernels of its own. */
const rowsTried = [1, 24] as const;
const weightOf = (column: number): number => (column % 2 === 0 ? 127 : -128);

/**
 * The weights of a network to run here: the fastest that are exact or, if it makes no difference, those that
 * are stored.
 */
export async function weightsToRun(
  stored: Weights,
  open: OpenBytes,
  architecture: string = process.arch,
): Promise<Weights> {
  if (architecture !== 'x64') return stored;
  return (await isExact(open)) ? 'signed' : 'unsigned';
}

async function isExact(open: OpenBytes): Promise<boolean> {
  const run = await open(trialNetwork(), INPUT, OUTPUT);
  for (const rows of rowsTried) {
    const sums = await run(new Float32Array(rows * DEPTH).fill(LARGEST), [rows, DEPTH]);
    if (sums.length !== rows * COLUMNS) return false;
    if (!sums.every((sum, i) => sum === DEPTH * LARGEST * weightOf(i % COLUMNS))) return false;
  }
  return true;
}

/** One product with constant weights. Numbers from 0 to 255 are their own quantization. */
function trialNetwork(): Uint8Array {
  const weights = Int8Array.from({ length: DEPTH * COLUMNS }, (_, i) => weightOf(i % COLUMNS));
  const bytes = (dims: number[], data: Int8Array): Constant => ({
    type: INT8,
    dims,
    data: new Uint8Array(data.buffer),
  });
  const node = (op: string, domain: string, inputs: string[], outputs: string[]) => ({
    op,
    domain,
    inputs,
    outputs,
    attributes: new Map(),
  });
  return writeGraph(frame(), {
    opset: OPSET,
    outputs: [OUTPUT],
    nodes: [
      node('DynamicQuantizeLinear', '', [INPUT], ['q', 'scale', 'zero']),
      node('MatMulIntegerToFloat', CONTRIBUTED, ['q', 'w', 'scale', 'one', 'zero', 'none'], [OUTPUT]),
    ],
    constants: new Map([
      ['w', bytes([DEPTH, COLUMNS], weights)],
      ['one', floatConstant(Float32Array.of(1))],
      ['none', bytes([1], Int8Array.of(0))],
    ]),
  });
}

/** A model without nodes: versions, and a matrix of numbers in and out. */
function frame(): Uint8Array {
  const out = new BinaryWriter();
  const message = (number: number, body: () => void): void => {
    out.tag(number, WireType.LengthDelimited).fork();
    body();
    out.join();
  };
  const matrix = (name: string): void => {
    out.tag(1, WireType.LengthDelimited).string(name);
    message(2, () =>
      message(1, () => {
        out.tag(1, WireType.Varint).int32(FLOAT);
        message(2, () => ['rows', 'columns'].forEach((side) => message(1, () => text(2, `${name}${side}`))));
      }),
    );
  };
  const text = (number: number, value: string) => out.tag(number, WireType.LengthDelimited).string(value);
  out.tag(1, WireType.Varint).int64(IR_VERSION);
  message(8, () => out.tag(2, WireType.Varint).int64(OPSET));
  message(7, () => {
    text(2, 'products');
    message(11, () => matrix(INPUT));
    message(12, () => matrix(OUTPUT));
  });
  return out.finish();
}

// The speech detector's layer: a convolution over time with 48 outputs,
// y[t][o] = (residual ? y0[t][o] : 0) + relu(bias[o] + sum_{tap,c} x[t][tap][c] * w[tap][c][o]).
// x moves by xStep bytes per t; taps lie tapStep bytes apart; `residual` is 0 or the address of y0.
import { FunctionBuilder } from '../wasm/assembler.js';
import type { Local } from '../wasm/assembler.js';
import { FLOAT_BYTES, multiplyAdd, parameters, vectors, VECTOR_BYTES } from './building.js';

const OUTPUTS = 48;
const ROW_BYTES = OUTPUTS * FLOAT_BYTES;
/** Outputs are computed in three groups of 16, so that the accumulators stay in registers. */
const GROUP_VECTORS = 4;
const GROUP_BYTES = GROUP_VECTORS * VECTOR_BYTES;
/** Rows at a time, so that a weight is loaded once for all of them. */
const ROWS_AT_ONCE = 4;

/** Position of a sum, in the output and in the residual that it is added to. */
const placeOf = (row: number, column: number): number => row * ROW_BYTES + column * VECTOR_BYTES;

/** Adds one channel of a tap to the sums of all rows, and moves on to the next channel. */
function addChannel(
  f: FunctionBuilder,
  {
    inputs,
    spread,
    sums,
    weightAt,
    weight,
  }: {
    inputs: readonly Local[];
    /** One local per input row: its value in all lanes. */
    spread: readonly Local[];
    sums: readonly (readonly Local[])[];
    weightAt: Local;
    weight: Local;
  },
): void {
  inputs.forEach((input, r) =>
    f
      .get(input)
      .loadSplat()
      .set(spread[r] as Local),
  );
  for (let c = 0; c < GROUP_VECTORS; c++) {
    f.get(weightAt)
      .load(c * VECTOR_BYTES)
      .set(weight);
    sums.forEach((row, r) => multiplyAdd(f, row[c] as Local, spread[r] as Local, weight));
  }
  f.advance(weightAt, ROW_BYTES);
  for (const input of inputs) f.advance(input, FLOAT_BYTES);
}

/** Processes `count` rows, a multiple of `atOnce`, at least one. */
function convolutionFunction(name: string, atOnce: number): FunctionBuilder {
  const f = new FunctionBuilder(name, parameters(10));
  const [x, xStep, tapCount, tapStep, channels, w, bias, y, count, residual] = f.allParameters();
  const [output, weightAt, tap, tapAt, end, at] = f.locals('i32', 6);
  const inputs = Array.from({ length: atOnce }, () => f.local('i32'));
  const spread = vectors(f, atOnce);
  const [v] = f.locals('v128', 1);
  const sums = inputs.map(() => vectors(f, GROUP_VECTORS));
  const eachSum = (body: (sum: Local, row: number, column: number) => void): void =>
    sums.forEach((row, r) => row.forEach((sum, c) => body(sum, r, c)));
  const oneTap = (): void => {
    inputs.forEach((input, r) => {
      if (r === 0) f.get(tapAt).set(input);
      else f.setSum(input, inputs[r - 1] as Local, xStep);
    });
    const first = inputs[0] as Local;
    f.get(first, channels).i32(2).op('i32.shl', 'i32.add').set(end);
    f.loop(() => {
      addChannel(f, { inputs, spread, sums, weightAt, weight: v });
      f.get(first, end).op('i32.lt_u');
    });
  };
  const oneGroup = (): void => {
    f.setSum(at, bias, output);
    eachSum((sum, _, c) =>
      f
        .get(at)
        .load(c * VECTOR_BYTES)
        .set(sum),
    );
    f.setSum(weightAt, w, output).i32(0).set(tap).get(x).set(tapAt);
    f.loop(() => {
      oneTap();
      f.setSum(tapAt, tapAt, tapStep).advance(tap, 1).get(tap, tapCount).op('i32.lt_u');
    });
    f.f32x4(0).set(v);
    eachSum((sum) => f.get(sum, v).op('f32x4.max').set(sum));
    f.get(residual).whenTrue(() => {
      f.setSum(at, residual, output);
      eachSum((sum, r, c) => f.get(sum, at).load(placeOf(r, c)).op('f32x4.add').set(sum));
    });
    f.setSum(at, y, output);
    eachSum((sum, r, c) => f.get(at, sum).store(placeOf(r, c)));
  };
  f.loop(() => {
    f.i32(0).set(output);
    f.loop(() => {
      oneGroup();
      f.advance(output, GROUP_BYTES).get(output).i32(ROW_BYTES).op('i32.lt_u');
    });
    f.get(x, xStep).i32(atOnce).op('i32.mul', 'i32.add').set(x);
    f.advance(y, atOnce * ROW_BYTES);
    f.get(residual).whenTrue(() => f.advance(residual, atOnce * ROW_BYTES));
    f.advance(count, -atOnce).get(count);
  });
  return f;
}

/** Rows four at a time, then the rest one by one. */
function conv48Function(fourRows: number, oneRow: number): FunctionBuilder {
  const f = new FunctionBuilder('conv48', parameters(10));
  const [x, xStep, tapCount, tapStep, channels, w, bias, y, count, residual] = f.allParameters();
  const [many] = f.locals('i32', 1);
  f.get(count).i32(-ROWS_AT_ONCE).op('i32.and').set(many);
  f.get(many).whenTrue(() => {
    f.get(x, xStep, tapCount, tapStep, channels, w, bias, y, many, residual).call(fourRows);
    f.get(x).get(many, xStep).op('i32.mul', 'i32.add').set(x);
    f.get(y).get(many).i32(ROW_BYTES).op('i32.mul', 'i32.add').set(y);
    f.get(residual).whenTrue(() =>
      f.get(residual).get(many).i32(ROW_BYTES).op('i32.mul', 'i32.add').set(residual),
    );
    f.get(count, many).op('i32.sub').set(count);
  });
  f.get(count).whenTrue(() =>
    f.get(x, xStep, tapCount, tapStep, channels, w, bias, y, count, residual).call(oneRow),
  );
  return f;
}

/** The three functions of the layer; the first of them will have the index `first` in the module. */
export const conv48Functions = (first: number): FunctionBuilder[] => [
  convolutionFunction('conv48FourRows', ROWS_AT_ONCE),
  convolutionFunction('conv48OneRow', 1),
  conv48Function(first, first + 1),
];

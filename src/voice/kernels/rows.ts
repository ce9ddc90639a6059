// Kernels over rows of floats: standardising features, subtracting column means, and correlating a stretch
// with later ones.
import { FunctionBuilder } from '../wasm/assembler.js';
import { FLOAT_BYTES, multiplyAdd, parameters, vectors, VECTOR_BYTES, zero } from './building.js';

/** y[r][c] = (x[r][c] - mean[c]) * scale[c] for rows of `bytes` bytes, a multiple of 16. x and y may be the same. */
export function standardiseFunction(): FunctionBuilder {
  const f = new FunctionBuilder('standardise', parameters(6));
  const [x, mean, scale, bytes, y, rows] = f.allParameters();
  const [c] = f.locals('i32', 1);
  f.get(rows).whenTrue(() =>
    f.repeat(rows, () => {
      f.i32(0).set(c);
      f.loop(() => {
        f.get(y, c).op('i32.add');
        f.get(x, c).op('i32.add').load().get(mean, c).op('i32.add').load().op('f32x4.sub');
        f.get(scale, c).op('i32.add').load().op('f32x4.mul').store();
        f.advance(c, VECTOR_BYTES).get(c, bytes).op('i32.lt_u');
      });
      f.setSum(x, x, bytes).setSum(y, y, bytes);
    }),
  );
  return f;
}

/**
 * Subtracts from every column its mean over the rows, in place; sums and differences in 64 bits, row after
 * row, as plain code would. Rows have `bytes` bytes, a multiple of 16; there is at least one.
 */
export function centerFunction(): FunctionBuilder {
  const f = new FunctionBuilder('center', parameters(3));
  const [x, bytes, rows] = f.allParameters();
  const [end, at, left] = f.locals('i32', 3);
  const [value, low, high] = f.locals('v128', 3);
  const upper = (): FunctionBuilder => f.get(value, value).shuffle(2, 3, 2, 3);
  const eachRow = (body: () => void): void => {
    f.get(x).set(at).get(rows).set(left);
    f.repeat(left, () => {
      f.get(at).load().set(value);
      body();
      f.setSum(at, at, bytes);
    });
  };
  f.setSum(end, x, bytes);
  f.loop(() => {
    zero(f, [low, high]);
    eachRow(() => {
      f.get(low, value).op('f64x2.promote_low_f32x4', 'f64x2.add').set(low);
      f.get(high);
      upper().op('f64x2.promote_low_f32x4', 'f64x2.add').set(high);
    });
    for (const sum of [low, high])
      f.get(sum, rows).op('i32x4.splat', 'f64x2.convert_low_i32x4_s', 'f64x2.div').set(sum);
    eachRow(() => {
      f.get(at);
      f.get(value).op('f64x2.promote_low_f32x4').get(low).op('f64x2.sub', 'f32x4.demote_f64x2_zero');
      upper().op('f64x2.promote_low_f32x4').get(high).op('f64x2.sub', 'f32x4.demote_f64x2_zero');
      f.shuffle(0, 1, 4, 5).store();
    });
    f.advance(x, VECTOR_BYTES).get(x, end).op('i32.lt_u');
  });
  return f;
}

/**
 * out[l] = sum_{i < count} x[i] * y[i + l] for l < lags; `lags` is a multiple of 16, and y is read up to count + lags.
 * Sixteen lags share each x.
 */
export function correlateFunction(): FunctionBuilder {
  const f = new FunctionBuilder('correlate', parameters(5));
  const [x, y, count, out, lags] = f.allParameters();
  const [xAt, yAt, end] = f.locals('i32', 3);
  const [s] = f.locals('v128', 1);
  const sums = vectors(f, 4);
  f.get(x, count).i32(2).op('i32.shl', 'i32.add').set(end);
  f.loop(() => {
    zero(f, sums);
    f.get(x).set(xAt).get(y).set(yAt);
    f.loop(() => {
      f.get(xAt).loadSplat().set(s);
      sums.forEach((sum, i) => multiplyAdd(f, sum, s, { at: yAt, offset: i * VECTOR_BYTES }));
      f.advance(xAt, FLOAT_BYTES).advance(yAt, FLOAT_BYTES).get(xAt, end).op('i32.lt_u');
    });
    sums.forEach((sum, i) => f.get(out, sum).store(i * VECTOR_BYTES));
    f.advance(out, 4 * VECTOR_BYTES)
      .advance(y, 4 * VECTOR_BYTES)
      .advance(lags, -16);
    f.get(lags).i32(0).op('i32.gt_s');
  });
  return f;
}

// Inner loops of the resampler: the polyphase filter for any rate, and faster forms for twice and half the rate.
// All pointers are byte offsets into the kernel memory; four floats are worked on at a time.
import { FunctionBuilder } from '../wasm/assembler.js';
import type { Local } from '../wasm/assembler.js';
import { FLOAT_BYTES, multiplyAdd, parameters, vectors, VECTOR_BYTES, zero } from './building.js';

/**
 * out[n] = sum_k rows[phase][k] * input[whole + k], where (whole, phase) advance by down/up per output. `taps` is a
 * multiple of 4; `rest` is the first output's phase.
 */
export function firFunction(): FunctionBuilder {
  const f = new FunctionBuilder('fir', parameters(9));
  const [rows, taps, input, out, count, up, stepWhole, stepRest, rest] = f.allParameters();
  const [r, x, end, rowBytes, half] = f.locals('i32', 5);
  const [a, b] = f.locals('v128', 2);
  f.get(taps).i32(2).op('i32.shl').set(rowBytes);
  // Two accumulators need 32 bytes per turn; a trailing 16 bytes are handled on their own.
  f.get(rowBytes)
    .i32(-2 * VECTOR_BYTES)
    .op('i32.and')
    .set(half);
  f.get(count).whenTrue(() =>
    f.repeat(count, () => {
      zero(f, [a, b]);
      f.get(rows).get(rest, rowBytes).op('i32.mul', 'i32.add').set(r);
      f.get(input).set(x).setSum(end, x, half);
      f.get(x, end)
        .op('i32.lt_u')
        .whenTrue(() =>
          f.loop(() => {
            multiplyAdd(f, a, { at: r }, { at: x });
            multiplyAdd(f, b, { at: r, offset: VECTOR_BYTES }, { at: x, offset: VECTOR_BYTES });
            f.advance(r, 2 * VECTOR_BYTES).advance(x, 2 * VECTOR_BYTES);
            f.get(x, end).op('i32.lt_u');
          }),
        );
      f.get(half, rowBytes)
        .op('i32.ne')
        .whenTrue(() => multiplyAdd(f, a, { at: r }, { at: x }));
      f.get(a, b).op('f32x4.add').set(a);
      f.get(out).get(a).extractF32(0).get(a).extractF32(1).op('f32.add');
      f.get(a).extractF32(2).get(a).extractF32(3).op('f32.add', 'f32.add').storeF32();
      f.advance(out, FLOAT_BYTES);
      f.get(input, stepWhole).i32(2).op('i32.shl', 'i32.add').set(input);
      f.setSum(rest, rest, stepRest);
      f.get(rest, up)
        .op('i32.ge_u')
        .whenTrue(() => {
          f.get(rest, up).op('i32.sub').set(rest).advance(input, FLOAT_BYTES);
        });
    }),
  );
  return f;
}

/**
 * Doubles the rate: out[2n + p] = sum_k rows[p][k] * input[n + k], both phases of 16 inputs at once, so that
 * each input is loaded once for both. Works in groups of 32 outputs, at least one.
 */
export function firDoubleFunction(): FunctionBuilder {
  const f = new FunctionBuilder('firDouble', parameters(5));
  const [rows, taps, input, out, groups] = f.allParameters();
  const [r, x, end, rowBytes] = f.locals('i32', 4);
  const [s, t, v] = f.locals('v128', 3);
  const [even, odd] = [vectors(f, 4), vectors(f, 4)];
  f.get(taps).i32(2).op('i32.shl').set(rowBytes).setSum(end, rows, rowBytes);
  f.repeat(groups, () => {
    zero(f, [...even, ...odd]);
    f.get(rows).set(r).get(input).set(x);
    f.loop(() => {
      f.get(r).loadSplat().set(s).get(r, rowBytes).op('i32.add').loadSplat().set(t);
      even.forEach((a, i) => {
        f.get(x)
          .load(i * VECTOR_BYTES)
          .set(v);
        multiplyAdd(f, a, s, v);
        multiplyAdd(f, odd[i] as Local, t, v);
      });
      f.advance(r, FLOAT_BYTES).advance(x, FLOAT_BYTES).get(r, end).op('i32.lt_u');
    });
    even.forEach((a, i) => {
      const b = odd[i] as Local;
      f.get(out, a, b)
        .shuffle(0, 4, 1, 5)
        .store(2 * i * VECTOR_BYTES);
      f.get(out, a, b)
        .shuffle(2, 6, 3, 7)
        .store((2 * i + 1) * VECTOR_BYTES);
    });
    f.advance(out, 8 * VECTOR_BYTES).advance(input, 4 * VECTOR_BYTES);
  });
  return f;
}

/**
 * Halves the rate: out[n] = sum_k row[k] * input[2n + k]. Even and odd inputs are separated first (to
 * `parted`, `half` floats each, a multiple of 4), then 16 outputs share each coefficient. `taps` is even; at
 * least one group.
 */
export function firHalveFunction(): FunctionBuilder {
  const f = new FunctionBuilder('firHalve', parameters(7));
  const [row, taps, input, parted, half, out, groups] = f.allParameters();
  const [r, x, y, end, odd] = f.locals('i32', 5);
  const [s, t] = f.locals('v128', 2);
  const [a, b] = [vectors(f, 4), vectors(f, 4)];
  f.get(half).i32(2).op('i32.shl').set(half).setSum(odd, parted, half).get(parted).set(x);
  f.loop(() => {
    f.get(input).load().set(s).get(input).load(VECTOR_BYTES).set(t);
    f.get(x, s, t).shuffle(0, 2, 4, 6).store();
    f.get(x, half).op('i32.add').get(s, t).shuffle(1, 3, 5, 7).store();
    f.advance(input, 2 * VECTOR_BYTES).advance(x, VECTOR_BYTES);
    f.get(x, odd).op('i32.lt_u');
  });
  f.get(row, taps).i32(2).op('i32.shl', 'i32.add').set(end);
  f.repeat(groups, () => {
    zero(f, [...a, ...b]);
    f.get(row).set(r).get(parted).set(x).get(odd).set(y);
    f.loop(() => {
      f.get(r).loadSplat().set(s).get(r).loadSplat(FLOAT_BYTES).set(t);
      a.forEach((sum, i) => {
        multiplyAdd(f, sum, s, { at: x, offset: i * VECTOR_BYTES });
        multiplyAdd(f, b[i] as Local, t, { at: y, offset: i * VECTOR_BYTES });
      });
      f.advance(r, 2 * FLOAT_BYTES)
        .advance(x, FLOAT_BYTES)
        .advance(y, FLOAT_BYTES);
      f.get(r, end).op('i32.lt_u');
    });
    a.forEach((sum, i) =>
      f
        .get(out, sum, b[i] as Local)
        .op('f32x4.add')
        .store(i * VECTOR_BYTES),
    );
    for (const pointer of [out, parted, odd]) f.advance(pointer, 4 * VECTOR_BYTES);
  });
  return f;
}

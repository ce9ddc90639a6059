// The log-mel kernel in SIMD WebAssembly. Each of the four float lanes carries a different frame, so the FFT
// is the plain scalar algorithm with wide registers and needs no shuffles: window, real FFT of 512 by way of
// a complex FFT of 256 (Stockham, radix 4, self-sorting), power, mel, natural logarithm.
import { FunctionBuilder } from '../wasm/assembler.js';
import type { Local } from '../wasm/assembler.js';
import { createMemory, startKernel } from '../wasm/runtime.js';
import { melFilters } from './mel.js';
import { COMPLEX, LANES_BYTES, COMPLEX_BYTES, stages, layOut, fillTables } from './kernel-layout.js';
import type { Layout } from './kernel-layout.js';
import type { FeatureSettings } from './mel.js';

export interface LogMelKernel {
  /** Frames that one call may process; a multiple of four. */
  blockFrames: number;
  input: Float32Array;
  output: Float32Array;
  /** Computes `groups` times four frames from `input` into rows of `output`. */
  run(groups: number): void;
}

/** Gathers four frames into lanes, scales them, removes their mean, applies pre-emphasis and window, pads with zeros. */
function windowFunction(layout: Layout, settings: FeatureSettings): FunctionBuilder {
  const f = new FunctionBuilder('window', ['i32']);
  const source = f.parameter(0);
  const [target, count, windowAt] = [f.local('i32'), f.local('i32'), f.local('i32')];
  const [sum, previous, current] = [f.local('v128'), f.local('v128'), f.local('v128')];
  const shiftBytes = settings.frameShift * 4;
  f.i32(layout.first).set(target).i32(settings.frameLength).set(count);
  f.repeat(count, () => {
    f.get(target);
    f.get(source).loadSplat(0).set(current);
    for (const lane of [1, 2, 3])
      f.get(source, current)
        .loadLane(lane, lane * shiftBytes)
        .set(current);
    f.get(current).f32x4(settings.sampleScale).op('f32x4.mul').tee(current).store();
    f.get(sum, current).op('f32x4.add').set(sum);
    f.advance(source, 4).advance(target, LANES_BYTES);
  });
  f.get(sum)
    .f32x4(1 / settings.frameLength)
    .op('f32x4.mul')
    .set(sum);
  f.i32(layout.first).set(target).i32(settings.frameLength).set(count).i32(layout.window).set(windowAt);
  f.get(target).load().get(sum).op('f32x4.sub').set(previous);
  f.repeat(count, () => {
    f.get(target).load().get(sum).op('f32x4.sub').set(current);
    f.get(target);
    f.get(current, previous).f32x4(settings.preemphasis).op('f32x4.mul', 'f32x4.sub');
    f.get(windowAt).loadSplat().op('f32x4.mul').store();
    f.get(current).set(previous);
    f.advance(target, LANES_BYTES).advance(windowAt, 4);
  });
  f.i32(settings.fftSize - settings.frameLength).set(count);
  f.repeat(count, () => {
    f.get(target).f32x4(0).store().advance(target, LANES_BYTES);
  });
  return f;
}

/** Addresses one, two and three steps after another. */
function setThreeBehind(
  f: FunctionBuilder,
  from: Local,
  step: Local,
  [one, two, three]: readonly [Local, Local, Local],
): void {
  f.get(from, step)
    .op('i32.add')
    .tee(one)
    .get(step)
    .op('i32.add')
    .tee(two)
    .get(step)
    .op('i32.add')
    .set(three);
}

/** One Stockham radix-4 pass: parameters are source, target, twiddles, n/4 and the stride. */
function stageFunction(): FunctionBuilder {
  const f = new FunctionBuilder('stage', ['i32', 'i32', 'i32', 'i32', 'i32']);
  const [source, target, twiddle, groups, stride] = [
    f.parameter(0),
    f.parameter(1),
    f.parameter(2),
    f.parameter(3),
    f.parameter(4),
  ];
  const names = ['quarter', 'strideBytes', 'inner', 'b', 'c', 'd', 'y1', 'y2', 'y3'] as const;
  const at = Object.fromEntries(names.map((name) => [name, f.local('i32')])) as Record<
    (typeof names)[number],
    Local
  >;
  const vectors = (): readonly [Local, Local] => [f.local('v128'), f.local('v128')];
  const [w1, w2, w3] = [vectors(), vectors(), vectors()];
  const [sumAC, differenceAC, sumBD, differenceBD, turned] = [
    vectors(),
    vectors(),
    vectors(),
    vectors(),
    vectors(),
  ];
  const part = (index: 0 | 1) => index * LANES_BYTES;
  f.get(stride).i32(5).op('i32.shl').set(at.strideBytes);
  f.get(groups, at.strideBytes).op('i32.mul').set(at.quarter);
  /** Multiplies (re, im) in locals `turned` by a twiddle and stores it at an address. */
  const storeTurned = (address: Local, [wr, wi]: readonly [Local, Local]) => {
    const [re, im] = turned;
    f.get(address).get(re, wr).op('f32x4.mul').get(im, wi).op('f32x4.mul', 'f32x4.sub').store(0);
    f.get(address).get(re, wi).op('f32x4.mul').get(im, wr).op('f32x4.mul', 'f32x4.add').store(LANES_BYTES);
  };
  f.repeat(groups, () => {
    [w1, w2, w3].forEach((w, i) => {
      f.get(twiddle)
        .loadSplat(8 * i)
        .set(w[0]);
      f.get(twiddle)
        .loadSplat(8 * i + 4)
        .set(w[1]);
    });
    f.advance(twiddle, 24);
    f.get(stride).set(at.inner);
    f.repeat(at.inner, () => {
      setThreeBehind(f, source, at.quarter, [at.b, at.c, at.d]);
      setThreeBehind(f, target, at.strideBytes, [at.y1, at.y2, at.y3]);
      for (const i of [0, 1] as const) {
        f.get(source).load(part(i)).get(at.c).load(part(i)).op('f32x4.add').set(sumAC[i]);
        f.get(source).load(part(i)).get(at.c).load(part(i)).op('f32x4.sub').set(differenceAC[i]);
        f.get(at.b).load(part(i)).get(at.d).load(part(i)).op('f32x4.add').set(sumBD[i]);
        f.get(at.b).load(part(i)).get(at.d).load(part(i)).op('f32x4.sub').set(differenceBD[i]);
        f.get(target).get(sumAC[i], sumBD[i]).op('f32x4.add').store(part(i));
      }
      f.get(differenceAC[0], differenceBD[1]).op('f32x4.add').set(turned[0]);
      f.get(differenceAC[1], differenceBD[0]).op('f32x4.sub').set(turned[1]);
      storeTurned(at.y1, w1);
      for (const i of [0, 1] as const) f.get(sumAC[i], sumBD[i]).op('f32x4.sub').set(turned[i]);
      storeTurned(at.y2, w2);
      f.get(differenceAC[0], differenceBD[1]).op('f32x4.sub').set(turned[0]);
      f.get(differenceAC[1], differenceBD[0]).op('f32x4.add').set(turned[1]);
      storeTurned(at.y3, w3);
      f.advance(source, COMPLEX_BYTES).advance(target, COMPLEX_BYTES);
    });
    // The target rows of this group were y0..y3: the source moved on by one row, the target must move by
    // four.
    f.get(target, at.strideBytes).i32(3).op('i32.mul', 'i32.add').set(target);
  });
  return f;
}

const square = (f: FunctionBuilder, of: Local): FunctionBuilder => f.get(of, of).op('f32x4.mul');

/** The power of the bins without a partner: the first, the last and the middle one. */
function storeOuterBins(f: FunctionBuilder, layout: Layout, x: Local): void {
  // Bin 0 and the Nyquist bin come from the sum and the difference of both parts of Z[0].
  f.i32(layout.first).load(0).i32(layout.first).load(LANES_BYTES).op('f32x4.add').set(x);
  f.i32(layout.power);
  square(f, x).store();
  f.i32(layout.first).load(0).i32(layout.first).load(LANES_BYTES).op('f32x4.sub').set(x);
  f.i32(layout.power + COMPLEX * LANES_BYTES);
  square(f, x).store();
  const middle = layout.first + (COMPLEX / 2) * COMPLEX_BYTES;
  f.i32(layout.power + (COMPLEX / 2) * LANES_BYTES);
  f.i32(middle)
    .load(0)
    .i32(middle)
    .load(0)
    .op('f32x4.mul')
    .i32(middle)
    .load(LANES_BYTES)
    .i32(middle)
    .load(LANES_BYTES)
    .op('f32x4.mul', 'f32x4.add')
    .store();
}

/** Splits the packed spectrum (first) into that of the real signal and stores |X|^2 of bins 0..256. */
function powerFunction(layout: Layout): FunctionBuilder {
  const f = new FunctionBuilder('power', []);
  const i = () => f.local('i32');
  const [low, high, split, count, powerLow, powerHigh] = [i(), i(), i(), i(), i(), i()];
  const v = () => f.local('v128');
  const [er, ei, or, oi, tr, ti, x] = [v(), v(), v(), v(), v(), v(), v()];
  storeOuterBins(f, layout, x);
  f.i32(layout.first + COMPLEX_BYTES)
    .set(low)
    .i32(layout.first + (COMPLEX - 1) * COMPLEX_BYTES)
    .set(high);
  f.i32(layout.split + 8)
    .set(split)
    .i32(COMPLEX / 2 - 1)
    .set(count);
  f.i32(layout.power + LANES_BYTES)
    .set(powerLow)
    .i32(layout.power + (COMPLEX - 1) * LANES_BYTES)
    .set(powerHigh);
  const half = () => f.f32x4(0.5).op('f32x4.mul');
  f.repeat(count, () => {
    f.get(low).load(0).get(high).load(0).op('f32x4.add');
    half().set(er);
    f.get(low).load(LANES_BYTES).get(high).load(LANES_BYTES).op('f32x4.sub');
    half().set(ei);
    f.get(low).load(LANES_BYTES).get(high).load(LANES_BYTES).op('f32x4.add');
    half().set(or);
    f.get(high).load(0).get(low).load(0).op('f32x4.sub');
    half().set(oi);
    f.get(split)
      .loadSplat(0)
      .get(or)
      .op('f32x4.mul')
      .get(split)
      .loadSplat(4)
      .get(oi)
      .op('f32x4.mul', 'f32x4.sub')
      .set(tr);
    f.get(split)
      .loadSplat(0)
      .get(oi)
      .op('f32x4.mul')
      .get(split)
      .loadSplat(4)
      .get(or)
      .op('f32x4.mul', 'f32x4.add')
      .set(ti);
    for (const [address, sign] of [
      [powerLow, 'f32x4.add'],
      [powerHigh, 'f32x4.sub'],
    ] as const) {
      // prettier-ignore
      f.get(er, tr).op(sign).set(x).get(address);
      square(f, x);
      f.get(ei, ti).op(sign).set(x);
      square(f, x).op('f32x4.add').store();
    }
    f.advance(low, COMPLEX_BYTES)
      .advance(high, -COMPLEX_BYTES)
      .advance(split, 8)
      .advance(powerLow, LANES_BYTES)
      .advance(powerHigh, -LANES_BYTES);
  });
  return f;
}

/** Natural logarithm of the four lanes of a local: mantissa by the atanh series, exponent from the bits. */
function logarithm(f: FunctionBuilder, x: Local, s: Local, z: Local): void {
  // Adding the bits of 1 - sqrt(1/2) moves the split between exponents to sqrt(1/2), so m lies in [0.707, 1.414).
  const offset = 0x3f800000 - 0x3f3504f3;
  f.get(x).i32x4(offset).op('i32x4.add').set(z);
  f.get(z)
    .i32(23)
    .op('i32x4.shr_u')
    .i32x4(127)
    .op('i32x4.sub', 'f32x4.convert_i32x4_s')
    .f32x4(Math.LN2)
    .op('f32x4.mul');
  f.get(z).i32x4(0x007fffff).op('v128.and').i32x4(0x3f3504f3).op('i32x4.add').set(x);
  f.get(x).f32x4(1).op('f32x4.sub').get(x).f32x4(1).op('f32x4.add', 'f32x4.div').set(s);
  f.get(s, s).op('f32x4.mul').set(z);
  f.f32x4(1 / 9)
    .get(z)
    .op('f32x4.mul')
    .f32x4(1 / 7)
    .op('f32x4.add')
    .get(z)
    .op('f32x4.mul')
    .f32x4(1 / 5)
    .op('f32x4.add');
  f.get(z)
    .op('f32x4.mul')
    .f32x4(1 / 3)
    .op('f32x4.add')
    .get(z)
    .op('f32x4.mul')
    .f32x4(1)
    .op('f32x4.add');
  f.get(s).f32x4(2).op('f32x4.mul', 'f32x4.mul', 'f32x4.add');
}

function melFunction(layout: Layout, settings: FeatureSettings): FunctionBuilder {
  const f = new FunctionBuilder('mel', ['i32']);
  const output = f.parameter(0);
  const [bins, filter, weight, power, count] = [
    f.local('i32'),
    f.local('i32'),
    f.local('i32'),
    f.local('i32'),
    f.local('i32'),
  ];
  const [sum, s, z] = [f.local('v128'), f.local('v128'), f.local('v128')];
  f.i32(settings.melBins).set(bins).i32(layout.filters).set(filter).i32(layout.weights).set(weight);
  f.repeat(bins, () => {
    f.get(filter).loadI32(0).set(power).get(filter).loadI32(4).set(count);
    f.f32x4(0).set(sum);
    f.repeat(count, () => {
      f.get(sum).get(power).load().get(weight).loadSplat().op('f32x4.mul', 'f32x4.add').set(sum);
      f.advance(power, LANES_BYTES).advance(weight, 4);
    });
    f.get(sum).f32x4(settings.logFloor).op('f32x4.max').set(sum);
    logarithm(f, sum, s, z);
    f.set(sum);
    for (const lane of [0, 1, 2, 3]) f.get(output, sum).storeLane(lane, lane * settings.melBins * 4);
    f.advance(filter, 8).advance(output, 4);
  });
  return f;
}

/** Drives the passes for several groups of four frames. */
function runFunction(layout: Layout, settings: FeatureSettings): FunctionBuilder {
  const f = new FunctionBuilder('run', ['i32']);
  const groups = f.parameter(0);
  const [input, output] = [f.local('i32'), f.local('i32')];
  f.i32(layout.input).set(input).i32(layout.output).set(output);
  f.repeat(groups, () => {
    f.get(input).call(0);
    stages.forEach((n, stage) => {
      const [from, to] = stage % 2 === 0 ? [layout.first, layout.second] : [layout.second, layout.first];
      f.i32(from)
        .i32(to)
        .i32(layout.twiddles[stage] ?? 0)
        .i32(n / 4)
        .i32(COMPLEX / n)
        .call(1);
    });
    f.call(2).get(output).call(3);
    f.advance(input, 4 * settings.frameShift * 4).advance(output, 4 * settings.melBins * 4);
  });
  return f;
}

export function createLogMelKernel(settings: FeatureSettings, blockFrames: number): LogMelKernel {
  if (settings.fftSize !== 2 * COMPLEX || settings.frameLength > settings.fftSize || blockFrames % 4 !== 0) {
    throw new RangeError('the log-mel kernel is built for frames of at most 512 samples, in blocks of four');
  }
  const weightCount = melFilters(settings).reduce((total, filter) => total + filter.weights.length, 0);
  const layout = layOut(settings, weightCount, blockFrames);
  const memory = createMemory(layout.end);
  fillTables(new DataView(memory.buffer), layout, settings);
  const parts = [
    windowFunction(layout, settings),
    stageFunction(),
    powerFunction(layout),
    melFunction(layout, settings),
    runFunction(layout, settings),
  ];
  const run = startKernel(parts, memory)('run');
  return {
    blockFrames,
    input: new Float32Array(
      memory.buffer,
      layout.input,
      (blockFrames - 1) * settings.frameShift + settings.frameLength,
    ),
    output: new Float32Array(memory.buffer, layout.output, blockFrames * settings.melBins),
    run: (groups) => void run(groups),
  };
}

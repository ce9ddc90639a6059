// Arithmetic on the constants of a network's layers, for rearranging its graph.
import { floatConstant, numbersOf } from '../../src/inference/weights/onnx-graph.js';
import type { Constant, Node } from '../../src/inference/weights/onnx-graph.js';

const TILE = 64;

/** Weights [outputs, channels, taps] of some of the channels as [taps * channels, outputs]. */
export function weightRows({ type, dims, data }: Constant, from: number, count: number): Constant {
  const [outputs = 0, channels = 0, taps = 0] = dims;
  const out = new Uint8Array(taps * count * outputs);
  // In tiles, so that the strides stay within the L1 cache.
  for (let tap = 0; tap < taps; tap++)
    for (let first = 0; first < outputs; first += TILE)
      for (let c = 0; c < count; c++) {
        const end = Math.min(outputs, first + TILE);
        let source = (first * channels + from + c) * taps + tap;
        let target = (tap * count + c) * outputs + first;
        for (let o = first; o < end; o++, source += channels * taps) out[target++] = data[source] as number;
      }
  return { type, dims: [taps * count, outputs], data: out };
}

/** A factor and an offset per channel. */
export interface Linear {
  factor: number[];
  shift: number[];
}

/** The normalization at inference time; undefined if its parameters are not constants. */
export function normalization(node: Node, constants: ReadonlyMap<string, Constant>): Linear | undefined {
  const [scale, shift, mean, variance] = node.inputs.slice(1).map((name) => {
    const value = constants.get(name);
    return value && numbersOf(value);
  });
  const training = node.attributes.get('training_mode');
  if (!scale || !shift || !mean || !variance || (training && 'int' in training && training.int !== 0))
    return undefined;
  const given = node.attributes.get('epsilon');
  const epsilon = given && 'float' in given ? given.float : 1e-5;
  const factor = scale.map((value, c) => value / Math.sqrt((variance[c] ?? 0) + epsilon));
  return { factor, shift: shift.map((value, c) => value - (mean[c] ?? 0) * (factor[c] ?? 0)) };
}

/**
 * Merges a normalization that follows a layer's ReLU into the layer's scale and bias. For positive factors
 * max(0, x) * f + s = max(x * f + s, s), so three passes over the data become one.
 */
export function absorb(
  scale: Constant,
  bias: Constant,
  { factor, shift }: Linear,
): { scale: Constant; bias: Constant; floor: Constant } | undefined {
  const [scales = [], biases = []] = [numbersOf(scale), numbersOf(bias)];
  if (!factor.every((value) => value > 0) || factor.length !== biases.length) return undefined;
  const row = (values: number[]): Constant => floatConstant(Float32Array.from(values));
  return {
    scale: row(factor.map((value, c) => value * ((scales.length === 1 ? scales[0] : scales[c]) ?? 0))),
    bias: row(factor.map((value, c) => value * (biases[c] ?? 0) + (shift[c] ?? 0))),
    floor: row(shift),
  };
}

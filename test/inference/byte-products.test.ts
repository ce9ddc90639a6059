// Signed weights: the same network, used only where the processor multiplies them exactly.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { forThisProcessor, type OpenBytes } from '../../src/inference/graph/byte-products.js';
import { INT8, readGraph, UINT8 } from '../../src/inference/graph/onnx-graph.js';
import { withSignedWeights } from '../../src/inference/graph/signed-weights.js';
import { readSpeakerModel } from '../../src/inference/models/manifest.js';
import { findModels } from '../../src/inference/engine.js';
import { openModel } from '../../src/inference/onnx.js';

const files = readSpeakerModel(findModels({ modelsDir: '' }).speaker, false);
const packed = readFileSync(files.packedFile as string);
const typesOf = (model: Uint8Array): Set<number | undefined> => {
  const { nodes, constants } = readGraph(model);
  const products = nodes.filter(({ op }) => op === 'MatMulIntegerToFloat' || op === 'MatMulInteger');
  return new Set(products.map(({ inputs }) => constants.get(inputs[1] as string)?.type));
};

/** Sums as `add` makes them, two products at a time. */
const processor =
  (add: (two: number) => number): OpenBytes =>
  async () =>
  async (data, [rows = 0, depth = 0]) =>
    Float32Array.from(
      { length: rows * 48 },
      (_, i) => (depth / 2) * add(2 * (data[0] as number) * (i % 2 === 0 ? 127 : -128)),
    );
const in16Bits = (two: number): number => Math.max(-32_768, Math.min(32_767, two));

describe('a network with weights of 8 bits', () => {
  it.each([
    ['x64', 'exact', INT8, (two: number) => two],
    ['x64', 'only up to 16 bits', UINT8, in16Bits],
    ['arm64', 'exact', UINT8, (two: number) => two],
  ])('on %s, whose products are %s, has weights of type %i', async (architecture, _products, type, add) => {
    const chosen = await forThisProcessor(packed, processor(add), architecture);
    expect(typesOf(chosen)).toEqual(new Set([type]));
    if (type === UINT8) expect(chosen).toBe(packed);
  });

  it('answers the same with the weights that are chosen here, bit by bit', async () => {
    const { input, output } = files;
    const chosen = await forThisProcessor(packed, (model, from, to) => openModel(model, from, to));
    const [before, after] = [await openModel(packed, input, output), await openModel(chosen, input, output)];
    for (const frames of [50, 121, 300]) {
      const features = Float32Array.from({ length: frames * 80 }, (_, i) => 3 * Math.sin(i * i));
      const shape = [1, frames, 80];
      expect(await after(features, shape)).toEqual(await before(features, shape));
    }
  });

  it('is left alone where its weights are signed', () => {
    const signed = withSignedWeights(packed);
    expect(withSignedWeights(signed)).toBe(signed);
  });
});

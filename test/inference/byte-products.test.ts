// @module-tag slow
// Signed weights: the same network, used only where the processor multiplies them exactly.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { weightsToRun, type OpenBytes } from '../../src/inference/weights/byte-products.js';
import { INT8, readGraph, UINT8, writeGraph } from '../../src/inference/weights/onnx-graph.js';
import { haveSameProducts, withWeights } from '../../src/inference/weights/signed-weights.js';
import { listModels, readDetector, readSpeakerModel } from '../../src/inference/models/manifest.js';
import {
  networkToRun,
  openPacked,
  storedNetwork,
  type PackedFile,
} from '../../src/inference/models/open-packed.js';
import { storeOtherWeights } from '../../src/inference/models/other-weights.js';
import { bundledModelsDir, findModels } from '../../src/inference/engine.js';
import { openModel } from '../../src/inference/onnx.js';

const files = readSpeakerModel(findModels({ modelsDir: '' }).speaker, false);
const packed = files.packed as PackedFile;
const signed = new Uint8Array(readFileSync(packed.file));
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
const exact = (two: number): number => two;
const in16Bits = (two: number): number => Math.max(-32_768, Math.min(32_767, two));

describe('a network with weights of 8 bits', () => {
  it.each([
    ['x64', 'exact', 'signed', 'signed', exact],
    ['x64', 'exact', 'unsigned', 'signed', exact],
    ['x64', 'only up to 16 bits', 'signed', 'unsigned', in16Bits],
    ['x64', 'only up to 16 bits', 'unsigned', 'unsigned', in16Bits],
    ['arm64', 'exact', 'signed', 'signed', exact],
    ['arm64', 'exact', 'unsigned', 'unsigned', exact],
  ] as const)(
    'on %s, whose products are %s, and stored with %s weights, runs with %s ones',
    async (architecture, _products, stored, wanted, add) => {
      expect(await weightsToRun(stored, processor(add), architecture)).toBe(wanted);
    },
  );

  it('answers the same as it is stored, as an earlier version stored it, and with unsigned weights, bit by bit', async () => {
    const { input, output } = files;
    const folder = mkdtempSync(join(tmpdir(), 'voxgate-weights-'));
    try {
      const earlier = join(folder, 'model.rows.onnx');
      writeFileSync(earlier, withWeights(signed, 'unsigned'));
      const runs = [
        await openModel(earlier, input, output),
        await openPacked(packed, input, output),
        await openPacked({ file: earlier, weights: 'unsigned' }, input, output),
      ];
      for (const frames of [50, 121, 300]) {
        const features = Float32Array.from({ length: frames * 80 }, (_, i) => 3 * Math.sin(i * i));
        const [unsigned, ...others] = await Promise.all(runs.map((run) => run(features, [1, frames, 80])));
        for (const answer of others) expect(answer).toEqual(unsigned);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('changes its weights there and back, and only where they are not so already', () => {
    const unsigned = withWeights(signed, 'unsigned');
    expect(typesOf(signed)).toEqual(new Set([INT8]));
    expect(typesOf(unsigned)).toEqual(new Set([UINT8]));
    const dataOf = (model: Uint8Array) => [...readGraph(model).constants.values()].map(({ data }) => data);
    expect(dataOf(withWeights(unsigned, 'signed'))).toEqual(dataOf(signed));
    expect(withWeights(signed, 'signed')).toBe(signed);
    expect(withWeights(unsigned, 'unsigned')).toBe(unsigned);
  });
});

describe('the other weights of a network', () => {
  it('are proved to make the same products, and nothing else is', () => {
    const turned = withWeights(signed, 'unsigned');
    expect(haveSameProducts(signed, signed)).toBe(true);
    expect(haveSameProducts(signed, turned)).toBe(true);
    const graph = readGraph(turned);
    const product = graph.nodes.find(({ op }) => op === 'MatMulIntegerToFloat');
    for (const at of [1, 5]) {
      const constant = graph.constants.get(product?.inputs[at] as string);
      const data = constant?.data as Uint8Array;
      (constant as { data: Uint8Array }).data = data.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
      expect(haveSameProducts(signed, writeGraph(turned, graph))).toBe(false);
      (constant as { data: Uint8Array }).data = data;
    }
    expect(haveSameProducts(signed, writeGraph(turned, graph))).toBe(true);
    graph.nodes.reverse();
    expect(haveSameProducts(signed, writeGraph(turned, graph))).toBe(false);
  });

  it.each(['speaker', 'synthetic'] as const)(
    'are stored by packing a model for every processor, opened where they are needed, and checked: %s',
    async (kind) => {
      const folder = mkdtempSync(join(tmpdir(), 'voxgate-packed-'));
      try {
        cpSync(findModels({ modelsDir: '' })[kind] as string, folder, { recursive: true });
        const stored = (): PackedFile => {
          if (kind === 'speaker') return readSpeakerModel(folder, false).packed as PackedFile;
          const { modelFile: file, weights = 'signed', otherFile } = readDetector(folder);
          return { file, weights, ...(otherFile !== undefined && { otherFile }) };
        };
        const before = storedNetwork(stored(), 'unsigned');
        expect(before.fallback).toContain(`voxgate model pack ${folder}`);
        expect(await storeOtherWeights(folder, 'every')).toMatch(/unsigned\.onnx$/);
        const after = storedNetwork(stored(), 'unsigned');
        expect(after.fallback).toBeUndefined();
        expect(readFileSync(after.network as string).equals(before.network as Uint8Array)).toBe(true);
        expect(storedNetwork(stored(), 'signed')).toEqual({ network: stored().file });
        writeFileSync(after.network as string, 'damaged');
        expect(stored).toThrow(/unsigned\.onnx: its SHA-256/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('of another file count for nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'voxgate-packed-'));
    try {
      cpSync(findModels({ modelsDir: '' }).playback as string, folder, { recursive: true });
      const manifest = join(folder, 'manifest.json');
      const other = { file: 'x.onnx', sha256: '0', of_sha256: 'another', weights: 'unsigned' };
      writeFileSync(
        manifest,
        JSON.stringify({
          ...JSON.parse(readFileSync(manifest, 'utf8')),
          weights: 'signed',
          other_weights: other,
        }),
      );
      expect(readDetector(folder).otherFile).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the detectors', () => {
  const folders = (['synthetic', 'playback'] as const).flatMap((kind) =>
    listModels(bundledModelsDir(), kind).map((name) => join(bundledModelsDir(), name)),
  );

  it.each(folders)('say as which numbers their weights are stored: %s', (folder) => {
    const { modelFile, weights } = readDetector(folder);
    const stored = { signed: new Set([INT8]), unsigned: new Set([UINT8]) };
    expect(typesOf(readFileSync(modelFile))).toEqual(weights ? stored[weights] : new Set());
  });

  it('answer the same with unsigned weights, bit by bit', async () => {
    const folder = findModels({ modelsDir: '' }).synthetic as string;
    const { modelFile: file, weights = 'signed', input, output, info } = readDetector(folder);
    const asStored = await openModel((await networkToRun({ file, weights })).network, input, output);
    const unsigned = await openModel(withWeights(readFileSync(file), 'unsigned'), input, output);
    const { samples } = info.window;
    const wave = Float32Array.from(
      { length: samples },
      (_, i) => 4000 * Math.sin(i / 20 + Math.sin(i / 999)),
    );
    expect(await unsigned(wave, [1, samples])).toEqual(await asStored(wave, [1, samples]));
  });
});

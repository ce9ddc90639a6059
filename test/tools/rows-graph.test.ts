// @module-tag slow
// The rearranged graph must answer as the file does, and leave alone what it does not understand.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledModelsDir } from '../../src/inference/engine.js';
import { listModels, readSpeakerModel } from '../../src/inference/models/manifest.js';
import { openModel, type Run } from '../../src/inference/onnx.js';
import {
  floatConstant,
  integerConstant,
  numbersOf,
  readGraph,
  writeGraph,
} from '../../src/inference/weights/onnx-graph.js';
import type { Constant, Graph, Node } from '../../src/inference/weights/onnx-graph.js';
import { packModel } from '../../tools/networks/pack-model.js';
import { arrangeByRows } from '../../tools/networks/rows-graph.js';
import { withWeights } from '../../src/inference/weights/signed-weights.js';
import { dot, normalized } from '../../src/voice/embedding/vector.js';
import { randomSource } from '../voice/scoring/synthetic-speakers.js';
import { tinySpeakerNetwork, writeTinyModels } from '../inference/tiny-models.js';

const FOLDER = join(bundledModelsDir(), listModels(bundledModelsDir(), 'speaker')[0] as string);
const { modelFile, input, output } = readSpeakerModel(FOLDER, false);
const model = readFileSync(modelFile);

/** Something with the slow and fast changes of speech, mean removed or nearly so. */
function features(frames: number, seed: number): Float32Array {
  const random = randomSource(seed);
  return Float32Array.from({ length: frames * 80 }, (_, i) => {
    const [frame, bin] = [Math.floor(i / 80), i % 80];
    return 2 * Math.sin(frame / 9 + seed) * Math.cos(bin / 11) + 3 * (random() - 0.5);
  });
}

async function openArranged(file: string): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-rows-'));
  const arranged = join(folder, 'rows.onnx');
  writeFileSync(arranged, arrangeByRows(readFileSync(file)) as Uint8Array);
  try {
    return await openModel(arranged, input, output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The network with a change, as its file has it and arranged. */
async function changed(change: (graph: Graph) => void): Promise<[plain: Run, rows: Run]> {
  const graph = readGraph(model);
  change(graph);
  const file = join(mkdtempSync(join(tmpdir(), 'voxgate-rows-')), 'model.onnx');
  writeFileSync(file, writeGraph(model, graph));
  try {
    return [await openModel(file, input, output), await openArranged(file)];
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}

const convolutionsOf = ({ nodes }: Graph): Node[] => nodes.filter((node) => node.op === 'ConvInteger');

/** The first layer hears the lower bins alone, cut off before or after the features are turned round a second time. */
function hearLowerBins(graph: Graph, bins: number, cut: 'before' | 'after'): void {
  const [first] = convolutionsOf(graph);
  const quantize = graph.nodes.find((node) => node.outputs[0] === first?.inputs[0]) as Node;
  const turn = graph.nodes.find((node) => node.outputs[0] === quantize.inputs[0]) as Node;
  const node = (op: string, inputs: string[], name: string): Node => ({
    op, domain: '', inputs, outputs: [name], attributes: new Map(op === turn.op ? turn.attributes : []),
  }); // prettier-ignore
  const numbers = { first: 0, end: bins, axis: cut === 'before' ? 2 : 1 };
  for (const [name, value] of Object.entries(numbers)) graph.constants.set(name, integerConstant(value));
  const [feats = ''] = turn.inputs;
  const added =
    cut === 'before'
      ? [node('Slice', [feats, ...Object.keys(numbers)], 'part'), node('Transpose', ['part'], 'lower')]
      : [node('Transpose', [feats], 'again'), node('Slice', ['again', ...Object.keys(numbers)], 'lower')];
  graph.nodes.splice(graph.nodes.indexOf(quantize), 0, ...added);
  quantize.inputs[0] = 'lower';
  const weights = graph.constants.get(first?.inputs[1] ?? '') as Constant;
  const [outputs = 0, channels = 0, taps = 0] = weights.dims;
  const kept = Array.from({ length: outputs }, (_, o) => {
    const at = o * channels * taps;
    return weights.data.subarray(at, at + bins * taps);
  });
  graph.constants.set(first?.inputs[1] ?? '', {
    ...weights,
    dims: [outputs, bins, taps],
    data: Buffer.concat(kept),
  });
}

describe('a network by rows', () => {
  let asFiled: Run;
  let arranged: Run;
  beforeAll(async () => {
    asFiled = await openModel(modelFile, input, output);
    arranged = await openArranged(modelFile);
  }, 30_000);

  it.each([50, 121, 500])('answers as the file does for %i frames', async (frames) => {
    const data = features(frames, frames);
    const [a, b] = [await asFiled(data, [1, frames, 80]), await arranged(data, [1, frames, 80])];
    expect(dot(normalized(a), normalized(b))).toBeGreaterThan(0.9995);
    // Not the same session by accident: rounding differs somewhere.
    expect([...a]).not.toEqual([...b]);
  });

  it('answers as the file does where a normalization turns signs round and so cannot be taken into a product', async () => {
    const [plain, rows] = await changed(({ constants }) => {
      const weight = constants.get('b0.weight') as Constant;
      const turned = (numbersOf(weight) as number[]).map((value, c) => (c % 3 === 0 ? -value : value));
      constants.set('b0.weight', floatConstant(Float32Array.from(turned)));
    });
    const data = features(90, 3);
    const [a, b] = [await plain(data, [1, 90, 80]), await rows(data, [1, 90, 80])];
    expect(dot(normalized(a), normalized(b))).toBeGreaterThan(0.9995);
    expect(dot(normalized(a), normalized(await asFiled(data, [1, 90, 80])))).toBeLessThan(0.99);
  });

  it('answers as the file does where layers pass over frames', async () => {
    const [plain, rows] = await changed((graph) => {
      // One with taps, and one without.
      const [first] = convolutionsOf(graph);
      const wide = convolutionsOf(graph).find(
        ({ inputs }) => String(graph.constants.get(inputs[1] ?? '')?.dims) === '1536,1536,1',
      );
      first?.attributes.set('strides', { ints: [2] });
      wide?.attributes.set('strides', { ints: [3] });
    });
    for (const frames of [50, 52, 121]) {
      const [a, b] = [
        await plain(features(frames, 5), [1, frames, 80]),
        await rows(features(frames, 5), [1, frames, 80]),
      ];
      expect(dot(normalized(a), normalized(b))).toBeGreaterThan(0.9995);
    }
  });

  it.each(['before', 'after'] as const)(
    'answers as the file does where a branch hears some of the bins, cut %s turning',
    async (cut) => {
      const [plain, rows] = await changed((graph) => hearLowerBins(graph, 59, cut));
      const data = features(90, 3);
      const [a, b] = [await plain(data, [1, 90, 80]), await rows(data, [1, 90, 80])];
      expect(dot(normalized(a), normalized(b))).toBeGreaterThan(0.9995);
      expect(dot(normalized(a), normalized(await asFiled(data, [1, 90, 80])))).toBeLessThan(0.999);
    },
  );

  it('turns every convolution of the bundled model into a product', () => {
    const before = readGraph(model).nodes.map((node) => node.op);
    const after = readGraph(arrangeByRows(model) as Uint8Array).nodes.map((node) => node.op);
    expect(before.filter((op) => op === 'ConvInteger')).toHaveLength(37);
    expect(after).not.toContain('ConvInteger');
    expect(after).not.toContain('Transpose');
    // Two more, because the steady parts of what the attention hears are worked out once and not for every frame.
    expect(after.filter((op) => op === 'MatMulIntegerToFloat')).toHaveLength(39);
  });

  it('is what is stored beside every bundled speaker model, with its proof', () => {
    for (const name of listModels(bundledModelsDir(), 'speaker')) {
      const folder = join(bundledModelsDir(), name);
      const files = readSpeakerModel(folder, false);
      const arranged = arrangeByRows(readFileSync(files.modelFile));
      const { file = '', weights } = files.packed ?? {};
      expect(weights, `${name}: run npm run tools -- pack-model`).toBe('signed');
      expect(readFileSync(file).equals(withWeights(arranged ?? new Uint8Array(), 'signed'))).toBe(true);
    }
  });

  it('packs a model anew as it is shipped, and leaves one alone that has to run as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'voxgate-packed-'));
    try {
      cpSync(FOLDER, folder, { recursive: true });
      const shipped = readSpeakerModel(folder, false).packed;
      rmSync(shipped?.file ?? '');
      const manifest = join(folder, 'manifest.json');
      const { packed: _packed, ...unpacked } = JSON.parse(readFileSync(manifest, 'utf8')) as {
        packed: object;
      };
      writeFileSync(manifest, JSON.stringify(unpacked));
      expect(readSpeakerModel(folder, false).packed).toBeUndefined();
      expect((await packModel(folder))?.parityCosine).toBeGreaterThan(0.9999);
      expect(readSpeakerModel(folder, false).packed).toEqual(shipped);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const { modelsDir } = writeTinyModels();
    expect(await packModel(join(modelsDir, 'speaker-tiny-1'))).toBeUndefined();
    rmSync(modelsDir, { recursive: true });
  });

  it('reads and writes a graph without a change', () => {
    const copy = readGraph(writeGraph(model, readGraph(model)));
    expect(copy.nodes).toEqual(readGraph(model).nodes);
    expect([...copy.constants.keys()]).toEqual([...readGraph(model).constants.keys()]);
  });

  it('leaves other networks and damaged files alone', () => {
    expect(arrangeByRows(tinySpeakerNetwork())).toBeUndefined();
    expect(arrangeByRows(model.subarray(0, 1000))).toBeUndefined();
    expect(arrangeByRows(new Uint8Array(100).fill(255))).toBeUndefined();
    const graph = readGraph(model);
    convolutionsOf(graph)[0]?.attributes.set('group', { int: 2 });
    expect(arrangeByRows(writeGraph(model, graph))).toBeUndefined();
  });
});

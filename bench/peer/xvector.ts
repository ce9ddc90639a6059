// The peer's network (a Kaldi x-vector of 2018, trained on telephone speech) from the files of the package that carries
// it: written as an ONNX graph in memory and run by the same runtime as ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  floatConstant,
  writeGraph,
  type Attribute,
  type Constant,
  type Graph,
} from '../../src/inference/weights/onnx-graph.js';
import { Message } from '../onnx-message.js';
import { resample } from '../../src/voice/resample.js';
import { readMatrix, readNetwork, readTextVector, type Component, type Matrix } from './kaldi-nnet3.js';
import { cepstra, CEPSTRA, networkInput } from './mfcc.js';

type EmbedSpeech = (samples: Float32Array, sampleRateHz: number) => Promise<Float32Array>;

const OPSET = 17;
const IR_VERSION = 8;
/** Frames that each layer looks at, as dilated taps. */
const layers = [
  { name: 'tdnn1', taps: 5, dilation: 1 },
  { name: 'tdnn2', taps: 3, dilation: 2 },
  { name: 'tdnn3', taps: 3, dilation: 3 },
  { name: 'tdnn4', taps: 1, dilation: 1 },
  { name: 'tdnn5', taps: 1, dilation: 1 },
];

function part<T extends Float32Array | Matrix | number>(component: Component | undefined, name: string): T {
  const value = component?.get(name);
  if (value === undefined) throw new Error(`the network has no ${name}`);
  return value as T;
}

/** [out, taps * in] as Kaldi keeps it, to [out, in, taps] as a convolution wants it. */
function convolutionWeights({ rows, columns, data }: Matrix, taps: number): Constant {
  const inputs = columns / taps;
  const out = new Float32Array(data.length);
  for (let o = 0; o < rows; o++)
    for (let k = 0; k < taps; k++)
      for (let i = 0; i < inputs; i++)
        out[(o * inputs + i) * taps + k] = data[o * columns + k * inputs + i] as number;
  return floatConstant(out, [rows, inputs, taps]);
}

function graphOf(network: Map<string, Component>): Graph {
  const graph: Graph = { nodes: [], constants: new Map(), outputs: ['embedding'], opset: OPSET };
  const constant = (name: string, value: Constant): string => {
    graph.constants.set(name, value);
    return name;
  };
  const emit = (op: string, inputs: string[], output: string, attributes: Record<string, Attribute> = {}) => {
    graph.nodes.push({
      op,
      domain: '',
      inputs,
      outputs: [output],
      attributes: new Map(Object.entries(attributes)),
    });
    return output;
  };
  let x = 'frames';
  for (const { name, taps, dilation } of layers) {
    const affine = network.get(`${name}.affine`);
    const norm = network.get(`${name}.batchnorm`);
    const weights = constant(`${name}.w`, convolutionWeights(part<Matrix>(affine, '<LinearParams>'), taps));
    const bias = constant(`${name}.b`, floatConstant(part(affine, '<BiasParams>')));
    const mean = part<Float32Array>(norm, '<StatsMean>');
    const epsilon = part<number>(norm, '<Epsilon>');
    const scale = part<Float32Array>(norm, '<StatsVar>').map((v) => 1 / Math.sqrt(v + epsilon));
    const wide = [1, mean.length, 1];
    x = emit('Conv', [x, weights, bias], `${name}.conv`, { dilations: { ints: [dilation] } });
    x = emit('Relu', [x], `${name}.relu`);
    x = emit('Sub', [x, constant(`${name}.m`, floatConstant(mean, wide))], `${name}.centered`);
    x = emit('Mul', [x, constant(`${name}.s`, floatConstant(scale, wide))], `${name}.normed`);
  }
  const overTime = { axes: { ints: [2] }, keepdims: { int: 0 } };
  const mean = emit('ReduceMean', [x], 'mean', overTime);
  const square = emit('ReduceMean', [emit('Mul', [x, x], 'squares')], 'square', overTime);
  const variance = emit('Sub', [square, emit('Mul', [mean, mean], 'mean.square')], 'variance');
  const floored = emit(
    'Max',
    [variance, constant('floor', floatConstant(Float32Array.of(1e-10)))],
    'floored',
  );
  const pooled = emit('Concat', [mean, emit('Sqrt', [floored], 'deviation')], 'pooled', { axis: { int: 1 } });
  const last = network.get('tdnn6.affine');
  const { rows, columns, data } = part<Matrix>(last, '<LinearParams>');
  emit(
    'Gemm',
    [
      pooled,
      constant('last.w', floatConstant(data, [rows, columns])),
      constant('last.b', floatConstant(part(last, '<BiasParams>'))),
    ],
    'embedding',
    { transB: { int: 1 } },
  );
  return graph;
}

/** An ONNX file with the graph's input and output declared, and nothing in between. */
function emptyModel(): Uint8Array {
  const tensor = (name: string, dims: (number | string)[]) => {
    const shape = new Message();
    for (const dim of dims)
      shape.message(1, typeof dim === 'number' ? new Message().integer(1, dim) : new Message().text(2, dim));
    const type = new Message().integer(1, 1).message(2, shape);
    return new Message().text(1, name).message(2, new Message().message(1, type));
  };
  const graph = new Message()
    .text(2, 'x-vector')
    .message(11, tensor('frames', [1, CEPSTRA, 'time']))
    .message(12, tensor('embedding', [1, 'dim']));
  return new Message()
    .integer(1, IR_VERSION)
    .message(8, new Message().text(1, '').integer(2, OPSET))
    .message(7, graph)
    .finish();
}

/** `folder` holds final.ext.raw, mean.vec and transform.mat. Embeddings are whitened and have length one. */
export async function openPeer(folder: string): Promise<EmbedSpeech> {
  const read = (name: string) => readFileSync(join(folder, name));
  const network = readNetwork(read('final.ext.raw'));
  const mean = readTextVector(read('mean.vec').toString('utf8'));
  const transform = readMatrix(read('transform.mat'));
  const session = await InferenceSession.create(writeGraph(emptyModel(), graphOf(network)), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
  });
  return async (samples, sampleRateHz) => {
    const narrow = sampleRateHz === 8000 ? samples : resample(samples, sampleRateHz, 8000);
    const rows = networkInput(cepstra(narrow.map((v) => v * 32768)));
    const frames = rows.length / CEPSTRA;
    const columns = new Float32Array(rows.length);
    for (let t = 0; t < frames; t++)
      for (let k = 0; k < CEPSTRA; k++) columns[k * frames + t] = rows[t * CEPSTRA + k] as number;
    const input = new Tensor('float32', columns, [1, CEPSTRA, frames]);
    const raw = (await session.run({ frames: input }))['embedding']?.data as Float32Array;
    return whitened(raw, mean, transform);
  };
}

function whitened(raw: Float32Array, mean: Float32Array, { rows, columns, data }: Matrix): Float32Array {
  const out = new Float32Array(rows);
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let c = 0; c < mean.length; c++)
      sum += (data[r * columns + c] as number) * ((raw[c] as number) - (mean[c] as number));
    // A matrix with one column more than the vector has entries adds a constant.
    out[r] = sum + (columns > mean.length ? (data[r * columns + columns - 1] as number) : 0);
  }
  const length = Math.sqrt(out.reduce((sum, v) => sum + v * v, 0));
  return out.map((v) => v / length);
}

// Weights of 8 bits as signed or unsigned numbers. The products are the same ones: with each weight its zero point moves by 128, too, and
// what counts is the difference of the two. Processors with instructions for bytes multiply unsigned by signed ones, and ONNX Runtime
// uses those for nothing else.
import { INT8, readGraph, UINT8, writeGraph, type Constant, type Graph } from './onnx-graph.js';

const SIGN_BITS = 0x80808080;

/** Where these operators have their weights, and the zero point of the weights. */
const weightsAt: ReadonlyMap<string, readonly [weights: number, zero: number]> = new Map([
  ['MatMulIntegerToFloat', [1, 5]],
  ['MatMulInteger', [1, 3]],
]);

/** The same network, whose weights are signed as far as they are constant. */
export const withSignedWeights = (model: Uint8Array): Uint8Array => withWeights(model, UINT8, INT8);

/** The way back. */
export const withUnsignedWeights = (model: Uint8Array): Uint8Array => withWeights(model, INT8, UINT8);

function withWeights(model: Uint8Array, from: number, to: number): Uint8Array {
  const graph = readGraph(model);
  const turned = new Map<string, string>();
  for (const { op, inputs } of graph.nodes) {
    const [weights, zero] = (weightsAt.get(op) ?? []).map((at) => inputs[at] ?? '');
    if (weights === undefined || zero === undefined) continue;
    if (![weights, zero].every((name) => graph.constants.get(name)?.type === from)) continue;
    for (const name of [weights, zero]) inputs[inputs.indexOf(name)] = turnedIn(graph, turned, name, to);
  }
  if (turned.size === 0) return model;
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs));
  for (const name of turned.keys()) if (!used.has(name)) graph.constants.delete(name);
  return writeGraph(model, graph);
}

/** The name of a constant as numbers of the other type; several operators may share one. */
function turnedIn({ constants }: Graph, known: Map<string, string>, name: string, type: number): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const constant = constants.get(name) as Constant;
  const own = `${name}/${type === INT8 ? 'signed' : 'unsigned'}`;
  constants.set(own, { ...constant, type, data: withSignFlipped(constant.data) });
  known.set(name, own);
  return own;
}

function withSignFlipped(bytes: Uint8Array): Uint8Array {
  // In words: byte by byte it takes several times as long for millions of them.
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  const flipped = new Uint8Array(words.buffer, 0, bytes.length);
  flipped.set(bytes);
  for (let i = 0; i < words.length; i++) words[i] = (words[i] as number) ^ SIGN_BITS;
  return flipped;
}

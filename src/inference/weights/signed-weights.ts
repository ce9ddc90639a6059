// 8-bit weights as signed or unsigned numbers. The products are the same: the zero point moves by 128
// together with each weight, and only the difference of the two counts. Processors with byte instructions
// multiply unsigned by signed bytes, and ONNX Runtime uses those instructions for nothing else.
import { isDeepStrictEqual } from 'node:util';
import type { Weights } from './byte-products.js';
import { INT8, readGraph, UINT8, writeGraph, type Constant, type Graph, type Node } from './onnx-graph.js';

const SIGN_BITS = 0x80808080;

/** The positions of these operators' weights, and of the zero point of the weights. */
const weightsAt: ReadonlyMap<string, readonly [weights: number, zero: number]> = new Map([
  ['MatMulIntegerToFloat', [1, 5]],
  ['MatMulInteger', [1, 3]],
]);

/** The same network with weights of this kind, as far as they are constant. */
export function withWeights(model: Uint8Array, weights: Weights): Uint8Array {
  const [from, to] = weights === 'signed' ? [UINT8, INT8] : [INT8, UINT8];
  const graph = readGraph(model);
  const turned = new Map<string, string>();
  for (const { op, inputs } of graph.nodes) {
    const [matrix, zero] = (weightsAt.get(op) ?? []).map((at) => inputs[at] ?? '');
    if (matrix === undefined || zero === undefined) continue;
    if (![matrix, zero].every((name) => graph.constants.get(name)?.type === from)) continue;
    for (const name of [matrix, zero]) inputs[inputs.indexOf(name)] = turnedIn(graph, turned, name, to);
  }
  if (turned.size === 0) return model;
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs));
  for (const name of turned.keys()) if (!used.has(name)) graph.constants.delete(name);
  return writeGraph(model, graph);
}

/**
 * Whether two networks compute the same, apart from the kind of their weights: compared node by node, with
 * every constant. Unlike comparing answers to some inputs, this proves it for all inputs, even on processors
 * that can run only one of the two exactly.
 */
export function haveSameProducts(one: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [readGraph(one), readGraph(other)];
  return (
    a.nodes.length === b.nodes.length &&
    a.nodes.every((node, at) => isSameNode([a, node], [b, b.nodes[at] as Node])) &&
    isDeepStrictEqual(a.outputs, b.outputs)
  );
}

function isSameNode([a, node]: [Graph, Node], [b, twin]: [Graph, Node]): boolean {
  const { inputs, ...rest } = node;
  const { inputs: others, ...restOfTwin } = twin;
  if (!isDeepStrictEqual(rest, restOfTwin) || inputs.length !== others.length) return false;
  const places: readonly number[] = weightsAt.get(node.op) ?? [];
  const pairs = inputs.map((name, at) => [a.constants.get(name), b.constants.get(others[at] as string)]);
  // Weights and their zero point are converted together, or not at all.
  const isTurned = places.some((at) => pairs[at]?.[0]?.type !== pairs[at]?.[1]?.type);
  return pairs.every(([constant, twinOf], at) => {
    if (!constant || !twinOf) return constant === twinOf && inputs[at] === others[at];
    const turned = isTurned && places.includes(at);
    const [before, after] = turned
      ? [withSignFlipped(constant.data), twinOf.data]
      : [constant.data, twinOf.data];
    const isSameType = (constant.type === twinOf.type) !== turned;
    return isSameType && isDeepStrictEqual(constant.dims, twinOf.dims) && Buffer.compare(before, after) === 0;
  });
}

/** The name of a constant converted to the other type; several operators may share one. */
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
  // By 32-bit words: byte by byte it takes several times as long for millions of weights.
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  const flipped = new Uint8Array(words.buffer, 0, bytes.length);
  flipped.set(bytes);
  for (let i = 0; i < words.length; i++) words[i] = (words[i] as number) ^ SIGN_BITS;
  return flipped;
}

// Weights of 8 bits as signed numbers. The products are the same ones: with each weight its zero point goes down by 128, too, and what
// counts is the difference of the two. Processors with instructions for bytes multiply unsigned by signed ones, and ONNX Runtime
// uses those for nothing else.
import { INT8, readGraph, UINT8, writeGraph, type Constant, type Graph } from './onnx-graph.js';

const SIGN_BITS = 0x80808080;

/** Where these operators have their weights, and the zero point of the weights. */
const weightsAt: ReadonlyMap<string, readonly [weights: number, zero: number]> = new Map([
  ['MatMulIntegerToFloat', [1, 5]],
  ['MatMulInteger', [1, 3]],
]);

/** The same network, whose weights are signed as far as they are constant. */
export function withSignedWeights(model: Uint8Array): Uint8Array {
  const graph = readGraph(model);
  const signed = new Map<string, string>();
  for (const { op, inputs } of graph.nodes) {
    const [weights, zero] = (weightsAt.get(op) ?? []).map((at) => inputs[at] ?? '');
    if (weights === undefined || zero === undefined) continue;
    if (![weights, zero].every((name) => graph.constants.get(name)?.type === UINT8)) continue;
    for (const name of [weights, zero]) inputs[inputs.indexOf(name)] = signedIn(graph, signed, name);
  }
  if (signed.size === 0) return model;
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs));
  for (const name of signed.keys()) if (!used.has(name)) graph.constants.delete(name);
  return writeGraph(model, graph);
}

/** The name of a constant as signed numbers; several operators may share one. */
function signedIn({ constants }: Graph, known: Map<string, string>, name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const constant = constants.get(name) as Constant;
  const own = `${name}/signed`;
  constants.set(own, { ...constant, type: INT8, data: withSignFlipped(constant.data) });
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

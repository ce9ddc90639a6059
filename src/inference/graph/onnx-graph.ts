// ONNX files as plain values: the graph of a network read, changed and written again. Only what the
// rearranging of a graph needs is taken apart; everything else is carried over as the bytes it came in.

import { fields, integersOf, Message, textOf } from './protobuf-wire.js';
import type { Field } from './protobuf-wire.js';

/** The operators that ONNX Runtime has beyond the standard. */
export const CONTRIBUTED = 'com.microsoft';
export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
export const INT64 = 7;

/** A constant: its little-endian bytes. */
export interface Constant {
  type: number;
  dims: number[];
  data: Uint8Array;
}

export type Attribute =
  { ints: number[] } | { int: number } | { float: number } | { tensor: Constant } | { raw: Uint8Array };

export interface Node {
  op: string;
  domain: string;
  inputs: string[];
  outputs: string[];
  attributes: Map<string, Attribute>;
}

export interface Graph {
  nodes: Node[];
  constants: Map<string, Constant>;
  outputs: string[];
  /** Of the default operators. */
  opset: number;
}

const bytesOf = (array: Float32Array | BigInt64Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

export const floatConstant = (values: Float32Array, dims: number[] = [values.length]): Constant => ({
  type: FLOAT,
  dims,
  data: bytesOf(values),
});

export const integerConstant = (...values: number[]): Constant => ({
  type: INT64,
  dims: [values.length],
  data: bytesOf(BigInt64Array.from(values, BigInt)),
});

export function ints(node: Node, name: string): number[] | undefined {
  const attribute = node.attributes.get(name);
  return attribute && 'ints' in attribute ? attribute.ints : undefined;
}

export function int(node: Node, name: string): number | undefined {
  const attribute = node.attributes.get(name);
  return attribute && 'int' in attribute ? attribute.int : undefined;
}

/** The numbers of a constant; undefined for types that are not read here. */
export function numbersOf({ type, data }: Constant): number[] | undefined {
  // A copy, because the file's own bytes need not lie at a multiple of the number's size.
  const { buffer } = new Uint8Array(data);
  if (type === FLOAT) return [...new Float32Array(buffer)];
  if (type === INT64) return [...new BigInt64Array(buffer)].map(Number);
  return undefined;
}

function readConstant(bytes: Uint8Array): { name: string; constant: Constant } {
  let [name, type] = ['', 0];
  const dims: number[] = [];
  const data: Uint8Array[] = [];
  for (const field of fields(bytes)) {
    if (field.number === 1) dims.push(...integersOf(field));
    else if (field.number === 2) type = field.value;
    else if (field.number === 8) name = textOf(field);
    else if (field.number === 9 || field.number === 4) data.push(field.bytes);
    else if (field.number === 7) data.push(integerConstant(...integersOf(field)).data);
    else if (field.number === 5 && (type === UINT8 || type === INT8))
      data.push(Uint8Array.from(integersOf(field)));
    // Documentation, and "stored in this file".
    else if (field.number !== 12 && !(field.number === 14 && field.value === 0))
      throw new Error('a constant of the ONNX file is stored in another way');
  }
  const [first, ...more] = data;
  return { name, constant: { type, dims, data: first && more.length === 0 ? first : Buffer.concat(data) } };
}

function readAttribute(bytes: Uint8Array): [name: string, attribute: Attribute] {
  const parts = fields(bytes);
  const part = (number: number): Field | undefined => parts.find((field) => field.number === number);
  if (part(6) || part(11)) throw new Error('the ONNX file has graphs within its graph');
  const name = textOf(part(1));
  const ints = parts.filter((field) => field.number === 8);
  const [float, int, tensor] = [part(2), part(3), part(5)];
  if (ints.length > 0) return [name, { ints: ints.flatMap(integersOf) }];
  if (float) return [name, { float: new DataView(new Uint8Array(float.bytes).buffer).getFloat32(0, true) }];
  if (int) return [name, { int: int.value }];
  if (tensor) return [name, { tensor: readConstant(tensor.bytes).constant }];
  return [name, { raw: bytes }];
}

function readNode(bytes: Uint8Array): Node {
  const node: Node = { op: '', domain: '', inputs: [], outputs: [], attributes: new Map() };
  for (const field of fields(bytes)) {
    if (field.number === 1) node.inputs.push(textOf(field));
    else if (field.number === 2) node.outputs.push(textOf(field));
    else if (field.number === 4) node.op = textOf(field);
    else if (field.number === 7) node.domain = textOf(field);
    else if (field.number === 5) node.attributes.set(...readAttribute(field.bytes));
  }
  return node;
}

function constantMessage({ type, dims, data }: Constant): Message {
  const out = new Message();
  for (const dim of dims) out.integer(1, dim);
  return out.integer(2, type).bytes(9, data);
}

function attributeMessage(name: string, attribute: Exclude<Attribute, { raw: Uint8Array }>): Message {
  const out = new Message().text(1, name);
  if ('int' in attribute) return out.integer(3, attribute.int).integer(20, 2);
  if ('float' in attribute) return out.float(2, attribute.float).integer(20, 1);
  if ('tensor' in attribute) return out.message(5, constantMessage(attribute.tensor)).integer(20, 4);
  for (const value of attribute.ints) out.integer(8, value);
  return out.integer(20, 7);
}

function nodeMessage(node: Node): Message {
  const out = new Message();
  for (const name of node.inputs) out.text(1, name);
  for (const name of node.outputs) out.text(2, name);
  out.text(4, node.op);
  for (const [name, attribute] of node.attributes)
    if ('raw' in attribute) out.bytes(5, attribute.raw);
    else out.message(5, attributeMessage(name, attribute));
  return node.domain ? out.text(7, node.domain) : out;
}

export function readGraph(model: Uint8Array): Graph {
  const graph: Graph = { nodes: [], constants: new Map(), outputs: [], opset: 0 };
  for (const top of fields(model)) {
    if (top.number === 8) {
      const parts = fields(top.bytes);
      if (!parts.some((part) => part.number === 1 && part.bytes.length > 0))
        graph.opset = parts.find((part) => part.number === 2)?.value ?? 0;
    }
    if (top.number !== 7) continue;
    for (const field of fields(top.bytes)) {
      if (field.number === 1) graph.nodes.push(readNode(field.bytes));
      else if (field.number === 5) {
        const { name, constant } = readConstant(field.bytes);
        graph.constants.set(name, constant);
      } else if (field.number === 12)
        graph.outputs.push(textOf(fields(field.bytes).find((part) => part.number === 1)));
    }
  }
  return graph;
}

/** The model with other nodes and constants; inputs, outputs and everything around the graph stay. */
export function writeGraph(model: Uint8Array, graph: Graph): Uint8Array {
  const out = new Message().message(8, new Message().text(1, CONTRIBUTED).integer(2, 1));
  for (const top of fields(model)) {
    if (top.number === 8 && fields(top.bytes).some((field) => textOf(field) === CONTRIBUTED)) continue;
    if (top.number !== 7) {
      out.copy(top);
      continue;
    }
    const body = new Message();
    for (const node of graph.nodes) body.message(1, nodeMessage(node));
    // Names, inputs and outputs; the shapes of the values between them are no longer true.
    for (const field of fields(top.bytes)) if ([2, 11, 12].includes(field.number)) body.copy(field);
    for (const [name, constant] of graph.constants) body.message(5, constantMessage(constant).text(8, name));
    out.message(7, body);
  }
  return out.finish();
}

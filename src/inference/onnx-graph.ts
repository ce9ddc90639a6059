// ONNX files as plain values: the graph of a network read, changed and written again. Only what the
// rearranging of a graph needs is taken apart; everything else is carried over as the bytes it came in.

/** One field of a protocol-buffer message: a number for varints, bytes for everything else. */
interface Field {
  number: number;
  wire: number;
  value: bigint;
  bytes: Uint8Array;
}

const none = new Uint8Array(0);

function* fields(message: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined || shift > 63n) throw new Error('the ONNX file is damaged');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
  };
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > message.length) throw new Error('the ONNX file is damaged');
    return message.subarray(at, (at += length));
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, wire] = [tag >>> 3, tag & 7];
    if (wire === 0) yield { number, wire, value: varint(), bytes: none };
    else if (wire === 1) yield { number, wire, value: 0n, bytes: take(8) };
    else if (wire === 5) yield { number, wire, value: 0n, bytes: take(4) };
    else if (wire === 2) yield { number, wire, value: 0n, bytes: take(Number(varint())) };
    else throw new Error('the ONNX file is damaged');
  }
}

function varintBytes(value: bigint): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  out.push(Number(rest));
  return out;
}

/** Pieces that are joined once, at the end: the weights are large. */
type Pieces = Uint8Array[];

function writeField({ number, wire, value, bytes }: Field): Pieces {
  if (wire === 2) return message(number, [[bytes]]);
  const tag = varintBytes(BigInt((number << 3) | wire));
  return wire === 0 ? [Uint8Array.from([...tag, ...varintBytes(value)])] : [Uint8Array.from(tag), bytes];
}

function message(number: number, parts: readonly Pieces[]): Pieces {
  const pieces = parts.flat();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const head = [...varintBytes(BigInt((number << 3) | 2)), ...varintBytes(BigInt(length))];
  return [Uint8Array.from(head), ...pieces];
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const text = (number: number, value: string): Pieces => message(number, [[encoder.encode(value)]]);
const integer = (number: number, value: number | bigint): Pieces =>
  writeField({ number, wire: 0, value: BigInt(value), bytes: none });

/** Repeated integers may come one by one or packed. */
function integers(field: Field): number[] {
  if (field.wire === 0) return [Number(field.value)];
  const out: number[] = [];
  // A packed list reads like the body of a message of bare varints: each gets a tag to be read as a field.
  for (let at = 0; at < field.bytes.length;) {
    let end = at;
    while ((field.bytes[end] ?? 0) > 127) end++;
    for (const one of fields(join([Uint8Array.of(8), field.bytes.subarray(at, end + 1)])))
      out.push(Number(one.value));
    at = end + 1;
  }
  return out;
}

/** The operators that ONNX Runtime has beyond the standard. */
export const contributed = 'com.microsoft';
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
  const { buffer } = data.slice();
  if (type === FLOAT) return [...new Float32Array(buffer)];
  if (type === INT64) return [...new BigInt64Array(buffer)].map(Number);
  return undefined;
}

function readConstant(bytes: Uint8Array): { name: string; constant: Constant } {
  let [name, type] = ['', 0];
  const dims: number[] = [];
  const data: Uint8Array[] = [];
  for (const field of fields(bytes)) {
    if (field.number === 1) dims.push(...integers(field));
    else if (field.number === 2) type = Number(field.value);
    else if (field.number === 8) name = decoder.decode(field.bytes);
    else if (field.number === 9 || field.number === 4) data.push(field.bytes);
    else if (field.number === 7) data.push(integerConstant(...integers(field)).data);
    else if (field.number === 5 && (type === UINT8 || type === INT8))
      data.push(Uint8Array.from(integers(field)));
    // Documentation, and "stored in this file".
    else if (field.number !== 12 && !(field.number === 14 && field.value === 0n))
      throw new Error('a constant of the ONNX file is stored in another way');
  }
  return { name, constant: { type, dims, data: join(data) } };
}

function readNode(bytes: Uint8Array): Node {
  const node: Node = { op: '', domain: '', inputs: [], outputs: [], attributes: new Map() };
  for (const field of fields(bytes)) {
    if (field.number === 1) node.inputs.push(decoder.decode(field.bytes));
    else if (field.number === 2) node.outputs.push(decoder.decode(field.bytes));
    else if (field.number === 4) node.op = decoder.decode(field.bytes);
    else if (field.number === 7) node.domain = decoder.decode(field.bytes);
    else if (field.number === 5) {
      const parts = [...fields(field.bytes)];
      if (parts.some((part) => part.number === 6 || part.number === 11))
        throw new Error('the ONNX file has graphs within its graph');
      const name = decoder.decode(parts.find((part) => part.number === 1)?.bytes);
      const ints = parts.filter((part) => part.number === 8);
      const int = parts.find((part) => part.number === 3);
      const float = parts.find((part) => part.number === 2);
      const tensor = parts.find((part) => part.number === 5);
      if (ints.length > 0) node.attributes.set(name, { ints: ints.flatMap(integers) });
      else if (float) node.attributes.set(name, { float: floatAt(float.bytes) });
      else if (int) node.attributes.set(name, { int: Number(int.value) });
      else if (tensor) node.attributes.set(name, { tensor: readConstant(tensor.bytes).constant });
      else node.attributes.set(name, { raw: field.bytes.slice() });
    }
  }
  return node;
}

const constantFields = ({ type, dims, data }: Constant): Pieces[] => [
  ...dims.map((dim) => integer(1, dim)),
  integer(2, type),
  message(9, [[data]]),
];

const floatAt = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true);

function writeAttribute(name: string, attribute: Attribute): Pieces {
  if ('raw' in attribute) return message(5, [[attribute.raw]]);
  if ('ints' in attribute)
    return message(5, [text(1, name), ...attribute.ints.map((v) => integer(8, v)), integer(20, 7)]);
  if ('int' in attribute) return message(5, [text(1, name), integer(3, attribute.int), integer(20, 2)]);
  if ('float' in attribute) {
    const bytes = bytesOf(Float32Array.of(attribute.float));
    return message(5, [text(1, name), writeField({ number: 2, wire: 5, value: 0n, bytes }), integer(20, 1)]);
  }
  return message(5, [text(1, name), message(5, constantFields(attribute.tensor)), integer(20, 4)]);
}

const writeNode = (node: Node): Pieces =>
  message(1, [
    ...node.inputs.map((name) => text(1, name)),
    ...node.outputs.map((name) => text(2, name)),
    text(4, node.op),
    ...[...node.attributes].map(([name, attribute]) => writeAttribute(name, attribute)),
    ...(node.domain ? [text(7, node.domain)] : []),
  ]);

export function readGraph(model: Uint8Array): Graph {
  const graph: Graph = { nodes: [], constants: new Map(), outputs: [], opset: 0 };
  for (const top of fields(model)) {
    if (top.number === 8) {
      const parts = [...fields(top.bytes)];
      if (!parts.some((part) => part.number === 1 && part.bytes.length > 0))
        graph.opset = Number(parts.find((part) => part.number === 2)?.value ?? 0);
    }
    if (top.number !== 7) continue;
    for (const field of fields(top.bytes)) {
      if (field.number === 1) graph.nodes.push(readNode(field.bytes));
      else if (field.number === 5) {
        const { name, constant } = readConstant(field.bytes);
        graph.constants.set(name, constant);
      } else if (field.number === 12) {
        const name = [...fields(field.bytes)].find((part) => part.number === 1)?.bytes;
        graph.outputs.push(decoder.decode(name));
      }
    }
  }
  return graph;
}

/** The model with other nodes and constants; inputs, outputs and everything around the graph stay. */
export function writeGraph(model: Uint8Array, graph: Graph): Uint8Array {
  const parts: Pieces[] = [message(8, [text(1, contributed), integer(2, 1)])];
  for (const top of fields(model)) {
    if (top.number === 8 && [...fields(top.bytes)].some((f) => decoder.decode(f.bytes) === contributed))
      continue;
    if (top.number !== 7) {
      parts.push(writeField(top));
      continue;
    }
    // Names, inputs and outputs; the shapes of the values between them are no longer true.
    const kept = [...fields(top.bytes)].filter((field) => [2, 11, 12].includes(field.number));
    parts.push(
      message(7, [
        ...graph.nodes.map(writeNode),
        ...kept.map(writeField),
        ...[...graph.constants].map(([name, constant]) =>
          message(5, [...constantFields(constant), text(8, name)]),
        ),
      ]),
    );
  }
  return join(parts.flat());
}

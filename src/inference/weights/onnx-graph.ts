// ONNX files as plain values: reads, changes and writes the graph of a network. Only the parts needed for
// rearranging a graph are decoded; everything else is carried over as raw bytes.

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** The operators that ONNX Runtime has beyond the standard. */
export const CONTRIBUTED = 'com.microsoft';
export const FLOAT = 1;
export const UINT8 = 2;
export const INT8 = 3;
const INT64 = 7;

/** A constant: its little-endian bytes. */
export interface Constant {
  type: number;
  dims: number[];
  data: Uint8Array;
}

export type Attribute =
  | { ints: number[] }
  | { int: number }
  | { float: number }
  | { tensor: Constant }
  // An attribute of a kind that is never decoded here.
  | { raw: Uint8Array };

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
  /** Version of the default operator set. */
  opset: number;
}

/** One field of a message: a number for varints, bytes for everything else. */
interface Field {
  number: number;
  wire: WireType;
  value: number;
  bytes: Uint8Array;
}

const none = new Uint8Array(0);
const decoder = new TextDecoder();

/** Numbers beyond 2^53 are refused: nothing here needs them. */
function integer(reader: BinaryReader): number {
  const value = Number(reader.int64());
  if (!Number.isSafeInteger(value)) throw new Error('the ONNX file holds an impossible number');
  return value;
}

function fields(message: Uint8Array): Field[] {
  // Plain bytes, even for a Buffer, whose slices would be Buffers too.
  const reader = new BinaryReader(new Uint8Array(message.buffer, message.byteOffset, message.byteLength));
  const out: Field[] = [];
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire === WireType.Varint) out.push({ number, wire, value: integer(reader), bytes: none });
    else {
      const bytes = wire === WireType.LengthDelimited ? reader.bytes() : reader.skip(wire, number);
      out.push({ number, wire, value: 0, bytes });
    }
  }
  return out;
}

const textOf = (field: Field | undefined): string => decoder.decode(field?.bytes);

/** Repeated integers may come one by one or packed. */
function integersOf({ wire, value, bytes }: Field): number[] {
  if (wire === WireType.Varint) return [value];
  const reader = new BinaryReader(bytes);
  const out: number[] = [];
  while (reader.pos < reader.len) out.push(integer(reader));
  return out;
}

/** The parts of a message that ONNX files are made of, written by field number. */
const write = {
  integer: (to: BinaryWriter, number: number, value: number) => to.tag(number, WireType.Varint).int64(value),
  float: (to: BinaryWriter, number: number, value: number) => to.tag(number, WireType.Bit32).float(value),
  bytes: (to: BinaryWriter, number: number, value: Uint8Array) =>
    to.tag(number, WireType.LengthDelimited).bytes(value),
  text: (to: BinaryWriter, number: number, value: string) =>
    to.tag(number, WireType.LengthDelimited).string(value),
  message: (to: BinaryWriter, number: number, body: (to: BinaryWriter) => void) => {
    to.tag(number, WireType.LengthDelimited).fork();
    body(to);
    to.join();
  },
  /** Copies a field as it was read. */
  copy: (to: BinaryWriter, { number, wire, value, bytes }: Field) => {
    if (wire === WireType.Varint) write.integer(to, number, value);
    else if (wire === WireType.LengthDelimited) write.bytes(to, number, bytes);
    else to.tag(number, wire).raw(bytes);
  },
};

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
  // A copy, because the file's own bytes need not be aligned to the number's size.
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
    // Skips documentation, and the default data location "in this file".
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

function writeConstant(to: BinaryWriter, { type, dims, data }: Constant): void {
  for (const dim of dims) write.integer(to, 1, dim);
  write.integer(to, 2, type);
  write.bytes(to, 9, data);
}

function writeAttribute(
  to: BinaryWriter,
  name: string,
  attribute: Exclude<Attribute, { raw: Uint8Array }>,
): void {
  const kind = (value: number): void => void write.integer(to, 20, value);
  write.text(to, 1, name);
  if ('int' in attribute) {
    write.integer(to, 3, attribute.int);
    kind(2);
  } else if ('float' in attribute) {
    write.float(to, 2, attribute.float);
    kind(1);
  } else if ('tensor' in attribute) {
    write.message(to, 5, (within) => writeConstant(within, attribute.tensor));
    kind(4);
  } else {
    for (const value of attribute.ints) write.integer(to, 8, value);
    kind(7);
  }
}

function writeNode(to: BinaryWriter, node: Node): void {
  for (const name of node.inputs) write.text(to, 1, name);
  for (const name of node.outputs) write.text(to, 2, name);
  write.text(to, 4, node.op);
  for (const [name, attribute] of node.attributes)
    if ('raw' in attribute) write.bytes(to, 5, attribute.raw);
    else write.message(to, 5, (within) => writeAttribute(within, name, attribute));
  if (node.domain) write.text(to, 7, node.domain);
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

/** The model with new nodes and constants; inputs, outputs and everything around the graph stay. */
export function writeGraph(model: Uint8Array, graph: Graph): Uint8Array {
  const out = new BinaryWriter();
  write.message(out, 8, (opset) => {
    write.text(opset, 1, CONTRIBUTED);
    write.integer(opset, 2, 1);
  });
  for (const top of fields(model)) {
    if (top.number === 8 && fields(top.bytes).some((field) => textOf(field) === CONTRIBUTED)) continue;
    if (top.number !== 7) {
      write.copy(out, top);
      continue;
    }
    write.message(out, 7, (body) => {
      for (const node of graph.nodes) write.message(body, 1, (within) => writeNode(within, node));
      // Names, inputs and outputs; the shapes of intermediate values are no longer valid.
      for (const field of fields(top.bytes)) if ([2, 11, 12].includes(field.number)) write.copy(body, field);
      for (const [name, constant] of graph.constants)
        write.message(body, 5, (within) => {
          writeConstant(within, constant);
          write.text(within, 8, name);
        });
    });
  }
  return out.finish();
}

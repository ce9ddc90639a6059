// Message -> protobuf bytes for answers. Writers are compiled per message type and fill one shared buffer from
// its end, so that the length of a nested message is known when its prefix is written: the runtime's own
// writer makes several small buffers per string, and the garbage they leave is a third of the cost of a short
// call (ADR 0003). A test holds every type of the contract against the runtime's bytes.
import { ScalarType, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT } from './wire-cursor.js';

type Members = Record<string, unknown>;
type WriteField = (message: Members) => void;
type WriteValue = (value: unknown) => void;

const FIRST_SIZE = 64 * 1024;
/** A buffer that one large answer needed is not kept for the small ones that follow. */
const KEPT_SIZE_MAX = 1024 * 1024;
/** Up to this length a loop is quicker than two calls into the runtime. */
const SHORT_TEXT = 64;

let buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
/** Where the written part begins; it reaches to the end of the buffer. */
let start = FIRST_SIZE;

const writers = new WeakMap<DescMessage, WriteField[]>();

export function writeBinary(desc: DescMessage, message: Message): Buffer {
  start = buffer.length;
  writeMembers(writersOf(desc), message as unknown as Members);
  const bytes = Buffer.allocUnsafe(buffer.length - start);
  buffer.copy(bytes, 0, start);
  if (buffer.length > KEPT_SIZE_MAX) buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
  return bytes;
}

/** Compiles the writer of a type, so that one which cannot be written stops the start and not a call. */
export function prepareWrite(desc: DescMessage): void {
  writersOf(desc);
}

function writeMembers(list: readonly WriteField[], message: Members): void {
  for (let index = list.length - 1; index >= 0; index--) (list[index] as WriteField)(message);
}

function writersOf(desc: DescMessage): WriteField[] {
  const known = writers.get(desc);
  if (known) return known;
  const made: WriteField[] = [];
  // Stored before it is filled: message types may contain themselves.
  writers.set(desc, made);
  for (const field of [...desc.fields].sort((a, b) => a.number - b.number)) made.push(fieldWriter(field));
  return made;
}

function fieldWriter(field: DescField): WriteField {
  const { localName, oneof } = field;
  if (oneof) {
    const write = taggedWriter(field);
    return (message) => {
      const choice = message[oneof.localName] as { case?: string; value?: unknown };
      if (choice.case === localName) write(choice.value);
    };
  }
  if (field.fieldKind === 'list') return listWriter(field);
  if (field.fieldKind === 'map') return mapWriter(field);
  const write = taggedWriter(field);
  if (field.fieldKind === 'message')
    return (message) => {
      const value = message[localName];
      if (value !== undefined) write(value);
    };
  const isDefault = defaultCheck(field);
  return (message) => {
    const value = message[localName];
    if (value !== undefined && !isDefault(value)) write(value);
  };
}

/** Proto3 fields without presence are left out when they hold their zero. */
function defaultCheck(field: DescField): (value: unknown) => boolean {
  if (field.fieldKind === 'message' || field.presence !== Presence.IMPLICIT) return () => false;
  if (field.fieldKind === 'scalar' && field.scalar === ScalarType.BYTES)
    return (value) => (value as Uint8Array).length === 0;
  if (field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING) return (value) => value === '';
  // Negative zero is not the default.
  return (value) => value === false || value === 0n || Object.is(value, 0);
}

function listWriter(field: DescField & { fieldKind: 'list' }): WriteField {
  const { localName } = field;
  if (field.packed) {
    const { write } = scalarWriter(field.listKind === 'scalar' ? field.scalar : ScalarType.INT32);
    return (message) => {
      const list = message[localName] as unknown[];
      if (list.length === 0) return;
      const end = distanceFromEnd();
      for (let index = list.length - 1; index >= 0; index--) write(list[index]);
      writeVarint(distanceFromEnd() - end);
      writeVarint((field.number << 3) | LENGTH_DELIMITED);
    };
  }
  const write = taggedWriter(field);
  return (message) => {
    const list = message[localName] as unknown[];
    for (let index = list.length - 1; index >= 0; index--) write(list[index]);
  };
}

function mapWriter(field: DescField & { fieldKind: 'map' }): WriteField {
  const { localName } = field;
  const key = scalarWriter(field.mapKey);
  const keyFrom = keyReader(field.mapKey);
  const value = valueWriter(field);
  return (message) => {
    for (const [name, entry] of Object.entries(message[localName] as Members).reverse()) {
      const end = distanceFromEnd();
      value.write(entry);
      writeVarint((2 << 3) | value.wire);
      key.write(keyFrom(name));
      writeVarint((1 << 3) | key.wire);
      writeVarint(distanceFromEnd() - end);
      writeVarint((field.number << 3) | LENGTH_DELIMITED);
    }
  };
}

/** Keys of maps are object keys in memory, whatever their type on the wire. */
function keyReader(type: ScalarType): (name: string) => unknown {
  if (type === ScalarType.STRING) return (name) => name;
  if (type === ScalarType.BOOL) return (name) => name === 'true';
  return (name) => (isWide(type) ? BigInt(name) : Number(name));
}

interface Writer {
  wire: number;
  write: WriteValue;
}

function taggedWriter(field: DescField): WriteValue {
  const { wire, write } = valueWriter(field);
  const tag = (field.number << 3) | wire;
  return (value) => {
    write(value);
    writeVarint(tag);
  };
}

function valueWriter(field: DescField): Writer {
  if (field.message) return { wire: LENGTH_DELIMITED, write: messageWriter(field, field.message) };
  if (field.enum) return scalarWriter(ScalarType.INT32);
  return scalarWriter(field.scalar as ScalarType);
}

function messageWriter(field: DescField, desc: DescMessage): WriteValue {
  // The one type that is not a message in memory; no answer of the contract holds it.
  if (desc.typeName === 'google.protobuf.Struct') throw new Error(`${field.name}: Struct cannot be written`);
  // Wrappers are plain values in memory where they are a field of their own.
  if (field.fieldKind === 'message' && !field.oneof && isWrapperDesc(desc)) {
    const inner = desc.fields[0] as DescField;
    const write = taggedWriter(inner);
    const isDefault = defaultCheck(inner);
    return (value) => {
      const end = distanceFromEnd();
      if (!isDefault(value)) write(value);
      writeVarint(distanceFromEnd() - end);
    };
  }
  const list = writersOf(desc);
  return (value) => {
    const end = distanceFromEnd();
    writeMembers(list, value as Members);
    writeVarint(distanceFromEnd() - end);
  };
}

function scalarWriter(type: ScalarType): Writer {
  switch (type) {
    case ScalarType.STRING:
      return { wire: LENGTH_DELIMITED, write: (value) => writeText(value as string) };
    case ScalarType.BYTES:
      return { wire: LENGTH_DELIMITED, write: (value) => writeBytes(value as Uint8Array) };
    case ScalarType.FIXED32:
      return fixed(FIXED32, (value, at) => buffer.writeUInt32LE(value as number, at));
    case ScalarType.SFIXED32:
      return fixed(FIXED32, (value, at) => buffer.writeInt32LE(value as number, at));
    case ScalarType.FLOAT:
      return fixed(FIXED32, (value, at) => buffer.writeFloatLE(value as number, at));
    case ScalarType.FIXED64:
      return fixed(FIXED64, (value, at) => buffer.writeBigUInt64LE(BigInt(value as bigint), at));
    case ScalarType.SFIXED64:
      return fixed(FIXED64, (value, at) => buffer.writeBigInt64LE(BigInt(value as bigint), at));
    case ScalarType.DOUBLE:
      return fixed(FIXED64, (value, at) => buffer.writeDoubleLE(value as number, at));
    case ScalarType.BOOL:
    case ScalarType.INT32:
    case ScalarType.UINT32:
    case ScalarType.SINT32:
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
      return { wire: VARINT, write: varintWriter(type) };
  }
}

function fixed(wire: typeof FIXED32 | typeof FIXED64, put: (value: unknown, at: number) => void): Writer {
  const bytes = wire === FIXED32 ? 4 : 8;
  return { wire, write: (value) => put(value, reserve(bytes)) };
}

type VarintType =
  | ScalarType.BOOL
  | ScalarType.INT32
  | ScalarType.UINT32
  // Zigzag.
  | ScalarType.SINT32
  | ScalarType.INT64;

function varintWriter(type: VarintType | ScalarType.UINT64 | ScalarType.SINT64): WriteValue {
  switch (type) {
    case ScalarType.BOOL:
      return (value) => writeVarint(value ? 1 : 0);
    case ScalarType.INT32:
      // Negative numbers take ten bytes, as if they were 64 bits wide.
      return (value) =>
        (value as number) < 0 ? writeWide(BigInt(value as number)) : writeVarint(value as number);
    case ScalarType.UINT32:
      return (value) => writeVarint(value as number);
    case ScalarType.SINT32:
      return (value) => writeVarint((((value as number) << 1) ^ ((value as number) >> 31)) >>> 0);
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return (value) => writeWide(BigInt(value as bigint));
    case ScalarType.SINT64:
      return (value) => writeWide((BigInt(value as bigint) << 1n) ^ (BigInt(value as bigint) >> 63n));
  }
}

function distanceFromEnd(): number {
  return buffer.length - start;
}

/** Reserves bytes before the written part and says where they begin. */
function reserve(bytes: number): number {
  if (start < bytes) {
    const written = buffer.subarray(start);
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, written.length + bytes * 2));
    larger.set(written, larger.length - written.length);
    start = larger.length - written.length;
    buffer = larger;
  }
  start -= bytes;
  return start;
}

function writeText(text: string): void {
  if (text.length <= SHORT_TEXT && writeAscii(text)) return;
  const length = Buffer.byteLength(text);
  // Evaluated first: reserving may replace the buffer.
  const at = reserve(length);
  buffer.write(text, at);
  writeVarint(length);
}

/** False, with nothing written, when a character is not ASCII. */
function writeAscii(text: string): boolean {
  const { length } = text;
  const at = reserve(length);
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) {
      start += length;
      return false;
    }
    buffer[at + index] = code;
  }
  writeVarint(length);
  return true;
}

function writeBytes(bytes: Uint8Array): void {
  const at = reserve(bytes.length);
  buffer.set(bytes, at);
  writeVarint(bytes.length);
}

/** Up to 32 bits, taken as unsigned. */
function writeVarint(value: number): void {
  if (value < 0x80) {
    const at = reserve(1);
    buffer[at] = value;
    return;
  }
  const length = value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
  let at = reserve(length);
  let rest = value;
  for (let count = 1; count < length; count++) {
    buffer[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  buffer[at] = rest;
}

function writeWide(value: bigint): void {
  let rest = BigInt.asUintN(64, value);
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  const at = reserve(bytes.length);
  for (let index = 0; index < bytes.length; index++) buffer[at + index] = bytes[index] as number;
}

function isWide(type: ScalarType): boolean {
  return [
    ScalarType.INT64,
    ScalarType.UINT64,
    ScalarType.SINT64,
    ScalarType.FIXED64,
    ScalarType.SFIXED64,
  ].includes(type);
}

// Protobuf bytes -> message for requests. A reader per message type is compiled once: the runtime's own reader
// builds an index of the fields with every message that it reads, which took a tenth of a short call (ADR 0003).
// A test holds every type of the contract, damaged bytes too, against the runtime's result.
import { ScalarType, create, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { LENGTH_DELIMITED, WireCursor } from './wire-cursor.js';

type Members = Record<string, unknown>;
type ReadField = (message: Members, cursor: WireCursor, tag: number, depth: number) => void;
/** `before` is what the field held: parts of a message that comes twice are merged. */
type ReadValue = (cursor: WireCursor, depth: number, before?: unknown) => unknown;

const DEPTH_MAX = 100;

interface Plan {
  desc: DescMessage;
  fields: Map<number, ReadField>;
}

const plans = new WeakMap<DescMessage, Plan>();

export function readBinary(desc: DescMessage, bytes: Buffer): Message {
  const message = create(desc);
  readMembers(planOf(desc), message as unknown as Members, new WireCursor(bytes), bytes.length, 1);
  return message;
}

/** Compiles the reader of a type, so that one which cannot be read stops the start and not a call. */
export function prepareRead(desc: DescMessage): void {
  planOf(desc);
}

function readMembers(plan: Plan, message: Members, cursor: WireCursor, end: number, depth: number): void {
  if (depth > DEPTH_MAX) throw new Error(`messages are nested more than ${DEPTH_MAX} deep`);
  while (cursor.at < end) {
    const tag = cursor.tag();
    const read = plan.fields.get(tag >>> 3);
    if (read) read(message, cursor, tag, depth);
    else cursor.skip(tag, DEPTH_MAX - depth);
  }
}

function planOf(desc: DescMessage): Plan {
  const known = plans.get(desc);
  if (known) return known;
  const plan: Plan = { desc, fields: new Map() };
  // Stored before it is filled: message types may contain themselves.
  plans.set(desc, plan);
  for (const field of desc.fields) plan.fields.set(field.number, fieldReader(field));
  return plan;
}

function fieldReader(field: DescField): ReadField {
  const { localName, oneof } = field;
  if (field.fieldKind === 'list') return listReader(field);
  if (field.fieldKind === 'map') return mapReader(field);
  const read = valueReader(field);
  if (!oneof)
    return (message, cursor, _tag, depth) => {
      message[localName] = read(cursor, depth, message[localName]);
    };
  return (message, cursor, _tag, depth) => {
    const choice = message[oneof.localName] as { case?: string; value?: unknown };
    const before = choice.case === localName ? choice.value : undefined;
    message[oneof.localName] = { case: localName, value: read(cursor, depth, before) };
  };
}

function listReader(field: DescField & { fieldKind: 'list' }): ReadField {
  const { localName } = field;
  const read = valueReader(field);
  const packable = !field.message && field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;
  return (message, cursor, tag, depth) => {
    const list = message[localName] as unknown[];
    if (!packable || (tag & 7) !== LENGTH_DELIMITED) {
      list.push(read(cursor, depth));
      return;
    }
    const end = cursor.end();
    while (cursor.at < end) list.push(read(cursor, depth));
  };
}

function mapReader(field: DescField & { fieldKind: 'map' }): ReadField {
  const { localName } = field;
  const readKey = scalarReader(field.mapKey);
  const zeroKey = zeroOf(field.mapKey);
  const readValue = valueReader(field);
  const zeroValue = field.message
    ? (): unknown => create(field.message as DescMessage)
    : (): unknown => (field.enum ? field.enum.values[0]?.number : zeroOf(field.scalar as ScalarType));
  return (message, cursor, _tag, depth) => {
    const end = cursor.end();
    let key: unknown = zeroKey;
    let value: unknown;
    while (cursor.at < end) {
      const tag = cursor.tag();
      if (tag >>> 3 === 1) key = readKey(cursor);
      else if (tag >>> 3 === 2) value = readValue(cursor, depth);
      else cursor.skip(tag, DEPTH_MAX - depth);
    }
    const name = String(key);
    // As a member of a plain object it would not be an entry but the object's ancestor.
    if (name === '__proto__') throw new Error(`${field.name} has the key __proto__, which is not allowed`);
    (message[localName] as Members)[name] = value === undefined ? zeroValue() : value;
  };
}

function valueReader(field: DescField): ReadValue {
  if (field.message) return messageReader(field, field.message);
  if (!field.enum) return scalarReader(field.scalar as ScalarType);
  if (!field.enum.open) throw new Error(`${field.name}: an enum of the old kind cannot be read`);
  return scalarReader(ScalarType.INT32);
}

function messageReader(field: DescField, desc: DescMessage): ReadValue {
  // The one type that is not a message in memory; no request of the contract holds it.
  if (desc.typeName === 'google.protobuf.Struct') throw new Error(`${field.name}: Struct cannot be read`);
  const plan = planOf(desc);
  // Wrappers are plain values in memory where they are a field of their own.
  if (field.fieldKind === 'message' && !field.oneof && isWrapperDesc(desc))
    return (cursor, depth, before) => {
      const message = create(desc) as unknown as Members;
      if (before !== undefined) message['value'] = before;
      readMembers(plan, message, cursor, cursor.end(), depth + 1);
      return message['value'];
    };
  return (cursor, depth, before) => {
    const message = (before ?? create(desc)) as Members;
    readMembers(plan, message, cursor, cursor.end(), depth + 1);
    return message;
  };
}

function scalarReader(type: ScalarType): (cursor: WireCursor) => unknown {
  switch (type) {
    case ScalarType.STRING:
      return (cursor) => cursor.text();
    case ScalarType.BYTES:
      return (cursor) => cursor.binary();
    case ScalarType.BOOL:
      return (cursor) => cursor.bool();
    case ScalarType.INT32:
      return (cursor) => cursor.int32();
    case ScalarType.UINT32:
      return (cursor) => cursor.uint32();
    case ScalarType.SINT32:
      return (cursor) => cursor.sint32();
    case ScalarType.INT64:
      return (cursor) => cursor.int64();
    case ScalarType.UINT64:
      return (cursor) => cursor.uint64();
    case ScalarType.SINT64:
      return (cursor) => cursor.sint64();
    case ScalarType.FIXED32:
      return (cursor) => cursor.fixed32();
    case ScalarType.SFIXED32:
      return (cursor) => cursor.sfixed32();
    case ScalarType.FLOAT:
      return (cursor) => cursor.float();
    case ScalarType.FIXED64:
      return (cursor) => cursor.fixed64();
    case ScalarType.SFIXED64:
      return (cursor) => cursor.sfixed64();
    case ScalarType.DOUBLE:
      return (cursor) => cursor.double();
  }
}

function zeroOf(type: ScalarType): unknown {
  switch (type) {
    case ScalarType.STRING:
      return '';
    case ScalarType.BYTES:
      return new Uint8Array(0);
    case ScalarType.BOOL:
      return false;
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return 0n;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return 0;
  }
}

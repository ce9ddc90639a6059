// Message -> JSON text. The protobuf JSON mapping with lowerCamel names and enum names; fields without
// presence are left out at their default, except those whose zero says something (a violation type of 0 is
// MANDATORY_FIELD_MISSING; no prints were compared). Writers are compiled per message type for speed; well-known types other than
// wrappers go through the runtime.
import {
  ScalarType,
  toJson,
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence, isWrapperDesc, type Timestamp } from '@bufbuild/protobuf/wkt';

/** Enums whose zero value is a real statement and must be seen by clients. */
const printZeroOf = new Set(['vendor.rpc.FieldViolation.ViolationType']);

const countOfPrints = /^number_of_(\w+_)?prints$/;

type Members = Record<string, unknown>;
/** A value as JSON text. */
type WriteValue = (value: unknown) => string;
/** `"name":value`, or nothing where the field is left out. */
type WriteField = (message: Members) => string;

const writers = new WeakMap<DescMessage, WriteField[]>();

export function writeJson(desc: DescMessage, message: Message): string {
  return writeObject(writersOf(desc), message as unknown as Members);
}

/** Only ever adds to the text: to cut anything off would lay it out anew at every level. */
function writeObject(fields: readonly WriteField[], message: Members): string {
  let text = '';
  for (let index = 0; index < fields.length; index++) {
    const member = (fields[index] as WriteField)(message);
    if (member !== '') text += text === '' ? `{${member}` : `,${member}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function writersOf(desc: DescMessage): WriteField[] {
  const known = writers.get(desc);
  if (known) return known;
  const made: WriteField[] = [];
  // Stored before it is filled: message types may contain themselves.
  writers.set(desc, made);
  for (const field of desc.fields) made.push(fieldWriter(field));
  return made;
}

function fieldWriter(field: DescField): WriteField {
  const { localName, jsonName, oneof } = field;
  const name = `${JSON.stringify(jsonName)}:`;
  if (oneof) {
    const write = valueWriter(field);
    return (message) => {
      const choice = message[oneof.localName] as { case?: string; value?: unknown };
      return choice.case === localName ? name + write(choice.value) : '';
    };
  }
  switch (field.fieldKind) {
    case 'list': {
      const write = itemWriter(field.listKind, field);
      return (message) => {
        const list = message[localName] as unknown[];
        return list.length > 0 ? `${name}[${list.map(write).join(',')}]` : '';
      };
    }
    case 'map': {
      const write = itemWriter(field.mapKind, field);
      return (message) => {
        const entries = Object.entries(message[localName] as Members);
        if (entries.length === 0) return '';
        return `${name}{${entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(',')}}`;
      };
    }
    case 'scalar':
    case 'enum':
    case 'message': {
      const write = valueWriter(field);
      const isDefault = defaultCheck(field);
      return (message) => {
        const value = message[localName];
        return value !== undefined && !isDefault(value) ? name + write(value) : '';
      };
    }
  }
}

/** Proto3 fields without presence are left out when they hold their zero. */
function defaultCheck(field: DescField): (value: unknown) => boolean {
  if (field.fieldKind === 'message' || field.presence !== Presence.IMPLICIT) return () => false;
  if (field.fieldKind === 'enum')
    return printZeroOf.has(field.enum.typeName) ? () => false : (value) => value === 0;
  if (countOfPrints.test(field.name)) return () => false;
  switch (field.scalar) {
    case ScalarType.STRING:
      return (value) => value === '';
    case ScalarType.BOOL:
      return (value) => value === false;
    case ScalarType.BYTES:
      return (value) => (value as Uint8Array).length === 0;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
    case undefined:
      // Loose on purpose: 64-bit integers are bigint. Negative zero is not the default.
      return (value) => value === 0n || Object.is(value, 0);
  }
}

function valueWriter(field: DescField): WriteValue {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarWriter(field.scalar);
    case 'enum':
      return enumWriter(field.enum);
    case 'message':
      return messageWriter(field.message, true);
    case 'list':
    case 'map':
      throw new Error(`${field.name} cannot be part of a oneof`);
  }
}

function itemWriter(kind: 'scalar' | 'enum' | 'message', field: DescField): WriteValue {
  if (kind === 'message') return messageWriter(field.message as DescMessage, false);
  if (kind === 'enum') return enumWriter(field.enum as DescEnum);
  return scalarWriter(field.scalar as ScalarType);
}

function messageWriter(desc: DescMessage, singular: boolean): WriteValue {
  if (singular && isWrapperDesc(desc)) return scalarWriter(desc.fields[0].scalar);
  if (singular && desc.typeName === 'google.protobuf.Struct') return (value) => JSON.stringify(value);
  if (desc.typeName === 'google.protobuf.Timestamp')
    return (value) => writeTime(value as Timestamp) ?? JSON.stringify(toJson(desc, value as Message));
  if (desc.typeName.startsWith('google.protobuf.'))
    return (value) => JSON.stringify(toJson(desc, value as Message));
  const fields = writersOf(desc);
  return (value) => writeObject(fields, value as Members);
}

const FIRST_SECOND = Date.parse('0001-01-01T00:00:00Z') / 1000;
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000;
const NANOS_PER_MS = 1_000_000;
const NANOS_PER_SECOND = 1_000_000_000;

/** Whole milliseconds, which is what we have, in a third of the time that the runtime takes. It is left what is finer or wrong. */
function writeTime({ seconds, nanos }: Timestamp): string | undefined {
  const second = Number(seconds);
  if (!(second >= FIRST_SECOND && second <= LAST_SECOND)) return undefined;
  if (nanos < 0 || nanos >= NANOS_PER_SECOND || nanos % NANOS_PER_MS !== 0) return undefined;
  const text = new Date(second * 1000 + nanos / NANOS_PER_MS).toISOString();
  return nanos === 0 ? `"${text.slice(0, -'.000Z'.length)}Z"` : `"${text}"`;
}

function enumWriter(desc: DescEnum): WriteValue {
  const names = new Map(desc.values.map((value) => [value.number, JSON.stringify(value.name)]));
  return (value) => names.get(value as number) ?? String(value);
}

function scalarWriter(type: ScalarType): WriteValue {
  switch (type) {
    case ScalarType.STRING:
      return (value) => JSON.stringify(value);
    case ScalarType.BYTES:
      return (value) => {
        const bytes = value as Uint8Array;
        return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
      };
    case ScalarType.FLOAT:
      return (value) => numberText(value as number, shortestFloat);
    case ScalarType.DOUBLE:
      return (value) => numberText(value as number, (number) => number);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (value) => `"${String(value)}"`;
    case ScalarType.BOOL:
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return (value) => String(value);
  }
}

/** NaN and the infinities are text in the protobuf mapping. */
function numberText(value: number, round: (value: number) => number): string {
  return Number.isFinite(value) ? JSON.stringify(round(value)) : `"${value}"`;
}

/** A 32-bit float printed with the digits it has: 0.1, not 0.10000000149011612. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return value;
}

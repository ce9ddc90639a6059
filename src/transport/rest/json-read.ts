// JSON -> message. Follows the protobuf JSON mapping, with what public clients of this API need on top:
// snake_case and lowerCamel names, enums by name or number, field masks as text or as {"paths": [...]},
// unknown members ignored but remembered. A fault names the field by its dotted proto path. A reader per
// message type is compiled on first use, since the generic reflection of the runtime is too slow here.
import {
  create,
  fromJson,
  type DescField,
  type DescMessage,
  type DescOneof,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { isObject } from '../../errors.js';
import { unreadable } from '../refusal.js';
import { ValueFault, kindOf, readEnum, readScalar, readText } from './json-scalars.js';

/** Beyond this many names of unknown members, the rest is not worth reporting. */
const IGNORED_MAX = 20;

export interface ReadContext {
  ignored: string[];
  /** Fields that parameters have set, by path; absent where a later value may replace an earlier one. */
  given?: Set<string>;
}

type Members = Record<string, unknown>;
/** Reads one value; `path` is the dotted name of the field, for faults. */
type ReadValue = (json: unknown, path: string, context: ReadContext) => unknown;

interface FieldReader {
  field: DescField;
  read: ReadValue;
  set(target: Members, value: unknown): void;
  /** The oneof this field belongs to: two members of one set are a conflict. */
  oneof: DescOneof | undefined;
}

interface MessageReader {
  desc: DescMessage;
  /** By proto name and by JSON name. */
  fields: ReadonlyMap<string, FieldReader>;
}

const readers = new WeakMap<DescMessage, MessageReader>();

export function readerOf(desc: DescMessage): MessageReader {
  const known = readers.get(desc);
  if (known) return known;
  const fields = new Map<string, FieldReader>();
  const reader: MessageReader = { desc, fields };
  // Stored before it is filled: message types may contain themselves.
  readers.set(desc, reader);
  for (const field of desc.fields) {
    const fieldReader: FieldReader = {
      field,
      read: valueReader(field),
      set: setter(field),
      oneof: field.oneof,
    };
    fields.set(field.name, fieldReader);
    fields.set(field.jsonName, fieldReader);
  }
  return reader;
}

export function readObject(desc: DescMessage, json: unknown, path: string, context: ReadContext): Message {
  return readMembers(readerOf(desc), json, path, context);
}

function readMembers(reader: MessageReader, json: unknown, path: string, context: ReadContext): Message {
  if (!isObject(json)) {
    throw fault(path, `expected an object, got ${kindOf(json)}`);
  }
  const message = create(reader.desc);
  let chosen: Set<DescOneof> | undefined;
  for (const name of Object.keys(json)) {
    const fieldReader = reader.fields.get(name);
    if (!fieldReader) {
      if (context.ignored.length < IGNORED_MAX) context.ignored.push(join(path, name.slice(0, 64)));
      continue;
    }
    const value = json[name];
    if (value === null) continue;
    const fieldPath = join(path, fieldReader.field.name);
    if (fieldReader.oneof) {
      chosen ??= new Set();
      if (chosen.has(fieldReader.oneof)) throw conflict(fieldReader.oneof, fieldPath);
      chosen.add(fieldReader.oneof);
    }
    fieldReader.set(message as unknown as Members, fieldReader.read(value, fieldPath, context));
  }
  return message;
}

export function conflict(oneof: DescOneof, path: string): Error {
  const message = `exactly one of ${oneof.fields.map(({ name }) => name).join(' or ')} may be set`;
  return unreadable(message, path, 'FIELD_CONFLICT');
}

function setter(field: DescField): (target: Members, value: unknown) => void {
  const { localName, oneof } = field;
  if (!oneof) {
    return (target, value) => {
      target[localName] = value;
    };
  }
  return (target, value) => {
    target[oneof.localName] = { case: localName, value };
  };
}

function valueReader(field: DescField): ReadValue {
  switch (field.fieldKind) {
    case 'scalar': {
      const { scalar } = field;
      return named((json) => readScalar(scalar, json));
    }
    case 'enum': {
      const desc = field.enum;
      return named((json) => readEnum(desc, json));
    }
    case 'message':
      return messageReader(field.message, true);
    case 'list': {
      const item = itemReader(field.listKind, field);
      return (json, path, context) => {
        if (!Array.isArray(json)) throw fault(path, `expected an array, got ${kindOf(json)}`);
        return json.map((entry, index) => item(entry, `${path}[${index}]`, context));
      };
    }
    case 'map': {
      const item = itemReader(field.mapKind, field);
      return (json, path, context) => {
        if (!isObject(json)) {
          throw fault(path, `expected an object, got ${kindOf(json)}`);
        }
        const entries: Members = {};
        for (const [key, entry] of Object.entries(json)) {
          if (key === '__proto__') throw fault(path, 'the key "__proto__" is not allowed');
          entries[key] = item(entry, `${path}.${key}`, context);
        }
        return entries;
      };
    }
  }
}

function itemReader(kind: 'scalar' | 'enum' | 'message', field: DescField): ReadValue {
  if (kind === 'message') return messageReader(field.message as DescMessage, false);
  if (kind === 'enum') {
    const desc = field.enum as NonNullable<typeof field.enum>;
    return named((json) => readEnum(desc, json));
  }
  const scalar = field.scalar as NonNullable<typeof field.scalar>;
  return named((json) => readScalar(scalar, json));
}

/** `singular`: the runtime holds wrappers and structs of singular fields as plain values. */
function messageReader(desc: DescMessage, singular: boolean): ReadValue {
  if (singular && isWrapperDesc(desc)) {
    const scalar = desc.fields[0].scalar;
    return named((json) => readScalar(scalar, json));
  }
  if (desc.typeName === 'google.protobuf.FieldMask') return fieldMaskReader(desc);
  if (singular && desc.typeName === 'google.protobuf.Struct') {
    return (json, path) => {
      if (!isObject(json)) throw fault(path, `expected an object, got ${kindOf(json)}`);
      return json;
    };
  }
  if (desc.typeName.startsWith('google.protobuf.')) {
    return (json, path) => {
      try {
        return fromJson(desc, json as JsonValue);
      } catch {
        throw fault(path, `expected ${wellKnownForms[desc.typeName] ?? desc.typeName}, got ${kindOf(json)}`);
      }
    };
  }
  const reader = readerOf(desc);
  return (json, path, context) => readMembers(reader, json, path, context);
}

const wellKnownForms: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'an RFC 3339 time such as "2026-01-31T12:00:00Z"',
  'google.protobuf.Duration': 'a duration such as "3.5s"',
};

/** Paths are brought to their normal form later, for every transport alike. */
function fieldMaskReader(desc: DescMessage): ReadValue {
  return (json, path) => {
    if (typeof json === 'string')
      return create(desc, { paths: json.split(',').filter((part) => part !== '') } as Record<
        string,
        unknown
      >);
    const paths = isObject(json) ? (json['paths'] ?? []) : json;
    if (!Array.isArray(paths)) throw fault(path, `expected text or {"paths": [...]}, got ${kindOf(json)}`);
    return create(desc, {
      paths: paths.map((entry, index) => nameFaults(() => readText(entry), `${path}.paths[${index}]`)),
    } as Record<string, unknown>);
  };
}

function named(read: (json: unknown) => unknown): ReadValue {
  return (json, path) => {
    try {
      return read(json);
    } catch (thrown) {
      throw rename(thrown, path);
    }
  };
}

export function nameFaults<T>(work: () => T, path: string): T {
  try {
    return work();
  } catch (thrown) {
    throw rename(thrown, path);
  }
}

function rename(thrown: unknown, path: string): unknown {
  return thrown instanceof ValueFault ? fault(path, thrown.message) : thrown;
}

function fault(path: string, message: string): Error {
  return path === '' ? unreadable(message) : unreadable(message, path);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

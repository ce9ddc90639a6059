// Path variables and query parameters -> message: dotted names walk into nested messages, a repeated key
// fills a list, a map takes its key as the last part of the name.
import { create, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { unreadable } from '../refusal.js';
import { conflict, nameFaults, readerOf, type ReadContext } from './json-read.js';
import { readEnum, readScalarText } from './json-scalars.js';

type Members = Record<string, unknown>;
const DEPTH_MAX = 16;

/** Sets one parameter. Returns false when no field matches its name. */
export function setParam(
  desc: DescMessage,
  message: Message,
  fieldPath: readonly string[],
  values: readonly string[],
  context: ReadContext,
): boolean {
  if (fieldPath.length > DEPTH_MAX) return false;
  let holder = message as unknown as Members;
  let holderDesc = desc;
  let name = '';
  for (let at = 0; at < fieldPath.length; at++) {
    const reader = readerOf(holderDesc).fields.get(fieldPath[at] as string);
    if (!reader) return false;
    const { field } = reader;
    name = name === '' ? field.name : `${name}.${field.name}`;
    const rest = fieldPath.slice(at + 1);
    refuseSecondMember(field, holder, name);
    if (rest.length === 0 || isWrapperValue(field, rest)) {
      refuseSecondTime(field, name, context);
      reader.set(holder, readLeaf(field, values, name, holder, context));
      return true;
    }
    if (field.fieldKind === 'map') {
      setMapEntry(field, holder, rest.join('.'), values, name);
      return true;
    }
    if (field.fieldKind !== 'message') return false;
    holder = enter(field, holder);
    holderDesc = field.message;
  }
  return false;
}

/** Each parameter comes by itself, so that only what is set already tells of another member. */
function refuseSecondMember({ oneof, localName }: DescField, holder: Members, name: string): void {
  const chosen = oneof && (holder[oneof.localName] as { case?: string }).case;
  if (oneof && chosen !== undefined && chosen !== localName) throw conflict(oneof, name);
}

/** A wrapper may be written with its inner name too: `channel.value=1`. */
function isWrapperValue(field: DescField, rest: readonly string[]): boolean {
  const isWrapper = field.fieldKind === 'message' && isWrapperDesc(field.message);
  return isWrapper && rest.length === 1 && rest[0] === 'value';
}

/** One field under two spellings of its name is as unclear as one name twice. */
function refuseSecondTime({ fieldKind }: DescField, name: string, { given }: ReadContext): void {
  if (!given || fieldKind === 'list') return;
  if (given.has(name)) throw givenTwice(name);
  given.add(name);
}

function givenTwice(name: string): Error {
  return unreadable('is given more than once', name, 'FIELD_CONFLICT');
}

function enter(field: DescField & { fieldKind: 'message' }, holder: Members): Members {
  if (!field.oneof) return (holder[field.localName] ??= create(field.message)) as Members;
  const choice = holder[field.oneof.localName] as { case?: string; value?: unknown };
  if (choice.case === field.localName) return choice.value as Members;
  const value = create(field.message);
  holder[field.oneof.localName] = { case: field.localName, value };
  return value as unknown as Members;
}

function readLeaf(
  field: DescField,
  values: readonly string[],
  name: string,
  holder: Members,
  context: ReadContext,
): unknown {
  if (field.fieldKind === 'list') {
    if (field.listKind === 'message')
      throw unreadable('a list of messages cannot be sent as a parameter', name);
    const before = holder[field.localName] as unknown[];
    return [...before, ...values.map((value, index) => readSingle(field, value, `${name}[${index}]`))];
  }
  if (values.length > 1) throw givenTwice(name);
  const value = values[0] as string;
  if (field.fieldKind === 'map') throw unreadable(`is a map: send it as ${name}.key=value`, name);
  if (field.fieldKind === 'message' && !isWrapperDesc(field.message)) {
    if (!field.message.typeName.startsWith('google.protobuf.')) {
      throw unreadable(
        `is a message; send its fields, such as ${name}.${field.message.fields[0]?.name ?? '...'}`,
        name,
      );
    }
    const reader = readerOf(field.parent).fields.get(field.name);
    return reader?.read(value, name, context);
  }
  return readSingle(field, value, name);
}

function readSingle(field: DescField, value: string, name: string): unknown {
  return nameFaults(() => {
    if (field.enum) return readEnum(field.enum, value);
    const scalar =
      field.scalar ??
      (field.message && isWrapperDesc(field.message) ? field.message.fields[0].scalar : undefined);
    if (scalar === undefined) throw unreadable('cannot be sent as a parameter', name);
    return readScalarText(scalar, value);
  }, name);
}

function setMapEntry(
  field: DescField & { fieldKind: 'map' },
  holder: Members,
  key: string,
  values: readonly string[],
  name: string,
): void {
  if (field.mapKind === 'message') throw unreadable('a map of messages cannot be sent as a parameter', name);
  if (key === '__proto__') throw unreadable('the key "__proto__" is not allowed', name);
  if (values.length > 1) throw givenTwice(`${name}.${key}`);
  (holder[field.localName] as Members)[key] = readSingle(field, values[0] as string, `${name}.${key}`);
}

/** Splits a raw query string; undefined when it is not valid percent-encoded UTF-8. */
export function parseQuery(query: string): Map<string, string[]> | undefined {
  const parameters = new Map<string, string[]>();
  if (query === '') return parameters;
  try {
    for (const pair of query.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const values = parameters.get(name);
      if (values) values.push(value);
      else parameters.set(name, [value]);
    }
  } catch {
    return undefined;
  }
  return parameters;
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

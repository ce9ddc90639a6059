// Every message type of the contract, and messages of it filled at random from a fixed seed: what the compiled
// writer and reader are held against.
import {
  ScalarType,
  create,
  createRegistry,
  type DescField,
  type DescMessage,
  type Message,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** As `toEqual`, which takes its time over long texts and bytes, and is asked only for what it has to say of a difference. */
export function expectSame(actual: unknown, expected: unknown, bytes: Buffer): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, bytes.toString('hex')).toEqual(expected);
}

export type Random = () => number;

/** Small, seeded: a failure must come again. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

const wide = [0n, 1n, 127n, 128n, 2n ** 31n, 2n ** 53n, 2n ** 62n];

function scalar(type: ScalarType, random: Random): unknown {
  switch (type) {
    case ScalarType.STRING:
      return pick(random, ['', 'a', 'größer', '声紋', '🎙️', 'x'.repeat(300), 'y'.repeat(70_000)]);
    case ScalarType.BYTES:
      return new Uint8Array(Math.floor(random() * 300)).map(() => random() * 256);
    case ScalarType.BOOL:
      return random() < 0.5;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return Math.fround(pick(random, [0, -0, 1, -2.5, 1e30, NaN, Infinity, random()]));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return pick(random, [0, 1, 127, 128, 16_384, 2 ** 21, 2 ** 28, 2 ** 32 - 1]);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return pick(random, [...wide, 2n ** 64n - 1n]);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return pick(random, [...wide, -1n, -(2n ** 63n)]);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return pick(random, [0, 1, 127, 128, -1, 2 ** 31 - 1, -(2 ** 31)]);
  }
}

function single(field: DescField, random: Random, depth: number): unknown {
  if (field.message) {
    if (field.fieldKind === 'message' && !field.oneof && isWrapperDesc(field.message))
      return scalar(field.message.fields[0].scalar, random);
    return filled(field.message, random, depth + 1);
  }
  if (field.enum) return pick(random, field.enum.values).number;
  return scalar(field.scalar as ScalarType, random);
}

export function filled(desc: DescMessage, random: Random, depth = 0): Message {
  const message = create(desc) as unknown as Record<string, unknown>;
  for (const field of desc.fields) {
    if (random() < 0.3 || (depth > 3 && field.message)) continue;
    const count = Math.floor(random() * 4);
    if (field.fieldKind === 'list') {
      message[field.localName] = Array.from({ length: count }, () => single(field, random, depth));
    } else if (field.fieldKind === 'map') {
      const entries = Array.from({ length: count }, (_, index) => [
        field.mapKey === ScalarType.STRING ? `key ${index}` : String(index),
        single(field, random, depth),
      ]);
      message[field.localName] = Object.fromEntries(entries);
    } else if (field.oneof) {
      message[field.oneof.localName] = { case: field.localName, value: single(field, random, depth) };
    } else {
      message[field.localName] = single(field, random, depth);
    }
  }
  return message as unknown as Message;
}

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'gen', 'vendor');
const modules = await Promise.all(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('_pb.ts'))
    .map((name) => import(join(FOLDER, name)) as Promise<Record<string, unknown>>),
);
const files = modules.flatMap((module) =>
  Object.entries(module).flatMap(([name, value]) => (name.startsWith('file_') ? [value as never] : [])),
);
export const types = [...createRegistry(...files)].filter((type) => type.kind === 'message');

// The compiled reader of requests against the runtime's: the same message for every type of the contract, whole,
// in several parts that merge, with fields that nobody knows, and damaged.
import { create, fromBinary, toBinary, type DescMessage, type Message } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { readBinary } from '../../src/transport/grpc/binary-read.js';
import { itInLanes } from '../support/lanes.js';
import { expectSame, filled, pick, seeded, types, type Random } from './contract-messages.js';

const UNREADABLE = 'unreadable';

function attempt(read: () => Message): Message | typeof UNREADABLE {
  try {
    return read();
  } catch {
    return UNREADABLE;
  }
}

const ours = (type: DescMessage, bytes: Buffer): Message | typeof UNREADABLE =>
  attempt(() => readBinary(type, bytes));
const runtimes = (type: DescMessage, bytes: Buffer): Message | typeof UNREADABLE =>
  attempt(() => fromBinary(type, bytes, { readUnknownFields: false }));

/** One of the ways in which bytes go wrong on their way, or are made wrong. */
function damaged(bytes: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * bytes.length);
  const kind = pick(random, ['cut', 'flip', 'insert', 'remove'] as const);
  if (kind === 'cut') return bytes.subarray(0, at);
  if (kind === 'remove') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  const byte = Buffer.from([pick(random, [0, 1, 0x7f, 0x80, 0xff, Math.floor(random() * 256)])]);
  return Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(kind === 'flip' ? at + 1 : at)]);
}

const typeNamed = (name: string): DescMessage =>
  types.find((candidate) => candidate.typeName === name) as DescMessage;
const anyRequest = typeNamed('vendor.biosec.v1.scopes.CreateScopeRequest');

describe('the reader of requests', () => {
  itInLanes(types.map((type) => [type.typeName, type] as const))(
    'reads %s as the runtime does',
    (_name, type) => {
      const random = seeded(type.typeName.length + 11);
      for (let round = 0; round < 10; round++) {
        const bytes = Buffer.from(toBinary(type, filled(type, random)));
        expectSame(ours(type, bytes), runtimes(type, bytes), bytes);
        // Parts of a message may arrive one after the other; they are merged.
        const twice = Buffer.concat([bytes, Buffer.from(toBinary(type, filled(type, random)))]);
        expectSame(ours(type, twice), runtimes(type, twice), twice);
      }
    },
  );

  itInLanes(types.map((type) => [type.typeName, type] as const))(
    'takes or refuses damaged %s as the runtime does',
    (_name, type) => {
      const random = seeded(type.typeName.length + 13);
      for (let round = 0; round < 30; round++) {
        const bytes = damaged(Buffer.from(toBinary(type, filled(type, random))), random);
        expectSame(ours(type, bytes), runtimes(type, bytes), bytes);
      }
    },
  );

  it('passes over fields and groups that it does not know', () => {
    const known = Buffer.from(toBinary(anyRequest, create(anyRequest, { scopeId: 'a' } as never)));
    const unknown = {
      varint: [0xf8, 0x7f, 0xff, 0x01],
      wide: [0xf9, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8],
      text: [0xfa, 0x7f, 2, 65, 66],
      group: [0xfb, 0x7f, 0x08, 0x01, 0x0b, 0x0c, 0xfc, 0x7f],
      narrow: [0xfd, 0x7f, 1, 2, 3, 4],
    };
    for (const bytes of Object.values(unknown)) {
      const message = readBinary(anyRequest, Buffer.concat([Buffer.from(bytes), known]));
      expect(message).toEqual(fromBinary(anyRequest, known));
    }
  });

  it.each([
    ['a message that is cut short', [0x0a, 5, 65], /cut short/],
    ['a text that is not UTF-8', [0x0a, 1, 0xff], /UTF-8/],
    ['a number without end', [0x10, ...new Array<number>(11).fill(0x80)], /ten bytes/],
    ['the field number 0', [0x00], /number 0/],
    ['a group that does not end', [0xfb, 0x7f, 0x08, 0x01], /cut short/],
    ['a group that ends as another', [0xfb, 0x7f, 0xf4, 0x7f], /did not begin/],
    ['groups without end', new Array<number>(400).fill(0x7b), /too deeply/],
  ])('refuses %s and says so', (_what, bytes, reason) => {
    expect(() => readBinary(anyRequest, Buffer.from(bytes))).toThrow(reason);
  });

  it('refuses a map entry that would replace the ancestor of the map', () => {
    const type = types.find((one) => one.fields.some((field) => field.fieldKind === 'map')) as DescMessage;
    const field = type.fields.find((one) => one.fieldKind === 'map') as DescMessage['fields'][number];
    const key = Buffer.from('__proto__');
    const entry = Buffer.concat([Buffer.from([0x0a, key.length]), key]);
    const bytes = Buffer.concat([Buffer.from([(field.number << 3) | 2, entry.length]), entry]);
    expect(() => readBinary(type, bytes)).toThrow(/__proto__/);
  });

  it('gives up on messages that are nested too deeply', () => {
    const parent = types.find((one) => one.fields.some((field) => field.message === one));
    if (!parent) return;
    const field = parent.fields.find((one) => one.message === parent) as DescMessage['fields'][number];
    let bytes = Buffer.alloc(0);
    for (let level = 0; level < 40; level++)
      bytes = Buffer.concat([Buffer.from([(field.number << 3) | 2, bytes.length]), bytes]);
    expect(ours(parent, bytes)).toEqual(runtimes(parent, bytes));
  });
});

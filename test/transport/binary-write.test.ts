// The compiled writer of answers against the runtime's: the same bytes for every message of the contract,
// filled at random from a fixed seed.
import { create, fromBinary, toBinary, type DescMessage } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { writeBinary } from '../../src/transport/grpc/binary-write.js';
import { itInLanes } from '../support/lanes.js';
import { expectSame, filled, seeded, types } from './contract-messages.js';

describe('the writer of answers', () => {
  it('sees the whole contract', () => {
    expect(types.length).toBeGreaterThan(200);
  });

  itInLanes(types.map((type) => [type.typeName, type] as const))(
    'writes %s as the runtime does',
    (_name, type) => {
      const random = seeded(type.typeName.length + 7);
      for (let round = 0; round < 20; round++) {
        const message = filled(type, random);
        const expected = Buffer.from(toBinary(type, message));
        expect(writeBinary(type, message).equals(expected)).toBe(true);
        expectSame(fromBinary(type, writeBinary(type, message)), fromBinary(type, expected), expected);
      }
    },
  );

  it('grows for a large answer and is small again after it', () => {
    const type = types.find((candidate) => candidate.typeName === 'vendor.rpc.Status') as DescMessage;
    for (const size of [3_000_000, 10]) {
      const message = create(type, {
        statusMessage: { locale: 'en-US', message: 'x'.repeat(size) },
      } as never);
      expect(writeBinary(type, message).equals(Buffer.from(toBinary(type, message)))).toBe(true);
    }
  });
});

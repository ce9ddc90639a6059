// Decompresses messages under a limit that applies while they grow: a few bytes can stand for gigabytes.
import { createGunzip, createInflate } from 'node:zlib';
import { GrpcStatus } from '../grpc-status.js';
import type { ByteHold } from '../limits/byte-budget.js';
import { Refusal } from '../refusal.js';

export const ACCEPTED_ENCODINGS = 'identity,gzip,deflate';

const CHUNK_BYTES = 64 * 1024;

export function unpack(
  packed: Buffer,
  encoding: string | undefined,
  bytesMax: number,
  hold: ByteHold,
): Promise<Buffer> {
  if (encoding !== 'gzip' && encoding !== 'deflate') throw unknownEncoding(encoding);
  const options = { chunkSize: CHUNK_BYTES };
  const stream = encoding === 'gzip' ? createGunzip(options) : createInflate(options);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const fail = (thrown: unknown): void => {
      stream.destroy();
      reject(thrown as Error);
    };
    stream.on('data', (part: Buffer) => {
      size += part.length;
      try {
        if (size > bytesMax) throw messageTooLarge(bytesMax);
        hold.take(part.length);
        parts.push(part);
      } catch (thrown) {
        fail(thrown);
      }
    });
    stream.on('end', () => resolve(Buffer.concat(parts, size)));
    stream.on('error', () =>
      fail(new Refusal(400, GrpcStatus.INVALID_ARGUMENT, `the message is not valid ${encoding}`)),
    );
    stream.end(packed);
  });
}

export function messageTooLarge(bytesMax: number): Refusal {
  return new Refusal(
    413,
    GrpcStatus.RESOURCE_EXHAUSTED,
    `the message is larger than ${bytesMax} bytes, the most that this server accepts`,
  );
}

function unknownEncoding(encoding: string | undefined): Refusal {
  return new Refusal(
    415,
    GrpcStatus.UNIMPLEMENTED,
    encoding === undefined || encoding === 'identity'
      ? 'the message is marked as compressed, but the call names no encoding'
      : `the encoding ${encoding.slice(0, 40)} is not supported; use one of ${ACCEPTED_ENCODINGS}`,
    { 'grpc-accept-encoding': ACCEPTED_ENCODINGS },
  );
}

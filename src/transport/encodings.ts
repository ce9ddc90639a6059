// Compressed answers: which encoding a caller takes, and bytes in it. Only what holds no secret is compressed beside what a
// caller may have put into it: files, the contract, and answers to reading operations, which browsers never send by themselves.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

export type Encoding = 'br' | 'gzip';

/** Below this, the headers would grow more than the body shrinks. */
export const COMPRESSED_BYTES_MIN = 1024;
/** Between transfer and processor time. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** The better one of those that the caller names and does not refuse; undefined where the bytes go as they are. */
export function encodingFor(accepted: string | string[] | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const taken = new Set(
    String(accepted)
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';').map((part) => part.trim()))
      .filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((encoding) => taken.has(encoding));
}

export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br'
    ? packers.br(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
    : packers.gzip(bytes, { level: GZIP_LEVEL });
}

/** Bytes that never change while the server runs: made and compressed on first demand, and kept. */
export function keptBytes(make: () => Buffer): (reply: FastifyReply) => Promise<FastifyReply> {
  const kept = new Map<Encoding | undefined, Promise<Buffer>>();
  const plain = (): Promise<Buffer> => remembered(kept, undefined, async () => make());
  return async (reply) => {
    const encoding = encodingFor(reply.request.headers['accept-encoding']);
    const bytes = encoding
      ? remembered(kept, encoding, async () => compress(await plain(), encoding))
      : plain();
    if (encoding) void reply.header('content-encoding', encoding);
    return reply.header('vary', 'accept-encoding').send(await bytes);
  };
}

function remembered(
  kept: Map<Encoding | undefined, Promise<Buffer>>,
  encoding: Encoding | undefined,
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const known = kept.get(encoding) ?? make();
  kept.set(encoding, known);
  return known;
}

// One HTTP exchange of the contract, on Node's own request and response: reads the body up to its limit and
// writes the answer. The framework serves every other route; its way in and out costs as much as ours, and
// these exchanges need nothing of it.
import { GrpcStatus } from '../grpc-status.js';
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { AppError } from '../../errors.js';
import { compress, type Encoding } from '../encodings.js';
import type { ByteHold } from '../limits/byte-budget.js';
import type { ReceivingPace } from '../receiving-pace.js';
import { Refusal } from '../refusal.js';
import { REQUEST_ID_HEADER } from '../request-id.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The whole body; undefined where there is none. One that is too large or too slow is refused, as is, where bytes are counted,
 * one too many at once.
 */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  pace: ReceivingPace,
  hold?: ByteHold,
): Buffer | undefined | Promise<Buffer | undefined> {
  const announced = request.headers['content-length'];
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) return undefined;
  if (announced !== undefined && Number(announced) > bytesMax) throw tooLarge();
  if (announced !== undefined) hold?.take(Number(announced));
  // A small body came with its headers: nothing to wait for, and nobody to listen.
  if (request.readableLength === Number(announced))
    return (request.read() as Buffer | null) ?? Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const body = new Gathered(announced === undefined ? undefined : Number(announced));
    const fail = (thrown: unknown): void => {
      request.off('data', onData);
      request.off('end', onEnd);
      callOff();
      reject(thrown as Error);
    };
    const callOff = pace.watch({ received: () => body.size, giveUp: fail });
    const onData = (chunk: Buffer): void => {
      try {
        if (body.size + chunk.length > bytesMax) throw tooLarge();
        if (announced === undefined) hold?.take(chunk.length);
        body.add(chunk);
      } catch (thrown) {
        fail(thrown);
      }
    };
    const onEnd = (): void => {
      callOff();
      resolve(body.bytes());
    };
    request.on('data', onData);
    request.on('end', onEnd);
    // A caller that hangs up in the middle of its body is told nothing, but its call has to end.
    request.on('close', () => {
      if (!request.complete) fail(new AppError('CANCELLED_CLIENT', 'the caller hung up'));
    });
  });
}

/** Many small pieces are put together on the way: each would cost a hundred times what it brings. */
const LOOSE_PIECES_MAX = 256;

class Gathered {
  #pieces: Buffer[] = [];
  size = 0;
  readonly #whole: Buffer | undefined;

  constructor(announced: number | undefined) {
    // Untouched pages of a large buffer cost nothing, and pieces are copied only once.
    this.#whole =
      announced === undefined || announced <= 64 * 1024 ? undefined : Buffer.allocUnsafeSlow(announced);
  }

  add(chunk: Buffer): void {
    if (this.#whole) chunk.copy(this.#whole, this.size);
    else if (this.#pieces.push(chunk) > LOOSE_PIECES_MAX) this.#pieces = [Buffer.concat(this.#pieces)];
    this.size += chunk.length;
  }

  bytes(): Buffer {
    if (this.#whole) return this.#whole.subarray(0, this.size);
    return this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces, this.size);
  }
}

function tooLarge(): Refusal {
  const message = 'the body is larger than this server accepts';
  return new Refusal(
    413,
    GrpcStatus.RESOURCE_EXHAUSTED,
    message,
    // The rest of the body would be taken for the next request.
    { connection: 'close' },
    new AppError('TOO_LARGE', message),
  );
}

/** An answer with status 200 that holds no secret. */
export async function writeCompressed(
  response: ServerResponse,
  requestId: string,
  text: string,
  encoding: Encoding,
): Promise<void> {
  const bytes = await compress(Buffer.from(text), encoding);
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, {
    'content-type': JSON_TYPE,
    'content-encoding': encoding,
    'content-length': bytes.length,
    vary: 'accept-encoding',
    [REQUEST_ID_HEADER]: requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(bytes);
}

export function writeText(
  response: ServerResponse,
  httpStatus: number,
  requestId: string,
  text: string,
  more: Readonly<Record<string, string>> | undefined,
): void {
  const bytes = Buffer.byteLength(text);
  // A flat list: the object that it could be is made and taken apart again with every answer.
  const headers: OutgoingHttpHeader[] = [
    'content-type',
    JSON_TYPE,
    'content-length',
    bytes,
    REQUEST_ID_HEADER,
    requestId,
    'x-content-type-options',
    'nosniff',
  ];
  // Secrets, tokens and voice data are for whoever asked.
  if (more?.['cache-control'] === undefined) headers.push('cache-control', 'no-store');
  for (const name in more) headers.push(name, more[name] as string);
  response.writeHead(httpStatus, headers);
  // Text of one byte for each character is the same in both encodings, and less work in this one.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  const { socket } = response;
  if (!socket || response.writableCorked > 0 || socket.writableLength > 0) {
    response.end(text, encoding);
    return;
  }
  // Head and text leave as one string. With the text, `end` would add an empty one, and the two go by a slower way.
  socket.cork();
  response.write(text, encoding);
  socket.uncork();
  response.end();
}

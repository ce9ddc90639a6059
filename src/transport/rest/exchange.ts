// One HTTP exchange of the contract, on Node's own request and response: reads the body up to its limit and
// writes the answer. The framework serves every other route; its way in and out costs as much as ours, and
// these exchanges need nothing of it.
import { status as GrpcStatus } from '@grpc/grpc-js';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '../../errors.js';
import { Refusal } from '../refusal.js';
import { REQUEST_ID_HEADER } from '../request-id.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The whole body; undefined where there is none. One that is too large is refused. */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Buffer | undefined | Promise<Buffer | undefined> {
  const announced = request.headers['content-length'];
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) return undefined;
  if (announced !== undefined && Number(announced) > bytesMax) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= bytesMax) return;
      request.off('data', onData);
      request.off('end', onEnd);
      reject(tooLarge());
    };
    const onEnd = (): void => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
    request.on('data', onData);
    request.on('end', onEnd);
    // A caller that hangs up in the middle of its body is told nothing, but its call has to end.
    request.on('close', () => {
      if (!request.complete) reject(new AppError('CANCELLED_CLIENT', 'the caller hung up'));
    });
  });
}

function tooLarge(): Refusal {
  return new Refusal(
    413,
    GrpcStatus.RESOURCE_EXHAUSTED,
    'the body is larger than this server accepts',
    // The rest of the body would be taken for the next request.
    { connection: 'close' },
  );
}

export function writeText(
  response: ServerResponse,
  httpStatus: number,
  requestId: string,
  text: string,
  more: Readonly<Record<string, string>> | undefined,
): void {
  const headers: OutgoingHttpHeaders = {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    [REQUEST_ID_HEADER]: requestId,
  };
  response.writeHead(httpStatus, more ? { ...headers, ...more } : headers);
  response.end(text);
}

// One HTTP exchange of the contract, on Node's own request and response: reads the body up to its limit and
// writes the answer. The framework serves every other route; its way in and out costs as much as ours, and
// these exchanges need nothing of it.
import { status as GrpcStatus } from '@grpc/grpc-js';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Refusal } from '../refusal.js';
import { REQUEST_ID_HEADER } from '../request-id.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Calls back once: with the whole body, or with the refusal of one that is too large. */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  done: (refusal: Refusal | undefined, body: Buffer | undefined) => void,
): void {
  const announced = request.headers['content-length'];
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) {
    done(undefined, undefined);
    return;
  }
  if (announced !== undefined && Number(announced) > bytesMax) {
    refuseRest(request);
    done(tooLarge(), undefined);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= bytesMax) return;
    request.off('data', onData);
    request.off('end', onEnd);
    refuseRest(request);
    done(tooLarge(), undefined);
  };
  const onEnd = (): void => done(undefined, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
  request.on('data', onData);
  request.on('end', onEnd);
  // A caller that hangs up in the middle of its body leaves nobody to answer, and no listener for an error
  // means that Node raises none.
}

/** What still comes is thrown away, so that the caller gets to read the answer. */
function refuseRest(request: IncomingMessage): void {
  request.resume();
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

// gRPC by hand on Node's HTTP/2 client: calls that no client library would make.
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { TEST_TOKEN } from '../support/server.js';

export interface RawAnswer {
  /** Of the trailers, or of the headers where there are only those. */
  status: number | undefined;
  message: string;
  /** HTTP's own status. */
  httpStatus: number | undefined;
  bytes: Buffer;
  /** How the stream was closed. */
  code: number;
}

export interface RawCall {
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as they are; the call is left open unless `end` says otherwise. */
  frames?: readonly Buffer[];
  end?: boolean;
}

export function dial(address: string): ClientHttp2Session {
  const session = connect(`http://${address}`);
  session.on('error', () => {});
  return session;
}

/** Resolves when the server has closed the call. */
export function call(session: ClientHttp2Session, path: string, options: RawCall = {}): Promise<RawAnswer> {
  const { token, headers, frames, end } = options;
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token === null ? {} : { authorization: `Bearer ${token ?? TEST_TOKEN}` }),
      ...headers,
    },
    { endStream: false },
  );
  return new Promise((resolve) => {
    const seen: IncomingHttpHeaders = {};
    const parts: Buffer[] = [];
    stream.on('response', (got) => Object.assign(seen, got));
    stream.on('trailers', (got) => Object.assign(seen, got));
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', () => {});
    // Answered is answered: a caller that has not finished sending need not hear the stream close.
    const done = (): void =>
      resolve({
        status: seen['grpc-status'] === undefined ? undefined : Number(seen['grpc-status']),
        message: decodeURIComponent(String(seen['grpc-message'] ?? '')),
        httpStatus: Number(seen[':status']),
        bytes: Buffer.concat(parts),
        code: stream.rstCode ?? constants.NGHTTP2_NO_ERROR,
      });
    stream.on('end', () => {
      stream.end();
      setImmediate(done);
    });
    stream.on('close', done);
    for (const frame of frames ?? []) stream.write(frame);
    if (end) stream.end();
  });
}

/** A message as gRPC frames it; `announced` may lie about its size. */
export function framed(message: Buffer, options: { compressed?: boolean; announced?: number } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = options.compressed ? 1 : 0;
  prefix.writeUInt32BE(options.announced ?? message.length, 1);
  return Buffer.concat([prefix, message]);
}

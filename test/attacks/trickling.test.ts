// Callers who send byte by byte: their request is given up after 15 s, over HTTP and over HTTP/2, while one that is merely slow
// is served.
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platform } from '../biometrics/support.js';
import { GrpcStatus } from '../../src/transport/grpc-status.js';
import { TEST_TOKEN, type TestServer } from '../support/server.js';

describe('a request that trickles', { tags: ['slow'], timeout: 60_000 }, () => {
  let platform: Platform;
  let server: TestServer;
  let uploadPath: string;
  beforeAll(async () => {
    platform = await Platform.start();
    ({ server } = platform);
    const context = await platform.open();
    const { body } = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
    const { pathname, search } = new URL(body.mediaUploadUrl as string);
    uploadPath = pathname + search;
  });
  afterAll(() => server.stop());

  it.concurrent.each([
    ['an operation', '/v1/scopes', 'application/json'],
    ['a token', '/oauth2/token', 'application/x-www-form-urlencoded'],
    ['a form', '/oauth2/login', 'application/x-www-form-urlencoded'],
    ['an upload', 'upload', 'audio/wav'],
  ])('is refused after 15 s: %s', async (_what, path, type) => {
    const { socket, answer } = opened(server, path === 'upload' ? uploadPath : path, type, 10_000);
    const [text, seconds] = await trickled(socket, answer);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain(path === '/oauth2/token' ? 'invalid_request' : 'too slowly');
    expect(text).toContain('connection: close');
    expect(seconds).toBeLessThan(25);
  });

  it.concurrent('is refused after 15 s: its headers', async () => {
    const socket = connect(Number(new URL(server.httpUrl).port), '127.0.0.1');
    socket.write('POST /v1/scopes HTTP/1.1\r\nhost: x\r\nx: ');
    const answer = new Promise<string>((resolve) => {
      socket.on('data', (bytes: Buffer) => resolve(bytes.toString()));
      socket.on('error', () => {});
    });
    expect((await trickled(socket, answer))[0]).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.concurrent('is served where it is only slow', async () => {
    const body = JSON.stringify({ scopeId: 'x'.repeat(90_000) });
    const { socket, answer } = opened(server, '/v1/scopes', 'application/json', body.length);
    for (let at = 0; at < body.length; at += 5000) {
      socket.write(body.slice(at, at + 5000));
      await pause(1000);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.concurrent.each([
    ['unary', '/vendor.biosec.v1.scopes.ScopesManager/ListScopes'],
    ['in a stream', '/voxgate.live.v1.LiveAudio/Listen'],
  ])('is refused after 15 s over gRPC: %s', async (_what, path) => {
    const session = connectHttp2(`http://${server.grpcAddress}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      authorization: `Bearer ${TEST_TOKEN}`,
    });
    let status: string | undefined;
    const said = (headers: Record<string, unknown>): void => {
      status ??= headers['grpc-status'] as string | undefined;
    };
    stream.on('response', said);
    stream.on('trailers', said);
    stream.on('error', () => {});
    stream.resume();
    const frame = Buffer.alloc(5 + 1000);
    frame.writeUInt32BE(1000, 1);
    for (let at = 0; at < 40 && status === undefined; at++) {
      stream.write(frame.subarray(at, at + 1));
      await pause(500);
    }
    expect(status).toBe(String(GrpcStatus.DEADLINE_EXCEEDED));
    stream.close(constants.NGHTTP2_CANCEL);
    session.destroy();
  });
});

function opened(
  server: TestServer,
  path: string,
  type: string,
  length: number,
): { socket: Socket; answer: Promise<string> } {
  const { port } = new URL(server.httpUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const method = path.includes('/media/') ? 'PUT' : 'POST';
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_TOKEN}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      resolve(text);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
  return { socket, answer };
}

/** What came back, and after how many seconds of a byte each half of one. */
async function trickled(socket: Socket, answer: Promise<string>): Promise<[string, number]> {
  const startedAtMs = performance.now();
  const sending = setInterval(() => socket.write('{'), 500);
  const text = await answer;
  clearInterval(sending);
  socket.destroy();
  return [text, (performance.now() - startedAtMs) / 1000];
}

// Attacks on the protocols below the calls: callers that are slow, silent, or send what costs them nothing.
import { connect as connectTcp, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fromBinary } from '@bufbuild/protobuf';
import { constants } from 'node:http2';
import { CreateScopeResponseSchema, ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { call, dial, framed } from './raw-grpc.js';

const PATH = `/${ScopesManager.typeName}/CreateScope`;
let server: TestServer;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startTestServer({
    bare: true,
    bindings: [echoScopes().binding],
    config: { 'limits.callTimeoutMs': 1000, 'limits.shutdownMs': 500 },
  });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.stop());

/** A client that came before the attack or after it finds everything as it should be. */
async function isWell(): Promise<boolean> {
  const session = dial(server.grpcAddress);
  const answer = await call(session, PATH, { frames: [framed(Buffer.alloc(0))], end: true });
  session.destroy();
  const rest = await server.rest('GET', '/healthz', { token: null });
  return answer.status === 0 && rest.status === 200;
}

function openTo(address: string): { socket: Socket; closed: Promise<string> } {
  const { hostname, port } = new URL(address.includes('//') ? address : `http://${address}`);
  const socket = connectTcp(Number(port), hostname);
  sockets.push(socket);
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (part) => (text += part.toString('latin1')));
  return { socket, closed: new Promise((resolve) => socket.on('close', () => resolve(text))) };
}

describe('slow callers', () => {
  it.each([
    ['that say nothing', ''],
    ['that never finish their headers', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: '],
    [
      'that never finish their body',
      'POST /v1/scopes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer test-token\r\ncontent-length: 900\r\n\r\n{',
    ],
  ])('over HTTP %s are told that time is over, and cut', async (_name, bytes) => {
    const { socket, closed } = openTo(server.httpUrl);
    socket.write(bytes);
    expect(await closed).toMatch(/^HTTP\/1\.1 (408|504) |^$/);
  });

  it('over gRPC that never finish their message are told that time is over', async () => {
    const session = dial(server.grpcAddress);
    const answer = await call(session, PATH, { frames: [framed(Buffer.from('x'), { announced: 1000 })] });
    const { status } = fromBinary(CreateScopeResponseSchema, answer.bytes.subarray(5));
    expect(status?.statusCode).toBe(StatusCode.DEADLINE_EXCEEDED);
    session.destroy();
  });
});

describe('floods of frames', () => {
  it('of pings end the connection', async () => {
    const session = dial(server.grpcAddress);
    const closed = new Promise((resolve) => session.on('close', resolve));
    await new Promise((resolve) => session.on('connect', resolve));
    const flood = setInterval(() => {
      for (let at = 0; at < 10 && !session.destroyed; at++) session.ping(() => {});
    }, 1);
    await closed;
    clearInterval(flood);
    expect(await isWell()).toBe(true);
  });

  it('of calls that are reset at once leave the server well', async () => {
    for (let round = 0; round < 5; round++) {
      const session = dial(server.grpcAddress);
      for (let at = 0; at < 500 && !session.destroyed; at++) {
        const stream = session.request({
          ':method': 'POST',
          ':path': PATH,
          'content-type': 'application/grpc',
        });
        stream.on('error', () => {});
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      session.destroy();
    }
    expect(await isWell()).toBe(true);
    const { body } = await server.rest('GET', '/metrics', { token: null });
    expect(body).toContain('voxgate_calls_in_flight{transport="grpc"} 0');
  });

  it('of headers that never end are not kept', async () => {
    const { socket, closed } = openTo(server.grpcAddress);
    const frame = (type: number, stream: number, payload: Buffer): Buffer => {
      const head = Buffer.alloc(9);
      head.writeUIntBE(payload.length, 0, 3);
      head[3] = type;
      head.writeUInt32BE(stream, 5);
      return Buffer.concat([head, payload]);
    };
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(frame(4, 0, Buffer.alloc(0)));
    socket.write(frame(1, 1, Buffer.from([0x83])));
    const field = Buffer.concat([
      Buffer.from([0, 1]),
      Buffer.from('x'),
      Buffer.from([100]),
      Buffer.alloc(100, 97),
    ]);
    const more = frame(9, 1, Buffer.concat(Array.from({ length: 100 }, () => field)));
    const flood = setInterval(() => {
      if (socket.writable) socket.write(more);
    }, 1);
    await closed;
    clearInterval(flood);
    expect(await isWell()).toBe(true);
  });

  it('that are no HTTP/2 at all end the connection', async () => {
    const { socket, closed } = openTo(server.grpcAddress);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await closed;
    expect(await isWell()).toBe(true);
  });
});

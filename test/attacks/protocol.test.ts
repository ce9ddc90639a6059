// Attacks on the protocols below the calls: callers that are slow, silent, or send what costs them nothing.
import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fromBinary } from '@bufbuild/protobuf';
import { connect as connectHttp2, constants } from 'node:http2';
import { CreateScopeResponseSchema, ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { call, dial, framed } from './raw-grpc.js';

const PATH = `/${ScopesManager.typeName}/CreateScope`;
const CALL_TIMEOUT_MS = 1000;
let server: TestServer;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await startTestServer({
    bare: true,
    bindings: [echoScopes().binding],
    config: { 'limits.callTimeoutMs': CALL_TIMEOUT_MS, 'limits.shutdownMs': 500 },
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

  it('are not blamed where the server itself stood still while they spoke', async () => {
    const { socket, closed } = openTo(server.httpUrl);
    // Until the server has taken the connection, after another one that came later.
    await new Promise((resolve) => socket.once('connect', resolve));
    await server.rest('GET', '/healthz', { token: null });
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    // Nothing is read, and no timer ends, until the time for the headers is over for long.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * CALL_TIMEOUT_MS);
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
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

describe('two Authorization headers', () => {
  it.each(['GET /v1/scopes', 'GET /metrics', 'GET /healthz', 'POST /v1/scopes', 'GET /nowhere'])(
    'are refused at %s: nobody has to guess which one counts',
    async (line) => {
      const { socket, closed } = openTo(server.httpUrl);
      const both = 'authorization: Bearer test-token\r\nAuthorization: Basic eDp5\r\n';
      socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${both}\r\n`);
      const answer = await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('the Authorization header is present more than once');
    },
  );

  it('are refused in the metadata of a call', async () => {
    const bearer = ['authorization', 'Bearer test-token'] as const;
    const ask = async (...more: (readonly [string, string])[]) => {
      const session = connectHttp2(`http://${server.grpcAddress}`, {
        createConnection: () => withHeaders(server.grpcAddress, [bearer, ...more]),
      });
      session.on('error', () => {});
      const answer = await call(session, PATH, { frames: [framed(Buffer.alloc(0))], end: true });
      session.destroy();
      return answer;
    };
    expect((await ask()).status).toBe(0);
    expect(await ask(['authorization', 'Bearer other'])).toMatchObject({
      status: 3,
      message: 'the Authorization header is present more than once',
    });
  });
});

const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const HEADERS_FRAME = 1;

/** A connection on which the headers of the call are these, whatever the client has written: Node's sends no field twice. */
function withHeaders(address: string, fields: readonly (readonly [string, string])[]): Duplex {
  const { socket } = openTo(address);
  const plain = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':authority', address],
    [':path', PATH],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ...fields,
  ] as const;
  // Literal fields, never indexed, no Huffman: the shortest way to say something in HPACK.
  const block = Buffer.concat(
    plain.flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  );
  let waiting = Buffer.alloc(0);
  let passed = 0;
  const duplex = new Duplex({
    read: () => {},
    write(chunk: Buffer, _encoding, done) {
      waiting = Buffer.concat([waiting, chunk]);
      if (passed === 0 && waiting.length >= PREFACE_BYTES) pass(PREFACE_BYTES);
      while (passed > 0 && waiting.length >= FRAME_HEAD_BYTES) {
        const length = FRAME_HEAD_BYTES + waiting.readUIntBE(0, 3);
        if (waiting.length < length) break;
        if (waiting[3] === HEADERS_FRAME) {
          const head = Buffer.from(waiting.subarray(0, FRAME_HEAD_BYTES));
          head.writeUIntBE(block.length, 0, 3);
          // Only that the headers end here: a priority would be bytes that are not there.
          head[4] = constants.NGHTTP2_FLAG_END_HEADERS;
          socket.write(Buffer.concat([head, block]));
          waiting = waiting.subarray(length);
        } else pass(length);
      }
      done();
    },
  });
  const pass = (bytes: number): void => {
    socket.write(waiting.subarray(0, bytes));
    waiting = waiting.subarray(bytes);
    passed += bytes;
  };
  socket.on('data', (part) => duplex.push(part));
  socket.on('close', () => duplex.push(null));
  return duplex;
}

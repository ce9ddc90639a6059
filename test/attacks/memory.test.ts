// Memory that strangers, or one client for all, could make the server use.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { ClientHttp2Session } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CreateScopeRequestSchema,
  CreateScopeResponseSchema,
  ScopesManager,
} from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { GrpcStatus } from '../../src/transport/grpc-status.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { call, dial, framed, type RawAnswer } from './raw-grpc.js';

const MIB = 1024 * 1024;
const PATH = `/${ScopesManager.typeName}/CreateScope`;
const messageOf = (scopeId: string): Buffer =>
  Buffer.from(toBinary(CreateScopeRequestSchema, create(CreateScopeRequestSchema, { scopeId })));
const codeIn = ({ bytes }: RawAnswer): StatusCode | undefined =>
  bytes.length < 5 ? undefined : fromBinary(CreateScopeResponseSchema, bytes.subarray(5)).status?.statusCode;

let server: TestServer;
let session: ClientHttp2Session;
let release: () => void;
beforeAll(async () => {
  const echo = echoScopes();
  release = echo.seen.release;
  server = await startTestServer({
    bare: true,
    bindings: [echo.binding],
    config: {
      'limits.messageBytes': 2 * MIB,
      'limits.bodyBytes': 2 * MIB,
      'limits.bytesInFlight': 16 * MIB,
      'limits.bytesInFlightPerClient': 8 * MIB,
      'limits.bytesInFlightPerConnection': 4 * MIB,
    },
    callers: {
      'other-token': {
        subject: 'other',
        issuer: 'i',
        clientId: 'other',
        scopes: ['biosec'],
        tenants: 'all',
      },
    },
  });
});
afterAll(async () => {
  release();
  await server.stop();
});
beforeEach(() => (session = dial(server.grpcAddress)));
afterEach(() => session.destroy());

const bytesHeld = async (): Promise<number> => {
  const { body } = await server.rest('GET', '/metrics', { token: null });
  return Number(/^voxgate_bytes_in_flight (\d+)/m.exec(body as string)?.[1]);
};

describe('before the caller is known', () => {
  it('refuses a gRPC call by its headers, without waiting for a byte of its message', async () => {
    expect(await call(session, PATH, { token: null })).toMatchObject({ status: GrpcStatus.UNAUTHENTICATED });
    const begun = { token: 'wrong', frames: [framed(Buffer.alloc(100), { announced: 2 * MIB })] };
    expect(await call(session, PATH, begun)).toMatchObject({ status: GrpcStatus.UNAUTHENTICATED });
  });

  it.each(['grpc.health.v1.Health/Check', 'grpc.reflection.v1.ServerReflection/ServerReflectionInfo'])(
    'takes no more than a name for %s, which asks for no token',
    async (method) => {
      const begun = { token: null, frames: [framed(Buffer.alloc(100), { announced: 2 * MIB })] };
      expect(await call(session, `/${method}`, begun)).toMatchObject({
        status: GrpcStatus.RESOURCE_EXHAUSTED,
      });
      expect(await bytesHeld()).toBe(0);
    },
  );

  it('unpacks nothing for strangers', async () => {
    const bomb = framed(gzipSync(messageOf('x'.repeat(2 * MIB - 100))), { compressed: true });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call(session, PATH, { token: null, headers: { 'grpc-encoding': 'gzip' }, frames: [bomb] }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([GrpcStatus.UNAUTHENTICATED]));
    expect(await bytesHeld()).toBe(0);
  });

  it('names the limit to metadata that is too large', async () => {
    const headers = { 'x-more': 'm'.repeat(20_000) };
    expect(await call(session, PATH, { headers })).toMatchObject({
      status: GrpcStatus.RESOURCE_EXHAUSTED,
      message: expect.stringContaining('16384 bytes') as string,
    });
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, 'm'.repeat(500)]));
    expect((await call(session, PATH, { headers: many })).status).not.toBe(GrpcStatus.OK);
  });

  it('takes no large body on a path that is no operation', async () => {
    const answer = await announce(server.httpUrl, '/no/such/path', 3 * MIB);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"status_code":413');
  });
});

describe('bytes in flight', () => {
  it('are bounded per connection, and given back when the calls end', async () => {
    const unfinished = framed(Buffer.alloc(10), { announced: 1.5 * MIB });
    const open = [1, 2].map(() => call(session, PATH, { frames: [unfinished] }));
    const third = await call(session, PATH, { frames: [unfinished] });
    expect(codeIn(third)).toBe(StatusCode.BUSY);
    expect(third.bytes.toString('latin1')).toContain('BYTES_IN_FLIGHT');
    await expect.poll(bytesHeld).toBe(3 * MIB);
    session.destroy();
    await Promise.all(open);
    await expect.poll(bytesHeld).toBe(0);
  });

  it('are bounded per client over many connections, while another client is served', async () => {
    const sessions = Array.from({ length: 6 }, () => dial(server.grpcAddress));
    const unfinished = framed(Buffer.alloc(10), { announced: 1.9 * MIB });
    const answers = sessions.map((one) => call(one, PATH, { frames: [unfinished] }));
    const first = await Promise.race(answers);
    expect(codeIn(first)).toBe(StatusCode.BUSY);
    const other = await call(session, PATH, {
      token: 'other-token',
      frames: [framed(messageOf('y'.repeat(MIB)))],
      end: true,
    });
    expect(codeIn(other)).toBe(StatusCode.OK);
    for (const one of sessions) one.destroy();
    await Promise.all(answers);
  });

  it('count what compressed messages grow to, while they grow', async () => {
    const bomb = framed(gzipSync(messageOf('x'.repeat(1.5 * MIB))), { compressed: true });
    const headers = { 'grpc-encoding': 'gzip' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(session, PATH, { headers, frames: [bomb], end: true })),
    );
    const codes = answers.map(codeIn);
    expect(codes).toContain(StatusCode.OK);
    expect(codes).toContain(StatusCode.BUSY);
    await expect.poll(bytesHeld).toBe(0);
  });

  it('refuses a message that unpacks to more than the limit', async () => {
    const bomb = framed(gzipSync(Buffer.alloc(64 * MIB)), { compressed: true });
    const answer = await call(session, PATH, { headers: { 'grpc-encoding': 'gzip' }, frames: [bomb] });
    expect(answer).toMatchObject({
      status: GrpcStatus.RESOURCE_EXHAUSTED,
      message: expect.stringContaining('2097152 bytes') as string,
    });
  });

  it('are bounded for REST bodies as for messages', async () => {
    const path = '/v1/scopes';
    const open = [1, 2, 3, 4].map(() => announce(server.httpUrl, path, 1.9 * MIB, true));
    await expect.poll(bytesHeld).toBe(4 * Math.floor(1.9 * MIB));
    const answer = await announce(server.httpUrl, path, 1.9 * MIB, true);
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/retry-after: 1/i);
    for (const one of open) void one;
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(bytesHeld).toBe(0);
  });
});

const sockets: ReturnType<typeof connectTcp>[] = [];

/** Announces a body, sends a little of it, and answers what comes back. */
function announce(url: string, path: string, size: number, known = false): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connectTcp(Number(port), hostname);
  sockets.push(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    `content-length: ${Math.floor(size)}`,
    ...(known ? ['authorization: Bearer test-token'] : []),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"scope_id":"`);
  return new Promise((resolve) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (part) => {
      text += part.toString();
      if (text.includes('}')) resolve(text);
    });
    socket.on('close', () => resolve(text));
  });
}

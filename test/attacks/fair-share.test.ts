// One client that takes more than its share: calls, streams, connections, calls per second.
import { Client, credentials } from '@grpc/grpc-js';
import { EventEmitter } from 'node:events';
import { connect as connectTcp, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  AuditDataExporter,
  ExportRecordsRequestSchema,
  ExportRecordsResponseSchema,
  type ExportRecordsResponse,
} from '../../src/gen/vendor/biosec/v1/history/history_pb.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { silentLog } from '../../src/platform.js';
import { ConnectionGuard } from '../../src/transport/limits/connection-guard.js';
import { bindService } from '../../src/transport/service.js';
import { echoScopes, type Seen } from '../support/echo-service.js';
import {
  callMetadata,
  deserializerFor,
  serializerFor,
  startTestServer,
  type TestServer,
} from '../support/server.js';
import { call, dial, framed } from './raw-grpc.js';

const otherCaller = {
  subject: 'other',
  issuer: 'i',
  clientId: 'other',
  scopes: ['biosec', 'platform-api'],
  tenants: 'all',
} as const;

const exporter = bindService(
  AuditDataExporter,
  { anyOf: ['platform-api'] },
  {
    async *exportRecords(_call, requests) {
      yield { exportResponse: { iterator: 'open' } };
      for await (const request of requests)
        yield { exportResponse: { iterator: String(request.request.case) } };
    },
    // Listens to nothing but the end of the call.
    async *exportRecordsWithPersonalData(call) {
      yield { exportResponse: { iterator: 'open' } };
      await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      yield { exportResponse: { iterator: 'too late' } };
    },
  },
);

const servers: TestServer[] = [];
let raw: Client;
const start = async (
  config: Record<string, unknown>,
): Promise<{ server: TestServer; seen: Seen; raw: Client }> => {
  const echo = echoScopes();
  const server = await startTestServer({
    bare: true,
    bindings: [echo.binding, exporter],
    config,
    callers: { 'other-token': otherCaller },
  });
  servers.push(server);
  return { server, seen: echo.seen, raw: new Client(server.grpcAddress, credentials.createInsecure()) };
};
afterAll(async () => {
  for (const server of servers) await server.stop();
});

interface OpenStream {
  answers: ExportRecordsResponse[];
  first: Promise<ExportRecordsResponse>;
  ended: Promise<unknown>;
  cancel(): void;
}

function openStream(client: Client, method: string, token?: string): OpenStream {
  const stream = client.makeBidiStreamRequest(
    `/${AuditDataExporter.typeName}/${method}`,
    serializerFor(ExportRecordsRequestSchema),
    deserializerFor(ExportRecordsResponseSchema),
    callMetadata(token === undefined ? {} : { token }),
  );
  const answers: ExportRecordsResponse[] = [];
  stream.on('data', (answer: ExportRecordsResponse) => answers.push(answer));
  stream.on('error', () => {});
  return {
    answers,
    first: new Promise((resolve) => stream.once('data', resolve)),
    ended: new Promise((resolve) => stream.on('end', resolve)),
    cancel: () => stream.cancel(),
  };
}

const statusOf = (answer: ExportRecordsResponse | undefined): StatusCode | undefined =>
  answer?.exportResponse?.status?.statusCode;

describe('streams', () => {
  const open: OpenStream[] = [];
  beforeAll(async () => {
    ({ raw } = await start({ 'limits.streamsPerClient': 3 }));
  });
  afterAll(() => raw.close());
  afterEach(() => {
    for (const one of open.splice(0)) one.cancel();
  });

  it('are few per client, and the streams of others are served meanwhile', async () => {
    for (let at = 0; at < 3; at++) open.push(openStream(raw, 'ExportRecords'));
    for (const one of open) expect(statusOf(await one.first)).toBe(StatusCode.OK);
    const fourth = openStream(raw, 'ExportRecords');
    expect(statusOf(await fourth.first)).toBe(StatusCode.BUSY);
    const other = openStream(raw, 'ExportRecords', 'other-token');
    expect(statusOf(await other.first)).toBe(StatusCode.OK);
    other.cancel();
    // The place of one that ended is free again.
    open.pop()?.cancel();
    await expect
      .poll(async () => {
        const next = openStream(raw, 'ExportRecords');
        open.push(next);
        return statusOf(await next.first);
      })
      .toBe(StatusCode.OK);
  });
});

describe('a stream that takes its time', () => {
  it('ends when its caller is silent for too long', async () => {
    const { raw: client } = await start({ 'limits.streamIdleMs': 200 });
    const stream = openStream(client, 'ExportRecords');
    await stream.ended;
    expect(stream.answers.map(statusOf)).toEqual([StatusCode.OK, StatusCode.DEADLINE_EXCEEDED]);
    client.close();
  });

  it('ends when it has lasted as long as it may, whatever its handler waits for', async () => {
    const { raw: client } = await start({ 'limits.streamTimeoutMs': 200 });
    const streams = ['ExportRecords', 'ExportRecordsWithPersonalData'].map((method) =>
      openStream(client, method),
    );
    for (const stream of streams) {
      await stream.ended;
      expect(stream.answers.map(statusOf)).toEqual([StatusCode.OK, StatusCode.DEADLINE_EXCEEDED]);
    }
    client.close();
  });
});

describe('calls', () => {
  it('of one client are bounded, and another is served meanwhile', async () => {
    const { server, seen } = await start({ 'limits.concurrentCallsPerClient': 2 });
    const client = server.grpc(ScopesManager);
    const waiting = [
      server.rest('POST', '/v1/scopes', { body: { scopeId: 'gated' } }),
      client.createScope({ scopeId: 'gated' }),
    ];
    await expect.poll(() => seen.calls.length).toBe(2);
    const third = await client.createScope({ scopeId: 'x' });
    expect(third.status?.statusCode).toBe(StatusCode.BUSY);
    expect(third.status?.diagnosticDetails[0]?.code).toBe('CLIENT_SHARE_USED');
    const other = await client.createScope({ scopeId: 'x' }, { token: 'other-token' });
    expect(other.status?.statusCode).toBe(StatusCode.OK);
    seen.release();
    await Promise.all(waiting);
    expect((await client.createScope({ scopeId: 'x' })).status?.statusCode).toBe(StatusCode.OK);
  });

  it('that come too fast are told RATE_EXCEEDED and when to come again, on both transports', async () => {
    // Slow enough that no second passes by refilling the bucket of a slow machine.
    let now = Date.now();
    const echo = echoScopes();
    const server = await startTestServer({
      bare: true,
      bindings: [echo.binding],
      config: { 'rateLimits.callsPerSecond': 2 },
      callers: { 'other-token': otherCaller },
      overrides: { clock: { now: () => now } },
    });
    servers.push(server);
    const client = server.grpc(ScopesManager);
    const ask = (): ReturnType<typeof client.createScope> => client.createScope({ scopeId: 'x' });
    expect((await ask()).status?.statusCode).toBe(StatusCode.OK);
    expect((await ask()).status?.statusCode).toBe(StatusCode.OK);
    const third = await ask();
    expect(third.status?.statusCode).toBe(StatusCode.RATE_EXCEEDED);
    expect(third.status?.retryInfo).toBeDefined();
    const rest = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' } });
    expect(rest.status).toBe(429);
    expect(rest.headers.get('retry-after')).toBe('1');
    const other = await client.createScope({ scopeId: 'x' }, { token: 'other-token' });
    expect(other.status?.statusCode).toBe(StatusCode.OK);
    now += 500;
    expect((await ask()).status?.statusCode).toBe(StatusCode.OK);
    expect((await ask()).status?.statusCode).toBe(StatusCode.RATE_EXCEEDED);
  });
});

describe('connections', () => {
  const sockets: Socket[] = [];
  const connectTo = (address: string): Promise<'open' | 'closed'> => {
    const { hostname, port } = new URL(address.includes('//') ? address : `http://${address}`);
    const socket = connectTcp(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => {});
    return new Promise((resolve) => {
      socket.on('close', () => resolve('closed'));
      socket.on('connect', () => setTimeout(() => resolve('open'), 500));
    });
  };
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  it.each([
    ['in all', { 'limits.connections': 3 }],
    ['of one address', { 'limits.connectionsPerAddress': 3 }],
  ])('are bounded %s, over both listeners', async (_name, config) => {
    const { server, raw: client } = await start(config);
    client.close();
    const kept = [connectTo(server.httpUrl), connectTo(server.httpUrl), connectTo(server.grpcAddress)];
    expect(await Promise.all(kept)).toEqual(['open', 'open', 'open']);
    expect(await Promise.all([connectTo(server.httpUrl), connectTo(server.grpcAddress)])).toEqual([
      'closed',
      'closed',
    ]);
    sockets.shift()?.destroy();
    await expect.poll(() => connectTo(server.httpUrl)).toBe('open');
  });
});

it.each([
  ['2001:db8::7', ['2001:db8::1', '2001:db8::2'], 'refused'],
  ['2001:db8:0:1::1', ['2001:db8::1', '2001:db8::2'], 'let in'],
  ['::ffff:203.0.113.9', ['203.0.113.9', '203.0.113.9'], 'refused'],
  ['203.0.113.8', ['203.0.113.9', '203.0.113.9'], 'let in'],
])('a connection from %s beside two from %j is %s', (next, before, expected) => {
  const listener = new EventEmitter();
  const told: unknown[] = [];
  const log = { ...silentLog, warn: (said: unknown) => void told.push(said) };
  new ConnectionGuard({ connections: 100, connectionsPerAddress: 2 }, log).watch(listener as Server);
  const connect = (remoteAddress: string): 'refused' | 'let in' => {
    let outcome: 'refused' | 'let in' = 'let in';
    const destroy = (): void => void (outcome = 'refused');
    listener.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }));
    return outcome;
  };
  expect(before.map(connect)).toEqual(['let in', 'let in']);
  expect(connect(next)).toBe(expected);
  // However many follow, the log has it once.
  connect(next);
  connect(next);
  if (expected === 'refused') expect(told).toHaveLength(1);
});

describe('calls that need no token', () => {
  const check = (session: ReturnType<typeof dial>) =>
    call(session, '/grpc.health.v1.Health/Check', {
      token: null,
      frames: [framed(Buffer.alloc(0))],
      end: true,
    });

  it('cannot be kept open in any number', async () => {
    const { server } = await start({});
    const sessions = Array.from({ length: 3 }, () => dial(server.grpcAddress));
    const watches = sessions.flatMap((session) =>
      Array.from({ length: 30 }, () =>
        call(session, '/grpc.health.v1.Health/Watch', { token: null, frames: [framed(Buffer.alloc(0))] }),
      ),
    );
    const refused = await Promise.race(watches);
    expect(refused.message).toContain('too many');
    // One more answer comes after all refusals: Node's client corrupts its memory when a session is destroyed between them.
    await Promise.all(sessions.map(check));
    for (const session of sessions) session.destroy();
    await Promise.all(watches);
    const session = dial(server.grpcAddress);
    expect((await check(session)).bytes).toEqual(framed(Buffer.from([8, 1])));
    session.destroy();
  });
});

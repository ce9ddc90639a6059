// Running the server: capacity, calls under a key, shutdown, health, metrics, the log.
import { connect } from 'node:net';
import { status, type ServiceError } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { Once } from '../../src/idempotency/once.js';
import type { KeptAnswer, KeptAnswers } from '../../src/idempotency/ports.js';
import type { Log } from '../../src/platform.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.js';

let server: TestServer;
afterEach(() => server.stop());

async function start(options: TestServerOptions = {}) {
  const echo = echoScopes();
  server = await startTestServer({ bare: true, bindings: [echo.binding], ...options });
  return { ...echo, client: server.grpc(ScopesManager) };
}

/** As the storage keeps them, for as long as the test lasts. */
function answersInMemory(): KeptAnswers {
  const kept = new Map<string, KeptAnswer>();
  return {
    find: async (id) => kept.get(id),
    async keep(id, fingerprint, work) {
      kept.set(id, { fingerprint, answer: (await work()).answer });
      return true;
    },
    sweep: async () => 0,
  };
}

describe('an idempotency key', () => {
  const startKeyed = () => start({ parts: [{ once: new Once(answersInMemory()) }] });
  const post = (key: string, scopeId: string, path = '/v1/scopes') =>
    server.rest('POST', path, { body: { scopeId }, headers: { 'Idempotency-Key': key } });

  it('gets a repetition the first answer, over either transport, and says so', async () => {
    const { client, seen } = await startKeyed();
    const first = await post('k', 'x');
    const again = await post('k', 'x');
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    let replayed: unknown;
    const overGrpc = await client.createScope(
      { scopeId: 'x' },
      {
        metadata: { 'idempotency-key': 'k' },
        onMetadata: (metadata) => (replayed = metadata.get('idempotency-replayed')),
      },
    );
    expect(overGrpc.gkScopeId?.value).toBe('gk-x');
    expect(replayed).toEqual(['true']);
    expect(seen.calls).toHaveLength(1);
  });

  it('is refused for another request, another operation, and when it cannot be a key', async () => {
    await startKeyed();
    await post('k', 'x');
    const codes = async (...answers: ReturnType<typeof post>[]) =>
      (await Promise.all(answers)).map(({ status, body }) => [
        status,
        body.status.statusCode,
        body.status.diagnosticDetails[0].code,
      ]);
    expect(await codes(post('k', 'y'), post('no key', 'x'))).toEqual([
      [400, 'INVALID_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
      [400, 'INVALID_REQUEST', 'IDEMPOTENCY_KEY_INVALID'],
    ]);
  });

  it('of a call that still runs is answered 409, and when to come back', async () => {
    const { seen } = await startKeyed();
    const first = post('k', 'gated');
    await expect.poll(() => seen.calls.length).toBe(1);
    const second = await post('k', 'gated');
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '1']);
    expect(second.body.status).toMatchObject({
      statusCode: 'BUSY',
      httpTransCode: 409,
      retryInfo: { retryDelayMs: 1000 },
      diagnosticDetails: [{ code: 'IDEMPOTENCY_KEY_IN_USE' }],
    });
    seen.release();
    expect((await first).status).toBe(200);
  });

  it('does not keep a failure', async () => {
    const { seen } = await startKeyed();
    const failed = [await post('k', 'busy'), await post('k', 'busy')];
    expect(failed.map(({ status }) => status)).toEqual([503, 503]);
    expect(seen.calls).toHaveLength(2);
  });

  it('means nothing where a call can be repeated as it is', async () => {
    const { seen } = await startKeyed();
    const get = () => server.rest('GET', '/v1/scopes/x/gkid', { headers: { 'Idempotency-Key': 'k' } });
    await get();
    expect((await get()).headers.get('idempotency-replayed')).toBeNull();
    expect(seen.calls).toHaveLength(2);
  });
});

describe('capacity', () => {
  it('answers BUSY above the number of calls served at once', async () => {
    const { client, seen } = await start({ config: { 'limits.concurrentCalls': 2 } });
    const gated = [client.createScope({ scopeId: 'gated' }), client.createScope({ scopeId: 'gated' })];
    await expect.poll(() => seen.calls.length).toBe(2);
    const refused = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' } });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body.status.statusCode).toBe('BUSY');
    seen.release();
    expect((await Promise.all(gated)).map((answer) => answer.status?.statusCode)).toEqual([
      StatusCode.OK,
      StatusCode.OK,
    ]);
    expect((await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' } })).status).toBe(200);
  });

  it('cuts a handler at the longest time a call may take', async () => {
    const { client } = await start({ config: { 'limits.callTimeoutMs': 150 } });
    const { status } = await client.createScope({ scopeId: 'endless' });
    expect(status?.statusCode).toBe(StatusCode.DEADLINE_EXCEEDED);
    const message = expect.stringContaining('the 150 ms that this server allows (limits.callTimeoutMs)');
    expect(status?.statusMessage).toMatchObject({ message });
    const { status: code, body } = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'endless' } });
    expect([code, body.status.statusMessage.message]).toEqual([504, message]);
  });

  it('tells a handler that its REST caller hung up', async () => {
    const { seen } = await start();
    const url = new URL(server.httpUrl);
    const body = '{"scopeId":"endless"}';
    const socket = connect(Number(url.port), url.hostname);
    socket.write(
      `POST /v1/scopes HTTP/1.1\r\nhost: x\r\nauthorization: Bearer test-token\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => seen.calls.length).toBe(1);
    expect(seen.calls[0]?.signal.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => seen.calls[0]?.signal.aborted).toBe(true);
  });
});

describe('shutdown', () => {
  it('finishes calls in flight and refuses new ones', async () => {
    const { client, seen } = await start();
    const calls = [
      client.createScope({ scopeId: 'gated' }),
      server.rest('POST', '/v1/scopes', { body: { scopeId: 'gated' } }),
    ] as const;
    await expect.poll(() => seen.calls.length).toBe(2);
    const { httpUrl } = server;
    const stopped = server.stopApp();
    const connection = { connection: 'close' };
    await expect
      .poll(async () => (await fetch(`${httpUrl}/healthz`, { headers: connection })).status)
      .toBe(503);
    // Those who come anew find somebody who tells them so, for as long as there are calls to finish.
    const rest = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' }, headers: connection });
    expect(rest.status).toBe(503);
    expect(rest.headers.get('retry-after')).toBe('1');
    const newcomer = server.grpc(ScopesManager);
    await expect(newcomer.createScope({ scopeId: 'x' })).rejects.toMatchObject({ code: status.UNAVAILABLE });
    seen.release();
    expect((await calls[0]).gkScopeId?.value).toBe('gk-gated');
    expect((await calls[1]).body.gkScopeId).toEqual({ value: 'gk-gated' });
    await stopped;
  });

  it('cuts what is left after the limit, and nothing before', async () => {
    // Another server has longer to finish, began to stop earlier, and is still waiting when this one is done.
    const { client: ofPatient, seen: byPatient } = await start({ config: { 'limits.shutdownMs': 60_000 } });
    const patient = server;
    const answered = ofPatient.createScope({ scopeId: 'gated' });
    await expect.poll(() => byPatient.calls.length).toBe(1);
    const { client, seen } = await start({ config: { 'limits.shutdownMs': 100 } });
    const call = client.createScope({ scopeId: 'endless' });
    const outcome = call.then(
      () => 'answered',
      ({ code, details }: ServiceError) => `${code} ${details}`,
    );
    const rest = server.rest('POST', '/v1/scopes', { body: { scopeId: 'endless' } });
    await expect.poll(() => seen.calls.length).toBe(2);
    const ended: string[] = [];
    const patientEnd = patient.stopApp().then(() => ended.push('patient'));
    await server.stopApp();
    expect(await outcome).toBe(`${status.UNAVAILABLE} the server is shutting down`);
    expect(await rest).toMatchObject({ status: 503 });
    expect(seen.calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(ended).toEqual([]);
    byPatient.release();
    expect((await answered).gkScopeId?.value).toBe('gk-gated');
    await patientEnd;
    await patient.stop();
  });
});

describe('for operators', () => {
  it('tells whether it is alive and ready', async () => {
    let healthy = true;
    await start({ parts: [{ readiness: [{ name: 'thing', check: async () => healthy }] }] });
    expect((await server.rest('GET', '/healthz')).body.status).toBe('ok');
    expect(await server.rest('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { thing: true } },
    });
    healthy = false;
    expect(await server.rest('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { checks: { thing: false } },
    });
  });

  it('counts calls by service, method, transport and outcome', async () => {
    const { client } = await start();
    await client.createScope({ scopeId: 'a' });
    await server.rest('POST', '/v1/scopes', { body: { scopeId: 'missing' } });
    await server.rest('POST', '/v1/scopes', { body: {}, token: 'wrong' });
    const text = (await server.rest('GET', '/metrics')).body as string;
    const labels = (transport: string, code: string): string =>
      `voxgate_calls_total{service="vendor.biosec.v1.scopes.ScopesManager",method="CreateScope",transport="${transport}",code="${code}"} 1`;
    expect(text).toContain(labels('grpc', 'OK'));
    expect(text).toContain(labels('rest', 'INVALID_REQUEST'));
    expect(text).toContain(labels('rest', 'REFUSED_401'));
    expect(text).toMatch(/voxgate_call_duration_seconds_count\{[^}]*transport="grpc"\} 1/);
    expect(text).toContain('voxgate_calls_in_flight{transport="rest"} 0');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('writes one line per call with the request id, and the cause of a bug only there', async () => {
    const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
    const write = (level: string) => (fields: object, message: string) =>
      void lines.push({ level, fields: fields as never, message });
    const log: Log = {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: () => log,
    };
    await start({ overrides: { log } });
    await server.rest('POST', '/v1/scopes', { body: { scopeId: 'bug' }, headers: { 'x-request-id': 'r-7' } });
    const call = lines.find((line) => line.message === 'call');
    expect(call?.fields).toMatchObject({
      requestId: 'r-7',
      code: 'INTERNAL_ERROR',
      transport: 'rest',
      client: 'test-client',
    });
    const failure = lines.find((line) => line.level === 'error');
    expect(failure?.fields).toMatchObject({ requestId: 'r-7', err: { message: 'a secret inside' } });
    expect(JSON.stringify(lines)).not.toContain('test-token');
  });
});

// The log service from outside: an application reads its own events with the scope log, by both transports.
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/auth/applications/create-application.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { EventLog } from '../../src/gen/voxgate/management/v1/events_pb.js';
import { startManagementServer, type ManagementServer } from '../management/support.js';
import type { GrpcClient } from '../support/server.js';

let server: ManagementServer;
let grpc: GrpcClient<typeof EventLog>;
let admin: { token: string; user: { userId: string } };
let owner: { token: string; user: { userId: string } };

interface App {
  appId: string;
  clientId: string;
  secret: string;
}

async function newApp(name: string): Promise<App> {
  const { environments } = await createApplication(server.auth, server.system, {
    name,
    ownerId: owner.user.userId,
    environments: [{ name: 'development', geographies: ['us'] }],
  });
  const { environment, clients } = environments[0]!;
  return { appId: environment.appId, clientId: clients[0]!.client.clientId, secret: clients[0]!.secret };
}

beforeAll(async () => {
  server = await startManagementServer();
  grpc = server.grpc(EventLog);
  admin = await server.person('admin', 'administrator');
  owner = await server.person('owner', 'member');
});
afterAll(() => server.stop());

describe('the event log', () => {
  it('shows an application its tokens and calls, and nothing of others', async () => {
    const [mine, other] = [await newApp('Mine'), await newApp('Other')];
    const token = await server.runtimeToken(mine.clientId, mine.secret, 'log tts');
    await server.runtimeToken(other.clientId, other.secret, 'log');
    await expect(server.runtimeToken(mine.clientId, mine.secret, 'nonsense')).rejects.toThrow(
      'invalid_scope',
    );
    // A call of the application that is refused for its scope.
    const call = await server.rest('GET', '/v1/management/applications', { token });
    expect(call.status).toBe(403);
    await server.events.flush();

    const { body } = await server.rest('GET', '/v1/logs/events', { token });
    expect(
      body.events.map((event: { type: string; outcome: string }) => [event.type, event.outcome]),
    ).toEqual([
      ['token.issued', 'OK'],
      ['token.refused', 'invalid_scope'],
      ['call', 'REFUSED_403'],
    ]);
    expect(new Set(body.events.map((event: { appId: string }) => event.appId))).toEqual(
      new Set([mine.appId]),
    );
    expect(body.events[0]).toMatchObject({
      clientId: mine.clientId,
      attributes: { scope: 'log tts', address: '127.0.0.1' },
    });
    expect(body.events[2]).toMatchObject({
      requestId: expect.any(String),
      attributes: {
        method: 'ListApplications',
        transport: 'rest',
        latency_ms: expect.stringMatching(/^[0-9.]+$/),
      },
    });
    expect(body.endOfEvents).toBe(true);
    expect(JSON.stringify(body)).not.toContain(mine.secret);
    expect(JSON.stringify(body)).not.toContain(token);
  });

  it('goes on from a cursor without a gap and without a repetition', async () => {
    const app = await newApp('Cursor');
    const token = await server.runtimeToken(app.clientId, app.secret, 'log');
    for (let index = 0; index < 4; index += 1) await server.runtimeToken(app.clientId, app.secret, 'tts');
    await server.events.flush();
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await grpc.listEvents({ pageSize: 2, cursor }, { token });
      seen.push(...page.events.map((event) => event.eventId));
      cursor = page.nextCursor;
      if (page.endOfEvents) break;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
    const idle = await grpc.listEvents({ cursor }, { token });
    expect(idle).toMatchObject({ events: [], nextCursor: cursor, endOfEvents: true });
    await server.runtimeToken(app.clientId, app.secret, 'asr');
    await server.events.flush();
    const later = await grpc.listEvents({ cursor }, { token });
    expect(later.events.map((event) => event.attributes['scope'])).toEqual(['asr']);
  });

  it('keeps to the time window and the types', async () => {
    const app = await newApp('Window');
    const token = await server.runtimeToken(app.clientId, app.secret, 'log');
    server.clock.advance(10_000);
    const middle = server.clock.now();
    server.clock.advance(10_000);
    await server.runtimeToken(app.clientId, app.secret, 'dlg');
    await server.events.flush();
    const late = await grpc.listEvents({ startTime: timestampFromMs(middle) }, { token });
    expect(late.events.map((event) => event.attributes['scope'])).toEqual(['dlg']);
    const early = await grpc.listEvents({ endTime: timestampFromMs(middle) }, { token });
    expect(early.events.map((event) => event.attributes['scope'])).toEqual(['log']);
    const refused = await grpc.listEvents({ types: ['token.refused'] }, { token });
    expect(refused.events).toEqual([]);
  });

  it('refuses other scopes, other applications and bad cursors', async () => {
    const [app, other] = [await newApp('Strict'), await newApp('Stranger')];
    const noLog = await server.runtimeToken(app.clientId, app.secret, 'tts');
    expect((await server.rest('GET', '/v1/logs/events', { token: noLog })).status).toBe(403);
    await expect(grpc.listEvents({}, { token: noLog })).rejects.toMatchObject({ code: 7 });
    const token = await server.runtimeToken(app.clientId, app.secret, 'log');
    expect((await grpc.listEvents({ appId: other.appId }, { token })).status?.statusCode).toBe(
      StatusCode.PERMISSION_DENIED,
    );
    expect((await server.rest('GET', '/v1/logs/events?cursor=%27%3B--', { token })).status).toBe(400);
    expect((await server.rest('GET', '/v1/logs/events?page_size=1001', { token })).status).toBe(400);
  });

  it('lists the requests of a client with their outcome and duration, newest first and without content', async () => {
    const [app, other] = [await newApp('Requests'), await newApp('Elsewhere')];
    const token = await server.runtimeToken(app.clientId, app.secret, 'log tts');
    const theirs = await server.runtimeToken(other.clientId, other.secret, 'tts');
    await server.rest('GET', '/v1/management/users?query=secret-word', { token });
    await server.rest('GET', '/v1/management/applications', { token: theirs });
    server.clock.advance(1000);
    await server.rest('GET', '/v1/management/applications', {
      token,
      headers: { 'x-request-id': 'from-the-ivr' },
    });
    await server.events.flush();

    const list = async (query: string, as = token, path = '/v1/logs/requests') =>
      (await server.rest('GET', `${path}${query}`, { token: as })).body;
    const all = await list('');
    expect(all.requests).toEqual([
      expect.objectContaining({
        clientId: app.clientId,
        appId: app.appId,
        service: 'voxgate.management.v1.ApplicationsManager',
        method: 'ListApplications',
        transport: 'rest',
        outcome: 'REFUSED_403',
        requestId: 'from-the-ivr',
        durationMs: expect.any(Number),
      }),
      expect.objectContaining({ method: 'ListUsers', outcome: 'REFUSED_403' }),
      expect.objectContaining({
        service: 'oauth2',
        method: 'RequestToken',
        outcome: 'OK',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    ]);
    expect(JSON.stringify(all)).not.toMatch(/secret-word|eyJ/);
    expect((await list('?method=ListUsers')).requests).toHaveLength(1);
    expect((await list('?request_id=from-the-ivr')).requests).toHaveLength(1);
    expect((await list('?method=secret')).requests ?? []).toEqual([]);
    expect((await list('?outcome=REQUEST_OUTCOME_OK')).requests).toHaveLength(1);
    expect((await list(`?client_id=${encodeURIComponent(other.clientId)}`)).requests ?? []).toEqual([]);

    const first = await grpc.listRequests({ pageSize: 1 }, { token });
    const second = await grpc.listRequests({ pageSize: 1, pageToken: first.nextPageToken }, { token });
    const third = await grpc.listRequests({ pageSize: 1, pageToken: second.nextPageToken }, { token });
    expect([first, second, third].map(({ requests }) => requests.map(({ method }) => method))).toEqual([
      ['ListApplications'],
      ['ListUsers'],
      ['RequestToken'],
    ]);
    expect(third.nextPageToken).toBe('');
    for (const bad of [
      '?page_token=nothing',
      '?method=%25',
      '?page_size=1001',
      '?start_time=2200-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z',
    ])
      expect([bad, (await server.rest('GET', `/v1/logs/requests${bad}`, { token })).status]).toEqual([
        bad,
        400,
      ]);

    const path = '/v1/management/requests';
    expect((await list(`?app_id=${app.appId}`, owner.token, path)).requests).toHaveLength(3);
    expect((await list('', admin.token, path)).requests.length).toBeGreaterThan(2);
    const { token: stranger } = await server.person('stranger', 'member');
    expect((await server.rest('GET', `${path}?app_id=${app.appId}`, { token: stranger })).status).toBe(404);
    expect((await server.rest('GET', path, { token: owner.token })).status).toBe(400);
  });

  it('shows whoever has a client that somebody tries secrets of it, within bounds, and nobody else', async () => {
    const [app, other] = [await newApp('Tried'), await newApp('Untried')];
    const guess = (scope: string) => server.runtimeToken(app.clientId, 'guessed-secret', scope);
    await expect(guess('text-of-a-stranger')).rejects.toThrow('invalid_client');
    await server.events.flush();
    const path = '/v1/management/requests';
    const asked = `?app_id=${app.appId}&outcome=REQUEST_OUTCOME_FAILED`;
    const { body } = await server.rest('GET', `${path}${asked}`, { token: owner.token });
    expect(body.requests).toEqual([
      expect.objectContaining({
        clientId: app.clientId,
        service: 'oauth2',
        method: 'RequestToken',
        outcome: 'invalid_client',
        reason: 'wrong_credentials',
        address: '127.0.0.1',
      }),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/guessed-secret|text-of-a-stranger/);
    const token = await server.runtimeToken(other.clientId, other.secret, 'log');
    const theirs = await grpc.listRequests({ clientId: app.clientId }, { token });
    expect(theirs.requests).toEqual([]);

    // More than two minutes' worth: they may fall into two of them.
    for (let sent = 0; sent < 160; sent += 1) await guess('tts').catch(() => undefined);
    await server.events.flush();
    const many = await server.rest('GET', `${path}${asked}&method=RequestToken`, { token: owner.token });
    expect(many.body.requests.length).toBeGreaterThan(30);
    expect(many.body.requests.length).toBeLessThanOrEqual(120);
  });

  it('lets people read the applications they belong to, and administrators all', async () => {
    const app = await newApp('People');
    await server.runtimeToken(app.clientId, app.secret, 'tts');
    await server.events.flush();
    const path = `/v1/management/events?app_id=${app.appId}`;
    expect((await server.rest('GET', path, { token: owner.token })).body.events).toHaveLength(1);
    expect((await server.rest('GET', '/v1/management/events', { token: owner.token })).status).toBe(400);
    const { token: outsider } = await server.person('outsider', 'member');
    expect((await server.rest('GET', path, { token: outsider })).status).toBe(404);
    const all = await server.rest('GET', '/v1/management/events?page_size=1000', { token: admin.token });
    expect(all.body.events.some((event: { appId: string }) => event.appId === app.appId)).toBe(true);
  });

  it('lists the requests of the last day unless somebody asks for more', async () => {
    const app = await newApp('Yesterday');
    const token = await server.runtimeToken(app.clientId, app.secret, 'log');
    await server.rest('GET', '/v1/management/users', { token });
    await server.events.flush();
    const asked = { method: 'ListUsers' };
    expect((await grpc.listRequests(asked, { token })).requests).toHaveLength(1);
    server.clock.advance(24 * 3600_000);
    const later = await server.runtimeToken(app.clientId, app.secret, 'log');
    expect((await grpc.listRequests(asked, { token: later })).requests).toEqual([]);
    const longAgo = { ...asked, startTime: timestampFromMs(0) };
    expect((await grpc.listRequests(longAgo, { token: later })).requests).toHaveLength(1);
  });
});

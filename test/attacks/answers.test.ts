// What answers give away, or let others make of them: secrets in caches, JSON taken for a page, which foreign clients there are,
// more scopes than needed, and names that look like another.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Status } from '../../src/gen/vendor/rpc/status_pb.js';
import { ApplicationsManager } from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { EngagementManager } from '../../src/gen/voxgate/management/v1/engagement_pb.js';
import { basic, postForm } from '../auth/support.js';
import { faultyFields, startManagementServer, type ManagementServer } from '../management/support.js';
import type { GrpcClient } from '../support/server.js';

type Person = Awaited<ReturnType<ManagementServer['person']>>;
let server: ManagementServer;
let grpc: GrpcClient<typeof ApplicationsManager>;
let admin: Person;
let stranger: Person;
let client: { clientId: string; appId: string; secret: string };
beforeAll(async () => {
  server = await startManagementServer();
  grpc = server.grpc(ApplicationsManager);
  admin = await server.person('admin', 'administrator');
  stranger = await server.person('stranger', 'member');
  const made = await grpc.createApplication(
    { name: 'Bank', environments: [{ name: 'development', geographies: ['us'] }] },
    { token: admin.token },
  );
  const [first] = made.clients;
  client = { clientId: first!.client!.clientId, appId: first!.client!.appId, secret: first!.clientSecret };
});
afterAll(() => server.stop());

it('no answer in JSON is taken for something else, and none with a secret stays in a cache', async () => {
  const { token } = admin;
  const made = await server.rest('POST', `/v1/management/environments/${client.appId}/clients`, {
    token,
    body: { name: 'more' },
  });
  expect(made.body.clientSecret).toBeDefined();
  const answers = [
    made,
    await server.rest('GET', '/v1/management/me', { token }),
    await server.rest('GET', '/v1/management/me', { token: null }),
    await server.rest('GET', '/v1/no/such/path', { token }),
    await postForm(
      `${server.httpUrl}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'asr' },
      { authorization: basic(client.clientId, client.secret) },
    ),
    await postForm(`${server.httpUrl}/oauth2/introspect`, { token: 'x' }),
    await fetch(`${server.httpUrl}/.well-known/openid-configuration`),
    await fetch(`${server.httpUrl}/readyz`),
  ];
  for (const { headers } of answers) expect(headers.get('x-content-type-options')).toBe('nosniff');
  // What is refused before any operation or route has it.
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n';
  const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  for (const head of ['/%zz HTTP/1.1\r\nconnection: close\r\n', `/no/such HTTP/1.1\r\n${upgrade}${key}`]) {
    const raw = await rawAnswer(server.httpUrl, `GET ${head}host: x\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(raw).toContain('x-content-type-options: nosniff');
  }
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(answers[4]!.headers.get('cache-control')).toBe('no-store');
});

type Calls = Record<string, (request: object, options: object) => Promise<{ status?: Status }>>;

/** As it comes over the line, for requests that no client would make. */
function rawAnswer(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (piece) => (text += piece.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

it('no operation tells a stranger whether an application, an environment or a client exists', async () => {
  const { token } = stranger;
  const none = '00000000-0000-4000-8000-000000000000';
  const { body } = await server.rest('GET', '/v1/management/applications', { token: admin.token });
  const { applicationId } = body.applications[0];
  const { appId, clientId } = client;
  const foreign = { applicationId, appId, clientId };
  const unknown = { applicationId: none, appId: none, clientId: clientId.replace(appId, none) };
  const calls = grpc as unknown as Calls;
  const differing = [];
  for (const { name, localName, input } of ApplicationsManager.methods) {
    const told = async (of: Record<string, string>) => {
      const named = Object.entries(of).filter(([field]) =>
        input.fields.some((each) => each.localName === field),
      );
      const request = { ...Object.fromEntries(named), name: 'other' };
      const { status } = await calls[localName]!(request, { token });
      return [status?.statusCode, status?.statusMessage?.message, faultyFields(status)];
    };
    if (JSON.stringify(await told(foreign)) !== JSON.stringify(await told(unknown))) differing.push(name);
  }
  expect(differing).toEqual([]);
});

it('a foreign client and one that does not exist are told apart by nobody, on either transport', async () => {
  const { token } = stranger;
  const unknown = client.clientId.replace(client.appId, '00000000-0000-4000-8000-000000000000');
  const words = async (clientId: string) => {
    const path = `/v1/management/clients/${encodeURIComponent(clientId)}`;
    const rest = [
      await server.rest('GET', path, { token }),
      await server.rest('PUT', `${path}/lock`, { token, body: {} }),
      await server.rest('DELETE', path, { token }),
    ];
    const byGrpc = (await grpc.regenerateClientSecret({ clientId }, { token })).status!;
    return [
      ...rest.map(({ status, body }) => [status, body.status.statusMessage, body.status.fieldViolations]),
      [byGrpc.statusCode, byGrpc.statusMessage?.message, faultyFields(byGrpc)],
    ];
  };
  expect(await words(client.clientId)).toEqual(await words(unknown));
  const list = async (appId: string) => {
    const { status, body } = await server.rest('GET', `/v1/management/environments/${appId}`, { token });
    return [status, body.status.statusMessage];
  };
  expect(await list(client.appId)).toEqual(await list('00000000-0000-4000-8000-000000000000'));
  const engagement = server.grpc(EngagementManager);
  await engagement.upsertSite({ site: { siteId: 's', name: 'S' } }, { token: admin.token });
  const registered = await engagement.registerEngagementClient(
    { name: 'Desk', sites: ['s'] },
    { token: admin.token },
  );
  const ask = async (clientId: string) => {
    const { status } = await grpc.getClient({ clientId }, { token });
    return [status?.statusCode, status?.statusMessage?.message];
  };
  expect(await ask(registered.client!.clientId)).toEqual(await ask('engagement-none'));
});

it('a name that mixes alphabets in a word is refused, one of each alphabet is not', async () => {
  const { token } = admin;
  const code = async (name: string) => {
    const { status } = await grpc.createApplication({ name }, { token });
    return [name, faultyFields(status)];
  };
  for (const name of ['C\u043ensole', 'Voxg\u0430te', 'P\u0430ypal login', '\u0391dmin', 'Banк'])
    expect(await code(name)).toEqual([name, ['name']]);
  for (const name of ['Банк', 'Bank Банк', 'Τράπεζα 24', '銀行 Bankカード', 'Łódź', 'Übung'])
    expect(await code(name)).toEqual([name, []]);
});

// What answers give away, or let others make of them: secrets in caches, JSON taken for a page, which foreign clients there are,
// more scopes than needed, and names that look like another.
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(answers[4]!.headers.get('cache-control')).toBe('no-store');
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

// Whoever can create a client can make it a key to every service that is guarded by scopes. So an account alone creates none,
// and who may create some hands out no more than they were given.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApplicationsManager } from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { startManagementServer, type ManagementServer } from '../management/support.js';
import type { GrpcClient } from '../support/server.js';

type Person = Awaited<ReturnType<ManagementServer['person']>>;
const APPLICATIONS = '/v1/management/applications';
const environments = [{ name: 'development', geographies: ['us'] }];
let server: ManagementServer;
let grpc: GrpcClient<typeof ApplicationsManager>;
let admin: Person;
let member: Person;
let owner: Person;
let first: { applicationId: string; appId: string; clientId: string };

beforeAll(async () => {
  server = await startManagementServer({ 'applications.perOwner': 2 });
  grpc = server.grpc(ApplicationsManager);
  admin = await server.person('admin', 'administrator');
  member = await server.person('member', 'member');
  owner = await server.person('owner', 'member');
  const made = await grpc.createApplication(
    { name: 'First', ownerUserId: owner.user.userId, environments },
    { token: admin.token },
  );
  const clientId = made.clients[0]!.client!.clientId;
  const application = made.application!;
  first = { applicationId: application.applicationId, appId: application.environments[0]!.appId, clientId };
  await grpc.updateClient(
    { clientId, allowedScopes: ['asr', 'biosec'], fieldMask: { paths: ['allowed_scopes'] } },
    { token: admin.token },
  );
});
afterAll(() => server.stop());

const create = (token: string, name: string) =>
  server.rest('POST', APPLICATIONS, { token, body: { name, environments } });

const forwardAuth = async (token: string, scope: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.httpUrl}/oauth2/forward-auth?scope=${scope}`, { headers })).status;
};

it('an account alone creates no application, on either transport, and is told whom to ask', async () => {
  const refused = await create(member.token, 'Mine');
  expect([refused.status, refused.body.status.statusMessage.message]).toEqual([
    403,
    'ask an administrator to create the application and to name you its owner',
  ]);
  const byGrpc = await grpc.createApplication({ name: 'Mine', environments }, { token: member.token });
  expect(byGrpc.status?.statusCode).toBe(StatusCode.PERMISSION_DENIED);
  const seen = await Promise.all(
    [admin, owner, member].map(({ token }) => grpc.listApplications({}, { token })),
  );
  expect(seen.map(({ mayCreate }) => mayCreate)).toEqual([true, true, false]);
});

it('an owner gives new clients no scope that none of their own has, wherever they create or change one', async () => {
  const { body } = await create(owner.token, 'Second');
  const [{ client, clientSecret }] = body.clients;
  expect(client.allowedScopes.toSorted()).toEqual(['asr', 'biosec']);
  const token = await server.runtimeToken(client.clientId, clientSecret, 'asr');
  expect([await forwardAuth(token, 'asr'), await forwardAuth(token, 'tts')]).toEqual([200, 403]);
  await expect(server.runtimeToken(client.clientId, clientSecret, 'tts')).rejects.toThrow('invalid_scope');

  const as = { token: owner.token };
  const asked = { allowedScopes: ['asr', 'tts'] };
  const made = await grpc.createClient({ appId: first.appId, name: 'more', ...asked }, as);
  const path = `/v1/management/clients/${encodeURIComponent(first.clientId)}`;
  const changed = await server.rest('PATCH', path, { ...as, body: { ...asked, fieldMask: 'allowedScopes' } });
  const message = 'no client of your applications has tts: only an administrator may give it to one';
  expect(made.status).toMatchObject({ statusCode: StatusCode.PERMISSION_DENIED, statusMessage: { message } });
  expect([changed.status, changed.body.status.statusMessage.message]).toEqual([403, message]);
  const added = await grpc.createEnvironment(
    { applicationId: first.applicationId, environment: { name: 'production', geographies: ['eu'] } },
    as,
  );
  expect(added.clients[0]?.client?.allowedScopes.toSorted()).toEqual(['asr', 'biosec']);
  expect((await grpc.listClients({ appId: first.appId }, as)).grantableScopes).not.toContain('tts');
  // The parts of a scope come with it.
  const part = await grpc.createClient(
    { appId: first.appId, name: 'part', allowedScopes: ['biosec.verify'] },
    as,
  );
  expect(part.status?.statusCode).toBe(StatusCode.OK);
});

it('an owner has a quota, of environments too', async () => {
  const answers = [await create(owner.token, 'Third'), await create(owner.token, 'Fourth')];
  const last = answers.at(-1)!;
  expect([last.status, last.body.status.statusCode]).toEqual([429, 'QUOTA_EXCEEDED']);
  const { applicationId } = first;
  const as = { token: owner.token };
  const codes = [];
  for (let index = 0; index < 16; index++) {
    const environment = { name: `e${index}`, geographies: ['us'] };
    codes.push((await grpc.createEnvironment({ applicationId, environment }, as)).status?.statusCode);
  }
  expect(codes.at(-1)).toBe(StatusCode.QUOTA_EXCEEDED);
  expect((await grpc.listEnvironments({ applicationId }, as)).environments).toHaveLength(16);
});

it('where only administrators may, an owner may not', async () => {
  const strict = await startManagementServer({ 'applications.creators': 'administrators' });
  try {
    const [boss, olga] = [
      await strict.person('boss', 'administrator'),
      await strict.person('olga', 'member'),
    ];
    const body = { name: 'First', environments };
    const mine = { ...body, ownerUserId: olga.user.userId };
    expect((await strict.rest('POST', APPLICATIONS, { token: boss.token, body: mine })).status).toBe(200);
    expect((await strict.rest('POST', APPLICATIONS, { token: olga.token, body })).status).toBe(403);
  } finally {
    await strict.stop();
  }
});

// Two administrators have one thing open: what each of them changes stays, and where it is the same, the later one is told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationsManager } from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { UserRole, UsersManager } from '../../src/gen/voxgate/management/v1/users_pb.js';
import type { RestAnswer } from '../support/server.js';
import { startManagementServer, type ManagementServer } from './support.js';

let server: ManagementServer;
let ada: { token: string };
let grace: { token: string };

beforeAll(async () => {
  server = await startManagementServer();
  ada = await server.person('ada', 'administrator');
  grace = await server.person('grace', 'administrator');
});
afterAll(() => server.stop());

const patch = (path: string, { token }: { token: string }, body: object): Promise<RestAnswer> =>
  server.rest('PATCH', `/v1/management/${path}`, { token, body });
const refusalOf = ({ status, body }: RestAnswer): unknown[] => [
  status,
  body.status.statusCode,
  (body.status.fieldViolations ?? []).map(({ field }: { field: string }) => field.split('.').at(-1)),
  (body.status.diagnosticDetails ?? []).map(({ code, extras }: { code: string; extras: object }) => [
    code,
    extras,
  ]),
];
const refusedBecauseOf = (...fields: string[]): unknown[] => [
  409,
  'INVALID_REQUEST',
  fields,
  [['CHANGED_MEANWHILE', { by: 'GRACE' }]],
];

describe('a user', () => {
  it('keeps what two change, and is not changed twice in the same place', async () => {
    const { user } = await server.person('nina', 'member');
    const path = `users/${user.userId}`;
    const { body } = await server.rest('GET', `/v1/management/${path}`, { token: ada.token });
    const expected = body.user;
    const name = (by: { token: string }, displayName: string) =>
      patch(path, by, { displayName, expected, fieldMask: 'displayName' });
    expect((await name(grace, 'Nina N.')).status).toBe(200);
    // Another field, though somebody has changed the user since it was read.
    const tenantRoles = [{ gkScopeId: 'tenant-a', role: 'TENANT_ROLE_OPERATOR' }];
    const granted = await patch(path, ada, { tenantRoles, expected, fieldMask: 'tenantRoles' });
    expect(granted.body.user).toMatchObject({ displayName: 'Nina N.', gkScopeIds: ['tenant-a'] });
    expect(refusalOf(await name(ada, 'Nina M.'))).toEqual(refusedBecauseOf('display_name'));
    // The same words are no conflict, and a retry succeeds.
    expect((await name(ada, 'Nina N.')).status).toBe(200);
    // Nobody says what they had read: as ever.
    expect((await patch(path, ada, { displayName: 'N.', fieldMask: 'displayName' })).status).toBe(200);
  });

  it('is refused over gRPC with the same status', async () => {
    const { user } = await server.person('otto', 'member');
    const client = server.grpc(UsersManager);
    const { userId } = user;
    const { user: expected } = await client.getUser({ userId }, ada);
    if (!expected) throw new Error('no user');
    const change = (role: UserRole, who: { token: string }) =>
      client.updateUser({ userId, role, expected, fieldMask: { paths: ['role'] } }, who);
    expect((await change(UserRole.AUDITOR, grace)).status?.statusCode).toBe(StatusCode.OK);
    const { status } = await change(UserRole.ADMINISTRATOR, ada);
    expect(status).toMatchObject({ statusCode: StatusCode.INVALID_REQUEST, httpTransCode: 409 });
    expect(status?.diagnosticDetails[0]).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      extras: { by: 'GRACE' },
    });
    expect((await client.getUser({ userId }, ada)).user?.role).toBe(UserRole.AUDITOR);
  });

  it('changes their own name while an administrator does', async () => {
    const { user, token } = await server.person('paul', 'member');
    const { body } = await server.rest('GET', `/v1/management/users/${user.userId}`, { token: ada.token });
    const own = { displayName: 'Paul', fieldMask: 'displayName' };
    expect((await patch('me', { token }, own)).status).toBe(200);
    const mine = { displayName: 'P.', expected: body.user, fieldMask: 'displayName' };
    const refused = await patch(`users/${user.userId}`, ada, mine);
    expect(refusalOf(refused).at(-1)).toEqual([['CHANGED_MEANWHILE', { by: 'Paul' }]]);
  });
});

it('an application, its environments and their clients likewise', async () => {
  const applications = server.grpc(ApplicationsManager);
  const made = await applications.createApplication(
    { name: 'Bank', environments: [{ name: 'production', geographies: ['eu'] }] },
    ada,
  );
  const { applicationId = '' } = made.application ?? {};
  const [environment] = (await applications.listEnvironments({ applicationId }, ada)).environments;
  const appId = environment?.appId ?? '';
  const { client } = await applications.createClient({ appId, name: 'ivr', allowedScopes: ['biosec'] }, ada);
  const clientId = client?.clientId ?? '';

  const rename = (who: { token: string }, name: string) =>
    patch(`applications/${applicationId}`, who, { name, expected: { name: 'Bank' }, fieldMask: 'name' });
  expect((await rename(grace, 'Bank A')).status).toBe(200);
  expect(refusalOf(await rename(ada, 'Bank B'))).toEqual(refusedBecauseOf('name'));

  const read = { name: 'production', contextTag: environment?.contextTag ?? '' };
  const tag = (who: { token: string }, change: object, fieldMask: string) =>
    patch(`environments/${appId}`, who, { ...change, expected: read, fieldMask });
  expect((await tag(grace, { contextTag: 'A1' }, 'contextTag')).status).toBe(200);
  const renamed = await tag(ada, { name: 'live' }, 'name');
  expect(renamed.body.environment).toMatchObject({ name: 'live', contextTag: 'A1' });
  expect(refusalOf(await tag(ada, { contextTag: 'A2' }, 'contextTag'))).toEqual(
    refusedBecauseOf('context_tag'),
  );

  const allow = (who: { token: string }, change: object, paths: string[]) =>
    applications.updateClient(
      {
        clientId,
        ...change,
        expected: { allowedScopes: ['biosec'], dpopBound: false },
        fieldMask: { paths },
      },
      who,
    );
  await allow(grace, { allowedScopes: ['biosec', 'log'] }, ['allowed_scopes']);
  const bound = await allow(ada, { dpopBound: true }, ['dpop_bound']);
  expect(bound.client).toMatchObject({ allowedScopes: ['biosec', 'log'], dpopBound: true });
  const { status } = await allow(ada, { allowedScopes: ['log'] }, ['allowed_scopes']);
  expect(status).toMatchObject({ httpTransCode: 409 });
  expect(status?.fieldViolations[0]?.field).toMatch(/\.allowed_scopes$/);
  expect(status?.diagnosticDetails[0]).toMatchObject({ code: 'CHANGED_MEANWHILE', extras: { by: 'GRACE' } });
});

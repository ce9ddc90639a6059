// Attack: somebody has got hold of an open session, and makes a credential that outlives it. The session alone makes none; whoever
// ends all access of a person sees what still works; and an administrator stops one credential.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLoginSession } from '../../src/auth/authorization/login-sessions.js';
import { signInOfSession } from '../../src/auth/grant-id.js';
import { createOwnToolingClient } from '../../src/auth/own-credential.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { ToolingCredentialType, UsersManager } from '../../src/gen/voxgate/management/v1/users_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { callOf } from '../auth/support.js';
import {
  PASSWORD,
  faultyFields,
  startManagementServer,
  type ManagementServer,
} from '../management/support.js';
import type { GrpcClient } from '../support/server.js';

type Person = Awaited<ReturnType<ManagementServer['person']>>;
let server: ManagementServer;
let grpc: GrpcClient<typeof UsersManager>;
let admin: Person;
beforeAll(async () => {
  server = await startManagementServer();
  grpc = server.grpc(UsersManager);
  admin = await server.person('admin', 'administrator');
});
afterAll(() => server.stop());

const CREDENTIALS = '/v1/management/me/credentials';
const wanted = { name: 'lasting', type: 'TOOLING_CREDENTIAL_TYPE_SERVICE_ACCOUNT' };
const make = (token: string, proof: object = { currentPassword: PASSWORD }) =>
  server.rest('POST', CREDENTIALS, { token, body: { ...wanted, ...proof } });

it('a session alone makes no credential, on either transport', async () => {
  const { token } = await server.person('ann', 'member');
  const without = await make(token, {});
  expect([without.status, faultyFieldOf(without)]).toEqual([400, 'current_password']);
  expect((await make(token, { currentPassword: 'a guess that is wrong' })).status).toBe(400);
  const byGrpc = await grpc.createToolingCredential(
    { name: 'x', type: ToolingCredentialType.SERVICE_ACCOUNT },
    { token },
  );
  expect(faultyFields(byGrpc.status)).toEqual(['current_password']);
  expect((await make(token)).status).toBe(200);
});

const faultyFieldOf = ({ body }: { body: { status: { fieldViolations: { field: string }[] } } }) =>
  body.status.fieldViolations[0]?.field.replace(/^.*Request\./, '');

it('people of the identity provider, who have no password here, have to come from there just now', async () => {
  const user = await createUser(server.auth, server.system, {
    userName: 'pia',
    displayName: 'Pia',
    role: 'member',
  });
  const stored = (await server.auth.store.direct.users.get(user.userId))!;
  const { sessionHash } = await openLoginSession(server.auth, stored, { method: 'provider', address: '' });
  const call = callOf(user);
  const session = { ...call, caller: { ...call.caller, signIn: signInOfSession(sessionHash) } };
  const attempt = (as: typeof call) =>
    createOwnToolingClient(server.auth, as, { name: 'x', type: 'service-account' }, {});
  await expect(attempt(call)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  expect((await attempt(session)).secret).toBeDefined();
  server.clock.advance(11 * 60_000);
  await expect(attempt(session)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
});

describe('what a thief has made', () => {
  it('is shown, newest first, when everything else ends', async () => {
    const { token, user } = await server.person('bea', 'member');
    await make(token);
    server.clock.advance(1000);
    await make(token, { name: 'newest', currentPassword: PASSWORD });
    const expected = ['newest', 'lasting', 'script'];
    const changed = await server.rest('PUT', `/v1/management/users/${user.userId}/password`, {
      token: admin.token,
      body: {},
    });
    const signedOut = await grpc.signOutEverywhere({ userId: user.userId }, { token: admin.token });
    const namesIn = (list: { name?: string }[]): unknown[] => list.map(({ name }) => name);
    expect(namesIn(changed.body.credentials)).toEqual(expected);
    expect(namesIn(signedOut.credentials)).toEqual(expected);
    const own = await server.person('cleo', 'member');
    const next = { currentPassword: PASSWORD, newPassword: 'another purple tractor' };
    const mine = await server.rest('PUT', '/v1/management/me/password', { token: own.token, body: next });
    expect(namesIn(mine.body.credentials)).toEqual(['script']);
  });

  it('is locked by an administrator, one by one, and stays locked for its owner', async () => {
    const { token, user } = await server.person('dora', 'member');
    const { credential, clientSecret } = (await make(token)).body;
    const stolen = await server.runtimeToken(credential.clientId, clientSecret, 'platform-api');
    const lock = `/v1/management/credentials/${credential.clientId}/lock`;
    for (const method of ['PUT', 'DELETE'])
      expect((await server.rest(method, lock, { token, body: {} })).status).toBe(403);
    const locked = await server.rest('PUT', lock, { token: admin.token, body: { reason: 'stolen' } });
    expect([locked.status, locked.body.credential.locked]).toEqual([200, true]);
    await expect(grpc.getMe({}, { token: stolen })).rejects.toMatchObject({ code: 16 });
    await expect(server.runtimeToken(credential.clientId, clientSecret, 'platform-api')).rejects.toThrow();
    // The others of the same person go on.
    expect((await grpc.getMe({}, { token })).status?.statusCode).toBe(StatusCode.OK);
    const seen = await server.rest('GET', `/v1/management/users/${user.userId}/credentials`, {
      token: admin.token,
    });
    expect(seen.body.credentials.map((each: { locked?: boolean }) => each.locked ?? false)).toEqual([
      true,
      false,
    ]);
    const refused = await server.rest('GET', `/v1/management/users/${admin.user.userId}/credentials`, {
      token,
    });
    expect(refused.status).toBe(403);
    const unlocked = await grpc.unlockToolingCredential(
      { clientId: credential.clientId },
      { token: admin.token },
    );
    expect(unlocked.credential?.locked).toBe(false);
    expect(await server.runtimeToken(credential.clientId, clientSecret, 'platform-api')).toBeDefined();
  });
});

// UsersManager and SecondFactorsManager from outside: administrators look after people, people look after themselves.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLoginSession } from '../../src/auth/authorization/login-sessions.js';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { AppError } from '../../src/errors.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { SecondFactorsManager } from '../../src/gen/voxgate/management/v1/factors_pb.js';
import {
  ToolingCredentialType,
  UserRole,
  UsersManager,
} from '../../src/gen/voxgate/management/v1/users_pb.js';
import { Browser } from '../auth/browser.js';
import type { GrpcClient } from '../support/server.js';
import { totp } from '../support/totp.js';
import { PASSWORD, faultyFields, startManagementServer, type ManagementServer } from './support.js';

let server: ManagementServer;
let grpc: GrpcClient<typeof UsersManager>;
let admin: { token: string; user: { userId: string } };

beforeAll(async () => {
  server = await startManagementServer();
  grpc = server.grpc(UsersManager);
  admin = await server.person('admin', 'administrator');
});
afterAll(() => server.stop());

const signIn = (userName: string, password: string) =>
  authenticateUser(server.auth, { userName, password, address: '10.0.0.1' });

describe('administrators', () => {
  it('create a user with a password made for them, shown once', async () => {
    const made = await server.rest('POST', '/v1/management/users', {
      token: admin.token,
      body: { username: 'Nina', role: 'USER_ROLE_MEMBER', gkScopeIds: ['tenant-a'] },
    });
    expect(made.status).toBe(200);
    expect(made.body.user).toMatchObject({
      username: 'nina',
      displayName: 'Nina',
      role: 'USER_ROLE_MEMBER',
      gkScopeIds: ['tenant-a'],
      mustChangePassword: true,
    });
    expect(await signIn('nina', made.body.password)).toMatchObject({ ok: true });
    const again = await grpc.createUser({ username: 'nina', role: UserRole.MEMBER }, { token: admin.token });
    expect(again.status?.statusCode).toBe(StatusCode.ALREADY_EXISTS);
    const wrong = await grpc.createUser(
      { username: 'has space', role: UserRole.MEMBER },
      { token: admin.token },
    );
    expect(faultyFields(wrong.status)).toEqual(['username']);
  });

  it('invite a user, who chooses a password nobody else knows, by a link that works once', async () => {
    const made = await grpc.createUser(
      { username: 'ines', role: UserRole.MEMBER, invite: true },
      { token: admin.token },
    );
    expect([made.status?.statusCode, made.password]).toEqual([StatusCode.OK, '']);
    const { search } = new URL(made.invitationUrl);
    const { origin } = new URL(server.httpUrl);
    const link = `${origin}/invitation${search}`;
    const browser = new Browser(origin);
    const page = await browser.get(link);
    expect(page.html).toContain('<strong>ines</strong>');
    const weak = await browser.submit(page, { password: 'short', password_again: 'short' });
    expect([weak.status, weak.html]).toEqual([400, expect.stringContaining('must have at least')]);
    // What the server cannot do now leaves the link as it is.
    const hash = vi.spyOn(server.auth.passwords, 'hash').mockRejectedValueOnce(new AppError('BUSY', 'later'));
    const chosen = { password: PASSWORD, password_again: PASSWORD };
    expect((await browser.submit(page, chosen)).status).toBeGreaterThanOrEqual(400);
    hash.mockRestore();
    const other = new Browser(origin);
    const both = await Promise.all([
      browser.submit(page, chosen),
      other.submit(await other.get(link), chosen),
    ]);
    const done = both.filter(({ status }) => status === 303);
    expect(done.map(({ location }) => location)).toEqual(['/console/']);
    expect(await signIn('ines', PASSWORD)).toMatchObject({ ok: true });
    const again = await new Browser(origin).get(link);
    expect([again.status, again.html]).toEqual([403, expect.stringContaining('no longer valid')]);

    // A new link leaves the password as it is until it is used; another one, or another password, ends it.
    const userId = made.user?.userId ?? '';
    const replaced = await grpc.setPassword({ userId, invite: true }, { token: admin.token });
    const later = await grpc.setPassword({ userId, invite: true }, { token: admin.token });
    expect(await signIn('ines', PASSWORD)).toMatchObject({ ok: true });
    const answerTo = async ({ invitationUrl }: { invitationUrl: string }) =>
      (await new Browser(origin).get(`${origin}/invitation${new URL(invitationUrl).search}`)).status;
    expect([await answerTo(replaced), await answerTo(later)]).toEqual([403, 200]);
    await grpc.setPassword({ userId, password: 'another long pass phrase' }, { token: admin.token });
    expect(await answerTo(later)).toBe(403);
    expect((await new Browser(origin).get(`${origin}/invitation?token=made-up.token`)).status).toBe(403);
    const refused = await grpc.setPassword(
      { userId, password: PASSWORD, invite: true },
      { token: admin.token },
    );
    expect(faultyFields(refused.status)).toEqual(['invite']);
  });

  it('change, disable, enable and delete a user, whose tokens follow', async () => {
    const { user, token } = await server.person('tom', 'member');
    const path = `/v1/management/users/${user.userId}`;
    const changed = await server.rest('PATCH', path, {
      token: admin.token,
      body: { displayName: 'Tom T.', role: 'USER_ROLE_ADMINISTRATOR', fieldMask: 'displayName' },
    });
    expect(changed.body.user).toMatchObject({ displayName: 'Tom T.', role: 'USER_ROLE_MEMBER' });
    expect(
      (await server.rest('PATCH', path, { token: admin.token, body: { displayName: 'x' } })).status,
    ).toBe(400);

    expect((await grpc.getMe({}, { token })).user?.username).toBe('tom');
    expect(
      (await server.rest('PUT', `${path}/disabled`, { token: admin.token, body: {} })).body.user.disabled,
    ).toBe(true);
    await expect(grpc.getMe({}, { token })).rejects.toMatchObject({ code: 16 });
    expect((await grpc.enableUser({ userId: user.userId }, { token: admin.token })).user?.disabled).toBe(
      false,
    );
    expect((await server.rest('DELETE', path, { token: admin.token })).status).toBe(200);
    expect((await server.rest('GET', path, { token: admin.token })).status).toBe(404);
  });

  it('set the password of others; the last of them stays', async () => {
    const { user } = await server.person('paula', 'member');
    const set = await grpc.setPassword(
      { userId: user.userId, password: 'another long pass phrase' },
      { token: admin.token },
    );
    expect(set.status?.statusCode).toBe(StatusCode.OK);
    expect(set.password).toBe('');
    expect(await signIn('paula', PASSWORD)).toMatchObject({ ok: false });
    expect(await signIn('paula', 'another long pass phrase')).toMatchObject({ ok: true });
    const weak = await grpc.setPassword({ userId: user.userId, password: 'short' }, { token: admin.token });
    expect(weak.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
    expect(
      (
        await grpc.setPassword(
          { userId: admin.user.userId, password: 'whatever it may be' },
          { token: admin.token },
        )
      ).status?.statusCode,
    ).toBe(StatusCode.PERMISSION_DENIED);
    expect(
      (
        await server.rest('PUT', `/v1/management/users/${admin.user.userId}/disabled`, {
          token: admin.token,
          body: {},
        })
      ).status,
    ).toBe(403);
  });
});

describe('everybody else', () => {
  it('sees nobody but themselves', async () => {
    const { user, token } = await server.person('rita', 'member');
    expect((await server.rest('GET', '/v1/management/users', { token })).status).toBe(403);
    expect((await server.rest('GET', `/v1/management/users/${admin.user.userId}`, { token })).status).toBe(
      404,
    );
    expect(
      (await server.rest('GET', `/v1/management/users/${user.userId}`, { token })).body.user.username,
    ).toBe('rita');
    expect(
      (await grpc.createUser({ username: 'x', role: UserRole.MEMBER }, { token })).status?.statusCode,
    ).toBe(StatusCode.PERMISSION_DENIED);
  });

  it('changes their own name and, with the old one, their password', async () => {
    const { token } = await server.person('sven', 'member');
    const named = await server.rest('PATCH', '/v1/management/me', {
      token,
      body: { displayName: 'Sven S.', fieldMask: 'display_name' },
    });
    expect(named.body.user.displayName).toBe('Sven S.');
    const own = await server.rest('GET', '/v1/management/me', { token });
    expect(own.body).toMatchObject({ user: { displayName: 'Sven S.' }, mediaDays: 90 });
    const wrong = await grpc.changePassword(
      { currentPassword: 'not it', newPassword: 'a brand new pass phrase' },
      { token },
    );
    expect(wrong.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
    const changed = await server.rest('PUT', '/v1/management/me/password', {
      token,
      body: { currentPassword: PASSWORD, newPassword: 'a brand new pass phrase' },
    });
    expect(changed.status).toBe(200);
    expect(await signIn('sven', 'a brand new pass phrase')).toMatchObject({ ok: true });
  });

  it('sees where they are signed in and signs out of there', async () => {
    const { user, token } = await server.person('uwe', 'member');
    const other = await server.person('vera', 'member');
    const stored = await server.auth.store.direct.users.get(user.userId);
    await openLoginSession(server.auth, stored!, { method: 'password', address: '127.0.0.1' });
    const { sessions } = await grpc.listLoginSessions({}, { token });
    expect(sessions).toHaveLength(1);
    const path = `/v1/management/me/sessions/${sessions[0]!.loginSessionId}`;
    expect((await server.rest('DELETE', path, { token: other.token })).status).toBe(404);
    expect((await server.rest('DELETE', path, { token })).status).toBe(200);
    expect((await grpc.listLoginSessions({}, { token })).sessions).toEqual([]);
  });

  it('makes tooling credentials whose tokens carry their rights, and deletes them', async () => {
    const { token } = await server.person('wanda', 'member');
    const made = await server.rest('POST', '/v1/management/me/credentials', {
      token,
      body: {
        name: 'pipeline',
        type: 'TOOLING_CREDENTIAL_TYPE_SERVICE_ACCOUNT',
        currentPassword: PASSWORD,
      },
    });
    expect(made.status).toBe(200);
    const { credential, clientSecret } = made.body;
    const second = await server.runtimeToken(credential.clientId, clientSecret, 'platform-api');
    expect((await grpc.getMe({}, { token: second })).user?.username).toBe('wanda');
    await server.events.flush();
    const { credentials } = await grpc.listToolingCredentials({}, { token });
    expect(credentials.find((each) => each.clientId === credential.clientId)).toMatchObject({
      type: ToolingCredentialType.SERVICE_ACCOUNT,
      lastUsedTimestamp: expect.anything(),
    });
    const noRedirect = await grpc.createToolingCredential(
      { name: 'app', type: ToolingCredentialType.USER_ACCOUNT },
      { token },
    );
    expect(faultyFields(noRedirect.status)).toEqual(['redirect_uris']);
    const app = await grpc.createToolingCredential(
      {
        name: 'app',
        type: ToolingCredentialType.USER_ACCOUNT,
        redirectUris: ['https://app.test/callback'],
        public: true,
        currentPassword: PASSWORD,
      },
      { token },
    );
    expect(app).toMatchObject({
      clientSecret: '',
      credential: { public: true, redirectUris: ['https://app.test/callback'] },
    });
    expect(
      (await server.rest('DELETE', `/v1/management/me/credentials/${credential.clientId}`, { token })).status,
    ).toBe(200);
    await expect(grpc.getMe({}, { token: second })).rejects.toMatchObject({ code: 16 });
  });
});

describe('second factors', () => {
  const path = '/v1/management/me/factors';

  it('are set up with the password and a code, shown to administrators, renewed and removed', async () => {
    const factors = server.grpc(SecondFactorsManager);
    const { token, user } = await server.person('xenia', 'member');
    const body = { currentPassword: PASSWORD };
    expect((await server.rest('GET', path, { token })).body).toMatchObject({});
    const guessed = await factors.beginAuthenticator({ currentPassword: 'not it' }, { token });
    expect(faultyFields(guessed.status)).toEqual(['current_password']);
    expect(guessed.secret).toBe('');
    const begun = await server.rest('POST', `${path}/authenticator:begin`, { token, body });
    const { setupToken, secret, otpauthUri, qrPath } = begun.body;
    expect(otpauthUri).toMatch(
      new RegExp(`^otpauth://totp/Voxgate%20[^:]*:xenia\\?secret=${secret}&issuer=Voxgate%20`),
    );
    expect(qrPath).toMatch(/^M4 4h7v1h-7z/);
    const wrong = await factors.confirmAuthenticator({ setupToken, code: '000000' }, { token });
    expect(faultyFields(wrong.status)).toEqual(['code']);
    const other = await server.person('yann', 'member');
    const code = totp(secret, server.clock.now());
    const stolen = await factors.confirmAuthenticator({ setupToken, code }, { token: other.token });
    expect(faultyFields(stolen.status)).toEqual(['setup_token']);
    const confirmed = await factors.confirmAuthenticator({ setupToken, code }, { token });
    expect(confirmed.recoveryCodes).toHaveLength(10);
    const seen = await server.rest('GET', path, { token });
    expect(seen.body).toMatchObject({ recoveryCodesLeft: 10, authenticatorTimestamp: expect.any(String) });
    const shown = await grpc.getUser({ userId: user.userId }, { token: admin.token });
    expect(shown.user?.hasSecondFactor).toBe(true);
    const again = await factors.confirmAuthenticator({ setupToken, code }, { token });
    expect(faultyFields(again.status)).toEqual(['setup_token']);
    expect((await server.rest('POST', `${path}/recovery-codes`, { token, body })).status).toBe(400);
    const proven = (recovery: string) => ({ token, body: { ...body, proof: { code: recovery } } });
    const renewed = await server.rest('POST', `${path}/recovery-codes`, proven(confirmed.recoveryCodes[0]!));
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect(renewed.body.recoveryCodes).not.toEqual(confirmed.recoveryCodes);
    const removal = proven(renewed.body.recoveryCodes[0]);
    expect((await server.rest('POST', `${path}/authenticator:remove`, removal)).status).toBe(200);
    expect((await server.rest('GET', path, { token })).body.recoveryCodesLeft).toBeUndefined();
    expect((await server.rest('POST', `${path}/authenticator:remove`, { token, body })).status).toBe(404);
    expect((await server.rest('POST', `${path}/recovery-codes`, { token, body })).status).toBe(403);
  });

  it('are reset by administrators only, which ends what the person had open', async () => {
    const { token, user } = await server.person('zoe', 'member');
    const reset = `/v1/management/users/${user.userId}/factors`;
    expect((await server.rest('DELETE', reset, { token })).status).toBe(403);
    expect((await server.rest('DELETE', reset, { token: admin.token })).status).toBe(200);
    expect((await server.rest('GET', path, { token })).status).toBe(401);
    const own = `/v1/management/users/${admin.user.userId}/factors`;
    expect((await server.rest('DELETE', own, { token: admin.token })).status).toBe(403);
  });
});

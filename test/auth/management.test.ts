// The management operations of the domain, on both databases: who may do what, what is kept, what is audited.
import { exportJWK, generateKeyPair } from 'jose';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/auth/applications/create-application.js';
import { createEnvironment } from '../../src/auth/applications/create-environment.js';
import { deleteApplication } from '../../src/auth/applications/delete-application.js';
import { deleteEnvironment } from '../../src/auth/applications/delete-environment.js';
import { getClientConfig } from '../../src/auth/applications/get-client-config.js';
import { grantTenant, withdrawTenant } from '../../src/auth/applications/grant-tenants.js';
import { getApplication, listApplications } from '../../src/auth/applications/read-applications.js';
import { renameApplication } from '../../src/auth/applications/rename-application.js';
import { removeApplicationMember, setApplicationMember } from '../../src/auth/applications/set-member.js';
import { bootstrapAuth } from '../../src/auth/bootstrap.js';
import { createClient } from '../../src/auth/clients/create-client.js';
import { deleteClient } from '../../src/auth/clients/delete-client.js';
import { lockClient, unlockClient } from '../../src/auth/clients/lock-client.js';
import { getClient, listClients, listToolingClients } from '../../src/auth/clients/read-clients.js';
import { regenerateSecret } from '../../src/auth/clients/regenerate-secret.js';
import { updateClient } from '../../src/auth/clients/update-client.js';
import type { PublicJwk, UserView } from '../../src/auth/model.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import { rotateSigningKey } from '../../src/auth/tokens/rotate-signing-key.js';
import { handleTokenRequest } from '../../src/auth/tokens/token-endpoint.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { deleteUser } from '../../src/auth/users/delete-user.js';
import { completeSetup, createSetupToken, isSetupOpen } from '../../src/auth/users/first-run-setup.js';
import { getUser, listUsers } from '../../src/auth/users/list-users.js';
import { setPassword } from '../../src/auth/users/set-password.js';
import { updateUser } from '../../src/auth/users/update-user.js';
import type { Database } from '../../src/storage/database.js';
import { forEachDatabase } from '../support/database.js';
import { testClock } from '../support/storage.js';
import { PASSWORD, basic, callOf, createTestAuth, createTestPlatform } from './support.js';
import type { TestAuth, TestPlatform } from './support.js';

const denied = { code: 'PERMISSION_DENIED' };
const absent = { code: 'NOT_FOUND' };

await forEachDatabase(({ open }) => {
  let database: Database;
  let test: TestAuth;
  let platform: TestPlatform;
  let member: UserView;

  beforeEach(async () => {
    database = await open();
    test = await createTestAuth(database);
    platform = await createTestPlatform(test);
    member = await createUser(test.auth, test.system, {
      userName: 'mia',
      displayName: 'Mia',
      role: 'member',
      password: PASSWORD,
    });
  });
  afterEach(() => test.auth.stop());

  const tokenOf = async (clientId: string, secret: string, scope = 'biosec'): Promise<string> => {
    const form = new Map([
      ['grant_type', 'client_credentials'],
      ['scope', scope],
    ]);
    const request = {
      form,
      authorization: basic(clientId, secret),
      dpop: undefined,
      url: 'http://voxgate.test/oauth2/token',
      address: '::1',
    };
    return (await handleTokenRequest(test.auth, request)).granted.issued.token;
  };
  const guard = (token: string) =>
    createAuthenticator(test.auth)({
      authorization: `Bearer ${token}`,
      dpop: undefined,
      method: 'GET',
      url: '/x',
    });
  const audited = async (): Promise<string[]> =>
    (await test.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 })).map((record) => record.operation);

  describe('applications', () => {
    it('start with a default client per geography, and keep owners, members and environments', async () => {
      const call = callOf(member);
      const made = await createApplication(test.auth, test.system, {
        name: 'Mine',
        ownerId: member.userId,
        environments: [
          { name: 'development', geographies: ['us', 'eu'] },
          { name: 'production', geographies: ['eu'] },
        ],
      });
      const ids = made.environments.flatMap((each) => each.clients.map(({ client }) => client.clientId));
      expect(ids).toHaveLength(3);
      for (const id of ids) expect(id).toMatch(/^appID:[0-9a-f-]{36}:geo:(us|eu):clientName:default$/);
      const { applicationId } = made.application;
      await setApplicationMember(test.auth, call, {
        applicationId,
        userId: platform.owner.userId,
        role: 'developer',
      });
      await renameApplication(test.auth, call, { applicationId, name: 'Renamed' });
      await createEnvironment(test.auth, call, { applicationId, name: 'staging', geographies: ['us'] });
      await expect(
        createEnvironment(test.auth, call, { applicationId, name: 'staging', geographies: ['us'] }),
      ).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      const details = await getApplication(test.auth, call, { applicationId });
      expect(details.application.name).toBe('Renamed');
      expect(details.environments.map((each) => each.name).sort()).toEqual([
        'development',
        'production',
        'staging',
      ]);
      expect(details.members.find((each) => each.userId === member.userId)?.role).toBe('owner');
      expect((await listApplications(test.auth, call)).map((each) => each.name)).toEqual(['Renamed']);
      expect(await audited()).toEqual(
        expect.arrayContaining([
          'application.create',
          'environment.create',
          'client.create',
          'application.set-member',
          'application.rename',
        ]),
      );
    });

    it('do not exist for outsiders and always keep an owner', async () => {
      const { applicationId } = platform;
      await expect(getApplication(test.auth, callOf(member), { applicationId })).rejects.toMatchObject(
        absent,
      );
      await expect(
        removeApplicationMember(test.auth, test.system, { applicationId, userId: platform.owner.userId }),
      ).rejects.toMatchObject(denied);
      await expect(
        deleteUser(test.auth, test.system, { userId: platform.owner.userId }),
      ).rejects.toMatchObject(denied);
    });

    it('are deleted with their clients, whose tokens stop working', async () => {
      const token = await tokenOf(platform.client.clientId, platform.secret);
      await guard(token);
      await deleteApplication(test.auth, callOf(platform.owner), { applicationId: platform.applicationId });
      await expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(tokenOf(platform.client.clientId, platform.secret)).rejects.toMatchObject({
        code: 'invalid_client',
      });
    });

    it('keep their last environment', async () => {
      await expect(
        deleteEnvironment(test.auth, callOf(platform.owner), { appId: platform.environment.appId }),
      ).rejects.toMatchObject(denied);
    });
  });

  describe('tenants', () => {
    it('are granted by administrators only, and a withdrawn one is out of reach of tokens that name it', async () => {
      const { appId } = platform.environment;
      await expect(
        grantTenant(test.auth, callOf(member), { appId, gkScopeId: 'tenant-b' }),
      ).rejects.toMatchObject(denied);
      await grantTenant(test.auth, callOf(platform.owner), { appId, gkScopeId: 'tenant-b' });
      const token = await tokenOf(platform.client.clientId, platform.secret);
      expect((await guard(token)).tenants).toEqual(['tenant-a', 'tenant-b']);
      await withdrawTenant(test.auth, callOf(platform.owner), { appId, gkScopeId: 'tenant-a' });
      expect((await guard(token)).tenants).toEqual(['tenant-b']);
      await expect(
        createApplication(test.auth, callOf(member), {
          name: 'X',
          environments: [{ name: 'dev', geographies: ['us'], tenants: ['tenant-a'] }],
        }),
      ).rejects.toMatchObject(denied);
    });
  });

  describe('clients', () => {
    it('are made and given secrets by owners only, not even by administrators', async () => {
      const { appId } = platform.environment;
      const second = await createUser(test.auth, test.system, {
        userName: 'adam',
        displayName: 'Adam',
        role: 'administrator',
        password: PASSWORD,
      });
      await setApplicationMember(test.auth, callOf(platform.owner), {
        applicationId: platform.applicationId,
        userId: member.userId,
        role: 'developer',
      });
      for (const user of [second, member]) {
        await expect(
          createClient(test.auth, callOf(user), { appId, geography: 'us', name: 'x' }),
        ).rejects.toMatchObject(denied);
        await expect(
          regenerateSecret(test.auth, callOf(user), { clientId: platform.client.clientId }),
        ).rejects.toMatchObject(denied);
      }
      expect((await listClients(test.auth, callOf(member), { appId })).map((each) => each.name)).toEqual([
        'default',
      ]);
    });

    it('may be deleted down to the last one', async () => {
      const { appId } = platform.environment;
      const call = callOf(platform.owner);
      await expect(
        deleteClient(test.auth, call, { clientId: platform.client.clientId }),
      ).rejects.toMatchObject({
        ...denied,
        diagnostics: [{ code: 'LAST_CLIENT' }],
      });
      const { client } = await createClient(test.auth, call, { appId, geography: 'us', name: 'second' });
      const outcomes = await Promise.allSettled(
        [client.clientId, platform.client.clientId].map((clientId) =>
          deleteClient(test.auth, call, { clientId }),
        ),
      );
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await listClients(test.auth, call, { appId })).toHaveLength(1);
    });

    it('stop working when locked, tokens included; unlocking brings back the secret, not the tokens', async () => {
      const { clientId } = platform.client;
      const call = callOf(platform.owner);
      const token = await tokenOf(clientId, platform.secret);
      await lockClient(test.auth, call, { clientId });
      await expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(tokenOf(clientId, platform.secret)).rejects.toMatchObject({ code: 'invalid_client' });
      test.clock.advance(1000);
      await unlockClient(test.auth, call, { clientId });
      await guard(await tokenOf(clientId, platform.secret));
      await expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(await audited()).toEqual(expect.arrayContaining(['client.lock', 'client.unlock']));
    });

    it('lose a scope in tokens that are out already', async () => {
      const { clientId } = platform.client;
      const token = await tokenOf(clientId, platform.secret, 'asr tts');
      test.clock.advance(1000);
      await updateClient(test.auth, callOf(platform.owner), { clientId, scopes: ['tts'] });
      await expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(
        updateClient(test.auth, callOf(platform.owner), { clientId, scopes: ['platform-api'] }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      const details = await getClient(test.auth, callOf(platform.owner), { clientId });
      expect(details.client.scopes).toEqual(['tts']);
      expect(details.secrets).toHaveLength(1);
    });

    it('refuse a private key where a public one belongs', async () => {
      const keys = [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'secret' }];
      const made = createClient(test.auth, callOf(platform.owner), {
        appId: platform.environment.appId,
        geography: 'us',
        name: 'k',
        keys,
      });
      await expect(made).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });
  });

  describe('the download for an environment geography', () => {
    it('holds one entry per client with the members of the file, and the URNs', async () => {
      const { appId, contextTag } = platform.environment;
      await createClient(test.auth, callOf(platform.owner), { appId, geography: 'us', name: 'ivr' });
      const { publicKey } = await generateKeyPair('ES256');
      const keys = [(await exportJWK(publicKey)) as PublicJwk];
      await createClient(test.auth, callOf(platform.owner), { appId, geography: 'us', name: 'signer', keys });
      const blocks = await getClientConfig(test.auth, callOf(platform.owner), {
        appId,
        geography: 'us',
        language: 'deu-DEU',
      });
      expect(blocks.config.map((entry) => entry.client_id.split(':').at(-1))).toEqual([
        'default',
        'ivr',
        'signer',
      ]);
      const signer = blocks.config[2];
      expect(signer).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', client_secret: '' });
      expect(blocks.config[0]).toEqual({
        client_id: platform.client.clientId,
        client_secret: '',
        oauth_server_url: 'http://voxgate.test/oauth2/token',
        oauth_scopes: 'asr asr.wordset nlu nlu.wordset dlg tts log biosec',
        asr_endpoint: '',
        nlu_endpoint: '',
        tts_endpoint: '',
        dlg_endpoint: '',
        voiceprint_endpoint: 'voxgate.test:8081',
        voiceprint_url: 'http://voxgate.test',
        log_endpoint: 'voxgate.test:8081',
      });
      expect(blocks.asr_params.urn).toBe(
        `urn:vendor-platform:tag:model/${contextTag}/platform.asr?=language=deu-DEU`,
      );
      expect(blocks.dlg_params).toEqual({
        urn: `urn:vendor-platform:tag:model/${contextTag}/platform.dialog`,
      });
      await expect(
        getClientConfig(test.auth, callOf(platform.owner), { appId, geography: 'us', language: 'de' }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      await expect(
        getClientConfig(test.auth, callOf(platform.owner), { appId, geography: 'mars' }),
      ).rejects.toMatchObject(absent);
    });
  });

  it('the download names the services of its geography, and of each client only its own scopes', async () => {
    const { appId } = platform.environment;
    const { client } = await createClient(test.auth, callOf(platform.owner), {
      appId,
      geography: 'us',
      name: 'narrow',
      scopes: ['biosec.verify'],
    });
    const endpoints = {
      ...test.auth.settings.endpoints,
      asr: { us: 'asr.us.example:443', eu: 'asr.eu.example:443' },
      tts: { '*': 'tts.example:443' },
      nlu: { eu: 'nlu.eu.example:443' },
    };
    const auth = { ...test.auth, settings: { ...test.auth.settings, endpoints } };
    const { config } = await getClientConfig(auth, callOf(platform.owner), { appId, geography: 'us' });
    const entry = config.find(({ client_id }) => client_id === client.clientId);
    expect(entry).toMatchObject({
      oauth_scopes: 'biosec.verify',
      asr_endpoint: 'asr.us.example:443',
      tts_endpoint: 'tts.example:443',
      nlu_endpoint: '',
    });
  });

  describe('users', () => {
    it('are seen and changed by administrators; the hash of a password leaves nowhere', async () => {
      await expect(listUsers(test.auth, callOf(member))).rejects.toMatchObject(denied);
      const users = await listUsers(test.auth, callOf(platform.owner));
      expect(users.map((user) => user.userName).sort()).toEqual(['mia', 'olga']);
      expect(JSON.stringify(users)).not.toContain('scrypt');
      expect((await getUser(test.auth, callOf(member), { userId: member.userId })).hasPassword).toBe(true);
      await expect(
        createUser(test.auth, test.system, { userName: 'MIA', displayName: 'x', role: 'member' }),
      ).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      await expect(
        createUser(test.auth, test.system, {
          userName: 'bob',
          displayName: 'x',
          role: 'member',
          password: 'short',
        }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });

    it('change their own password with the old one; locking and deleting them ends their tooling tokens', async () => {
      const call = callOf(member);
      await expect(
        setPassword(test.auth, call, { userId: member.userId, newPassword: 'another long phrase' }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      await setPassword(test.auth, call, {
        userId: member.userId,
        newPassword: 'another long phrase',
        currentPassword: PASSWORD,
      });
      test.clock.advance(1000);
      const { client, secret } = await createToolingClient(test.auth, call, {
        name: 'bot',
        type: 'service-account',
      });
      expect(await listToolingClients(test.auth, call)).toHaveLength(1);
      const token = await tokenOf(client.clientId, secret!, 'platform-api');
      await guard(token);
      await updateUser(test.auth, test.system, { userId: member.userId, locked: true });
      await expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(tokenOf(client.clientId, secret!, 'platform-api')).rejects.toMatchObject({
        code: 'invalid_client',
      });
      await deleteUser(test.auth, test.system, { userId: member.userId });
      await expect(getUser(test.auth, test.system, { userId: member.userId })).rejects.toMatchObject(absent);
    });

    it('keep an administrator, and a demoted one loses all tenants at once', async () => {
      await expect(
        updateUser(test.auth, test.system, { userId: platform.owner.userId, role: 'member' }),
      ).rejects.toMatchObject(denied);
      const { client, secret } = await createToolingClient(test.auth, callOf(platform.owner), {
        name: 'bot',
        type: 'service-account',
      });
      const token = await tokenOf(client.clientId, secret!, 'platform-api');
      expect((await guard(token)).tenants).toBe('all');
      await updateUser(test.auth, test.system, { userId: member.userId, role: 'administrator' });
      await updateUser(test.auth, test.system, { userId: platform.owner.userId, role: 'member' });
      expect((await guard(token)).tenants).toEqual(['tenant-a']);
    });
  });

  describe('signing keys', () => {
    it('rotate with overlap: published before they sign, kept until their tokens have expired', async () => {
      const { auth, clock, system } = test;
      const before = auth.keys.current().kid;
      const old = await tokenOf(platform.client.clientId, platform.secret);
      const { kid } = await rotateSigningKey(auth, system, { algorithm: 'EdDSA' });
      expect(
        auth.keys
          .jwks()
          .keys.map((key) => key.kid)
          .sort(),
      ).toEqual([before, kid].sort());
      expect(auth.keys.current().kid).toBe(before);
      clock.advance(auth.settings.keyActivationDelayMs);
      expect(auth.keys.current()).toMatchObject({ kid, algorithm: 'EdDSA' });
      await guard(old);
      await guard(await tokenOf(platform.client.clientId, platform.secret));
      clock.advance(auth.settings.engagementTokenSeconds * 1000 + 61_000);
      expect(auth.keys.jwks().keys.map((key) => key.kid)).toEqual([kid]);
    });

    it('go at once when compromised, with every token they signed', async () => {
      const token = await tokenOf(platform.client.clientId, platform.secret);
      await guard(token);
      await rotateSigningKey(test.auth, test.system, { compromised: true });
      await expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await guard(await tokenOf(platform.client.clientId, platform.secret));
    });

    it('lie sealed in the database', async () => {
      const [key] = await test.auth.store.direct.signingKeys.list();
      const bytes = Buffer.from(key!.sealedPrivateKey);
      const opened = Buffer.from(await test.auth.keySealer.open(bytes, key!.kid));
      expect(bytes.includes(opened.subarray(-32))).toBe(false);
      await expect(test.auth.keySealer.open(bytes, 'another-kid')).rejects.toThrow();
    });
  });

  it('what guessing has used up at one node is used up at a node that has not met the address', async () => {
    const limit = { perMinute: 20, burst: 20 };
    const rateLimits = { ...test.auth.settings.rateLimits, tokenFailuresPerAddress: limit };
    const settings = { ...test.auth.settings, sharedState: true, rateLimits };
    const nowMs = Date.now();
    const nodes = await Promise.all(
      [1, 2].map(() => createTestAuth(database, { settings, clock: testClock(nowMs) })),
    );
    const [here, there] = nodes.map(({ auth }) => auth.limits.tokenFailuresPerAddress);
    const guesses = (count: number) =>
      Promise.all(Array.from({ length: count }, () => there!.takeAnywhere('198.51.100.77')));
    try {
      for (let count = 0; count < 15; count++) expect(await here!.takeAnywhere('198.51.100.77')).toBe(0);
      // Shared once a second; each of the 15 puts off by three seconds when the limit is whole again.
      const { rates } = nodes[0]!.auth.store.direct;
      await expect
        .poll(() => rates.wholeAtMs('tokenFailuresPerAddress 198.51.100.77'))
        .toBe(nowMs + 15 * 3000);
      expect((await guesses(20)).filter((waitMs) => waitMs === 0)).toHaveLength(5);
      // A minute later nothing is left of it, however much there was; others were never concerned.
      for (const { clock } of nodes) clock.advance(120_000);
      expect((await guesses(20)).filter((waitMs) => waitMs > 0)).toEqual([]);
      expect(await there!.takeAnywhere('198.51.100.78')).toBe(0);
    } finally {
      for (const { auth } of nodes) await auth.stop();
    }
  });

  describe('the first run', () => {
    it.each([
      [undefined, true],
      [true, false],
    ])('has a printed password replaced, unless told otherwise (%s)', async (keepPassword, isReplaced) => {
      const { auth } = await createTestAuth(await open());
      await bootstrapAuth(auth, {
        administratorName: 'admin',
        administratorPassword: PASSWORD,
        ...(keepPassword && { keepPassword }),
        applicationName: 'First',
        environmentName: 'development',
        geography: 'us',
        gkScopeId: 'gk-1',
      });
      const [admin] = await auth.store.direct.users.list();
      expect(admin?.mustChangePassword).toBe(isReplaced);
      await auth.stop();
    });

    it('makes an administrator, an application and a setup token that works once', async () => {
      const { auth } = await createTestAuth(await open());
      const input = {
        administratorName: 'admin',
        applicationName: 'First',
        environmentName: 'development',
        geography: 'us',
        gkScopeId: 'gk-1',
      };
      const first = await bootstrapAuth(auth, input);
      expect(first).toMatchObject({ created: true, userName: 'admin' });
      expect((await bootstrapAuth(auth, input)).created).toBe(false);
      expect(await isSetupOpen(auth)).toBe(true);
      const token = first.setupToken!;
      const address = '127.0.0.1';
      await expect(
        completeSetup(auth, { token: 'guess', password: PASSWORD, address }),
      ).rejects.toMatchObject({ code: 'NOT_AUTHORIZED' });
      await expect(completeSetup(auth, { token, password: 'short', address })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      });
      expect(await completeSetup(auth, { token, password: PASSWORD, address })).toEqual({
        userName: 'admin',
      });
      await expect(completeSetup(auth, { token, password: PASSWORD, address })).rejects.toMatchObject(absent);
      expect(await createSetupToken(auth)).toBeUndefined();
      await auth.stop();
    });
  });
});

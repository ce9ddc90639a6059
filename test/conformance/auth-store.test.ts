// One suite for every store of the authorization server: what the ports promise, on SQLite and on PostgreSQL.
import { beforeEach, describe, expect, it } from 'vitest';
import { newRuntimeClient } from '../../src/auth/clients/new-client.js';
import { FOREVER_MS } from '../../src/auth/model.js';
import type {
  AuthorizationCode,
  Change,
  Environment,
  RefreshToken,
  StoredSigningKey,
  User,
} from '../../src/auth/model.js';
import type { TenantRole } from '../../src/auth/roles.js';
import type { AuthStore } from '../../src/auth/ports.js';
import { authStore } from '../../src/storage/auth/store.js';
import { forEachDatabase } from '../support/database.js';

const user = (change: Partial<User> = {}): User => ({
  userId: 'u1',
  userName: 'ann',
  displayName: 'Ann ’ü',
  role: 'member',
  passwordHash: undefined,
  mustChangePassword: false,
  locked: false,
  lockedUntilMs: 0,
  tenantRoles: [{ tenantId: 't1', role: 'operator' }],
  createdAtMs: 1_700_000_000_123,
  updatedAtMs: 1_700_000_000_123,
  deviceEpoch: undefined,
  ...change,
});

const environment = (change: Partial<Environment> = {}): Environment => ({
  appId: 'a1',
  applicationId: 'p1',
  name: 'development',
  geographies: ['us', 'eu'],
  tenants: ['t1', 't2'],
  contextTag: 'tag',
  createdAtMs: 1,
  updatedAtMs: 1,
  ...change,
});

const code = (change: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  codeHash: 'c1',
  clientId: 'x',
  userId: 'u1',
  redirectUri: 'https://a.example/',
  scope: 'platform-api',
  codeChallenge: 'ch',
  dpopJkt: undefined,
  nonce: undefined,
  signedInAtMs: undefined,
  grantId: 'g1',
  expiresAtMs: 1000,
  usedAtMs: undefined,
  ...change,
});

const refresh = (change: Partial<RefreshToken> = {}): RefreshToken => ({
  tokenHash: 'r1',
  grantId: 'g1',
  clientId: 'x',
  userId: 'u1',
  scope: 'platform-api',
  dpopJkt: 'jkt',
  createdAtMs: 1,
  expiresAtMs: 1000,
  usedAtMs: undefined,
  ...change,
});

await forEachDatabase(({ open }) => {
  let store: AuthStore;
  let audited: string[];

  beforeEach(async () => {
    const database = await open();
    audited = [];
    const audit = {
      within: () => ({
        append: async ({ operation }: { operation: string }) => void audited.push(operation),
      }),
    };
    store = authStore({ database, audit, issuer: 'http://voxgate.test' });
  });

  describe('users', () => {
    it('come back as they were put in, by ID and by name', async () => {
      const { users } = store.direct;
      const ann = user({
        passwordHash: 'h',
        mustChangePassword: true,
        locked: true,
        lockedUntilMs: FOREVER_MS,
      });
      await users.insert(ann);
      expect(await users.get('u1')).toEqual(ann);
      expect(await users.findByName('ann')).toEqual(ann);
      expect(await users.findByName('Ann')).toBeUndefined();
      await users.update({ ...ann, passwordHash: undefined, tenantRoles: [] });
      expect(await users.get('u1')).toEqual({ ...ann, passwordHash: undefined, tenantRoles: [] });
      await users.delete('u1');
      expect(await users.list()).toEqual([]);
    });

    it('have unique names, are counted by password, and keep the mark of their browsers through updates', async () => {
      const { users } = store.direct;
      await users.insert(user());
      await expect(users.insert(user({ userId: 'u2' }))).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      expect(await users.countWithOwnPassword()).toBe(0);
      await users.insert(user({ userId: 'u2', userName: 'bob', passwordHash: 'h' }));
      expect(await users.countWithOwnPassword()).toBe(1);
      await users.forgetDevices('u1', 'e1');
      expect(await users.get('u1')).toEqual(user({ deviceEpoch: 'e1' }));
      await users.update(user({ locked: true }));
      expect(await users.get('u1')).toEqual(user({ locked: true, deviceEpoch: 'e1' }));
      expect((await users.get('u2'))?.deviceEpoch).toBeUndefined();
    });
  });

  it('nobody changes what another holds: users, applications, environments and clients', async () => {
    const { direct } = store;
    await direct.users.insert(user());
    await direct.applications.insert({ applicationId: 'p1', name: '', createdAtMs: 1, updatedAtMs: 1 });
    await direct.environments.insert(environment({ name: '' }));
    const client = newRuntimeClient({
      clientId: 'c1',
      appId: 'a1',
      geography: 'us',
      name: 'n',
      scopes: [],
      nowMs: 1,
    });
    await direct.clients.insert(client);
    const adding = (letter: string) =>
      store.transaction(async ({ users, applications, environments, clients }) => {
        const held = {
          user: await users.lock('u1'),
          application: await applications.lock('p1'),
          environment: await environments.lock('a1'),
          client: await clients.lock('c1'),
        };
        if (!held.user || !held.application || !held.environment || !held.client) throw new Error('missing');
        await users.update({ ...held.user, displayName: held.user.displayName + letter });
        await applications.update({ ...held.application, name: held.application.name + letter });
        await environments.update({ ...held.environment, name: held.environment.name + letter });
        await clients.update({ ...held.client, scopes: [...held.client.scopes, letter] });
      });
    await Promise.all([...'abcd'].map(adding));
    const sorted = (text = '') => [...text].sort().join('');
    expect(sorted((await direct.users.get('u1'))?.displayName.slice(user().displayName.length))).toBe('abcd');
    expect(sorted((await direct.applications.get('p1'))?.name)).toBe('abcd');
    expect(sorted((await direct.environments.get('a1'))?.name)).toBe('abcd');
    expect([...((await direct.clients.get('c1'))?.scopes ?? [])].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await store.transaction(({ users }) => users.lock('nobody'))).toBeUndefined();
  });

  describe('failures', () => {
    const count = (key: string, nowMs: number) =>
      store.transaction(async ({ failures }) => {
        const row = await failures.hold(key, nowMs);
        await failures.put(key, { failures: row.failures + 1, lastAtMs: nowMs, freeAtMs: nowMs + 5 });
        return row.failures;
      });

    it('are counted without losing one, and end at a word', async () => {
      const { failures } = store.direct;
      expect(await failures.get('a')).toBeUndefined();
      const before = await Promise.all([1, 2, 3, 4].map(() => count('a', 7)));
      expect(before.sort()).toEqual([0, 1, 2, 3]);
      await count('b', 7);
      expect(await failures.get('a')).toEqual({ failures: 4, lastAtMs: 7, freeAtMs: 12 });
      await failures.clear('a');
      expect(await failures.get('a')).toBeUndefined();
      expect(await failures.get('b')).toEqual({ failures: 1, lastAtMs: 7, freeAtMs: 12 });
    });

    it('go when they are old, and the oldest where there are too many', async () => {
      const { failures } = store.direct;
      for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) await count(key, at);
      await failures.deleteIdle(1, 10);
      const left = async () => {
        const rows = await Promise.all(['a', 'b', 'c', 'd'].map((key) => failures.get(key)));
        return rows.map((row) => row?.lastAtMs);
      };
      expect(await left()).toEqual([undefined, 1, 2, 3]);
      await failures.deleteIdle(1, 2);
      expect(await left()).toEqual([undefined, undefined, 2, 3]);
    });
  });

  describe('second factors', () => {
    const sealedSecret = new Uint8Array([1, 2, 3]);
    const app = { userId: 'u1', sealedSecret, lastStep: 7, createdAtMs: 5 };

    it('of an app come back as they were put in, and a step is used once, by whoever is first', async () => {
      const { factors } = store.direct;
      await factors.putTotp({ ...app, lastStep: 3 });
      await factors.putTotp(app);
      const found = await factors.getTotp('u1');
      expect({ ...found, sealedSecret: [...(found?.sealedSecret ?? [])] }).toEqual({
        ...app,
        sealedSecret: [1, 2, 3],
      });
      const uses = await Promise.all([8, 8, 8, 7].map((step) => factors.useTotpStep('u1', step)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect(await factors.useTotpStep('u1', 7)).toBe(false);
      expect(await factors.useTotpStep('u2', 9)).toBe(false);
      expect([...(await factors.holders())]).toEqual(['u1']);
      expect([...(await factors.holders('u2'))]).toEqual([]);
      await factors.deleteTotp('u1');
      expect(await factors.getTotp('u1')).toBeUndefined();
    });

    it('that are passkeys belong to one person, and their counter only goes forward', async () => {
      const { factors } = store.direct;
      const key = { credentialId: 'k1', userId: 'u1', name: 'laptop', publicKey: sealedSecret, counter: 0 };
      await factors.insertPasskey({ ...key, createdAtMs: 5, lastUsedAtMs: undefined });
      await expect(
        factors.insertPasskey({ ...key, userId: 'u2', createdAtMs: 6, lastUsedAtMs: 7 }),
      ).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      const { publicKey, ...rest } = (await factors.getPasskey('k1'))!;
      expect([[...publicKey], rest]).toEqual([
        [1, 2, 3],
        {
          credentialId: 'k1',
          userId: 'u1',
          name: 'laptop',
          counter: 0,
          createdAtMs: 5,
          lastUsedAtMs: undefined,
        },
      ]);
      expect([await factors.usePasskey('k1', 0, 8), await factors.usePasskey('k1', 0, 9)]).toEqual([
        true,
        true,
      ]);
      const uses = await Promise.all([3, 3, 3].map((counter) => factors.usePasskey('k1', counter, 10)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect([await factors.usePasskey('k1', 2, 11), await factors.usePasskey('k1', 0, 11)]).toEqual([
        false,
        false,
      ]);
      expect(await factors.listPasskeys('u1')).toMatchObject([{ counter: 3, lastUsedAtMs: 10 }]);
      expect([...(await factors.holders('u1'))]).toEqual(['u1']);
      expect([
        await factors.renamePasskey('u2', 'k1', 'x'),
        await factors.deletePasskey('u2', 'k1'),
        await factors.renamePasskey('u1', 'k1', 'desk'),
        await factors.deletePasskey('u1', 'k1'),
      ]).toEqual([false, false, true, true]);
      await factors.insertPasskey({ ...key, createdAtMs: 5, lastUsedAtMs: undefined });
      await factors.deleteOfUser('u1');
      expect(await factors.getPasskey('k1')).toBeUndefined();
    });

    it('on paper are spent once, replaced as a whole, and go with their owner', async () => {
      const { factors } = store.direct;
      await factors.setRecoveryCodes('u1', ['old'], 1);
      await factors.setRecoveryCodes('u1', ['a', 'b', 'c'], 2);
      await factors.setRecoveryCodes('u2', ['a'], 2);
      expect(await factors.useRecoveryCode('u1', 'old')).toBe(false);
      const uses = await Promise.all([1, 2, 3].map(() => factors.useRecoveryCode('u1', 'a')));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect([await factors.countRecoveryCodes('u1'), await factors.countRecoveryCodes('u2')]).toEqual([
        2, 1,
      ]);
      await factors.putTotp(app);
      await factors.deleteOfUser('u1');
      expect(await factors.countRecoveryCodes('u1')).toBe(0);
      expect([...(await factors.holders())]).toEqual([]);
    });
  });

  describe('applications and environments', () => {
    it('are listed for their members only', async () => {
      const { applications, environments } = store.direct;
      for (const applicationId of ['p1', 'p2']) {
        await applications.insert({ applicationId, name: applicationId, createdAtMs: 1, updatedAtMs: 1 });
      }
      await applications.setMember('p1', 'u1', 'auditor');
      await applications.setMember('p1', 'u1', 'owner');
      await environments.insert(environment());
      await environments.insert(environment({ appId: 'a2', applicationId: 'p2' }));
      expect((await applications.list({ userId: 'u1' })).map((each) => each.applicationId)).toEqual(['p1']);
      expect(await applications.list({})).toHaveLength(2);
      expect(await applications.members('p1')).toEqual([{ userId: 'u1', role: 'owner' }]);
      expect(await applications.rolesOf('u1')).toEqual(new Map([['p1', 'owner']]));
      expect((await environments.list({ userId: 'u1' })).map((each) => each.appId)).toEqual(['a1']);
      await applications.removeMember('p1', 'u1');
      expect(await environments.list({ userId: 'u1' })).toEqual([]);
    });

    it('keep geographies and tenants, and one environment per name', async () => {
      const { environments } = store.direct;
      await environments.insert(environment());
      expect(await environments.get('a1')).toEqual(environment());
      await expect(environments.insert(environment({ appId: 'a2' }))).rejects.toMatchObject({
        code: 'ALREADY_EXISTS',
      });
      await environments.update(environment({ tenants: ['t3'], geographies: ['us'] }));
      expect(await environments.get('a1')).toEqual(environment({ tenants: ['t3'], geographies: ['us'] }));
      await environments.delete('a1');
      expect(await environments.get('a1')).toBeUndefined();
    });
  });

  describe('clients', () => {
    it('tell which scopes somebody has through the applications they own', async () => {
      const { applications, clients, environments } = store.direct;
      const own: [string, TenantRole, string[]][] = [
        ['owned', 'owner', ['asr', 'log']],
        ['owned-too', 'owner', ['log', 'tts']],
        ['seen', 'developer', ['nlu']],
      ];
      for (const [id, role, scopes] of own) {
        await applications.insert({ applicationId: id, name: id, createdAtMs: 1, updatedAtMs: 1 });
        await applications.setMember(id, 'u1', role);
        await environments.insert(environment({ appId: id, applicationId: id }));
        const clientId = `appID:${id}:geo:us:clientName:d`;
        await clients.insert(
          newRuntimeClient({ clientId, appId: id, geography: 'us', name: 'd', scopes, nowMs: 5 }),
        );
      }
      expect((await clients.scopesOwnedBy('u1')).toSorted()).toEqual(['asr', 'log', 'tts']);
      expect(await clients.scopesOwnedBy('u2')).toEqual([]);
    });

    it('come back as they were put in, and take their secrets with them', async () => {
      const { clients } = store.direct;
      const client = newRuntimeClient({
        clientId: 'appID:a:geo:us:clientName:d',
        appId: 'a',
        geography: 'us',
        name: 'd',
        scopes: ['asr', 'log'],
        nowMs: 5,
      });
      await clients.insert(client);
      expect(await clients.get(client.clientId)).toEqual(client);
      await expect(clients.insert(client)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      const changed = {
        ...client,
        certificate: { sanDns: 'ivr.example.com' },
        locked: true,
        dpopRequired: true,
        sites: ['1'],
        keys: [{ kty: 'EC', crv: 'P-256' }],
      };
      await clients.update(changed);
      expect(await clients.list({ appId: 'a', kind: 'runtime' })).toEqual([changed]);
      expect(await clients.list({ appId: 'b' })).toEqual([]);
      const hash = new Uint8Array(32).fill(9);
      await clients.insertSecret({
        secretId: 's1',
        clientId: client.clientId,
        hash,
        createdAtMs: 1,
        expiresAtMs: undefined,
      });
      await clients.setSecretExpiry('s1', 77);
      const [secret] = await clients.secrets(client.clientId);
      expect(secret).toMatchObject({ secretId: 's1', expiresAtMs: 77 });
      expect(Buffer.from(secret!.hash).equals(Buffer.from(hash))).toBe(true);
      await clients.delete(client.clientId);
      expect(await clients.secrets(client.clientId)).toEqual([]);
    });
  });

  describe('codes and refresh tokens', () => {
    it('are used first by exactly one of many', async () => {
      const { grants } = store.direct;
      await grants.insertCode(code());
      await grants.insertRefreshToken(refresh());
      const codes = await Promise.all([1, 2, 3, 4, 5].map((now) => grants.useCode('c1', now)));
      expect(codes.filter((each) => each?.first)).toHaveLength(1);
      expect(codes.every((each) => each?.code.grantId === 'g1')).toBe(true);
      const tokens = await Promise.all([1, 2, 3, 4, 5].map((now) => grants.useRefreshToken('r1', now)));
      expect(tokens.filter((each) => each?.first)).toHaveLength(1);
      expect(await grants.useCode('nope', 1)).toBeUndefined();
      expect(await grants.useRefreshToken('nope', 1)).toBeUndefined();
    });

    it('go by grant, user or client, and never all at once by an empty filter', async () => {
      const { grants } = store.direct;
      await grants.insertRefreshToken(refresh());
      await grants.insertRefreshToken(
        refresh({ tokenHash: 'r2', grantId: 'g2', clientId: 'y', userId: 'u2', dpopJkt: undefined }),
      );
      await grants.deleteRefreshTokens({});
      expect(await grants.getRefreshToken('r1')).toEqual(refresh());
      await grants.deleteRefreshTokens({ grantId: 'g1' });
      expect(await grants.getRefreshToken('r1')).toBeUndefined();
      expect(await grants.getRefreshToken('r2')).toMatchObject({ dpopJkt: undefined, userId: 'u2' });
      await grants.deleteRefreshTokens({ clientId: 'y' });
      expect(await grants.getRefreshToken('r2')).toBeUndefined();
    });

    it('expire with sessions; consents are replaced and removed', async () => {
      const { grants } = store.direct;
      await grants.insertRefreshToken(refresh());
      await grants.insertSession({ sessionHash: 's', userId: 'u1', createdAtMs: 1, expiresAtMs: 1000 });
      const named = { sessionHash: 'p', userId: 'u3', createdAtMs: 1, expiresAtMs: 1000 };
      await grants.insertSession({ ...named, providerSession: 'https://idp.example 7' });
      expect(await grants.listSessionsOfProvider('https://idp.example 7')).toMatchObject([named]);
      expect(await grants.listSessionsOfProvider('https://idp.example 8')).toEqual([]);
      await grants.deleteExpired(999);
      expect(await grants.getSession('s')).toEqual({
        sessionHash: 's',
        userId: 'u1',
        createdAtMs: 1,
        expiresAtMs: 1000,
      });
      await grants.deleteExpired(1000);
      expect(await grants.getSession('s')).toBeUndefined();
      expect(await grants.getRefreshToken('r1')).toBeUndefined();
      await grants.setConsent('u1', 'x', 'a', 1);
      await grants.setConsent('u1', 'x', 'a b', 2);
      expect(await grants.getConsent('u1', 'x')).toBe('a b');
      await grants.deleteConsents({ userId: 'u1' });
      expect(await grants.getConsent('u1', 'x')).toBeUndefined();
    });
  });

  describe('changes, one-time values, keys and settings', () => {
    it('are written, replaced, read by time, and dropped when expired', async () => {
      const { changes } = store.direct;
      const change: Change = {
        kind: 'client',
        key: 'x',
        validAfterMs: FOREVER_MS,
        version: 'v1',
        changedAtMs: 10,
        expiresAtMs: 100,
      };
      await changes.put(change);
      await changes.put({ ...change, kind: 'user', version: 'v2', changedAtMs: 20 });
      await changes.put({ ...change, version: 'v3', changedAtMs: 30 });
      expect(await changes.get('client', 'x')).toEqual({ ...change, version: 'v3', changedAtMs: 30 });
      expect((await changes.since(20)).map((each) => each.version)).toEqual(['v2', 'v3']);
      expect((await changes.since(21)).map((each) => each.version)).toEqual(['v3']);
      await changes.deleteExpired(100);
      expect(await changes.since(0)).toEqual([]);
    });

    it('remember a one-time value once, whoever asks', async () => {
      const { oneTime } = store.direct;
      const answers = await Promise.all([1, 2, 3].map(() => oneTime.remember('k', 100)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      await oneTime.deleteExpired(100);
      expect(await oneTime.remember('k', 200)).toBe(true);
    });

    it('keep signing keys and settings', async () => {
      const { signingKeys, settings } = store.direct;
      const key: StoredSigningKey = {
        kid: 'k',
        algorithm: 'EdDSA',
        publicJwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
        sealedPrivateKey: new Uint8Array([1, 2, 3]),
        createdAtMs: 1,
        activeFromMs: 2,
        expiresAtMs: undefined,
      };
      await signingKeys.insert(key);
      const [found] = await signingKeys.list();
      expect({ ...found, sealedPrivateKey: [...found!.sealedPrivateKey] }).toEqual({
        ...key,
        sealedPrivateKey: [1, 2, 3],
      });
      await signingKeys.setExpiry('k', 50);
      await signingKeys.deleteExpired(49);
      expect(await signingKeys.list()).toHaveLength(1);
      await signingKeys.deleteExpired(50);
      expect(await signingKeys.list()).toEqual([]);
      await settings.set('a', '1');
      await settings.set('a', '2');
      expect(await settings.get('a')).toBe('2');
      await settings.delete('a');
      expect(await settings.get('a')).toBeUndefined();
    });
  });

  it('people of an identity provider are found by issuer and subject together, and go with their user', async () => {
    const { identities } = store.direct;
    await identities.insert({ issuer: 'https://a', subject: '1', userId: 'u1', createdAtMs: 1 });
    await identities.insert({ issuer: 'https://b', subject: '1', userId: 'u2', createdAtMs: 1 });
    expect(await identities.find('https://a', '1')).toBe('u1');
    expect(await identities.find('https://b', '1')).toBe('u2');
    expect(await identities.find('https://a', '2')).toBeUndefined();
    const twice = { issuer: 'https://a', subject: '1', userId: 'u3', createdAtMs: 1 };
    await expect(identities.insert(twice)).rejects.toThrow();
    expect(await identities.holders()).toEqual(new Set(['u1', 'u2']));
    await identities.deleteOfUser('u1');
    expect(await identities.holders('u1')).toEqual(new Set());
    expect(await identities.holders('u2')).toEqual(new Set(['u2']));
  });

  describe('a transaction', () => {
    it('keeps nothing, and no audit record, when it fails', async () => {
      const failing = store.transaction(async (tx) => {
        await tx.users.insert(user());
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      expect(await store.direct.users.list()).toEqual([]);
      await store.transaction(async (tx) => {
        await tx.users.insert(user());
        await tx.audit.append({
          action: 'user.create',
          actor: { subject: 's', clientId: 'c', userId: undefined },
          target: { type: 'user', id: 'u1' },
          tenants: [],
          requestId: 'r',
          atMs: 1,
        });
      });
      expect(await store.direct.users.list()).toHaveLength(1);
      expect(audited).toEqual(['user.create']);
    });
  });
}, 'both quick');

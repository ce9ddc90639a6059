// Attacks on keys and proofs of possession: a stolen signing key that goes on working, a DPoP proof that was made for
// another address, and one that is shown to a second node.
import { createHash, randomUUID } from 'node:crypto';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rotateSigningKey } from '../../src/auth/tokens/rotate-signing-key.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import { basic, createTestAuth, postForm } from '../auth/support.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { DatabaseUnavailable } from '../../src/storage/unavailable.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { callerOf, startTarget, type Target } from './support.js';

let target: Target;
let server: TestServer;
const keys = await generateKeyPair('ES256');
const jwk = await exportJWK(keys.publicKey);

beforeAll(async () => {
  target = await startTarget();
  server = await startTestServer({
    bare: true,
    bindings: [echoScopes().binding],
    overrides: { authenticate: createAuthenticator(target.auth) },
  });
});
afterAll(async () => {
  await server.stop();
  await target.stop();
});

async function proof(htm: string, htu: string, token?: string): Promise<string> {
  const ath = token && createHash('sha256').update(token).digest('base64url');
  return new SignJWT({ htm, htu, jti: randomUUID(), ...(ath ? { ath } : {}) })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
    .setIssuedAt()
    .sign(keys.privateKey);
}

async function boundToken(): Promise<string> {
  const url = `${target.url}/oauth2/token`;
  const { platform } = target;
  const { body } = await postForm(
    url,
    { grant_type: 'client_credentials', scope: 'biosec' },
    { authorization: basic(platform.client.clientId, platform.secret), dpop: await proof('POST', url) },
  );
  expect(body['token_type']).toBe('DPoP');
  return String(body['access_token']);
}

const PATH = '/v1/scopes/x/gkid';
const rest = (token: string, dpop: string, headers: Record<string, string> = {}) =>
  server.rest('GET', PATH, {
    headers: { authorization: `DPoP ${token}`, dpop, ...headers },
  });

it('a proof for another address is refused, whatever headers the caller sets', async () => {
  const token = await boundToken();
  const elsewhere = `https://evil.example${PATH}`;
  const forged = await rest(token, await proof('GET', elsewhere, token), {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  });
  expect(forged.status).toBe(401);
  expect(forged.headers.get('www-authenticate')).toMatch(/^DPoP .*invalid_dpop_proof/);
  // The configured address of this server is that of its issuer.
  const good = await rest(token, await proof('GET', `${target.url}${PATH}`, token));
  expect(good.status).toBe(200);
});

it('gRPC without TLS has the scheme http', async () => {
  const token = await boundToken();
  const client = server.grpc(ScopesManager);
  const call = async (htu: string) =>
    client.getGkScopeId(
      { scopeId: 'x' },
      {
        token: null,
        metadata: { authorization: `DPoP ${token}`, dpop: await proof('POST', htu, token) },
      },
    );
  const path = `/${ScopesManager.typeName}/GetGkScopeId`;
  expect((await call(`http://${server.grpcAddress}${path}`)).gkScopeId?.value).toBe('gk-x');
  await expect(call(`https://${server.grpcAddress}${path}`)).rejects.toMatchObject({ code: 16 });
});

it('a bound token as a plain bearer token, and no token at all, get the answers of their RFCs', async () => {
  const token = await boundToken();
  const bearer = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' }, token });
  expect(bearer.status).toBe(401);
  expect(bearer.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_token"/);
  const missing = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' }, token: null });
  expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="voxgate"');
  const wrong = await server.rest('POST', '/v1/scopes', { body: { scopeId: 'x' }, token: 'nonsense' });
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
});

it('a proof that one node has seen is refused by the other', async () => {
  const settings = { ...target.auth.settings, sharedState: true };
  const nodes = await Promise.all(
    [1, 2].map(() => createTestAuth(target.database, { issuer: target.url, settings })),
  );
  try {
    const token = await boundToken();
    const url = `${target.url}/v1/x`;
    const dpop = await proof('GET', url, token);
    const ask = ({ auth }: { auth: Target['auth'] }) =>
      createAuthenticator(auth)({ authorization: `DPoP ${token}`, dpop, method: 'GET', url });
    expect(await ask(nodes[0]!)).toMatchObject({ appId: target.platform.environment.appId });
    await expect(ask(nodes[1]!)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  } finally {
    for (const { auth } of nodes) await auth.stop();
  }
});

it('a compromised signing key ends at once, with its tokens, on every node', async () => {
  const other = await createTestAuth(target.database, {
    issuer: target.url,
    settings: { changePollMs: 20 },
  });
  try {
    const { body } = await postForm(
      `${target.url}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'biosec' },
      { authorization: basic(target.platform.client.clientId, target.platform.secret) },
    );
    const token = String(body['access_token']);
    const elsewhere = (): Promise<unknown> =>
      createAuthenticator(other.auth)({
        authorization: `Bearer ${token}`,
        dpop: undefined,
        method: 'GET',
        url: '/v1/x',
      });
    await elsewhere();
    const stolen = target.auth.keys.current().kid;
    const { unconfirmed } = await rotateSigningKey(target.auth, target.system, { compromised: true });
    expect(unconfirmed).toEqual([]);
    expect(await callerOf(target, token)).toBeUndefined();
    expect(target.auth.keys.jwks().keys.map((key) => key.kid)).not.toContain(stolen);
    // The answer came when the other had dropped it, too.
    await expect(elsewhere()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(other.auth.keys.jwks().keys.map((key) => key.kid)).not.toContain(stolen);
  } finally {
    await other.auth.stop();
  }
});

it('a server that cannot drop a compromised key is named, and tries again until it can', async () => {
  let isBroken = false;
  const other = await createTestAuth(target.database, {
    issuer: target.url,
    settings: { changePollMs: 20 },
    needs: {
      serverName: 'node-b',
      store: {
        ...target.auth.store,
        direct: {
          ...target.auth.store.direct,
          signingKeys: {
            ...target.auth.store.direct.signingKeys,
            list: () =>
              isBroken ? Promise.reject(new Error('no keys')) : target.auth.store.direct.signingKeys.list(),
          },
        },
      },
    },
  });
  try {
    const stolen = target.auth.keys.current().kid;
    isBroken = true;
    const { unconfirmed } = await rotateSigningKey(target.auth, target.system, { compromised: true });
    expect(unconfirmed).toEqual(['node-b']);
    const trusted = (): boolean => other.auth.keys.isTrusted(stolen);
    expect(trusted()).toBe(true);
    isBroken = false;
    await expect.poll(trusted).toBe(false);
    // And it is waited for again.
    const again = await rotateSigningKey(target.auth, target.system, { compromised: true });
    expect(again.unconfirmed).toEqual([]);
    expect(other.auth.keys.isTrusted(again.kid)).toBe(true);
  } finally {
    await other.auth.stop();
  }
  const alone = await rotateSigningKey(target.auth, target.system, { compromised: true });
  expect(alone.unconfirmed).toEqual([]);
});

it('a server that is cut off from the database believes no token after ten seconds', async () => {
  let isCutOff = false;
  const { store } = target.auth;
  const { changes } = store.direct;
  const since: typeof changes.since = (atMs) =>
    isCutOff ? Promise.reject(new DatabaseUnavailable('cut off')) : changes.since(atMs);
  const other = await createTestAuth(target.database, {
    issuer: target.url,
    clock: target.clock,
    settings: { changePollMs: 3600_000 },
    needs: { store: { ...store, direct: { ...store.direct, changes: { ...changes, since } } } },
  });
  try {
    const { body } = await postForm(
      `${target.url}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'biosec' },
      { authorization: basic(target.platform.client.clientId, target.platform.secret) },
    );
    const authorization = `Bearer ${String(body['access_token'])}`;
    const guard = createAuthenticator(other.auth);
    const elsewhere = () => guard({ authorization, dpop: undefined, method: 'GET', url: '/v1/x' });
    isCutOff = true;
    await elsewhere();
    target.clock.advance(11_000);
    await expect(elsewhere()).rejects.toMatchObject({ code: 'BUSY' });
    isCutOff = false;
    await elsewhere();
  } finally {
    await other.auth.stop();
  }
});

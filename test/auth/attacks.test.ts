// What an attacker would try against the token service, and what happens then.
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT, generateKeyPair, decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { registerEngagementClient } from '../../src/auth/clients/register-engagement-client.js';
import { handleTokenRequest } from '../../src/auth/tokens/token-endpoint.js';
import { readAuthorizationRequest } from '../../src/auth/authorization/read-authorization-request.js';
import { issueAccessToken } from '../../src/auth/tokens/issue-access-token.js';
import type { Client } from '../../src/auth/model.js';
import type { Log } from '../../src/platform.js';
import { openDatabase, type Database, type DatabaseOptions } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { Browser, hiddenFields } from './browser.js';
import { freePort } from '../support/free-port.js';
import {
  PASSWORD,
  basic,
  callOf,
  createTestAuth,
  createTestPlatform,
  postForm,
  serveOAuth,
} from './support.js';
import type { OAuthServer, TestAuth, TestPlatform } from './support.js';

let folder: string;
let database: Database;
let test: TestAuth;
let platform: TestPlatform;
let server: OAuthServer;
let logged = '';
const log: Log = {
  debug: (fields, message) => void (logged += JSON.stringify(fields) + message),
  info: (fields, message) => void (logged += JSON.stringify(fields) + message),
  warn: (fields, message) => void (logged += JSON.stringify(fields) + message),
  error: (fields, message) => void (logged += JSON.stringify(fields) + message),
  child: () => log,
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'voxgate-attack-'));
  const options: DatabaseOptions = { kind: 'sqlite', file: join(folder, 'voxgate.db') };
  database = openDatabase(options);
  await migrate(database, { now: () => 0 });
  test = await createTestAuth(database, { issuer: `http://127.0.0.1:${await freePort()}`, log });
  platform = await createTestPlatform(test);
  server = await serveOAuth(test, { log });
});

afterEach(async () => {
  await server.stop();
  await test.auth.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const guard = (token: string) =>
  createAuthenticator(test.auth)({
    authorization: `Bearer ${token}`,
    dpop: undefined,
    method: 'GET',
    url: '/v1/x',
  });
const refusedByGuard = (token: string) =>
  expect(guard(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });

async function goodToken(scope = 'asr'): Promise<string> {
  const { body } = await postForm(
    `${server.url}/oauth2/token`,
    { grant_type: 'client_credentials', scope },
    { authorization: basic(platform.client.clientId, platform.secret) },
  );
  return String(body['access_token']);
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('forged tokens', () => {
  it('with alg none, or HS256 under the public key, are refused', async () => {
    const token = await goodToken();
    await guard(token);
    const claims = decodeJwt(token);
    const { kid } = decodeProtectedHeader(token);
    const [jwk] = test.auth.keys.jwks().keys;
    await refusedByGuard(`${encode({ alg: 'none', typ: 'at+jwt', kid })}.${encode(claims)}.`);
    const publicForms = [
      JSON.stringify(jwk),
      (await test.auth.keys.find(kid!))!.publicKey.export({ type: 'spki', format: 'pem' }),
    ];
    for (const secret of publicForms) {
      const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${encode(claims)}`;
      await refusedByGuard(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    }
  });

  it('signed by somebody else, of another issuer, audience or type, are refused', async () => {
    const token = await goodToken();
    const claims = decodeJwt(token);
    const { kid } = decodeProtectedHeader(token);
    const { privateKey: mallory } = await generateKeyPair('ES256');
    await refusedByGuard(
      await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: kid! }).sign(mallory),
    );
    const current = test.auth.keys.current();
    await guard(current.sign(JSON.stringify(claims)));
    await refusedByGuard(current.sign(JSON.stringify({ ...claims, iss: 'https://elsewhere.example' })));
    await refusedByGuard(current.sign(JSON.stringify({ ...claims, aud: 'https://elsewhere.example' })));
    await refusedByGuard(current.sign(JSON.stringify({ ...claims, aud: [claims.aud, 'x'] })));
    const [header, payload] = token.split('.');
    await refusedByGuard(`${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`);
  });

  it('expired, not yet valid, or issued in the future, are refused', async () => {
    const token = await goodToken();
    const claims = decodeJwt(token);
    const { sign } = test.auth.keys.current();
    const now = Math.floor(test.clock.now() / 1000);
    await refusedByGuard(sign(JSON.stringify({ ...claims, exp: now - 1 })));
    await refusedByGuard(sign(JSON.stringify({ ...claims, nbf: now + 60 })));
    await refusedByGuard(sign(JSON.stringify({ ...claims, iat: now + 60 })));
    test.clock.advance(900_000);
    await refusedByGuard(token);
  });

  it('of the engagement API do not open runtime services', async () => {
    const { client, secret } = await registerEngagementClient(test.auth, test.system, {
      name: 'Chat',
      sites: ['306'],
      siteExists: async () => true,
    });
    const answer = await handleTokenRequest(
      test.auth,
      {
        form: new Map([['grant_type', 'client_credentials']]),
        authorization: basic(client.clientId, secret),
        dpop: undefined,
        url: `${server.url}/oauth-server/oauth/token`,
        address: '127.0.0.1',
      },
      ['engagement'],
    );
    expect(answer.granted.issued.claims.sites).toEqual(['306']);
    await refusedByGuard(answer.granted.issued.token);
    const atTheWrongDoor = await postForm(
      `${server.url}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'asr' },
      { authorization: basic(client.clientId, secret) },
    );
    expect(atTheWrongDoor.body['error']).toBe('invalid_client');
  });
});

describe('the authorization code flow', () => {
  const redirectUri = 'https://app.example/callback';
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  let client: Client;
  let secret: string;

  beforeEach(async () => {
    const made = await createToolingClient(test.auth, callOf(platform.owner), {
      name: 'App <b>',
      type: 'user-account',
      redirectUris: [redirectUri],
    });
    client = made.client;
    secret = made.secret!;
  });

  const query = (change: Record<string, string | undefined> = {}): string => {
    const all: Record<string, string | undefined> = {
      client_id: client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'platform-api',
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...change,
    };
    return new URLSearchParams(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ).toString();
  };
  const authorize = (change: Record<string, string | undefined> = {}) =>
    new Browser(server.url).get(`${server.url}/oauth2/authorize?${query(change)}`);
  const redeem = (code: string, change: Record<string, string> = {}) =>
    postForm(
      `${server.url}/oauth2/token`,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...change,
      },
      { authorization: basic(client.clientId, secret) },
    );

  async function obtainCode(browser = new Browser(server.url)): Promise<string> {
    let page = await browser.get(`${server.url}/oauth2/authorize?${query()}`);
    page = await browser.follow(await browser.submit(page, { user_name: 'olga', password: PASSWORD }));
    if (page.status === 200) page = await browser.submit(page, { decision: 'allow' });
    return new URL(page.location!).searchParams.get('code')!;
  }

  it('never redirects to an address that is not registered, letter by letter', async () => {
    for (const redirect of [
      'https://evil.example/callback',
      `${redirectUri}/`,
      `${redirectUri}?x=1`,
      'https://app.example/callback/../callback',
      'https://APP.example/callback',
      'javascript:alert(1)',
    ]) {
      const page = await authorize({ redirect_uri: redirect });
      expect(page.status).toBe(400);
      expect(page.location).toBeUndefined();
    }
    expect((await authorize({ redirect_uri: undefined })).status).toBe(400);
    expect((await authorize({ client_id: 'nobody' })).location).toBeUndefined();
  });

  it('refuses every PKCE downgrade', async () => {
    const changes = [
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: 'short' },
    ];
    for (const change of changes) {
      const page = await authorize(change);
      expect([page.status, page.location]).toEqual([400, undefined]);
      expect(page.html).toContain('invalid_request (PKCE');
    }
    const missing = await redeem(await obtainCode(), { code_verifier: '' });
    expect(missing.body['error']).toBe('invalid_request');
    const wrong = await redeem(await obtainCode(), { code_verifier: 'w'.repeat(43) });
    expect(wrong.body['error']).toBe('invalid_grant');
    const plain = await redeem(await obtainCode(), { code_verifier: challenge });
    expect(plain.body['error']).toBe('invalid_grant');
  });

  it('lets a code work once; its replay voids what came from it', async () => {
    const code = await obtainCode();
    const first = await redeem(code);
    expect(first.status).toBe(200);
    const token = String(first.body['access_token']);
    await guard(token);
    expect((await redeem(code)).body['error']).toBe('invalid_grant');
    await refusedByGuard(token);
    const refresh = await postForm(
      `${server.url}/oauth2/token`,
      { grant_type: 'refresh_token', refresh_token: String(first.body['refresh_token']) },
      { authorization: basic(client.clientId, secret) },
    );
    expect(refresh.body['error']).toBe('invalid_grant');
  });

  it('does not let a code be used with another address, by another client, or late', async () => {
    expect(
      (await redeem(await obtainCode(), { redirect_uri: 'https://app.example/other' })).body['error'],
    ).toBe('invalid_grant');
    const code = await obtainCode();
    const other = await createToolingClient(test.auth, callOf(platform.owner), {
      name: 'Other',
      type: 'user-account',
      redirectUris: [redirectUri],
    });
    const stolen = await postForm(
      `${server.url}/oauth2/token`,
      { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
      { authorization: basic(other.client.clientId, other.secret!) },
    );
    expect(stolen.body['error']).toBe('invalid_grant');
    const late = await obtainCode();
    test.clock.advance(61_000);
    expect((await redeem(late)).body['error']).toBe('invalid_grant');
  });

  it('gives no more scope than the client has, at any step', async () => {
    expect((await authorize({ scope: 'platform-api asr' })).html).toContain('invalid_scope');
    const { body } = await redeem(await obtainCode());
    const refresh = await postForm(
      `${server.url}/oauth2/token`,
      {
        grant_type: 'refresh_token',
        refresh_token: String(body['refresh_token']),
        scope: 'platform-api biosec',
      },
      { authorization: basic(client.clientId, secret) },
    );
    expect(refresh.body['error']).toBe('invalid_scope');
  });

  it('draws pages that run no script, cannot be framed, and escape what strangers named', async () => {
    const page = await authorize();
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`form-action 'self' https://app.example`);
    expect(page.html).not.toContain('<script');
    expect(page.html).not.toContain('<b>');
    expect(page.html).toContain('App &#60;b&#62;');
    const style = /<style>([^]*?)<\/style>/.exec(page.html)![1]!;
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  });

  it('accepts a form only from the browser it was drawn for', async () => {
    const browser = new Browser(server.url);
    const page = await browser.get(`${server.url}/oauth2/authorize?${query()}`);
    const fields = { ...hiddenFields(page), user_name: 'olga', password: PASSWORD };
    const elsewhere = await new Browser(server.url).post(`${server.url}/oauth2/login`, fields);
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.headers.getSetCookie().join()).not.toContain('voxgate_session');
    const tampered = await browser.post(`${server.url}/oauth2/login`, { ...fields, form_token: 'x' });
    expect(tampered.status).toBe(403);
    const good = await browser.post(`${server.url}/oauth2/login`, fields);
    expect(good.status).toBe(303);
    const cookie = good.headers.getSetCookie().find((line) => line.startsWith('voxgate_session='))!;
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    const signedOut = await browser.get(`${server.url}/oauth2/logout`, { 'sec-fetch-site': 'same-origin' });
    expect(signedOut.status).toBe(200);
    expect((await browser.get(`${server.url}/oauth2/authorize?${query({ prompt: 'none' })}`)).html).toContain(
      'login_required',
    );
  });

  it('tells the client when consent is denied', async () => {
    const browser = new Browser(server.url);
    let page = await browser.get(`${server.url}/oauth2/authorize?${query()}`);
    page = await browser.follow(await browser.submit(page, { user_name: 'olga', password: PASSWORD }));
    page = await browser.submit(page, { decision: 'deny' });
    expect(new URL(page.location!).searchParams.get('error')).toBe('access_denied');
  });

  it('reads the free port of a loopback address, and nothing else of it, loosely', async () => {
    const native = await createToolingClient(test.auth, callOf(platform.owner), {
      name: 'Desktop',
      type: 'user-account',
      isPublic: true,
      redirectUris: ['http://127.0.0.1/cb'],
    });
    const ok = async (redirect: string): Promise<boolean> => {
      const params = new URLSearchParams(
        query({ client_id: native.client.clientId, redirect_uri: redirect }),
      );
      return (await readAuthorizationRequest(test.auth, new Map(params))).ok;
    };
    expect(await ok('http://127.0.0.1:51004/cb')).toBe(true);
    expect(await ok('http://127.0.0.1:51004/other')).toBe(false);
    expect(await ok('http://127.0.0.1.evil.example:51004/cb')).toBe(false);
    expect(await ok('https://127.0.0.1:51004/cb')).toBe(false);
  });
});

describe('passwords', () => {
  it('are checked for unknown users too, and are rate-limited per address', async () => {
    const outcomes = new Set<string>();
    for (let i = 0; i < 25; i++) {
      const outcome = await authenticateUser(test.auth, {
        userName: `nobody-${i}`,
        password: 'x',
        address: '203.0.113.10',
      });
      outcomes.add(outcome.ok ? 'ok' : outcome.reason);
    }
    expect([...outcomes].sort()).toEqual(['rate-limited', 'wrong']);
  });
});

describe('secrets', () => {
  it('are in no database file, log line or audit record', async () => {
    await goodToken();
    await postForm(`${server.url}/oauth2/token`, {
      grant_type: 'client_credentials',
      scope: 'nope',
      client_id: platform.client.clientId,
      client_secret: platform.secret,
    });
    const issued = issueAccessToken(test.auth, { client: platform.client, scopes: ['asr'] });
    await database.close();
    const needles = [
      platform.secret,
      Buffer.from(platform.secret, 'base64url').toString('hex'),
      PASSWORD,
      issued.token.split('.')[2]!,
    ];
    const bytes = readFileSync(join(folder, 'voxgate.db')).toString('latin1') + logged;
    expect(bytes).toContain(platform.client.clientId);
    expect(bytes).toContain('client.create');
    for (const needle of needles) expect(bytes).not.toContain(needle);
    expect(bytes.includes(Buffer.from(platform.secret, 'base64url').toString('latin1'))).toBe(false);
    database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  });
});

// What the OpenID conformance suite's basic plan checks of the flows that there are here (authorization code, refresh, client
// credentials, ID tokens), over two client libraries: oauth4webapi, which takes every answer apart, and openid-client.
import { generateKeyPairSync, createPrivateKey, createPublicKey } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import type { Client, PublicJwk } from '../../src/auth/model.js';
import { callerOf, signedInBrowser, startTarget, type Target } from '../attacks/support.js';
import { Browser, type Page } from './browser.js';
import { callOf } from './support.js';

const REDIRECT = 'https://app.example/callback?kept=yes';
const insecure = { [oauth.allowInsecureRequests]: true };
const keyPair = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

let target: Target;
let as: oauth.AuthorizationServer;
let browser: Browser;
const registered = new Map<string, { client: Client; auth: oauth.ClientAuth }>();

async function register(
  name: string,
  auth: (secret: string) => oauth.ClientAuth,
  more: { isPublic?: boolean; keys?: PublicJwk[] } = {},
): Promise<void> {
  const { client: made, secret } = await createToolingClient(target.auth, callOf(target.platform.owner), {
    name,
    type: 'user-account',
    redirectUris: [REDIRECT],
    ...more,
  });
  registered.set(name, { client: made, auth: auth(secret ?? '') });
}

beforeAll(async () => {
  target = await startTarget();
  const issuer = new URL(target.url);
  const answer = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oidc' });
  as = await oauth.processDiscoveryResponse(issuer, answer);
  await register('client_secret_basic', oauth.ClientSecretBasic);
  await register('client_secret_post', oauth.ClientSecretPost);
  await register('none', () => oauth.None(), { isPublic: true });
  const jwk = createPublicKey(keyPair.publicKey).export({ format: 'jwk' }) as unknown as PublicJwk;
  const pkcs8 = createPrivateKey(keyPair.privateKey).export({ type: 'pkcs8', format: 'der' });
  const ec = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), ec, false, ['sign']);
  await register('private_key_jwt', () => oauth.PrivateKeyJwt(key), { keys: [{ ...jwk, alg: 'ES256' }] });
  browser = await signedInBrowser(target, 'olga');
});
afterAll(() => target.stop());
beforeEach(() => target.clock.advance(60_000));

const idOf = (name: string): oauth.Client => ({
  client_id: registered.get(name)?.client.clientId ?? '',
  // The server's clock is ahead of the real one.
  [oauth.clockSkew]: Math.round((target.clock.now() - Date.now()) / 1000),
});

/** Asks at the authorization endpoint, and agrees where that is asked for. */
async function authorize(
  change: Record<string, string | undefined> = {},
  name = 'client_secret_basic',
  by = browser,
): Promise<{ page: Page; verifier: string; back: URL | undefined }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({
    response_type: 'code',
    client_id: idOf(name).client_id,
    redirect_uri: REDIRECT,
    scope: 'platform-api',
    state: 'the state & more',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...change,
  }))
    if (value !== undefined) query.set(key, value);
  let page = await by.get(`${as.authorization_endpoint}?${query.toString()}`);
  if (page.html.includes('/oauth2/consent')) page = await by.submit(page, { decision: 'allow' });
  return { page, verifier, back: page.location === undefined ? undefined : new URL(page.location) };
}

async function tokenAnswer(back: URL | undefined, verifier: string, name: string): Promise<Response> {
  const params = oauth.validateAuthResponse(as, idOf(name), back ?? new URL('x:'), 'the state & more');
  const { auth } = registered.get(name) ?? { auth: oauth.None() };
  return oauth.authorizationCodeGrantRequest(as, idOf(name), auth, params, REDIRECT, verifier, insecure);
}

async function exchange(back: URL | undefined, verifier: string, name = 'client_secret_basic') {
  const answer = await tokenAnswer(back, verifier, name);
  return oauth.processAuthorizationCodeResponse(as, idOf(name), answer);
}

describe('the metadata', () => {
  it('is the same for OpenID and for OAuth, and both libraries take it', async () => {
    const issuer = new URL(target.url);
    const answer = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await oauth.processDiscoveryResponse(issuer, answer)).toEqual(as);
    const options = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(issuer, 'console', undefined, client.None(), options);
    expect(config.serverMetadata()).toMatchObject({ issuer: target.url });
  });

  it('names endpoints that are there, at this issuer', async () => {
    const named = Object.entries(as).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(named.length).toBeGreaterThanOrEqual(7);
    for (const [name, address] of named) {
      expect([name, new URL(String(address)).origin]).toEqual([name, target.url]);
      const { status } = await fetch(String(address), { redirect: 'manual' });
      expect([name, status]).not.toEqual([name, 404]);
    }
    const { keys } = (await (await fetch(String(as.jwks_uri))).json()) as { keys: PublicJwk[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys)
      expect(Object.keys(key)).toEqual(expect.arrayContaining(['kid', 'kty', 'alg', 'use']));
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('promises no more than there is', async () => {
    const ask = async (form: Record<string, string>): Promise<unknown> => {
      const body = new URLSearchParams({ client_id: idOf('none').client_id, ...form });
      const answer = await fetch(String(as.token_endpoint), { method: 'POST', body });
      return ((await answer.json()) as { error: string }).error;
    };
    for (const grant of as.grant_types_supported ?? [])
      expect([grant, await ask({ grant_type: grant })]).not.toEqual([grant, 'unsupported_grant_type']);
    expect(await ask({ grant_type: 'password' })).toBe('unsupported_grant_type');
    expect([...registered.keys()].sort()).toEqual(
      [...(as.token_endpoint_auth_methods_supported ?? [])].sort(),
    );
    expect(as).toMatchObject({
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe('the ID token', () => {
  const nonce = 'what the client sent along';

  async function signIn(scope: string, name = 'client_secret_basic') {
    const { back, verifier } = await authorize({ scope, nonce }, name);
    const answer = await tokenAnswer(back, verifier, name);
    // Checks issuer, audience, dates, nonce and that it belongs to the access token.
    const tokens = await oauth.processAuthorizationCodeResponse(as, idOf(name), answer, {
      expectedNonce: nonce,
      maxAge: 3600,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, answer, insecure);
    return tokens;
  }

  it.each(['client_secret_basic', 'none'])(
    'says who signed in, to the client that asked, by %s',
    async (name) => {
      const tokens = await signIn('openid profile', name);
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({
        sub: target.platform.owner.userId,
        aud: idOf(name).client_id,
        preferred_username: 'olga',
        nonce,
        at_hash: expect.any(String) as unknown,
      });
      const info = await oauth.userInfoRequest(as, idOf(name), tokens.access_token, insecure);
      const told = await oauth.processUserInfoResponse(as, idOf(name), target.platform.owner.userId, info);
      expect(told).toMatchObject({ preferred_username: 'olga', name: expect.any(String) as unknown });
    },
  );

  it('opens nothing, and keeps the name to itself where it was not asked for', async () => {
    const tokens = await signIn('openid');
    expect(oauth.getValidatedIdTokenClaims(tokens)).not.toHaveProperty('preferred_username');
    expect(await callerOf(target, tokens.id_token ?? '')).toBeUndefined();
    expect((await callerOf(target, tokens.access_token))?.scopes).toEqual(['openid']);
    const refused = await fetch(String(as.userinfo_endpoint), {
      headers: { authorization: `Bearer ${tokens.id_token}` },
    });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('invalid_token') as unknown,
    ]);
  });

  it('is not there without openid, and neither are the names', async () => {
    const { back, verifier } = await authorize();
    const tokens = await exchange(back, verifier);
    expect(tokens).not.toHaveProperty('id_token');
    const refused = await fetch(String(as.userinfo_endpoint), {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="openid"',
    ]);
    expect((await fetch(String(as.userinfo_endpoint))).status).toBe(401);
  });

  it('is asked for in words that promise no more', async () => {
    const { client: fresh } = await createToolingClient(target.auth, callOf(target.platform.owner), {
      name: 'wants to know who signs in',
      type: 'user-account',
      redirectUris: [REDIRECT],
    });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: fresh.clientId,
      redirect_uri: REDIRECT,
      scope: 'openid',
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: 'S256',
    });
    const address = `${as.authorization_endpoint}?${query.toString()}`;
    const page = await browser.get(address);
    expect(page.html).toContain('asks who you are');
    expect(page.html).not.toContain('management interface');
    expect((await browser.get(address.replace('scope=openid', 'scope=platform-api'))).html).toContain(
      'management interface',
    );
    const long = await browser.get(`${address}&nonce=${'n'.repeat(513)}`);
    expect(long.html).toContain('nonce is too long');
  });

  it('works with openid-client, from discovery to the name', async () => {
    const plain = 'https://app.example/plain';
    const { client: made } = await createToolingClient(target.auth, callOf(target.platform.owner), {
      name: 'signs people in',
      type: 'user-account',
      redirectUris: [plain],
      isPublic: true,
    });
    const options = { execute: [client.allowInsecureRequests] };
    const skew = { [client.clockSkew]: idOf('none')[oauth.clockSkew] as number };
    const config = await client.discovery(new URL(target.url), made.clientId, skew, client.None(), options);
    const change = { client_id: made.clientId, redirect_uri: plain, scope: 'openid profile', nonce };
    const { back, verifier } = await authorize(change);
    const tokens = await client.authorizationCodeGrant(config, back as URL, {
      pkceCodeVerifier: verifier,
      expectedState: 'the state & more',
      expectedNonce: nonce,
    });
    const sub = tokens.claims()?.sub ?? '';
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      preferred_username: 'olga',
    });
  });
});

describe('the authorization code', () => {
  it.each(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'])(
    'becomes a token of RFC 9068, by %s',
    async (name) => {
      const { back, verifier } = await authorize({}, name);
      expect(back?.searchParams.get('kept')).toBe('yes');
      const tokens = await exchange(back, verifier, name);
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'platform-api', expires_in: 900 });
      expect(tokens).not.toHaveProperty('id_token');
      const request = new Request('https://rs.example', {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      const claims = await oauth.validateJwtAccessToken(as, request, target.url, insecure);
      expect(claims).toMatchObject({ sub: target.platform.owner.userId, client_id: idOf(name).client_id });
    },
  );

  it('is good once: the second time ends what came of the first', async () => {
    const { back, verifier } = await authorize();
    const tokens = await exchange(back, verifier);
    await expect(exchange(back, verifier)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await callerOf(target, tokens.access_token)).toBeUndefined();
  });

  it('is good for its own client, verifier and redirect URI only, and for a minute', async () => {
    const first = await authorize();
    await expect(exchange(first.back, first.verifier, 'client_secret_post')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const second = await authorize();
    await expect(exchange(second.back, oauth.generateRandomCodeVerifier())).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const third = await authorize();
    target.clock.advance(61_000);
    await expect(exchange(third.back, third.verifier)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('comes with a refresh token of this client, which is replaced at every use', async () => {
    const { back, verifier } = await authorize();
    const { refresh_token: first = '' } = await exchange(back, verifier);
    const use = async (token: string, name = 'client_secret_basic') => {
      const { auth } = registered.get(name) ?? { auth: oauth.None() };
      const answer = await oauth.refreshTokenGrantRequest(as, idOf(name), auth, token, insecure);
      return oauth.processRefreshTokenResponse(as, idOf(name), answer);
    };
    await expect(use(first, 'client_secret_post')).rejects.toMatchObject({ error: 'invalid_grant' });
    const { refresh_token: second = '' } = await use(first);
    expect(second).not.toBe(first);
    await expect(use(first)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(use(second)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('the authorization endpoint', () => {
  it.each([
    ['no response type', { response_type: undefined }, 'unsupported_response_type'],
    ['one that is not offered', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a scope that was not granted', { scope: 'asr platform-api' }, 'invalid_scope'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a fragment as the answer', { response_mode: 'fragment' }, 'invalid_request'],
  ])('tells the client of %s, with its state', async (_name, change, error) => {
    const { back } = await authorize(change);
    const answer = Object.fromEntries(back?.searchParams ?? []);
    expect(answer).toMatchObject({ error, state: 'the state & more', iss: target.url, kept: 'yes' });
    expect(back?.searchParams.has('code')).toBe(false);
  });

  it.each([
    ['another redirect URI', { redirect_uri: 'https://app.example/other' }],
    ['one with more in the query', { redirect_uri: `${REDIRECT}&more=1` }],
    ['none', { redirect_uri: undefined }],
    ['an unknown client', { client_id: 'nobody' }],
    ['a request URI that is not ours', { request_uri: 'https://app.example/request.jwt' }],
  ])('sends nobody anywhere for %s', async (_name, change) => {
    const { page } = await authorize(change);
    expect([page.status, page.location]).toEqual([400, undefined]);
  });

  it.each([
    ['unknown parameters', { extra: 'foobar' }],
    [
      'what only OpenID knows',
      { nonce: 'n', display: 'page', ui_locales: 'se', acr_values: '1 2', login_hint: 'x' },
    ],
    ['no state', { state: undefined }],
  ])('is not disturbed by %s', async (_name, change) => {
    const { back } = await authorize(change);
    expect(back?.searchParams.has('code')).toBe(true);
  });

  it('keeps to prompt: none asks nobody, login asks again', async () => {
    const nobody = new Browser(target.url);
    const asked = await authorize({ prompt: 'none' }, 'client_secret_basic', nobody);
    expect(asked.page.html).toContain('login_required');
    expect((await authorize({ prompt: 'none' })).back?.searchParams.has('code')).toBe(true);
    for (const prompt of ['login', 'select_account', 'consent select_account']) {
      const again = await authorize({ prompt });
      expect([again.page.status, again.page.html.includes('type="password"')], prompt).toEqual([200, true]);
    }
  });

  it('says which values of prompt it keeps to, and refuses others', async () => {
    expect(as['prompt_values_supported']).toEqual(['none', 'login', 'consent', 'select_account']);
    const { back } = await authorize({ prompt: 'create' });
    expect(back?.searchParams.get('error')).toBe('invalid_request');
  });

  it('keeps to prompt=consent: asks again what was allowed before, once', async () => {
    const params = async (prompt: string | undefined): Promise<string> => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: idOf('client_secret_basic').client_id,
        redirect_uri: REDIRECT,
        scope: 'platform-api',
        code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
        code_challenge_method: 'S256',
      });
      if (prompt !== undefined) query.set('prompt', prompt);
      return `${as.authorization_endpoint}?${query.toString()}`;
    };
    await authorize();
    expect((await browser.get(await params(undefined))).location).toContain('code=');
    const asked = await browser.get(await params('consent'));
    expect([asked.status, asked.html.includes('/oauth2/consent')]).toEqual([200, true]);
    expect((await browser.submit(asked, { decision: 'allow' })).location).toContain('code=');
    const denied = await browser.submit(await browser.get(await params('consent')), { decision: 'deny' });
    expect(denied.location).toContain('error=access_denied');
  });
});

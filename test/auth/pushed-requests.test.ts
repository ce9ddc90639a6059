// Pushed authorization requests, resource indicators and pages of other origins, as outside libraries use them
// (openid-client), and what must not work.
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import type { Client } from '../../src/auth/model.js';
import {
  authorizationRequest,
  codeIn,
  signedInBrowser,
  startTarget,
  type Target,
} from '../attacks/support.js';
import { Browser, hiddenFields } from './browser.js';
import { PASSWORD, basic, callOf, postForm } from './support.js';

const REDIRECT = 'https://tool.example/cb';
let target: Target;
let client: Client;
let secret: string;
beforeAll(async () => {
  target = await startTarget();
  const made = await createToolingClient(target.auth, callOf(target.platform.owner), {
    name: 'Tool',
    type: 'user-account',
    redirectUris: [REDIRECT],
  });
  client = made.client;
  secret = made.secret ?? '';
});
afterAll(() => target.stop());

const query = (more: Record<string, string> = {}) =>
  Object.fromEntries(
    new URL(authorizationRequest(target, client.clientId, REDIRECT, more).address).searchParams,
  );
const push = (form: Record<string, string>, authorization = basic(client.clientId, secret)) =>
  postForm(`${target.url}/oauth2/par`, form, { authorization });

describe('a pushed request', () => {
  it('works with openid-client from discovery to the token', async () => {
    const config = await oidc.discovery(new URL(target.url), client.clientId, secret, undefined, {
      algorithm: 'oauth2',
      execute: [oidc.allowInsecureRequests],
    });
    expect(config.serverMetadata().pushed_authorization_request_endpoint).toBe(`${target.url}/oauth2/par`);
    const verifier = oidc.randomPKCECodeVerifier();
    const state = oidc.randomState();
    const url = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: REDIRECT,
      scope: 'platform-api',
      state,
      resource: target.url,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const browser = await signedInBrowser(target, 'olga');
    const back = await browser.submit(await browser.get(url.toString()), { decision: 'allow' });
    const tokens = await oidc.authorizationCodeGrant(config, new URL(back.location ?? ''), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.scope).toBe('platform-api');
  });

  it('is refused at once where the request is wrong or the client is not proven', async () => {
    expect((await push(query())).status).toBe(201);
    expect((await push(query(), basic(client.clientId, 'wrong'))).status).toBe(401);
    expect((await push(query({ redirect_uri: 'https://evil.example/cb' }))).body['error']).toBe(
      'invalid_request',
    );
    expect((await push(query({ scope: 'biosec' }))).body['error']).toBe('invalid_scope');
    expect((await push(query({ request_uri: 'urn:x' }))).body['error']).toBe('invalid_request');
    expect((await push(query({ resource: 'https://elsewhere.example' }))).body['error']).toBe(
      'invalid_target',
    );
  });

  it('tells whoever carries it nothing', async () => {
    const secretState = 'customer-4711';
    const { body } = await push(query({ state: secretState }));
    const handle = String(body['request_uri']).split(':').at(-1) ?? '';
    for (const part of handle.split('.')) {
      const text = Buffer.from(part, 'base64url').toString('latin1');
      expect(text).not.toMatch(/customer-4711|tool\.example|platform-api|clientId/);
    }
    // The same request twice is not seen to be the same.
    expect((await push(query({ state: secretState }))).body['request_uri']).not.toBe(body['request_uri']);
  });

  it('survives a reload of the sign-in page, for this browser only, until it has been answered', async () => {
    const { body } = await push(query());
    const reference = new URLSearchParams({
      client_id: client.clientId,
      request_uri: String(body['request_uri']),
    });
    const address = `${target.url}/oauth2/authorize?${reference}`;
    const browser = new Browser(target.url);
    expect((await browser.get(address)).html).toContain('type="password"');
    target.clock.advance(Number(body['expires_in']) * 1000 + 1);
    const reloaded = await browser.get(address);
    expect(reloaded.html).toContain('type="password"');
    expect((await new Browser(target.url).get(address)).status).toBe(400);
    let page = await browser.follow(
      await browser.submit(reloaded, { user_name: 'olga', password: PASSWORD }),
    );
    if (page.html.includes('Allow access?')) page = await browser.submit(page, { decision: 'allow' });
    expect(codeIn(page)).toBeDefined();
    expect((await browser.get(address)).status).toBe(400);
  });

  it('belongs to its client, once, for a short time, and cannot be made up', async () => {
    const { body } = await push(query());
    const requestUri = String(body['request_uri']);
    const visit = (clientId: string, uri: string) =>
      fetch(
        `${target.url}/oauth2/authorize?${new URLSearchParams({ client_id: clientId, request_uri: uri })}`,
      );
    expect((await visit('console', requestUri)).status).toBe(400);
    expect((await visit(client.clientId, requestUri)).status).toBe(200);
    const again = await visit(client.clientId, requestUri);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('expired or was opened before');
    expect((await visit(client.clientId, `${requestUri.slice(0, -1)}x`)).status).toBe(400);
    expect((await visit(client.clientId, 'https://evil.example/request')).status).toBe(400);
    const late = String((await push(query())).body['request_uri']);
    target.clock.advance(Number(body['expires_in']) * 1000 + 1);
    expect((await visit(client.clientId, late)).status).toBe(400);
  });
});

it('a resource that is not here gets no token', async () => {
  const { clientId } = target.platform.client;
  const ask = (resource: string) =>
    postForm(
      `${target.url}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'asr', resource },
      { authorization: basic(clientId, target.platform.secret) },
    );
  expect((await ask(target.url)).status).toBe(200);
  const refused = await ask('https://elsewhere.example');
  expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_target']);
});

describe('a web page', () => {
  const ask = (origin: string) =>
    postForm(
      `${target.url}/oauth2/token`,
      { grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT, code_verifier: 'x'.repeat(43) },
      { authorization: basic(client.clientId, secret), origin },
    );

  it('of an origin that the client has registered may read the answer, another may not', async () => {
    const own = await ask('https://tool.example');
    expect(own.headers.get('access-control-allow-origin')).toBe('https://tool.example');
    const foreign = await ask('https://evil.example');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect(foreign.headers.get('vary')).toContain('origin');
  });

  it('may ask first, and may read metadata and keys from anywhere', async () => {
    const headers = { origin: 'https://tool.example', 'access-control-request-method': 'POST' };
    const preflight = await fetch(`${target.url}/oauth2/token`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('dpop');
    for (const path of ['/.well-known/openid-configuration', '/oauth2/jwks']) {
      const answer = await fetch(target.url + path, { headers });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});

it('codes of a plain request still work', async () => {
  const browser = await signedInBrowser(target, 'olga');
  const attempt = authorizationRequest(target, client.clientId, REDIRECT);
  const page = await browser.get(attempt.address);
  const answer = page.location === undefined ? await browser.submit(page, { decision: 'allow' }) : page;
  expect(codeIn(answer)).toBeDefined();
});

describe('a client that wants a fresh sign-in', () => {
  it('gets one where the session is older than max_age', async () => {
    const browser = await signedInBrowser(target, 'olga');
    const ask = (more: Record<string, string>) =>
      browser.get(authorizationRequest(target, 'console', `${target.url}/console/callback`, more).address);
    target.clock.advance(120_000);
    expect(codeIn(await ask({ max_age: '121' }))).toBeDefined();
    expect((await ask({ max_age: '100', prompt: 'none' })).location).toContain('error=login_required');
    const form = await ask({ max_age: '100' });
    expect(form.html).toContain('type="password"');
    expect(codeIn(await ask({}))).toBeDefined();
  });

  it.each([{ prompt: 'login' }, { max_age: '0' }, { max_age: '1' }])(
    'with %j gets a code for the sign-in that its own request led to, and once',
    async (more) => {
      const browser = await signedInBrowser(target, 'olga');
      target.clock.advance(1500);
      const redirectUri = `${target.url}/console/callback`;
      const request = (state: string) =>
        authorizationRequest(target, 'console', redirectUri, { ...more, state }).address;
      const [mine, other] = [request('a b+c'), request('other')];
      const form = await browser.get(mine);
      expect(form.html).toContain('type="password"');
      // Signed in for another request: that proves nothing for this one.
      await browser.submit(await browser.get(other), { user_name: 'olga', password: PASSWORD });
      target.clock.advance(1500);
      expect((await browser.get(mine)).html).toContain('type="password"');
      const back = await browser.submit(form, { user_name: 'olga', password: PASSWORD });
      target.clock.advance(1500);
      expect(codeIn(await browser.follow(back))).toBeDefined();
      expect((await browser.get(mine)).html).toContain('type="password"');
    },
  );

  it.each([{ prompt: 'login' }, { max_age: '1' }])(
    'with %j gets it before consent too, also where the form for consent is sent by itself',
    async (more) => {
      const { client: tool } = await createToolingClient(target.auth, callOf(target.member), {
        name: 'Other tool',
        type: 'user-account',
        redirectUris: [REDIRECT],
        isPublic: true,
      });
      const browser = await signedInBrowser(target, 'olga');
      const plain = await browser.get(authorizationRequest(target, tool.clientId, REDIRECT).address);
      const fields = hiddenFields(plain);
      target.clock.advance(1500);
      const { address } = authorizationRequest(target, tool.clientId, REDIRECT, more);
      const request = new URL(address).search.slice(1);
      // The token of the form is good for every form of this browser; the sign-in is not.
      const sent = await browser.post(`${target.url}/oauth2/consent`, {
        ...fields,
        request,
        decision: 'allow',
      });
      expect(sent.location).toMatch(/^\/oauth2\/authorize\?/);
      const form = await browser.follow(sent);
      expect(form.html).toContain('type="password"');
      const asked = await browser.follow(
        await browser.submit(form, { user_name: 'olga', password: PASSWORD }),
      );
      expect(asked.html).toContain('Allow access?');
      target.clock.advance(1500);
      expect(codeIn(await browser.submit(asked, { decision: 'allow' }))).toBeDefined();
    },
  );

  it.each([
    { max_age: 'soon' },
    { max_age: '-1' },
    { prompt: 'none login' },
    { prompt: 'create' },
    { prompt: 'login NONE' },
  ])('is told what is wrong with %j', async (more) => {
    const answer = await push(query(more));
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
  });
});

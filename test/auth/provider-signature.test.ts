// Signing in with the company's identity provider: only what the provider has signed with a key that it publishes is believed,
// however right the rest of an ID token is. The provider here says whatever a test wants it to say.
import { createServer, type Server } from 'node:http';
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair, type JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authSettings } from '../../src/compose/auth.js';
import { configWith } from '../../src/config.js';
import { consoleRequest, startTarget, type Target } from '../attacks/support.js';
import { Browser } from './browser.js';
import { freePort } from '../support/free-port.js';

const SECRET = 'a-secret-of-the-provider-that-is-long-enough';
const own = await generateKeyPair('RS256');
const foreign = await generateKeyPair('RS256');
let issuer: string;
let provider: Server;
let target: Target;
let idToken = '';

beforeAll(async () => {
  const providerPort = await freePort();
  issuer = `http://127.0.0.1:${providerPort}`;
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      // The more it offers, the more there is to be refused.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }),
    '/keys': () => ({ keys: [{ ...publicKey, kid: 'p1', use: 'sig', alg: 'RS256' }] }),
    '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: idToken }),
  };
  const publicKey = await exportJWK(own.publicKey);
  provider = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  await new Promise<void>((resolve) => provider.listen(providerPort, '127.0.0.1', resolve));
  const settings = authSettings(
    configWith({
      'signIn.provider.issuer': issuer,
      'signIn.provider.clientId': 'voxgate',
      'signIn.provider.clientSecret': SECRET,
      'signIn.provider.userNameClaim': 'login',
      'signIn.provider.groupsClaim': 'teams',
      'signIn.provider.groups': 'admins=administrator',
    }),
  );
  target = await startTarget({ provider: settings.provider });
});
afterAll(async () => {
  await target.stop();
  await new Promise((resolve) => provider.close(resolve));
});

/** There and back with an ID token that is right in all but, maybe, its signature. */
async function signIn(login: string, sign: (claims: JWTPayload) => Promise<string> | string) {
  const browser = new Browser(target.url);
  const { search } = new URL(consoleRequest(target).address);
  const out = await browser.get(`${target.url}/oauth2/login/provider${search}`);
  const { searchParams } = new URL(out.location ?? '');
  const now = Math.floor(Date.now() / 1000);
  idToken = await sign({
    iss: issuer,
    aud: 'voxgate',
    sub: login,
    nonce: searchParams.get('nonce') ?? '',
    iat: now,
    exp: now + 300,
    login,
    teams: ['admins'],
  });
  const query = new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '' });
  const page = await browser.get(`${target.url}/oauth2/login/callback?${query}`);
  return { status: page.status, isSignedIn: browser.cookies.has('voxgate_session') };
}

const signed = (claims: JWTPayload, key: typeof own.privateKey, kid?: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...(kid && { kid }) }).sign(key);
const withoutSignature = (token: string): string => token.slice(0, token.lastIndexOf('.') + 1);

it.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
  ['a made-up signature', async (c) => `${withoutSignature(await signed(c, own.privateKey, 'p1'))}AAAA`],
  ['an empty signature', async (c) => withoutSignature(await signed(c, own.privateKey, 'p1'))],
  ['a foreign key under a known name', (c) => signed(c, foreign.privateKey, 'p1')],
  ['a foreign key under an unknown name', (c) => signed(c, foreign.privateKey, 'p2')],
  ['a foreign key without a name', (c) => signed(c, foreign.privateKey)],
  [
    'the shared secret',
    (c) => new SignJWT(c).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET)),
  ],
  ['no algorithm', (c) => new UnsecuredJWT(c).encode()],
])('an ID token with %s lets nobody in', async (_name, sign) => {
  expect(await signIn('mallet', sign)).toEqual({ status: 403, isSignedIn: false });
  expect(target.events.at(-1)).toMatchObject({ type: 'sign-in.failed', reason: 'provider_refused' });
  expect(await target.auth.store.direct.users.findByName('mallet')).toBeUndefined();
});

it.each([
  ['named', 'p1'],
  ['not named', undefined],
])('an ID token that the provider has signed lets its subject in (key %s)', async (_name, kid) => {
  expect(await signIn('petra', (c) => signed(c, own.privateKey, kid))).toEqual({
    status: 303,
    isSignedIn: true,
  });
});

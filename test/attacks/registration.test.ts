// Attacks through registration and assertions: scopes that a client of the engagement API must not have, sites that do
// not exist, ambiguous redirect URIs, and assertions that another server could reuse.
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/auth/clients/create-client.js';
import { registerEngagementClient } from '../../src/auth/clients/register-engagement-client.js';
import { updateClient } from '../../src/auth/clients/update-client.js';
import { displayNameFault } from '../../src/auth/fields.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import type { PublicJwk } from '../../src/auth/model.js';
import { callOf, postForm } from '../auth/support.js';
import { authorizationRequest, signedInBrowser, startTarget, type Target } from './support.js';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

describe('a client of the engagement API', () => {
  const register = (input: { sites?: string[]; scopes?: string[] }) =>
    registerEngagementClient(target.auth, target.system, {
      name: 'Chat',
      sites: ['main'],
      siteExists: async (siteId) => siteId === 'main',
      ...input,
    });

  it.each([[['biosec']], [['platform-api']], [['agentAvailability', 'asr']]])(
    'gets no other scopes: %j',
    async (scopes) => {
      await expect(register({ scopes })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      const { client } = await register({});
      await expect(
        updateClient(target.auth, target.system, { clientId: client.clientId, scopes }),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    },
  );

  it('gets only sites that exist', async () => {
    await expect(register({ sites: ['main', 'nowhere'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it.each([
  'Console',
  ' console',
  'C\u00f3nsole',
  'Con-sole',
  '\uff23onsole',
  'Voxgate',
  'Voxgate Console',
  'C0nso1e',
  'Conso|e',
  'Vo\u00d7gate',
  'ConsoIe',
  'V0XGATE',
  '\u{1d41c}onsole',
  '\ua4daonsole',
  '\u2ca5onsole',
])('an application cannot be named like this server: %j', async (name) => {
  const input = { name, type: 'service-account' } as const;
  await expect(createToolingClient(target.auth, callOf(target.member), input)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
});

it.each([
  '\u115f',
  '\u1160',
  '\u3164',
  '\uffa0',
  '\u2800',
  '\u034f',
  '\u200b',
  '\u2060',
  '\ufe0f',
  '\u200d',
  '\ufeff',
])('a name cannot hide %j behind a letter', (filler) => {
  expect(displayNameFault('name', `Handy${filler}tool`)).toMatchObject({ violation: 'INVALID_FORMAT' });
  expect(displayNameFault('name', filler)).toBeDefined();
});

it.each([
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u0c95\u0ccd\u200d\u0cb7',
  '\u6e21\u908a\u{e0100}',
  'I \u2764\ufe0f calls',
  'Ren\u00e9e O\u2019Neil',
])('a name is written as its language writes it: %j', (name) => {
  expect(displayNameFault('name', name)).toBeUndefined();
});

it('whoever is asked for consent is told whose application it is and what it may do', async () => {
  const { client } = await createToolingClient(target.auth, callOf(target.member), {
    name: 'Call console',
    type: 'user-account',
    redirectUris: ['https://tool.example/cb'],
    isPublic: true,
  });
  const { address } = authorizationRequest(target, client.clientId, 'https://tool.example/cb');
  const asked = await (await signedInBrowser(target, 'olga')).get(address);
  expect(asked.html).toContain('registered by <strong>mallory</strong>');
  expect(asked.html).toContain('only what both');
  const own = await (await signedInBrowser(target, 'mallory')).get(address);
  expect(own.html).toContain('You registered it yourself');
});

it.each([
  'https://tool.example/c b',
  'https://tool.example\\@evil.example/cb',
  'https://tool.example/\tcb',
  'https:\\\\tool.example/cb',
  'https://tool.example/cb\u202e',
  'https:evil.example/cb',
  'https:/evil.example/cb',
  'https:///evil.example/cb',
  'HTTPS:evil.example/cb',
  'http:127.0.0.1/cb',
  'https://tool.example/cb?code=mine',
  'https://tool.example/cb?x=1&state=',
  'https://tool.example/cb?iss=https://evil.example',
  'https://tool.example/cb?%63ode=mine',
])('an ambiguous redirect URI is refused: %j', async (uri) => {
  await expect(
    createToolingClient(target.auth, callOf(target.member), {
      name: 'Tool',
      type: 'user-account',
      redirectUris: [uri],
    }),
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

it('an assertion names one audience, and was made a moment ago', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const { client } = await createClient(target.auth, callOf(target.platform.owner), {
    appId: target.platform.environment.appId,
    geography: 'us',
    name: 'signer',
    keys: [(await exportJWK(publicKey)) as PublicJwk],
  });
  const url = `${target.url}/oauth2/token`;
  const now = Math.floor(Date.now() / 1000);
  const ask = async (audience: string | string[], iat: number | undefined, exp = now + 120) => {
    const assertion = await new SignJWT({ jti: randomUUID(), ...(iat === undefined ? {} : { iat }) })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(client.clientId)
      .setSubject(client.clientId)
      .setAudience(audience)
      .setExpirationTime(exp)
      .sign(privateKey);
    const { status } = await postForm(url, {
      grant_type: 'client_credentials',
      scope: 'asr',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });
    return status;
  };
  expect(await ask(target.url, now)).toBe(200);
  expect(await ask(url, now)).toBe(200);
  expect(await ask([target.url, 'https://other.example'], now)).toBe(401);
  expect(await ask(target.url, now + 120)).toBe(401);
  expect(await ask(target.url, now - 3600)).toBe(401);
  // RFC 7523 leaves `iat` to the client: without it the end bounds how old a statement can be when it is used.
  expect(await ask(target.url, undefined)).toBe(200);
  expect(await ask(target.url, undefined, now + 3600)).toBe(401);
  expect(await ask(target.url, undefined, now - 60)).toBe(401);
});

// Token exchange between services of one application: fewer rights, no longer life, the actor named; and what it refuses.
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApplication } from '../../src/auth/applications/create-application.js';
import { createClient } from '../../src/auth/clients/create-client.js';
import { lockClient, unlockClient } from '../../src/auth/clients/lock-client.js';
import { callerOf, startTarget, type Target } from '../attacks/support.js';
import { basic, callOf, postForm } from './support.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TYPE = 'urn:ietf:params:oauth:token-type:access_token';
let target: Target;
let service: { id: string; secret: string };
let stranger: { id: string; secret: string };

beforeAll(async () => {
  target = await startTarget();
  const owner = callOf(target.platform.owner);
  const { appId } = target.platform.environment;
  const made = await createClient(target.auth, owner, {
    appId,
    geography: 'us',
    name: 'router',
    scopes: ['biosec.verify', 'tts'],
  });
  service = { id: made.client.clientId, secret: made.secret ?? '' };
  const other = await createApplication(target.auth, target.system, {
    name: 'Other',
    ownerId: target.platform.owner.userId,
    environments: [{ name: 'development', geographies: ['us'], tenants: ['tenant-a'] }],
  });
  const foreign = other.environments[0]!.clients[0]!;
  stranger = { id: foreign.client.clientId, secret: foreign.secret };
});
afterAll(() => target.stop());

async function tokenOf(scope: string): Promise<string> {
  const { client, secret } = target.platform;
  const { body } = await postForm(
    `${target.url}/oauth2/token`,
    { grant_type: 'client_credentials', scope },
    { authorization: basic(client.clientId, secret) },
  );
  return String(body['access_token']);
}

const exchange = (token: string, more: Record<string, string> = {}, by = service) =>
  postForm(
    `${target.url}/oauth2/token`,
    { grant_type: GRANT, subject_token: token, subject_token_type: TYPE, ...more },
    { authorization: basic(by.id, by.secret) },
  );

it('gives what both have, in the name of the first, and names the actor', async () => {
  const token = await tokenOf('biosec asr');
  const { status, body } = await exchange(token, { scope: 'biosec.verify' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ issued_token_type: TYPE, token_type: 'bearer', scope: 'biosec.verify' });
  const claims = decodeJwt(String(body['access_token']));
  const first = decodeJwt(token);
  expect(claims).toMatchObject({
    sub: first.sub,
    client_id: service.id,
    act: { sub: service.id },
    tenants: ['tenant-a'],
  });
  expect(claims.exp).toBeLessThanOrEqual(first.exp ?? 0);
  expect(await callerOf(target, String(body['access_token']))).toMatchObject({ tenants: ['tenant-a'] });
});

it('works with openid-client', async () => {
  const config = await oidc.discovery(new URL(target.url), service.id, service.secret, undefined, {
    algorithm: 'oauth2',
    execute: [oidc.allowInsecureRequests],
  });
  const parameters = { subject_token: await tokenOf('tts'), subject_token_type: TYPE };
  expect((await oidc.genericGrantRequest(config, GRANT, parameters)).scope).toBe('tts');
});

it('refuses more than both have, tokens of others, dead tokens and strange types', async () => {
  const token = await tokenOf('biosec');
  expect((await exchange(token, { scope: 'biosec.manage' })).body['error']).toBe('invalid_scope');
  expect((await exchange(await tokenOf('asr'))).body['error']).toBe('invalid_scope');
  expect((await exchange(token, {}, stranger)).body['error']).toBe('invalid_grant');
  expect((await exchange('no.such.token')).body['error']).toBe('invalid_grant');
  expect((await exchange(token, { subject_token_type: 'urn:x' })).body['error']).toBe('invalid_request');
  expect((await exchange(token, { actor_token: token })).body['error']).toBe('invalid_request');
  const elsewhere = { audience: 'https://elsewhere.example' };
  expect((await exchange(token, elsewhere)).body['error']).toBe('invalid_target');
  expect((await exchange(await tokenOf('tts'), { audience: target.url })).status).toBe(200);
});

it('ends with the token that it came from, however often it was exchanged', async () => {
  const { client, secret } = target.platform;
  const first = await tokenOf('tts');
  const second = String((await exchange(first)).body['access_token']);
  const third = String((await exchange(second)).body['access_token']);
  expect(await callerOf(target, third)).toBeDefined();
  const authorization = basic(client.clientId, secret);
  await postForm(`${target.url}/oauth2/revoke`, { token: first }, { authorization });
  expect(await callerOf(target, second)).toBeUndefined();
  expect(await callerOf(target, third)).toBeUndefined();
});

it('ends with the client that it was exchanged for, and after a few exchanges', async () => {
  const { clientId } = target.platform.client;
  let token = String((await exchange(await tokenOf('tts'))).body['access_token']);
  const early = token;
  for (let times = 0; times < 3; times++) token = String((await exchange(token)).body['access_token']);
  expect((await exchange(token)).body['error']).toBe('invalid_grant');
  expect(await callerOf(target, early)).toBeDefined();
  await lockClient(target.auth, target.system, { clientId });
  expect(await callerOf(target, early)).toBeUndefined();
  await unlockClient(target.auth, target.system, { clientId });
});

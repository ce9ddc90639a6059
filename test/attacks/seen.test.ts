// What an attack leaves behind: an event for every authentication with who, where and why, counters by outcome, no secret,
// and a log that a flood of strangers cannot wash away.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lockClient, unlockClient } from '../../src/auth/clients/lock-client.js';
import { checkCode } from '../../src/auth/factors/check-code.js';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { recordSignIn } from '../../src/auth/users/record-sign-in.js';
import { withdrawConsent } from '../../src/auth/users/consents.js';
import { PASSWORD, basic, callOf, postForm } from '../auth/support.js';
import { Browser } from '../auth/browser.js';
import {
  authorizationRequest,
  callerOf,
  consented,
  consoleRequest,
  signedInBrowser,
  startTarget,
  type Target,
} from './support.js';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());
beforeEach(() => void target.events.splice(0));

const ask = (clientId: string, secret: string) =>
  postForm(
    `${target.url}/oauth2/token`,
    { grant_type: 'client_credentials', scope: 'asr' },
    { authorization: basic(clientId, secret) },
  );
const counted = (kind: string, outcome: string) =>
  target.auth.counters.values().find(({ labels }) => labels.kind === kind && labels.outcome === outcome)
    ?.value;

it('tokens: given, refused for a wrong secret, for an unknown client, for a locked one', async () => {
  const { client, secret } = target.platform;
  await ask(client.clientId, secret);
  await ask(client.clientId, 'guessed-secret');
  await ask('nobody', 'guessed-secret');
  await lockClient(target.auth, target.system, { clientId: client.clientId });
  await ask(client.clientId, secret);
  await unlockClient(target.auth, target.system, { clientId: client.clientId });
  expect(target.events).toMatchObject([
    { type: 'token.issued', clientId: client.clientId, method: 'secret', address: '127.0.0.1' },
    {
      type: 'token.refused',
      clientId: client.clientId,
      reason: 'wrong_credentials',
      error: 'invalid_client',
    },
    { type: 'token.refused', clientId: 'nobody', reason: 'unknown_client' },
    { type: 'token.refused', clientId: client.clientId, reason: 'locked' },
  ]);
  expect(JSON.stringify(target.events)).not.toMatch(new RegExp(`guessed-secret|${secret}`));
  expect(counted('token', 'ok')).toBeGreaterThan(0);
  expect(counted('token', 'wrong_credentials')).toBe(1);
});

it.each(['/oauth2/introspect', '/oauth2/revoke', '/oauth2/par'])(
  'clients refused at %s: whom they claimed to be, where, and in which trace',
  async (endpoint) => {
    const { clientId, appId } = target.platform.client;
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const send = (id: string) =>
      postForm(
        target.url + endpoint,
        { token: 'some-token' },
        { authorization: basic(id, 'guessed-secret'), traceparent },
      );
    await send(clientId);
    await send('nobody');
    const common = { type: 'token.refused', endpoint, traceId, address: '127.0.0.1' };
    expect(target.events).toMatchObject([
      // Whoever has the client sees it among its requests; nobody has the other.
      { ...common, appId, clientId, error: 'invalid_client', reason: 'wrong_credentials' },
      {
        ...common,
        appId: undefined,
        clientId: 'nobody',
        error: 'invalid_client',
        reason: 'unknown_client',
      },
    ]);
    expect(JSON.stringify(target.events)).not.toMatch(/guessed-secret|some-token/);
  },
);

it('consent: given with its scopes, in the audit trail too, and denied', async () => {
  const browser = await signedInBrowser(target, 'olga');
  const { userId } = target.platform.owner;
  const { client } = await consented(target, browser, target.member);
  const { clientId } = client;
  const granted = target.events.filter(({ type }) => type.startsWith('consent.'));
  expect(granted).toMatchObject([
    { type: 'consent.granted', clientId, userId, scope: 'platform-api', address: '127.0.0.1' },
  ]);
  const records = await target.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 });
  const record = records.find(({ operation }) => operation === 'user.grant-consent');
  expect(JSON.stringify(record)).toContain(clientId);
  expect(JSON.stringify(record)).toContain('platform-api');

  target.events.splice(0);
  await withdrawConsent(target.auth, callOf(target.platform.owner), { clientId });
  const page = await browser.get(authorizationRequest(target, clientId, 'https://tool.example/cb').address);
  const answer = await browser.submit(page, { decision: 'deny' });
  expect(answer.location).toContain('error=access_denied');
  expect(target.events).toMatchObject([
    { type: 'consent.denied', clientId, userId, scope: 'platform-api', error: 'access_denied' },
  ]);
});

it('sign-ins: by user where one is known, and never what was typed into the field for the name', async () => {
  const browser = new Browser(target.url);
  const attempt = async (userName: string, password: string): Promise<void> => {
    const form = await browser.get(consoleRequest(target).address);
    await browser.submit(form, { user_name: userName, password });
  };
  await attempt('mallory', 'a wrong password');
  await attempt('oops my password in the wrong field', 'a wrong password');
  await attempt('mallory', PASSWORD);
  expect(target.events).toMatchObject([
    { type: 'sign-in.failed', userId: target.member.userId, reason: 'wrong_password', clientId: 'console' },
    { type: 'sign-in.failed', userId: undefined, reason: 'unknown_user', address: '127.0.0.1' },
    { type: 'sign-in.succeeded', userId: target.member.userId, method: 'password' },
  ]);
  expect(JSON.stringify(target.events)).not.toMatch(/oops|wrong password|tractor/);
});

it('failed sign-ins: in the audit trail too, with whom, from where and how, and within bounds', async () => {
  const { userId } = target.member;
  const records = async () =>
    (await target.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 })).filter(
      ({ operation }) => operation === 'user.sign-in-failed',
    );
  const before = (await records()).length;
  const attempt = (userName: string, password: string, address: string) =>
    authenticateUser(target.auth, { userName, password, address });
  await attempt('mallory', 'guessed password', '203.0.113.7');
  await attempt('nobody of this name', 'guessed password', '203.0.113.8');
  const user = await target.auth.store.direct.users.get(userId);
  const visit = { address: '203.0.113.9', clientId: 'console', device: undefined };
  await checkCode(target.auth, user!, { code: '123456', ...visit });
  const found = (await records()).slice(before);
  const failure = { target: { type: 'user', id: userId }, userName: 'mallory' };
  expect(found.map(({ detail }) => detail)).toMatchObject([
    { ...failure, method: 'password', reason: 'wrong_password', address: '203.0.113.7' },
    { target: { id: 'unknown' }, method: 'password', reason: 'unknown_user', address: '203.0.113.8' },
    { ...failure, method: 'totp', reason: 'wrong_code', address: '203.0.113.9' },
  ]);
  // Who tried is not known; it is not said to have been the owner.
  expect(found.map(({ actor }) => actor.subject)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(JSON.stringify(found)).not.toMatch(/guessed|nobody of this name|123456/);

  // From a new address each time, as a botnet would: the trail does not grow with it, but says how much it left out.
  for (let sent = 0; sent < 40; sent++)
    await recordSignIn(target.auth, {
      method: 'password',
      userId,
      reason: 'wrong_password',
      address: `198.51.100.${sent}`,
    });
  expect((await records()).length - before).toBeLessThan(40);
  target.clock.advance(60_000);
  await recordSignIn(target.auth, { method: 'password', userId, reason: 'locked', address: '198.51.100.99' });
  const last = (await records()).at(-1)?.detail as { leftOut?: number };
  expect(last.leftOut).toBeGreaterThan(10);
});

it('wrong secrets of a client: in the audit trail, with the client, the addresses and a count, however many come', async () => {
  const { clientId } = target.platform.client;
  const failures = target.auth.clientFailures;
  const records = async () =>
    (await target.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 })).filter(
      ({ operation }) => operation === 'client.authentication-failed',
    );
  // What other tests have left is told first, and long ago.
  await failures.write();
  target.clock.advance(3600_000);
  await failures.write();
  const before = (await records()).length;
  await ask(clientId, 'guessed-secret');
  await ask('secret-in-the-wrong-field', 'guessed-secret');
  await failures.write();
  const found = (await records()).slice(before);
  expect(found.map(({ detail }) => detail)).toMatchObject([
    {
      target: { type: 'client', id: clientId },
      reason: 'wrong_credentials',
      method: 'basic',
      attempts: 1,
      addresses: ['127.0.0.1'],
    },
    { target: { type: 'client', id: 'unknown' }, reason: 'unknown_client', attempts: 1 },
  ]);
  expect(found.map(({ actor }) => actor.subject)).toEqual(['unknown', 'unknown']);
  expect(JSON.stringify(found)).not.toMatch(/guessed|wrong-field/);

  // A program with an old secret tries again and again: counted, and told together.
  for (let sent = 0; sent < 25; sent++) {
    await ask(clientId, 'old-secret');
    await failures.write();
  }
  expect((await records()).length - before).toBe(2);
  target.clock.advance(10 * 60_000);
  await Promise.all([failures.write(), failures.write()]);
  expect((await records()).slice(before + 2).map(({ detail }) => detail)).toMatchObject([
    { target: { id: clientId }, attempts: 25 },
  ]);
});

it('a wrong signature of a client: told as its own, though only the signed text names it', async () => {
  const { clientId } = target.platform.client;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const assertion = `${part({ alg: 'ES256' })}.${part({ iss: clientId, sub: clientId })}.AAAA`;
  await postForm(`${target.url}/oauth2/token`, {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });
  expect(target.events).toMatchObject([{ clientId, reason: 'wrong_credentials' }]);
});

it('calls: a forged token and a revoked one; nothing for a caller without any', async () => {
  const { client, secret } = target.platform;
  const token = String((await ask(client.clientId, secret)).body['access_token']);
  const authorization = basic(client.clientId, secret);
  await postForm(`${target.url}/oauth2/revoke`, { token }, { authorization });
  target.events.splice(0);
  await callerOf(target, 'forged.token.here');
  await callerOf(target, token);
  await fetch(`${target.url}/oauth2/forward-auth?scope=asr`);
  expect(target.events).toMatchObject([
    { type: 'bearer.refused', clientId: undefined, reason: 'invalid' },
    { type: 'bearer.refused', reason: 'revoked' },
  ]);
  expect(JSON.stringify(target.events)).not.toContain('forged.token');
  expect(counted('bearer', 'missing')).toBe(1);
});

it('a flood of strangers is counted, and said to have been left out, but does not fill the log', async () => {
  for (let sent = 0; sent < 700; sent++) await callerOf(target, `junk${sent}`);
  expect(target.events.length).toBeLessThanOrEqual(600);
  expect(counted('bearer', 'invalid')).toBeGreaterThanOrEqual(700);
  target.events.splice(0);
  target.clock.advance(60_000);
  const { client, secret } = target.platform;
  await ask(client.clientId, secret);
  expect(target.events).toMatchObject([
    { type: 'authentications.suppressed', count: expect.any(Number) },
    { type: 'token.issued' },
  ]);
});

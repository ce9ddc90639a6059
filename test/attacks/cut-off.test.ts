// A server that is cut off from the database: what it still knows may be wrong, so it hands out nothing by it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockClient } from '../../src/auth/clients/lock-client.js';
import { DatabaseUnavailable } from '../../src/storage/unavailable.js';
import { Browser } from '../auth/browser.js';
import { freePort } from '../support/free-port.js';
import {
  basic,
  createTestAuth,
  postForm,
  serveOAuth,
  type OAuthServer,
  type TestAuth,
} from '../auth/support.js';
import {
  authorizationRequest,
  codeIn,
  consoleRequest,
  exchange,
  signedInBrowser,
  startTarget,
  type Target,
} from './support.js';

let target: Target;
/** Shares the database with the target until it is cut off. */
let other: TestAuth & { server: OAuthServer };
let isCutOff = false;

beforeAll(async () => {
  target = await startTarget();
  const { store } = target.auth;
  const { changes, grants } = store.direct;
  const gone = () => Promise.reject(new DatabaseUnavailable('cut off'));
  const direct = {
    ...store.direct,
    changes: { ...changes, since: (atMs: number) => (isCutOff ? gone() : changes.since(atMs)) },
    grants: { ...grants, getSession: (hash: string) => (isCutOff ? gone() : grants.getSession(hash)) },
  };
  const test = await createTestAuth(target.database, {
    issuer: `http://127.0.0.1:${await freePort()}`,
    clock: target.clock,
    settings: { changePollMs: 3600_000 },
    needs: { store: { ...store, direct } },
  });
  other = { ...test, server: await serveOAuth(test) };
});
afterAll(async () => {
  await other.server.stop();
  await other.auth.stop();
  await target.stop();
});

it('issues no token after ten seconds, by whatever grant, and spends nothing that it was shown', async () => {
  const { client, secret } = target.platform;
  const ask = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    postForm(`${other.server.url}/oauth2/token`, form, headers);
  const credentials = () =>
    ask(
      { grant_type: 'client_credentials', scope: 'biosec' },
      { authorization: basic(client.clientId, secret) },
    );
  const browser = await signedInBrowser(target, 'olga');
  const first = consoleRequest(target);
  const tokens = await exchange(target, first, codeIn(await browser.get(first.address)) ?? '');
  const second = consoleRequest(target);
  const code = codeIn(await browser.get(second.address)) ?? '';
  const renewal = () =>
    ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh, client_id: 'console' });
  const redemption = () =>
    ask({
      grant_type: 'authorization_code',
      code,
      client_id: 'console',
      redirect_uri: second.redirectUri,
      code_verifier: second.verifier,
    });
  expect((await credentials()).status).toBe(200);

  isCutOff = true;
  await lockClient(target.auth, target.system, { clientId: client.clientId });
  target.clock.advance(11_000);
  for (const request of [credentials, renewal, redemption]) {
    const { status, headers, body } = await request();
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description: 'try again' });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  }

  isCutOff = false;
  expect((await credentials()).body).toMatchObject({ error: 'invalid_client' });
  expect((await renewal()).status).toBe(200);
  expect((await redemption()).status).toBe(200);
});

it.each([
  ['en', 'This server cannot answer at the moment.'],
  ['de', 'Dieser Server kann zurzeit nicht antworten.'],
])('tells people in a sentence (%s) that they cannot sign in now', async (language, sentence) => {
  const { url } = other.server;
  const browser = new Browser(url);
  browser.cookies.set('voxgate_session', 'of-somebody');
  const { address } = authorizationRequest({ url }, 'console', `${url}/console/callback`);
  isCutOff = true;
  const page = await browser.get(address, { 'accept-language': language });
  isCutOff = false;
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.html).toContain(sentence);
});

// Attack: a local process listens on a free port and sends an administrator's browser to the authorization endpoint as
// the console, with its own port as the address to return to. It got an administrator's token without a question.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { callOf } from '../auth/support.js';
import {
  authorizationRequest,
  codeIn,
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

it('a foreign loopback port is not the console', async () => {
  const browser = await signedInBrowser(target, 'olga');
  expect(codeIn(await browser.get(consoleRequest(target).address))).toBeDefined();
  for (const path of ['/console/callback', '/', '/callback', '/console/']) {
    const page = await browser.get(
      authorizationRequest(target, 'console', `http://127.0.0.1:9${path}`).address,
    );
    expect(page.status).toBe(400);
    expect(page.location).toBeUndefined();
    // Whoever came to the console by another name is told by which one it works.
    expect(page.html).toContain(`<a href="${target.url}/console/">`);
  }
});

it('other paths of the server itself are not the console either', async () => {
  const browser = await signedInBrowser(target, 'olga');
  for (const path of ['/', '/callback', '/console/', '/console/callback?x', '/console/callback/']) {
    const page = await browser.get(authorizationRequest(target, 'console', `${target.url}${path}`).address);
    expect(page.location).toBeUndefined();
  }
});

it('a registered native program may use any port, but the user is asked every time', async () => {
  const browser = await signedInBrowser(target, 'olga');
  const { client } = await createToolingClient(target.auth, callOf(target.platform.owner), {
    name: 'Desktop tool',
    type: 'user-account',
    redirectUris: ['http://127.0.0.1/cb'],
    isPublic: true,
  });
  for (const port of [5001, 5002]) {
    const { address } = authorizationRequest(target, client.clientId, `http://127.0.0.1:${port}/cb`);
    const page = await browser.get(address);
    expect(page.html).toContain('Allow access?');
    expect(codeIn(await browser.submit(page, { decision: 'allow' }))).toBeDefined();
    const silent = await browser.get(`${address}&prompt=none`);
    expect(silent.location).toContain('error=consent_required');
  }
});

it('a confidential client has to name its port', async () => {
  const browser = await signedInBrowser(target, 'olga');
  const { client } = await createToolingClient(target.auth, callOf(target.platform.owner), {
    name: 'Local service',
    type: 'user-account',
    redirectUris: ['http://127.0.0.1/cb'],
  });
  const page = await browser.get(
    authorizationRequest(target, client.clientId, 'http://127.0.0.1:5003/cb').address,
  );
  expect(page.status).toBe(400);
});

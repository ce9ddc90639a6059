// Attack: any member registers an address, and a link to this server with a deliberate mistake in it takes whoever follows it there
// (RFC 9700 section 4.11.2). Nobody is sent to an address of a client that they have not allowed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { Browser, type Page } from '../auth/browser.js';
import { callOf } from '../auth/support.js';
import { authorizationRequest, codeIn, signedInBrowser, startTarget, type Target } from './support.js';

const REDIRECT = 'https://phish.example/cb';
const mistakes: [string, Record<string, string>, string][] = [
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['a scope that it does not have', { scope: 'asr' }, 'invalid_scope'],
  ['a request object', { request: 'x.y.' }, 'request_not_supported'],
  ['no PKCE', { code_challenge: '' }, 'invalid_request'],
  ['silence', { prompt: 'none', state: 's' }, 'login_required'],
];
let target: Target;
let clientId: string;
beforeAll(async () => {
  target = await startTarget();
  const { client } = await createToolingClient(target.auth, callOf(target.member), {
    name: 'Invoice viewer',
    type: 'user-account',
    redirectUris: [REDIRECT],
  });
  clientId = client.clientId;
});
afterAll(() => target.stop());

const request = (more: Record<string, string>): string =>
  authorizationRequest(target, clientId, REDIRECT, more).address;

function expectOwnPage(page: Page, error: string): void {
  expect([page.status, page.location]).toEqual([400, undefined]);
  expect(page.html).toContain(error);
  // People decide for themselves, and see where the link goes.
  expect(page.html).toMatch(/<a href="https:\/\/phish\.example\/cb\?[^"]+">Go back to phish\.example<\/a>/);
}

it.each(mistakes)('with %s nobody is sent away who has not signed in', async (_name, more, error) => {
  const browser = new Browser(target.url);
  expectOwnPage(await browser.get(request(more)), error);
  const form = { request: request(more).split('?')[1] ?? '', user_name: 'olga', password: 'x' };
  // A request without a mistake that asks for silence is no request for a form.
  for (const path of more['prompt'] === 'none' ? [] : ['login', 'consent'])
    expectOwnPage(await browser.post(`${target.url}/oauth2/${path}`, form), error);
});

it('who is signed in is sent there only after allowing the client, and no longer once that is withdrawn', async () => {
  const browser = await signedInBrowser(target, 'olga');
  expectOwnPage(await browser.get(request({ scope: 'asr' })), 'invalid_scope');
  expectOwnPage(await browser.get(request({ prompt: 'none' })), 'consent_required');
  const allowed = await browser.submit(await browser.get(request({})), { decision: 'allow' });
  expect(codeIn(allowed)).toBeDefined();
  const told = await browser.get(request({ scope: 'asr', state: 's' }));
  const back = new URL(told.location ?? '');
  expect([told.status, back.host, back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
    303,
    'phish.example',
    'invalid_scope',
    's',
  ]);
  await target.auth.store.direct.grants.deleteConsents({ clientId });
  expectOwnPage(await browser.get(request({ scope: 'asr' })), 'invalid_scope');
});

it('the console, whose address is ours, hears that nobody is signed in', async () => {
  const address = authorizationRequest(target, 'console', `${target.url}/console/callback`, {
    prompt: 'none',
  }).address;
  expect((await new Browser(target.url).get(address)).location).toContain('error=login_required');
});

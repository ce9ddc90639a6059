// Attacks on passkeys: a challenge used twice, an answer made for another site, without the user being verified, with a copy
// of the key, with somebody else's passkey, from another browser's page. And what must work: alone, and as the second step.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  beginPasskey,
  createPasskey,
  removePasskey,
  renamePasskey,
} from '../../src/auth/factors/own-passkeys.js';
import { beginFactorProof } from '../../src/auth/factors/own-factors.js';
import { relyingPartyOf } from '../../src/auth/factors/relying-party.js';
import type { UserView } from '../../src/auth/model.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { updateUser } from '../../src/auth/users/update-user.js';
import { Browser, hiddenFields, type Page } from '../auth/browser.js';
import { PASSWORD, callOf } from '../auth/support.js';
import { SoftwarePasskey, type Circumstances } from '../support/authenticator.js';
import { codeIn, consoleRequest, startTarget, type Target } from './support.js';

const ORIGIN = 'https://voice.example';
let target: Target;
beforeAll(async () => {
  target = await startTarget({ publicUrl: ORIGIN, secondFactorRoles: ['auditor'] });
});
afterAll(() => target.stop());
beforeEach(() => {
  target.clock.advance(60_000);
  target.events.splice(0);
});

const newPasskey = (): SoftwarePasskey => new SoftwarePasskey('voice.example', ORIGIN);

async function person(userName: string, role: 'member' | 'auditor' = 'member'): Promise<UserView> {
  const input = { userName, displayName: userName, role, password: PASSWORD, temporary: false };
  return createUser(target.auth, target.system, input);
}

async function enroll(
  user: UserView,
  name = 'laptop',
  { code = '', ...change }: Circumstances & { code?: string } = {},
) {
  const call = callOf(user);
  const passkey = newPasskey();
  const factor = { code, proofToken: '', credentialJson: '' };
  const shown = { currentPassword: PASSWORD, factor };
  const { setupToken, optionsJson } = await beginPasskey(target.auth, call, shown);
  const credentialJson = passkey.create(optionsJson, change);
  const { recoveryCodes } = await createPasskey(target.auth, call, { setupToken, name, credentialJson });
  return { passkey, setupToken, credentialJson, recoveryCodes };
}

/** The form of the page, as it was asked; the browser would fill in the answer. */
function questionOn(page: Page): string {
  const options = /data-options="([^"]+)"/.exec(page.html)?.[1] ?? '';
  return options.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
}

const send = (browser: Browser, page: Page, credential: string): Promise<Page> =>
  browser.post(`${target.url}/oauth2/login/passkey`, { ...hiddenFields(page), credential });

async function signInPage(): Promise<{ browser: Browser; page: Page }> {
  const browser = new Browser(target.url);
  return { browser, page: await browser.get(consoleRequest(target).address) };
}

const isIn = async (browser: Browser, page: Page): Promise<boolean> =>
  codeIn(await browser.follow(page)) !== undefined;

describe('a passkey', () => {
  it('is enough to sign in, and the second step after a password', async () => {
    const ada = await person('ada');
    const { passkey, recoveryCodes } = await enroll(ada);
    expect(recoveryCodes).toHaveLength(10);
    const { browser, page } = await signInPage();
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'/);
    const done = await send(browser, page, passkey.get(questionOn(page), ada.userId, { counter: 1 }));
    expect(await isIn(browser, done)).toBe(true);
    expect(target.events.at(-1)).toMatchObject({
      type: 'sign-in.succeeded',
      userId: ada.userId,
      method: 'passkey',
    });

    const second = await signInPage();
    const submitted = await second.browser.submit(second.page, { user_name: 'ada', password: PASSWORD });
    const asked = await second.browser.follow(submitted);
    expect(asked.html).toContain('Use your passkey. Without it, enter one of your recovery codes.');
    expect(questionOn(asked)).toContain(passkey.id.toString('base64url'));
    const answer = passkey.get(questionOn(asked), ada.userId, { counter: 2 });
    expect(await isIn(second.browser, await send(second.browser, asked, answer))).toBe(true);
    expect(target.events.at(-1)).toMatchObject({ method: 'password+passkey' });
  });

  it('has a name, stands beside others, and is removed; the last one stays where the role needs it', async () => {
    const bea = await person('bea', 'auditor');
    const first = await enroll(bea, 'laptop');
    const [code, next] = first.recoveryCodes;
    const second = await enroll(bea, 'key', { code: code! });
    expect(second.recoveryCodes).toEqual([]);
    const call = callOf(bea);
    const passkeyId = second.passkey.id.toString('base64url');
    await renamePasskey(target.auth, call, { passkeyId, name: ' blue key ' });
    const named = await target.auth.store.direct.factors.listPasskeys(bea.userId);
    expect(named.map(({ name }) => name)).toEqual(['laptop', 'blue key']);
    const other = callOf(await person('carl'));
    await expect(renamePasskey(target.auth, other, { passkeyId, name: 'mine' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    // By the passkey that stays.
    const { ticket, optionsJson } = await beginFactorProof(target.auth, call);
    const credentialJson = first.passkey.get(optionsJson, bea.userId, { counter: 1 });
    const factor = { code: '', proofToken: ticket, credentialJson };
    await removePasskey(target.auth, call, { passkeyId, currentPassword: PASSWORD, factor });
    const last = {
      passkeyId: first.passkey.id.toString('base64url'),
      currentPassword: PASSWORD,
      factor: { code: next!, proofToken: '', credentialJson: '' },
    };
    await expect(removePasskey(target.auth, call, last)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await target.auth.store.direct.factors.listPasskeys(bea.userId)).toHaveLength(1);
  });

  it('is not made twice from one challenge, nor for another site, nor without the user', async () => {
    const dan = await person('dan');
    const { setupToken, credentialJson, recoveryCodes } = await enroll(dan);
    const again = { setupToken, name: 'again', credentialJson };
    await expect(createPasskey(target.auth, callOf(dan), again)).rejects.toMatchObject({
      fields: [{ field: 'setup_token' }],
    });
    for (const change of [
      { origin: 'https://voice.example.evil' },
      { rpId: 'evil' },
      { userVerified: false },
    ])
      await expect(enroll(dan, 'bad', { ...change, code: recoveryCodes.pop()! })).rejects.toMatchObject({
        fields: [{ field: 'credential_json' }],
      });
    await expect(beginPasskey(target.auth, callOf(dan), { currentPassword: 'not it' })).rejects.toMatchObject(
      { fields: [{ field: 'current_password' }] },
    );
    expect(await target.auth.store.direct.factors.listPasskeys(dan.userId)).toHaveLength(1);
  });
});

describe('at the sign-in page', () => {
  let eve: UserView;
  let passkey: SoftwarePasskey;
  beforeAll(async () => {
    eve = await person('eve');
    ({ passkey } = await enroll(eve));
    const { browser, page } = await signInPage();
    await send(browser, page, passkey.get(questionOn(page), eve.userId, { counter: 10 }));
  });

  it.each<[string, Circumstances, string]>([
    ['made for another site', { origin: 'https://voice.example.evil', counter: 20 }, 'wrong_passkey'],
    ['made for another relying party', { rpId: 'evil.example', counter: 21 }, 'wrong_passkey'],
    ['without the user being verified', { userVerified: false, counter: 22 }, 'wrong_passkey'],
    ['of a copy, whose counter is behind', { counter: 10 }, 'cloned_passkey'],
    ['of a copy that does not count', { counter: 0 }, 'cloned_passkey'],
    ['that names somebody else', { userHandle: 'another-user', counter: 23 }, 'passkey_of_another'],
  ])('an answer %s is refused', async (_name, change, reason) => {
    const { browser, page } = await signInPage();
    const refused = await send(browser, page, passkey.get(questionOn(page), eve.userId, change));
    expect([refused.status, refused.html.includes('was not accepted')]).toEqual([401, true]);
    expect(target.events).toMatchObject([{ type: 'sign-in.failed', method: 'passkey', reason }]);
  });

  it('an answer is good once, for its own page only, and junk is refused', async () => {
    const { browser, page } = await signInPage();
    const answer = passkey.get(questionOn(page), eve.userId, { counter: 30 });
    expect(await isIn(browser, await send(browser, page, answer))).toBe(true);
    const later = passkey.get(questionOn(page), eve.userId, { counter: 31 });
    expect((await send(browser, page, later)).status).toBe(401);
    const other = await signInPage();
    expect((await send(other.browser, other.page, later)).status).toBe(401);
    // Somebody else's browser has not been shown this page.
    expect((await send(new Browser(target.url), page, later)).status).toBe(403);
    for (const junk of ['', '{}', 'null', '{"id":"x","response":{}}', '[1'])
      expect((await send(other.browser, other.page, junk)).status).toBe(401);
    expect(target.events.map(({ reason }) => reason)).toEqual([
      undefined,
      'replayed_challenge',
      'wrong_passkey',
      'replayed_challenge',
      'replayed_challenge',
      'replayed_challenge',
      'replayed_challenge',
      'replayed_challenge',
    ]);
  });

  it('one person’s passkey is no second step for another, and none of a disabled person opens anything', async () => {
    const fay = await person('fay');
    await enroll(fay);
    const { browser, page } = await signInPage();
    const asked = await browser.follow(await browser.submit(page, { user_name: 'fay', password: PASSWORD }));
    const wrong = await send(browser, asked, passkey.get(questionOn(asked), eve.userId, { counter: 40 }));
    expect([wrong.status, wrong.html.includes('One more step')]).toEqual([401, true]);
    await updateUser(target.auth, target.system, { userId: eve.userId, locked: true });
    const late = await signInPage();
    const locked = passkey.get(questionOn(late.page), eve.userId, { counter: 41 });
    expect((await send(late.browser, late.page, locked)).status).toBe(401);
    expect(target.events.at(-1)).toMatchObject({ reason: 'locked', userId: eve.userId });
  });
});

it.each([
  ['https://voice.example', 'voice.example'],
  ['https://voice.example:8443', 'voice.example'],
  ['http://localhost:8080', 'localhost'],
  ['http://voice.example', undefined],
  ['https://192.0.2.7', undefined],
  ['https://[2001:db8::1]', undefined],
])('%s has passkeys of %s', (publicUrl, id) => {
  expect(relyingPartyOf(publicUrl)?.id).toBe(id);
});

// Signing in takes more than a password: one that somebody else has chosen is replaced, an authenticator app or a recovery
// code is the second step, and roles can be made to need one. Through the real pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmTotp, beginTotp } from '../../src/auth/factors/own-factors.js';
import { resetFactors } from '../../src/auth/factors/reset-factors.js';
import { matchingStep } from '../../src/auth/factors/totp.js';
import type { UserRole } from '../../src/auth/model.js';
import { nextStep, type SignInFacts } from '../../src/auth/sign-in/next-step.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { setPassword } from '../../src/auth/users/set-password.js';
import { codeIn, consoleRequest, startTarget, type Target } from '../attacks/support.js';
import { totp } from '../support/totp.js';
import { Browser, type Page } from './browser.js';
import { PASSWORD, callOf } from './support.js';

let target: Target;
beforeAll(async () => {
  target = await startTarget({ secondFactorRoles: ['auditor'] });
});
afterAll(() => target.stop());

describe('the next step', () => {
  const facts = (change: Partial<SignInFacts>): SignInFacts => ({
    methods: ['password'],
    hasSecondFactor: false,
    needsSecondFactor: false,
    mustChangePassword: false,
    ...change,
  });
  it.each<[string, Partial<SignInFacts>, string]>([
    ['nothing else', {}, 'done'],
    ['a second factor, where there is one', { hasSecondFactor: true }, 'second-factor'],
    [
      'the second factor before a new password',
      { hasSecondFactor: true, mustChangePassword: true },
      'second-factor',
    ],
    [
      'a new password after the second factor',
      { methods: ['password', 'totp'], hasSecondFactor: true, mustChangePassword: true },
      'new-password',
    ],
    ['a new password', { mustChangePassword: true }, 'new-password'],
    [
      'a new password before a factor is set up',
      { mustChangePassword: true, needsSecondFactor: true },
      'new-password',
    ],
    ['a factor, where the role needs one', { needsSecondFactor: true }, 'set-up-factor'],
    [
      'nothing after a passkey',
      { methods: ['passkey'], hasSecondFactor: true, mustChangePassword: true },
      'done',
    ],
    [
      'nothing after both',
      { methods: ['password', 'recovery-code'], hasSecondFactor: true, needsSecondFactor: true },
      'done',
    ],
  ])('is %s', (_name, change, expected) => {
    expect(nextStep(facts(change))).toBe(expected);
  });
});

describe('a code of an authenticator app', () => {
  /** RFC 6238 appendix B, for SHA-1; the last six of its eight digits. */
  const secret = Buffer.from('12345678901234567890');
  it.each([
    [59, '287082', 1],
    [1111111109, '081804', 37037036],
    [1111111111, '050471', 37037037],
    [1234567890, '005924', 41152263],
    [2000000000, '279037', 66666666],
    [20000000000, '353130', 666666666],
  ])('at %d is %s', (seconds, code, step) => {
    expect(matchingStep(secret, code, seconds * 1000)).toBe(step);
    // One step early and late is fine, two are not.
    expect(matchingStep(secret, code, (seconds - 30) * 1000)).toBe(step);
    expect(matchingStep(secret, code, (seconds + 30) * 1000)).toBe(step);
    expect(matchingStep(secret, code, (seconds + 60) * 1000)).toBeUndefined();
    expect(matchingStep(secret, `${code}0`, seconds * 1000)).toBeUndefined();
  });
});

async function person(userName: string, role: UserRole = 'member', temporary = false) {
  const view = await createUser(target.auth, target.system, {
    userName,
    displayName: userName,
    role,
    password: PASSWORD,
    temporary,
  });
  const stored = () => target.auth.store.direct.users.get(view.userId).then((user) => user!);
  return { view, stored };
}

/** Sets an app up for somebody; answers its key and the recovery codes. */
async function withApp({ stored, view }: Awaited<ReturnType<typeof person>>) {
  const { setupToken, secret } = await beginTotp(target.auth, await stored());
  const code = totp(secret, target.clock.now());
  const codes = await confirmTotp(target.auth, callOf(view), await stored(), { setupToken, code });
  target.clock.advance(30_000);
  return { secret, codes, code: () => totp(secret, target.clock.now()) };
}

/** The page after the password. */
async function afterPassword(userName: string, password = PASSWORD, browser = new Browser(target.url)) {
  const form = await browser.get(consoleRequest(target).address);
  const page = await browser.follow(await browser.submit(form, { user_name: userName, password }));
  return { browser, page };
}

const isIn = (page: Page): boolean => codeIn(page) !== undefined;
const titleOf = ({ html }: Page): string | undefined => /<h1>([^<]*)</.exec(html)?.[1];

describe('a password that somebody else has chosen', () => {
  it('opens nothing but the page for a new one, which must be another', async () => {
    const { stored, view } = await person('fritz', 'member', true);
    const { browser, page } = await afterPassword('fritz');
    expect(titleOf(page)).toBe('Choose a new password');
    expect([...browser.cookies.keys()]).not.toContain('voxgate_session');
    // The way around: straight to the application.
    expect(titleOf(await browser.get(consoleRequest(target).address))).toBe('Sign in');
    const choose = (password: string, again = password) =>
      browser.submit(page, { password, password_again: again });
    const differ = await choose('nine quiet geese at noon', 'nine quiet geese at dusk');
    expect([differ.status, differ.html.includes('are different')]).toEqual([400, true]);
    const same = await choose(PASSWORD);
    expect([same.status, same.html.includes('must not be the one you were given')]).toEqual([400, true]);
    expect((await choose('passwordpassword')).html).toContain('The new password is too easy to guess');
    expect((await stored()).mustChangePassword).toBe(true);
    const done = await browser.follow(await choose('nine quiet geese at noon'));
    expect(isIn(done)).toBe(true);
    expect(await stored()).toMatchObject({ userId: view.userId, mustChangePassword: false });
    expect(isIn((await afterPassword('fritz', 'nine quiet geese at noon')).page)).toBe(true);
    // An administrator sets another one, and it begins again.
    await setPassword(target.auth, target.system, { userId: view.userId, newPassword: PASSWORD });
    expect(titleOf((await afterPassword('fritz')).page)).toBe('Choose a new password');
  });

  it('cannot be replaced by somebody who has only begun to sign in elsewhere', async () => {
    await person('gerd', 'member', true);
    const { page } = await afterPassword('gerd');
    const stranger = new Browser(target.url);
    const tried = await stranger.submit(page, {
      password: 'nine quiet geese',
      password_again: 'nine quiet geese',
    });
    expect([tried.status, titleOf(tried)]).toEqual([403, 'Sign in']);
  });
});

describe('an authenticator app', () => {
  it('is asked for after the password; a code is good once, and so is a recovery code', async () => {
    const hanna = await person('hanna');
    const app = await withApp(hanna);
    target.events.splice(0);
    const { browser, page } = await afterPassword('hanna');
    expect(titleOf(page)).toBe('One more step');
    expect([...browser.cookies.keys()]).not.toContain('voxgate_session');
    expect(target.events).toEqual([]);
    const wrong = await browser.submit(page, { code: '000000' });
    expect([wrong.status, titleOf(wrong)]).toEqual([401, 'One more step']);
    const code = app.code();
    expect(
      isIn(
        await browser.follow(await browser.submit(page, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })),
      ),
    ).toBe(true);
    const again = await afterPassword('hanna');
    expect((await again.browser.submit(again.page, { code })).status).toBe(401);
    const paper = app.codes[3]!.toLowerCase().replaceAll('-', ' ');
    expect(isIn(await again.browser.follow(await again.browser.submit(again.page, { code: paper })))).toBe(
      true,
    );
    target.clock.advance(120_000);
    const third = await afterPassword('hanna');
    expect((await third.browser.submit(third.page, { code: paper })).status).toBe(401);
    expect(await target.auth.store.direct.factors.countRecoveryCodes(hanna.view.userId)).toBe(9);
    const { userId } = hanna.view;
    expect(target.events).toMatchObject([
      { type: 'sign-in.failed', userId, method: 'totp', reason: 'wrong_code', address: '127.0.0.1' },
      { type: 'sign-in.succeeded', userId, method: 'password+totp' },
      { type: 'sign-in.failed', userId, method: 'totp', reason: 'replayed_code' },
      { type: 'sign-in.succeeded', userId, method: 'password+recovery-code' },
      { type: 'sign-in.failed', userId, method: 'recovery-code', reason: 'wrong_code' },
    ]);
    expect(JSON.stringify(target.events)).not.toContain(code);
  });

  it('cannot be guessed: after a few tries there is a wait, but not in a browser the owner has used', async () => {
    const ida = await person('ida');
    const own = await afterPassword('ida');
    const app = await withApp(ida);
    const thief = await afterPassword('ida');
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++)
      statuses.push((await thief.browser.submit(thief.page, { code: `00000${i}` })).status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    const last = await thief.browser.submit(thief.page, { code: app.code() });
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);
    own.browser.cookies.delete('voxgate_session');
    const { browser, page } = await afterPassword('ida', PASSWORD, own.browser);
    expect(isIn(await browser.follow(await browser.submit(page, { code: app.code() })))).toBe(true);
  });

  it('takes right codes as often as somebody signs in: only wrong ones make them wait', async () => {
    const ilse = await person('ilse');
    const app = await withApp(ilse);
    for (let i = 0; i < 8; i++) {
      const { browser, page } = await afterPassword('ilse');
      expect(isIn(await browser.follow(await browser.submit(page, { code: app.codes[i]! })))).toBe(true);
    }
  });

  it('keeps a half-done sign-in from lasting: not past a new password, nor past ten minutes', async () => {
    const jan = await person('jan');
    const app = await withApp(jan);
    const { browser, page } = await afterPassword('jan');
    const late = await afterPassword('jan');
    await setPassword(target.auth, target.system, {
      userId: jan.view.userId,
      newPassword: 'nine quiet geese at noon',
      temporary: false,
    });
    expect((await browser.submit(page, { code: app.code() })).status).toBe(403);
    await setPassword(target.auth, target.system, {
      userId: jan.view.userId,
      newPassword: PASSWORD,
      temporary: false,
    });
    target.clock.advance(11 * 60_000);
    expect((await late.browser.submit(late.page, { code: app.code() })).status).toBe(403);
  });

  it('is taken away by an administrator, and not by oneself', async () => {
    const kim = await person('kim', 'administrator');
    await withApp(kim);
    await expect(
      resetFactors(target.auth, { ...callOf(kim.view) }, { userId: kim.view.userId }),
    ).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await resetFactors(target.auth, target.system, { userId: kim.view.userId });
    expect(isIn((await afterPassword('kim')).page)).toBe(true);
  });
});

describe('a role that needs a second factor', () => {
  it('gets in once an app is set up, and is asked for its codes from then on', async () => {
    await person('lena', 'auditor');
    const { browser, page } = await afterPassword('lena');
    expect(titleOf(page)).toBe('Set up a second factor');
    expect(page.html).toMatch(/<svg [^>]*viewBox="0 0 \d+ \d+"[^>]*><path d="M4 4h7v1h-7z/);
    const secret = /<code>([A-Z2-7]{32})<\/code>/.exec(page.html)?.[1] ?? '';
    expect((await browser.submit(page, { code: '000000' })).html).toContain('The code does not match');
    const shown = await browser.submit(page, { code: totp(secret, target.clock.now()) });
    expect(shown.html.match(/[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}/g)).toHaveLength(10);
    const next = /href="([^"]+)"/.exec(shown.html)?.[1]?.replaceAll('&#38;', '&') ?? '';
    expect(isIn(await browser.follow(await browser.get(target.url + next)))).toBe(true);
    expect(titleOf((await afterPassword('lena')).page)).toBe('One more step');
  });
});

// Attack: a flood of wrong passwords for somebody else's account. It used to lock the owner out for a quarter of an hour.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordFault } from '../../src/auth/passwords.js';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { PASSWORD } from '../auth/support.js';
import { Browser } from '../auth/browser.js';
import { consoleRequest, signedInBrowser, startTarget, type Target } from './support.js';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

const attempt = (password: string, address: string) =>
  authenticateUser(target.auth, { userName: 'olga', password, address });

describe('a flood of wrong passwords', () => {
  it('slows the attacker and not the owner, neither at home nor elsewhere', async () => {
    const home = await signedInBrowser(target, 'olga');
    const outcomes: string[] = [];
    for (let i = 0; i < 40; i++) {
      const outcome = await attempt(`wrong ${i}`, '203.0.113.9');
      outcomes.push(outcome.ok ? 'ok' : outcome.reason);
      target.clock.advance(1000);
    }
    // Once the account is guarded, one guess a minute is left to an address.
    expect(outcomes.filter((each) => each === 'wrong').length).toBeLessThan(20);
    expect((await attempt(PASSWORD, '198.51.100.7')).ok).toBe(true);

    // The same from the attacker's own address, in the browser that the owner has used before.
    for (let i = 0; i < 30; i++) await attempt(`wrong ${i}`, '127.0.0.1');
    expect(await attempt(PASSWORD, '127.0.0.1')).toMatchObject({ ok: false, reason: 'rate-limited' });
    home.cookies.delete('voxgate_session');
    const form = await home.get(consoleRequest(target).address);
    const page = await home.submit(form, { user_name: 'olga', password: PASSWORD });
    expect(page.status).toBe(303);
  });

  it('is not helped by a made-up cookie', async () => {
    const stranger = new Browser(target.url);
    stranger.cookies.set('voxgate_device', 'AAAA.BBBB');
    const form = await stranger.get(consoleRequest(target).address);
    const page = await stranger.submit(form, { user_name: 'olga', password: 'wrong' });
    expect(page.status).toBe(429);
  });
});

describe('weak passwords', () => {
  it.each([
    'short but odd 1',
    'passwordpassword',
    'P@ssw0rd123456789',
    'qwertyuiopasdfghj',
    '1234567890123456',
    'aaaaaaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    'letmein1234567890!',
    'SummerWinter2026!!',
    'mallory is my name',
  ])('%s is refused', (password) => {
    expect(
      passwordFault('password', password.slice(0, password === 'short but odd 1' ? 14 : 99), 'mallory'),
    ).toBeDefined();
  });

  it.each([
    'purple tractor under a lemon',
    'nine quiet geese at noon',
    'Kxw9-2fQz-77dL-pWm3',
    '雨の日に青い傘を三本買いました',
  ])('%s is accepted', (password) => {
    expect(passwordFault('password', password, 'mallory')).toBeUndefined();
  });
});

// The setup page of a new installation, from a browser and by JSON.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrapAuth } from '../../src/auth/bootstrap.js';
import type { BootstrapResult } from '../../src/auth/bootstrap.js';
import { systemCall } from '../../src/auth/permissions.js';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { deleteUser } from '../../src/auth/users/delete-user.js';
import { completeSetup, createSetupToken } from '../../src/auth/users/first-run-setup.js';
import { recordSignIn } from '../../src/auth/users/record-sign-in.js';
import { openDatabase } from '../../src/storage/database.js';
import type { Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { Browser } from './browser.js';
import { freePort } from '../support/free-port.js';
import { PASSWORD, createTestAuth, serveOAuth } from './support.js';
import type { OAuthServer, TestAuth } from './support.js';

let database: Database;
let test: TestAuth;
let server: OAuthServer;
let made: BootstrapResult;

beforeEach(async () => {
  database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(database, { now: () => 0 });
  test = await createTestAuth(database, { issuer: `http://127.0.0.1:${await freePort()}` });
  made = await bootstrapAuth(test.auth, {
    administratorName: 'admin',
    applicationName: 'First',
    environmentName: 'development',
    geography: 'us',
    gkScopeId: 'gk-1',
  });
  server = await serveOAuth(test);
});

afterEach(async () => {
  await server.stop();
  await test.auth.stop();
  await database.close();
});

const canSignIn = async (): Promise<boolean> =>
  (await authenticateUser(test.auth, { userName: 'admin', password: PASSWORD, address: '::1' })).ok;

describe('the setup page', () => {
  it('sets the first password with the token, says what is wrong, and is gone afterwards', async () => {
    const browser = new Browser(server.url);
    const page = await browser.get(`${server.url}/setup?token=${made.setupToken}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const token = made.setupToken!;
    const differ = await browser.submit(page, { token, password: PASSWORD, password_again: 'other' });
    expect([differ.status, differ.html.includes('role="alert"')]).toEqual([400, true]);
    const wrong = await browser.submit(page, {
      token: 'guess',
      password: PASSWORD,
      password_again: PASSWORD,
    });
    expect([wrong.status, wrong.html.includes('the server prints a new link each time it starts')]).toEqual([
      403,
      true,
    ]);
    // One that was replaced says so before anybody thinks of a password, and how to get another.
    const stale = await browser.get(`${server.url}/setup?token=guess`);
    expect([stale.status, stale.html.includes('voxgate setup-link')]).toEqual([403, true]);
    expect(stale.html).toContain('This setup token is no longer valid');
    const foreign = await new Browser(server.url).submit(page, {
      token,
      password: PASSWORD,
      password_again: PASSWORD,
    });
    expect(foreign.status).toBe(403);
    expect(await canSignIn()).toBe(false);
    const done = await browser.submit(page, { token, password: PASSWORD, password_again: PASSWORD });
    // Straight on to the console, signed in.
    expect([done.status, done.location]).toEqual([303, '/console/']);
    expect([...browser.cookies.keys()].some((name) => name.endsWith('voxgate_session'))).toBe(true);
    expect(await canSignIn()).toBe(true);
    const gone = await browser.get(`${server.url}/setup?token=${token}`);
    expect([gone.status, gone.html.includes('Already set up')]).toEqual([404, true]);
  });

  it('works by JSON too', async () => {
    const post = (body: object) =>
      fetch(`${server.url}/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post({ token: 'guess', password: PASSWORD })).status).toBeGreaterThanOrEqual(400);
    const done = await post({ token: made.setupToken, password: PASSWORD });
    expect([done.status, await done.json()]).toEqual([200, { user_name: 'admin' }]);
    expect((await post({ token: made.setupToken, password: PASSWORD })).status).toBe(404);
  });
});

describe('setup', () => {
  const answer = async () => {
    const body = JSON.stringify({ token: made.setupToken, password: PASSWORD });
    const headers = { 'content-type': 'application/json' };
    return [
      (await new Browser(server.url).get(`${server.url}/setup?token=${made.setupToken}`)).status,
      (await fetch(`${server.url}/setup`, { method: 'POST', headers, body })).status,
    ];
  };
  const administrators = async () =>
    (await test.auth.store.direct.users.list()).map(({ userName }) => userName).sort();
  const replace = async () => {
    const { userId } = await createUser(test.auth, systemCall(test.auth), {
      ...{
        userName: 'other',
        displayName: 'Other',
        role: 'administrator',
        password: PASSWORD,
        temporary: true,
      },
    });
    for (const { applicationId } of await test.auth.store.direct.applications.list({}))
      await test.auth.store.direct.applications.delete(applicationId);
    const first = await test.auth.store.direct.users.findByName('admin');
    await deleteUser(test.auth, systemCall(test.auth), { userId: first?.userId ?? '' });
    return userId;
  };

  it('stays closed when the administrator who chose the password is deleted', async () => {
    const token = made.setupToken ?? '';
    await completeSetup(test.auth, { token, password: PASSWORD, address: '::1' });
    await replace();
    expect(await createSetupToken(test.auth)).toBeUndefined();
    expect(await answer()).toEqual([404, 404]);
    expect(await administrators()).toEqual(['other']);
  });

  it('stays open when the administrator is replaced, until one has signed in with the company account', async () => {
    const userId = await replace();
    expect((await answer())[0]).toBe(200);
    const identity = { issuer: 'https://idp.test', subject: 's', userId, createdAtMs: 1 };
    await recordSignIn(test.auth, { method: 'provider', userId, reason: undefined });
    expect(await answer()).toEqual([404, 404]);
    // One of 0.2.0, which noted nothing.
    await database.db.deleteFrom('settings').where('name', '=', 'setup-closed').execute();
    await test.auth.store.direct.identities.insert(identity);
    expect(await answer()).toEqual([404, 404]);
    expect(await createSetupToken(test.auth)).toBeUndefined();
  });

  it('is closed where nobody signs in with a password, whatever the token', async () => {
    Object.assign(test.auth.settings, { localAccounts: false });
    expect(await answer()).toEqual([404, 404]);
    expect(await createSetupToken(test.auth)).toBeUndefined();
    expect(await administrators()).toEqual(['admin']);
    // Those who go back to passwords have set nothing up yet.
    Object.assign(test.auth.settings, { localAccounts: true });
    expect(await answer()).toEqual([200, 200]);
  });
});

describe('the language of the pages', () => {
  it('is that of what is refused, too', async () => {
    const browser = new Browser(server.url);
    const token = made.setupToken ?? '';
    const german = { 'accept-language': 'de' };
    const page = await browser.get(`${server.url}/setup?token=${token}`, german);
    const short = { token, password: 'short', password_again: 'short' };
    const refused = await browser.submit(page, short, german);
    expect(refused.html).toMatch(/Neues Passwort: Mindestens \d+ Zeichen sind nötig\./);
  });

  it('is the one that the browser prefers of those there are', async () => {
    for (const [wanted, language] of [
      ['de-AT,de;q=0.9,en;q=0.5', 'de'],
      ['fr-FR, fr;q=0.9, en;q=0.4, de;q=0.7', 'de'],
      ['en-US,en;q=0.9,de;q=0.8', 'en'],
      ['de;q=0, en', 'en'],
      ['*', 'en'],
      ['', 'en'],
    ] as const) {
      const { html, headers } = await new Browser(server.url).get(`${server.url}/setup`, {
        'accept-language': wanted,
      });
      expect([wanted, headers.get('content-language')]).toEqual([wanted, language]);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(language === 'de' ? 'Neues Passwort wiederholen' : 'New password again');
    }
  });

  it('is the one that the application asks for, also of what is wrong, and keeps what others wrote as it is', async () => {
    const browser = new Browser(server.url);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: `${server.url}/console/callback`,
      scope: 'platform-api',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      ui_locales: 'fr de',
    });
    const page = await browser.get(`${server.url}/oauth2/authorize?${query.toString()}`, {
      'accept-language': 'en',
    });
    expect([page.status, page.html.includes('<h1>Anmelden</h1>')]).toEqual([200, true]);
    const again = await browser.submit(page, { user_name: '<b>{user}</b>', password: 'wrong' });
    expect(again.html).toContain('Benutzername oder Passwort ist falsch.');
    expect(again.html).toContain('&#60;b&#62;{user}&#60;/b&#62;');
  });
});

// The setup page of a new installation, from a browser and by JSON.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrapAuth } from '../../src/auth/bootstrap.js';
import type { BootstrapResult } from '../../src/auth/bootstrap.js';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { openDatabase } from '../../src/storage/database.js';
import type { Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { Browser } from './browser.js';
import { PASSWORD, createTestAuth, freePort, serveOAuth } from './support.js';
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
    expect(wrong.status).toBeGreaterThanOrEqual(400);
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
    expect((await browser.get(`${server.url}/setup?token=${token}`)).status).toBe(404);
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

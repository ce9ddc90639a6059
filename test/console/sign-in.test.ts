// Getting in and out: first run, sign in, sign out, a session that ends in the middle of a form.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults, fillLogin, HAS_CHROMIUM, startConsole, type ConsoleTest } from './support.js';

const PASSWORD = 'a long enough sentence';

describe.skipIf(!HAS_CHROMIUM)('the first run', () => {
  let console: ConsoleTest;
  beforeAll(async () => {
    console = await startConsole({ firstRun: true });
  });
  afterAll(() => console?.stop());

  it('says what to do, lets the administrator choose a password, and goes on signed in', async () => {
    const page = await console.newPage();
    await page.goto(`${console.url}/`);
    await page.getByRole('heading', { name: 'Welcome. One step to begin.' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'I have the setup token' }).click();
    await page.getByLabel('Setup token').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(console.setupUrl ?? '');
    expect(await page.getByLabel('Setup token').count()).toBe(0);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password again').fill('another long sentence');
    await page.getByRole('button', { name: 'Set the password and begin' }).click();
    await page.getByText('The two passwords are different.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password again').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set the password and begin' }).click();
    await page.getByRole('heading', { name: 'Hello, Administrator' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/');
    expect((await page.goto(console.setupUrl ?? ''))?.status()).toBe(404);
  });
});

describe.skipIf(!HAS_CHROMIUM)('signing in and out', () => {
  let console: ConsoleTest;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console?.stop());

  it('comes back to the page that was asked for, survives a reload, and keeps no token in storage', async () => {
    const page = await console.newPage();
    await page.goto(`${console.url}/console/profile?tab=sessions`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await fillLogin(page, console.admin.username, 'wrong password');
    await page.getByText('The user name or password is incorrect.').waitFor();
    await fillLogin(page, console.admin.username, console.admin.password);
    await page.getByRole('tab', { name: 'Signed in at', selected: true }).waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Signed in at', selected: true }).waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(stored).not.toMatch(/eyJ|refresh|verifier/);
  });

  it('signs out of the server, not only of the page', async () => {
    const page = await console.signedIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    await page.goto(`${console.url}/console/applications`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name').waitFor();
  });

  it('keeps a half-filled form through an ended session, and sends it after the new sign-in', async () => {
    await makeUser(console, 'olga', PASSWORD);
    const page = await console.signedIn({ username: 'olga', password: PASSWORD });
    await openNewApplication(page, 'Written before the end');
    await endSessionsOf(console, 'olga', PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('heading', { name: 'Please sign in again' }).waitFor();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page
        .getByRole('dialog', { name: 'Please sign in again' })
        .getByRole('link', { name: 'Sign in' })
        .click(),
    ]);
    await fillLogin(popup, 'olga', PASSWORD);
    // Nothing more to do here: the waiting request goes on by itself.
    await page.getByRole('heading', { name: 'Written before the end is ready' }).waitFor();
    await expect.poll(() => popup.isClosed(), { timeout: 30_000 }).toBe(true);
  });

  it('leaves the form alone when the user does not sign in again', async () => {
    await makeUser(console, 'paul', PASSWORD);
    const page = await console.signedIn({ username: 'paul', password: PASSWORD });
    await openNewApplication(page, 'Still here');
    await endSessionsOf(console, 'paul', PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
    await page
      .getByRole('dialog', { name: 'Please sign in again' })
      .getByRole('button', { name: 'Close' })
      .click();
    await page.getByText('You are signed out. What you typed is still here').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name', { exact: true }).inputValue()).toBe(
      'Still here',
    );
  });

  it('is served with a strict policy, and shadows nothing', async () => {
    const page = await fetch(`${console.url}/`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const html = await page.text();
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(console.url + script);
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect((await fetch(`${console.url}/console/any/deep/path`)).headers.get('content-type')).toContain(
      'text/html',
    );
    expect((await fetch(`${console.url}/console/assets/missing.js`)).status).toBe(404);
    expect((await fetch(`${console.url}/console/assets/..%2f..%2fmain.js`)).status).toBe(404);
    expect((await fetch(`${console.url}/v1/scopes`)).status).toBe(401);
    expect((await fetch(`${console.url}/nowhere`)).status).toBe(404);
    expect((await fetch(`${console.url}/docs`)).status).toBe(200);
  });
});

async function openNewApplication(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByRole('button', { name: 'New application' }).first().click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
}

async function makeUser(console: ConsoleTest, username: string, password: string): Promise<void> {
  const made = await console.api('POST', '/v1/management/users', {
    username,
    role: 'USER_ROLE_MEMBER',
    password,
  });
  expect(made.status).toBe(200);
}

/** A password set by an administrator ends every session and token of its owner. */
async function endSessionsOf(console: ConsoleTest, username: string, password: string): Promise<void> {
  const found = await console.api('GET', `/v1/management/users?query=${username}`);
  const ended = await console.api('PUT', `/v1/management/users/${found.body.users[0].userId}/password`, {
    password,
  });
  expect(ended.status).toBe(200);
}

// Getting in and out: first run, sign in, sign out, a session that ends in the middle of a form.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import {
  fillLogin,
  makePerson,
  OTHER_NAME,
  PATIENCE_MS,
  startConsole,
  type ConsoleTest,
} from '../support.js';
import { aliveForChecks, giveFile, speakInto } from '../voices.js';
import type { Suite } from './setting.js';

const PASSWORD = 'a long enough sentence';

/** A server of its own: nobody has a password there yet. */
export const firstRun: Suite = (setting) =>
  describe('the first run', () => {
    let console: ConsoleTest;
    beforeAll(async () => {
      console = await startConsole({ firstRun: true, browser: await setting().console.browser() });
    });
    afterAll(() => console?.stop());

    it('leads from no password to a verified voice without a reload of the console', async () => {
      const page = await console.newPage();
      await aliveForChecks(page);
      await speakInto(page, 'anna', [3, 4, 5]);
      await page.goto(`${console.url}/`);
      await page.getByRole('heading', { name: 'Welcome. One step to get started.' }).waitFor();
      expect(await accessibilityFaults(page, 'html')).toEqual([]);
      await page.getByRole('link', { name: 'I have the setup token' }).click();
      await page.getByLabel('Setup token').waitFor();
      expect(await accessibilityFaults(page, 'html')).toEqual([]);
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
      expect(new URL(page.url()).pathname).toBe('/console/t/demo/');

      await page.evaluate('window.sameDocument = true');
      await page.getByRole('link', { name: 'Try your voice' }).click();
      expect(await page.getByLabel('Whose voice').inputValue()).toBe('admin');
      // Files and the microphone, as they come.
      for (const sample of [1, 2]) {
        await page.getByRole('button', { name: `Record sample ${sample}`, disabled: false }).waitFor();
        await giveFile(page, 'anna', sample);
      }
      await recordThird(page);
      // Whoever recorded by keyboard goes on with the next button.
      const focused = 'document.activeElement.innerText';
      await expect.poll(() => page.evaluate<string>(focused)).toBe('Record and verify');
      await page.getByRole('button', { name: 'Record and verify' }).click();
      const outcome = page.locator('.outcome');
      await outcome.getByText('Verified', { exact: true }).waitFor();
      const match = page.getByRole('region', { name: 'Voice match' });
      expect(await match.getByRole('img').getAttribute('aria-label')).toMatch(/^Risk \d+ of 1000/);
      // Whether it is a live person is always told beside the match.
      await page.getByRole('region', { name: 'Synthetic speech' }).waitFor();
      await page.getByRole('region', { name: 'Playback' }).waitFor();
      await page.getByRole('img', { name: /^Waveform of .* seconds of speech/ }).waitFor();
      await page.getByRole('img', { name: /^Spectrogram/ }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate('window.sameDocument')).toBe(true);
      expect((await page.goto(console.setupUrl ?? ''))?.status()).toBe(404);
    });
  });

/**
 * Says something, and something else when the sample was not good enough: on a busy machine the microphone has gaps, and
 * a recording may last its full minute.
 */
async function recordThird(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, disabled: false });
  const record = button('Record sample 3');
  const next = button('Record and verify');
  for (let attempt = 1; attempt <= 4; attempt++) {
    await record.click();
    await button('Stop').waitFor();
    // The button that was pressed keeps the focus while the recording runs.
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('capture-button');
    await record.or(next).waitFor({ timeout: 2 * PATIENCE_MS });
    if (await next.isVisible()) return;
  }
  throw new Error(`the sample was refused four times: ${await page.locator('main').innerText()}`);
}

export const signIn: Suite = (setting) =>
  describe('signing in and out', () => {
    it('comes back to the page that was asked for, survives a reload, and keeps no token in storage', async () => {
      const { console } = setting();
      const page = await console.newPage();
      await page.goto(`${console.url}/console/profile?tab=sessions`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      // What is typed goes into the first field that is empty.
      await page.getByLabel('User name').waitFor();
      const focused = 'document.activeElement.name';
      await expect.poll(() => page.evaluate<string>(focused)).toBe('user_name');
      await fillLogin(page, console.admin.username, 'wrong password');
      await page.getByText('Incorrect user name or password.').waitFor();
      await expect.poll(() => page.evaluate<string>(focused)).toBe('password');
      await fillLogin(page, console.admin.username, console.admin.password);
      await page.getByRole('tab', { name: 'Active sessions', selected: true }).waitFor();
      await page.reload();
      await page.getByRole('tab', { name: 'Active sessions', selected: true }).waitFor();
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
      );
      expect(stored).not.toMatch(/eyJ|refresh|verifier/);

      // Signing out is of the server, not only of the page, and of every tab.
      const second = await page.context().newPage();
      await second.goto(`${console.url}/console/profile`);
      await second.getByLabel('Display name').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).first().click();
      await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
      await second.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
      await second.close();
      await page.goto(`${console.url}/console/applications`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('User name').waitFor();
    });

    it('keeps a half-filled form through an ended session, also unsigned, and sends it after the new sign-in', async () => {
      const { console } = setting();
      await makeOwner(console, 'olga');
      const page = await console.signedIn({ username: 'olga', password: PASSWORD });
      await page.getByRole('link', { name: 'Applications', exact: true }).click();
      await page.getByRole('button', { name: 'New application' }).first().click();
      const form = page.getByRole('dialog', { name: 'New application' });
      await form.getByLabel('Name', { exact: true }).fill('Written before the end');
      await endSessionsOf(console, 'olga');
      await form.getByRole('button', { name: 'Create application' }).click();
      const again = page.getByRole('dialog', { name: 'Please sign in again' });
      // Not now: the form is left alone.
      await again.getByRole('button', { name: 'Close' }).click();
      await form.getByText('You are signed out. What you typed is still here').waitFor();
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Written before the end');
      await form.getByRole('button', { name: 'Create application' }).click();
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        again.getByRole('link', { name: 'Sign in' }).click(),
      ]);
      await fillLogin(popup, 'olga', PASSWORD);
      // Nothing more to do here: the waiting request goes on by itself.
      await page.getByRole('heading', { name: 'Written before the end is ready' }).waitFor();
      await expect.poll(() => popup.isClosed()).toBe(true);
    });

    it('keeps what was typed when somebody signs out in another tab, out of sight, and for nobody else', async () => {
      const { console } = setting();
      await makeOwner(console, 'ines');
      await makeOwner(console, 'otto');
      const page = await console.signedIn({ username: 'ines', password: PASSWORD });
      const form = page.getByRole('dialog', { name: 'New application' });
      const again = page.getByRole('dialog', { name: 'Please sign in again' });
      const type = async (name: string): Promise<void> => {
        await page.getByRole('link', { name: 'Applications', exact: true }).click();
        await page.getByRole('button', { name: 'New application' }).first().click();
        await form.getByLabel('Name', { exact: true }).fill(name);
      };
      const leaveElsewhere = async (): Promise<void> => {
        const other = await page.context().newPage();
        await other.goto(`${console.url}/console/profile`);
        await other.getByRole('button', { name: 'Sign out' }).first().click();
        await other.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
        await other.close();
        await again.getByText('to get back what you were typing').waitFor();
      };
      const signIn = async (username: string): Promise<void> => {
        const [popup] = await Promise.all([
          page.waitForEvent('popup'),
          again.getByRole('link', { name: 'Sign in' }).click(),
        ]);
        await fillLogin(popup, username, PASSWORD);
      };
      await type('Half a name');
      await leaveElsewhere();
      expect(await page.getByText('Half a name').count()).toBe(0);
      expect(await form.isVisible()).toBe(false);
      expect(await page.title()).toBe('Sign in - Voxgate');
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      // No key throws it away.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await signIn('ines');
      await form.waitFor();
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a name');
      await form.getByRole('button', { name: 'Create application' }).click();
      await page.getByRole('heading', { name: 'Half a name is ready' }).waitFor();
      await page.reload();
      await type('Not for otto');
      await leaveElsewhere();
      const stored = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
      );
      expect(stored).not.toContain('otto');
      await signIn('otto');
      await page.getByRole('button', { name: 'New application' }).first().waitFor();
      expect(await form.count()).toBe(0);
      expect(await page.content()).not.toContain('Not for otto');
    });

    it('says where it can be signed in to when it is opened under another name', async () => {
      const { console } = setting();
      const page = await console.newPage();
      const { port } = new URL(console.url);
      for (const name of ['127.0.0.1', OTHER_NAME]) {
        await page.goto(`http://${name}:${port}/console/profile`);
        await page.getByRole('heading', { name: 'This server uses a different public address' }).waitFor();
        const link = page.getByRole('link', { name: `Go to localhost:${port}` });
        expect(await link.getAttribute('href')).toBe(`${console.url}/console/`);
      }
    });

    it('is served with a strict policy, and shadows nothing', async () => {
      const { url } = setting().console;
      const page = await fetch(`${url}/`);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const html = await page.text();
      const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
      const asset = await fetch(url + script);
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect((await fetch(`${url}/console/any/deep/path`)).headers.get('content-type')).toContain(
        'text/html',
      );
      expect((await fetch(`${url}/console/assets/missing.js`)).status).toBe(404);
      expect((await fetch(`${url}/console/assets/..%2f..%2fmain.js`)).status).toBe(404);
      expect((await fetch(`${url}/v1/scopes`)).status).toBe(401);
      expect((await fetch(`${url}/nowhere`)).status).toBe(404);
      expect((await fetch(`${url}/docs`)).status).toBe(200);
    });
  });

/** An administrator ends every session and token of somebody. */
/** Somebody whom an administrator has named the owner of an application, so that they may create more. */
async function makeOwner(console: ConsoleTest, username: string): Promise<void> {
  await makePerson(console, username, PASSWORD);
  const found = await console.api('GET', `/v1/management/users?query=${username}`);
  const made = await console.api('POST', '/v1/management/applications', {
    name: `First of ${username}`,
    ownerUserId: found.body.users[0].userId,
    environments: [{ name: 'development', geographies: ['us'] }],
  });
  expect(made.status).toBe(200);
}

async function endSessionsOf(console: ConsoleTest, username: string): Promise<void> {
  const found = await console.api('GET', `/v1/management/users?query=${username}`);
  const ended = await console.api('DELETE', `/v1/management/users/${found.body.users[0].userId}/sessions`);
  expect(ended.status).toBe(200);
}

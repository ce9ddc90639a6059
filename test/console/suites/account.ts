// Profile and users: tooling credentials, password, sessions, and people who may sign in.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import {
  acceptInvitation,
  confirmByTyping,
  fillLogin,
  makePerson,
  takeSecret,
  type ConsoleTest,
} from '../support.js';
import { totp } from '../../support/totp.js';
import { moveTo } from '../voices.js';
import type { Suite } from './setting.js';

const PASSWORD = 'a long enough sentence';

export const account: Suite = (setting) =>
  describe('account pages', () => {
    let console: ConsoleTest;
    let page: Page;
    let noras: Page;
    beforeAll(async () => {
      console = setting().console;
      await makePerson(console, 'nora', PASSWORD);
      page = await console.signedIn();
      noras = await console.signedIn({ username: 'nora', password: PASSWORD });
    });

    it('changes the display name, and asks before an unsaved one is left', async () => {
      const page = noras;
      await page.getByRole('link', { name: 'Profile', exact: true }).click();
      await page.getByLabel('Display name').fill('Nora');
      page.once('dialog', (question) => void question.dismiss());
      await page.getByRole('link', { name: 'Applications', exact: true }).click();
      expect(await page.getByLabel('Display name').inputValue()).toBe('Nora');
      // Nor does the way back lose it: the page stays, and so does its address.
      const asked = page.waitForEvent('dialog');
      await page.evaluate('setTimeout(() => history.back())');
      await (await asked).dismiss();
      await expect.poll(() => page.evaluate<string>('location.pathname')).toMatch(/\/profile$/);
      expect(await page.getByLabel('Display name').inputValue()).toBe('Nora');
      await page.getByRole('button', { name: 'Save name' }).click();
      await page.getByText('Your name has been saved.').waitFor();
      await page.getByRole('link', { name: 'Voxgate' }).first().click();
      await page.getByRole('heading', { name: 'Hello, Nora' }).waitFor();
      // Administration is not offered to others.
      expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);
    });

    it('makes a service account that gets a token, and a public user account; deletes both', async () => {
      await moveTo(page, console.at('/profile?tab=credentials'));
      await page.getByRole('button', { name: 'New credential' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('weekly');
      const create = page.getByRole('dialog').getByRole('button', { name: 'Create credential' });
      expect(await create.isDisabled()).toBe(true);
      await page.getByRole('dialog').getByLabel('Current password').fill(console.admin.password);
      await create.click();
      await page.getByRole('dialog').getByText('Shown only once').waitFor();
      const curl = await page
        .getByRole('dialog')
        .getByLabel('curl command with the secret', { exact: true })
        .innerText();
      const [, user = '', secret = ''] = /-u '([^:]+):([^']+)'/.exec(curl) ?? [];
      const token = await fetch(`${console.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'platform-api' }),
      });
      expect(token.status).toBe(200);
      await takeSecret(page);
      await page.getByRole('button', { name: 'New credential' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('kiosk tool');
      await dialog.getByLabel('Type').selectOption({ label: 'User account' });
      const redirectUri = await waitingProgram();
      await dialog.getByLabel('Redirect URIs').fill(redirectUri);
      await dialog.getByLabel('The program cannot keep a secret').check();
      await dialog.getByLabel('Current password').fill(console.admin.password);
      await dialog.getByRole('button', { name: 'Create credential' }).click();
      const kiosk = page.getByRole('row').filter({ hasText: 'kiosk tool' });
      await kiosk.getByText('Public').waitFor();
      await allowAndWithdraw(page, console, await kiosk.locator('.copy code').innerText(), redirectUri);
      for (const name of ['weekly', 'kiosk tool']) {
        const row = page.getByRole('row').filter({ hasText: name });
        await row.getByRole('button', { name: 'Delete' }).click();
        await confirmByTyping(page, name, 'Delete credential');
        await row.waitFor({ state: 'detached' });
      }
    });

    it('changes the password, which signs out other browsers, and signs in with the new one', async () => {
      const page = noras;
      const other = await console.signedIn({ username: 'nora', password: PASSWORD });
      await moveTo(page, console.at('/profile?tab=password'));
      await page.getByLabel('Current password').fill('not the one at all');
      await page.getByLabel('New password', { exact: true }).fill('short');
      await page.getByText('10 more characters needed.').waitFor();
      await page.getByLabel('New password', { exact: true }).fill(`${PASSWORD} two`);
      await page.getByLabel('New password again').fill(`${PASSWORD} two`);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Every other browser has been signed out').waitFor();
      await page.getByRole('link', { name: 'Voxgate' }).first().click();
      await page.getByRole('heading', { name: 'Hello, Nora' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Hello, Nora' }).waitFor();
      await other.reload();
      await other.getByRole('button', { name: 'Sign in' }).click();
      await fillLogin(other, 'nora', `${PASSWORD} two`);
      await other.getByRole('heading', { name: 'Hello, Nora' }).waitFor();
    });

    it('sets up an authenticator app, and signs in with its codes', async () => {
      await makePerson(console, 'tove', PASSWORD);
      const other = await console.signedIn({ username: 'tove', password: PASSWORD });
      const page = await console.signedIn({ username: 'tove', password: PASSWORD });
      await moveTo(page, console.at('/profile?tab=factors'));
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Other browsers in which you are signed in will be signed out.').waitFor();
      await dialog.getByLabel('Current password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Next' }).click();
      await dialog.getByRole('img', { name: 'QR code' }).waitFor();
      const key = await dialog.locator('.copy code').innerText();
      await dialog.getByLabel('Code', { exact: true }).fill(totp(key, Date.now()));
      await dialog.getByRole('button', { name: 'Turn on' }).click();
      const codes = await dialog.getByLabel('recovery codes', { exact: true }).innerText();
      await dialog.getByLabel('I have stored them').check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText('10 codes left.').waitFor();
      await other.reload();
      await other.getByRole('button', { name: 'Sign in' }).waitFor();

      // The password alone takes nothing away again.
      await page.getByRole('button', { name: 'New recovery codes' }).click();
      await dialog.getByLabel('Current password').fill(PASSWORD);
      const renew = dialog.getByRole('button', { name: 'New recovery codes' });
      expect(await renew.isDisabled()).toBe(true);
      await dialog.getByLabel('Code', { exact: true }).fill('000000');
      await renew.click();
      await dialog.getByText('This code is not valid. Each code works once').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await page.context().clearCookies();
      await page.evaluate('sessionStorage.clear(); localStorage.clear()');
      await page.goto(`${console.url}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await fillLogin(page, 'tove', PASSWORD);
      await page.getByLabel('Code').fill('123456');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Code').fill(codes.split('\n')[0] ?? '');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Hello, tove' }).waitFor();

      await moveTo(page, console.at('/profile?tab=factors'));
      await page.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByLabel('Current password').fill(PASSWORD);
      await dialog.getByLabel('Code', { exact: true }).fill(codes.split('\n')[1] ?? '');
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('The authenticator app is removed.').waitFor();
    });

    it('adds a passkey, signs in with it alone, and removes it', async () => {
      await makePerson(console, 'vigdis', PASSWORD);
      const page = await console.signedIn({ username: 'vigdis', password: PASSWORD });
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await moveTo(page, console.at('/profile?tab=factors'));
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('test laptop');
      await dialog.getByLabel('Current password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Add a passkey' }).click();
      await dialog.getByLabel('I have stored them').check();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('row').filter({ hasText: 'test laptop' }).waitFor();

      await page.context().clearCookies();
      await page.evaluate('sessionStorage.clear(); localStorage.clear()');
      await page.goto(`${console.url}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('heading', { name: 'Hello, vigdis' }).waitFor();

      await moveTo(page, console.at('/profile?tab=factors'));
      await page
        .getByRole('row')
        .filter({ hasText: 'test laptop' })
        .getByRole('button', { name: 'Remove' })
        .click();
      await dialog.getByLabel('Current password').fill(PASSWORD);
      // No code: the passkey is asked for, which the virtual authenticator gives.
      await dialog.getByText('Leave it empty to use your passkey.').waitFor();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('test laptop removed.').waitFor();
    });

    it('signs another browser out', async () => {
      await makePerson(console, 'ole', PASSWORD);
      const other = await console.signedIn({ username: 'ole', password: PASSWORD });
      const page = await console.signedIn({ username: 'ole', password: PASSWORD });
      await moveTo(page, console.at('/profile?tab=sessions'));
      const rows = page.locator('main').getByRole('button', { name: 'Sign out', exact: true });
      await expect.poll(() => rows.count()).toBe(2);
      // The newest is this one, and says so. Its tokens end, too, and it gets new ones without a word.
      const here = page.getByRole('row').filter({ hasText: 'This browser' });
      expect(await here.count()).toBe(1);
      expect(await page.getByRole('row').nth(1).innerText()).toContain('This browser');
      await rows.last().click();
      await confirmByTyping(page, 'sign out', 'Sign out');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => rows.count()).toBe(1);
      await other.reload();
      await other.getByRole('button', { name: 'Sign in' }).waitFor();
    });

    it('signs out everywhere at once, and deletes a credential that somebody else may have made', async () => {
      await makePerson(console, 'rut', PASSWORD);
      const other = await console.signedIn({ username: 'rut', password: PASSWORD });
      const page = await console.signedIn({ username: 'rut', password: PASSWORD });
      await moveTo(page, console.at('/profile?tab=credentials'));
      await page.getByRole('button', { name: 'New credential' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('lasting');
      await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
      await page.getByRole('dialog').getByRole('button', { name: 'Create credential' }).click();
      await takeSecret(page);
      const ruts = async () => {
        const found = await console.api('GET', '/v1/management/users?query=rut');
        const { body } = await console.api(
          'GET',
          `/v1/management/users/${found.body.users[0].userId}/credentials`,
        );
        return body.credentials ?? [];
      };
      expect(await ruts()).toHaveLength(1);
      await moveTo(page, console.at('/profile?tab=sessions'));
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page
        .getByRole('dialog')
        .getByLabel(/^lasting, created /)
        .check();
      await confirmByTyping(page, 'sign out', 'Sign out everywhere');
      await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
      await other.reload();
      await other.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await ruts()).toEqual([]);
    });

    it('lets an administrator make, change, disable, enable and delete users', async () => {
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByRole('button', { name: 'New user' }).click();
      await page.getByRole('dialog').getByLabel('User name').fill('pia');
      await page.getByRole('dialog').getByLabel('Display name').fill('Pia');
      await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click();
      const shown = page.getByRole('dialog', { name: 'Invitation for pia' });
      const link = await shown.locator('code').innerText();
      // It cannot be shown again: no key throws it away.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await shown.getByLabel('I have passed it on or stored it').check();
      await shown.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: 'pia' });
      await row.getByText('Invited', { exact: true }).waitFor();
      const hers = await acceptInvitation(console, link, PASSWORD);
      await hers.getByRole('heading', { name: 'Hello, Pia' }).waitFor();

      // Two administrators at once: the second is told, and changes nothing.
      const [{ userId }] = (await console.api('GET', '/v1/management/users?query=pia')).body.users;
      const other = { displayName: 'P. Holm', fieldMask: 'displayName' };
      await row.getByRole('button', { name: 'Edit' }).click();
      await console.api('PATCH', `/v1/management/users/${userId}`, other);
      await page.getByRole('dialog').getByLabel('Display name').fill('Pia H.');
      // The way back does not throw away what was typed without a question.
      const asked = page.waitForEvent('dialog');
      await page.evaluate('setTimeout(() => history.back())');
      await (await asked).dismiss();
      await expect.poll(() => page.evaluate<string>('location.pathname')).toMatch(/\/users$/);
      expect(await page.getByRole('dialog').getByLabel('Display name').inputValue()).toBe('Pia H.');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page
        .getByRole('dialog')
        .getByText(/^This was changed in the meantime by /)
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      // What it says now is there to be seen before the next try.
      await row.getByText('P. Holm').waitFor();
      // Likewise where no field of the form can say it.
      await row.getByRole('button', { name: 'Edit' }).click();
      const tenantRoles = [{ gkScopeId: console.gkScopeId, role: 'TENANT_ROLE_AUDITOR' }];
      await console.api('PATCH', `/v1/management/users/${userId}`, { tenantRoles, fieldMask: 'tenantRoles' });
      await page
        .getByRole('dialog')
        .getByLabel(/^Role in/)
        .first()
        .selectOption('TENANT_ROLE_OPERATOR');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      const refusal = page.getByRole('dialog').getByRole('alert');
      await refusal.getByText(/^Somebody else changed this meanwhile, so nothing was saved/).waitFor();
      await refusal.getByText(/^Tenants: This was changed in the meantime by /).waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await page.keyboard.press('Escape');

      await row.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('Display name').fill('Pia Holm');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await row.getByText('Pia Holm').waitFor();

      await row.getByRole('button', { name: 'Password' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make a link' }).click();
      await shown.getByLabel('I have passed it on or stored it').check();
      await shown.getByRole('button', { name: 'Done' }).click();
      await row.getByRole('button', { name: 'Sign out' }).click();
      await confirmByTyping(page, 'pia', 'Sign out everywhere');
      await page.getByText('pia is signed out everywhere.').waitFor();
      await hers.reload();
      await hers.getByRole('button', { name: 'Sign in' }).waitFor();

      await row.getByRole('button', { name: 'Credentials' }).click();
      await page.getByRole('dialog').getByText('No tooling credentials yet').waitFor();
      await page.keyboard.press('Escape');

      await row.getByRole('button', { name: 'Disable' }).click();
      await confirmByTyping(page, 'pia', 'Disable user');
      await row.getByText('Disabled').waitFor();
      await row.getByRole('button', { name: 'Enable' }).click();
      await row.getByText('Active').waitFor();
      await row.getByRole('button', { name: 'Delete' }).click();
      await confirmByTyping(page, 'pia', 'Delete user');
      await row.waitFor({ state: 'detached' });
      expect((await console.api('GET', '/v1/management/users?query=pia')).body.users).toBeUndefined();
    });

    it('makes a service account that signs with its own key, and gets a token by it', async () => {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'k1' };
      await moveTo(page, console.at('/profile?tab=credentials'));
      await page.getByRole('button', { name: 'New credential' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('signer');
      await dialog.getByLabel('Sign with its own keys instead of a secret').check();
      await dialog.getByLabel('Public keys (JWK set)').fill('{"keys":[]}');
      await dialog.getByLabel('Current password').fill(console.admin.password);
      await dialog.getByRole('button', { name: 'Create credential' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Public keys (JWK set)').fill(JSON.stringify({ keys: [jwk] }));
      await dialog.getByRole('button', { name: 'Create credential' }).click();
      await page.getByText('signer is ready. It signs with its own keys.').waitFor();
      const row = page.getByRole('row').filter({ hasText: 'signer' });
      await row.getByText('Own keys').waitFor();
      const clientId = await row.locator('.copy code').innerText();
      const assertion = await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(`${console.url}/oauth2/token`)
        .setJti('once')
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(privateKey);
      const answer = await fetch(`${console.url}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          scope: 'platform-api',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        }),
      });
      expect(answer.status).toBe(200);
    });
  });

/** Where a program waits for the browser to come back; until the end of the test. */
async function waitingProgram(): Promise<string> {
  const server = createServer((_request, response) => response.end('back in the program'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
}

/** A program asks to act for the user, who allows it, finds it on the profile page and takes it back. */
async function allowAndWithdraw(
  page: Page,
  console: ConsoleTest,
  clientId: string,
  redirectUri: string,
): Promise<void> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'platform-api',
    state: 'test',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await page.goto(`${console.url}/oauth2/authorize?${query.toString()}`);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('back in the program').waitFor();
  await page.goto(`${console.url}/console/profile?tab=consents`);
  const consent = page.getByRole('row').filter({ hasText: 'kiosk tool' });
  await consent.getByText('platform-api').waitFor();
  await consent.getByRole('button', { name: 'Withdraw access' }).click();
  await confirmByTyping(page, 'kiosk tool', 'Withdraw access');
  await page.getByText('No program may act for you').waitFor();
  await moveTo(page, console.at('/profile?tab=credentials'));
}

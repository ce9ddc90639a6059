// The pages about credentials: applications, environments, clients, tenants, downloads.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { confirmByTyping, takeSecret, type ConsoleTest } from '../support.js';
import { reopen } from '../voices.js';
import type { Suite } from './setting.js';

export const manage: Suite = (setting) =>
  describe('applications', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      page = await console.signedIn();
    });

    const fetchToken = async (clientId: string, secret: string): Promise<number> => {
      const response = await fetch(`${console.url}/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${secret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
      });
      return response.status;
    };
    const open = (path: string): Promise<void> => reopen(page, console.at(path));
    const listed = async (name: string) => {
      const answer = await console.api(
        'GET',
        `/v1/management/applications?query=${encodeURIComponent(name)}`,
      );
      return answer.body.applications?.[0];
    };

    it('makes an application whose secret works and is shown once', async () => {
      await open('/applications');
      await page.getByRole('button', { name: 'New application' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create application' }).click();
      // The problem stands beside its field, once.
      await dialog.getByText('This field is required.').waitFor();
      expect(await dialog.getByText('This field is required.').count()).toBe(1);
      await dialog.getByText('Please correct the highlighted fields.').waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill('Mobile banking');
      // Voices only, unless something else is ticked.
      expect(await dialog.getByRole('checkbox', { name: 'Voice biometrics' }).isChecked()).toBe(true);
      for (const other of ['Speech recognition', 'Language understanding', 'Dialog'])
        await dialog.getByLabel(other, { exact: true }).check();
      await dialog.getByText('Advanced', { exact: true }).click();
      await dialog.getByLabel('Geographies').fill('us, eu');
      // The tenant in use is ticked: without one every call would be refused.
      expect(await dialog.getByLabel('Demo').isChecked()).toBe(true);
      await dialog.getByLabel('Demo').uncheck();
      await dialog.getByText('every call is refused (403)').waitFor();
      await dialog.getByLabel('Demo').check();
      await dialog.getByRole('button', { name: 'Create application' }).click();
      await dialog.getByText('Shown only once').waitFor();
      const curl = await dialog
        .getByLabel('curl command with the secret', { exact: true })
        .first()
        .innerText();
      const [, clientId = '', secret = ''] = /-u '([^:]+):([^']+)'/.exec(curl) ?? [];
      expect(await fetchToken(decodeURIComponent(clientId), secret)).toBe(200);
      // Escape must not throw the secret away unseen.
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(true);
      await takeSecret(page);
      await page.getByRole('heading', { name: 'Mobile banking', level: 1 }).waitFor();
      expect(await page.content()).not.toContain(secret);
    });

    it('renames an environment and its context tag, and names its resources', async () => {
      const application = await listed('Mobile banking');
      const [environment] = application.environments;
      await open(`/applications/${application.applicationId}/environments/${environment.appId}`);
      await page.getByRole('button', { name: 'Rename' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Environment').fill('staging');
      await dialog.getByLabel('Context tag').fill('not a tag!');
      await dialog.getByRole('button', { name: 'Save environment' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Context tag').fill('bank-staging');
      await dialog.getByRole('button', { name: 'Save environment' }).click();
      await page.getByRole('heading', { name: 'Mobile banking staging', level: 1 }).waitFor();

      await page.getByRole('tab', { name: 'Resource names' }).click();
      const build = page.getByRole('region', { name: 'Build a resource name' });
      await build.getByText(/^urn:.*bank-staging/).waitFor();
      await build.getByLabel('What it names').selectOption('URN_KIND_WORDSET');
      await build.getByLabel('Wordset', { exact: true }).fill('cities');
      const urn = await build.getByText(/^urn:.*cities/).innerText();
      const parse = page.getByRole('region', { name: 'Parse a resource name' });
      await parse.getByLabel('URN').fill('urn:something:else');
      await parse.getByRole('button', { name: 'Parse', exact: true }).click();
      await parse.getByText('This is not a valid resource name').waitFor();
      await parse.getByLabel('URN').fill(urn);
      await parse.getByRole('button', { name: 'Parse', exact: true }).click();
      await parse.getByText('bank-staging', { exact: true }).waitFor();
      await parse.getByText('cities', { exact: true }).waitFor();
    });

    it('renames it', async () => {
      const application = await listed('Mobile banking');
      await open(`/applications/${application.applicationId}`);
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Wire desk');
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { name: 'Wire desk', level: 1 }).waitFor();
    });

    it('makes a client, renews its secret with an overlap, locks, unlocks and deletes it; the last one stays', async () => {
      const application = await listed('Wire desk');
      const { appId } = application.environments[0];
      await open(`/applications/${application.applicationId}/environments/${appId}`);
      await page.getByRole('button', { name: 'New client' }).click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('ivr');
      await page.getByRole('dialog').getByLabel('Geography').selectOption('us');
      await page.getByRole('dialog').getByRole('button', { name: 'Create client' }).click();
      const first = await takeSecret(page);
      const clientId = `appID:${appId}:geo:us:clientName:ivr`;
      const row = page.getByRole('row').filter({ hasText: 'clientName:ivr' });

      await row.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('dialog').getByLabel('The old secret keeps working for').selectOption('0');
      await page
        .getByRole('dialog')
        .getByText(/To end their tokens too, lock the client/)
        .waitFor();
      await page.getByRole('dialog').getByLabel('The old secret keeps working for').selectOption('3600');
      await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
      const second = await takeSecret(page);
      expect([await fetchToken(clientId, first), await fetchToken(clientId, second)]).toEqual([200, 200]);
      await row.getByText('Old secret works until').waitFor();

      await row.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('tts').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Save client' }).click();
      await row.getByText('biosec tts').waitFor();

      await row.getByRole('button', { name: 'Lock' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('leaked');
      await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
      await row.getByText('Locked').waitFor();
      expect(await fetchToken(clientId, second)).toBe(401);
      await row.getByRole('button', { name: 'Unlock' }).click();
      await row.getByText('Active').waitFor();

      await row.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('It authenticates with').selectOption('certificate');
      await dialog.getByText('Its secret stops working.').waitFor();
      await dialog.getByLabel('Certificate (PEM, up to 8)').fill('not a certificate');
      await dialog.getByRole('button', { name: 'Save client' }).click();
      await dialog.locator('.field-error').waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog.getByLabel('The certificate is recognized by').selectOption('subjectDn');
      await dialog.getByLabel('Subject', { exact: true }).fill('CN=ivr,O=Example');
      await dialog.getByRole('button', { name: 'Save client' }).click();
      await row.getByText('Uses a certificate (mutual TLS)').waitFor();
      expect(await fetchToken(clientId, second)).toBe(401);

      for (const name of ['ivr', 'default']) {
        await page
          .getByRole('row')
          .filter({ hasText: `geo:us:clientName:${name}` })
          .getByRole('button', { name: 'Delete' })
          .click();
        await confirmByTyping(page, name, 'Delete client');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      expect(await fetchToken(clientId, second)).toBe(401);
      await page.getByRole('row').filter({ hasText: 'geo:us' }).waitFor({ state: 'detached' });
      await page
        .getByRole('row')
        .filter({ hasText: 'geo:eu' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await confirmByTyping(page, 'default', 'Delete client');
      const refusal = page.getByRole('dialog').getByRole('alert');
      await refusal.waitFor();
      expect(await refusal.innerText()).toMatch(/last/i);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });

    it('copies a curl line and downloads what a program starts from', async () => {
      const application = await listed('Wire desk');
      await open(
        `/applications/${application.applicationId}/environments/${application.environments[0].appId}`,
      );
      await page.getByRole('button', { name: 'curl' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Copy curl command' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'curl command copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toContain(`${console.url}/oauth2/token`);
      expect(copied).toContain('$CLIENT_SECRET');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('tab', { name: 'Downloads' }).click();
      await page.getByLabel('Geography').selectOption('eu');
      await page.getByText('An empty endpoint is set on the server: endpoints.asr, endpoints.nlu').waitFor();
      for (const name of ['config.json', 'asr_params.json', 'nlu_params.json', 'dlg_params.json']) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Download ${name}` }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(name);
        const content = JSON.parse(readFileSync(await download.path(), 'utf8'));
        expect(content).toBeTypeOf('object');
        if (name === 'config.json') expect(JSON.stringify(content)).toContain('geo:eu');
      }
    });

    it('revokes a tenant, says what that means, and grants it again', async () => {
      const application = await listed('Wire desk');
      const { appId } = application.environments[0];
      await open(`/applications/${application.applicationId}/environments/${appId}?tab=tenants`);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await confirmByTyping(page, 'demo', 'Revoke');
      await page.getByText('No tenant yet').waitFor();
      await page.getByText('This environment has no tenant').waitFor();
      await page.getByRole('button', { name: 'Grant a tenant' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Grant', exact: true }).click();
      await page.getByRole('button', { name: 'Revoke' }).waitFor();
      const environment = await console.api('GET', `/v1/management/environments/${appId}`);
      expect(environment.body.environment.gkScopeIds).toEqual([console.gkScopeId]);
    });

    it('adds and removes members; the last owner stays', async () => {
      const made = await console.api('POST', '/v1/management/users', {
        username: 'nils',
        role: 'USER_ROLE_MEMBER',
      });
      const application = await listed('Wire desk');
      await open(`/applications/${application.applicationId}?tab=members`);
      await page.getByRole('button', { name: 'Add person' }).click();
      await page.getByRole('dialog').getByLabel('Person').selectOption(made.body.user.userId);
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: 'nils' });
      await row.locator('.badge', { hasText: 'Developer' }).waitFor();
      await row.getByLabel('Role of nils').selectOption('APPLICATION_ROLE_OWNER');
      await row.locator('.badge', { hasText: 'Owner' }).waitFor();
      await row.getByRole('button', { name: 'Remove' }).click();
      await confirmByTyping(page, 'nils', 'Remove');
      await row.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove' }).click();
      await confirmByTyping(page, console.admin.username, 'Remove');
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });

    it('adds an environment, deletes it, keeps the last one, and deletes the application', async () => {
      const application = await listed('Wire desk');
      await open(`/applications/${application.applicationId}`);
      await page.getByRole('button', { name: 'New environment' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create environment' }).click();
      await takeSecret(page);
      const added = (await listed('Wire desk')).environments.find(
        (environment: { name: string }) => environment.name === 'production',
      );
      for (const [appId, name] of [
        [added.appId, 'production'],
        [application.environments[0].appId, 'staging'],
      ] as const) {
        await open(`/applications/${application.applicationId}/environments/${appId}`);
        await page.getByRole('button', { name: 'Delete environment' }).click();
        await confirmByTyping(page, name, 'Delete environment');
        if (name === 'production')
          await page.getByRole('heading', { name: 'Wire desk', exact: true, level: 1 }).waitFor();
      }
      const refusal = page.getByRole('dialog').getByRole('alert');
      await refusal.waitFor();
      expect(await refusal.innerText()).toMatch(/last/i);
      await open(`/applications/${application.applicationId}`);
      await page.getByRole('button', { name: 'Delete application' }).click();
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete application' });
      expect(await confirm.isDisabled()).toBe(true);
      await confirmByTyping(page, 'Wire desk', 'Delete application');
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      expect(await listed('Wire desk')).toBeUndefined();
    });
  });

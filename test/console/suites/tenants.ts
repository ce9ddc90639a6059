// Tenants: part of the address, never mixed on a page, made and renamed and ended.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { confirmByTyping } from '../support.js';
import { shownSession } from '../session-page.js';
import { moveTo } from '../voices.js';
import type { Suite } from './setting.js';

const picker = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: /^Tenant/ });

export const tenants: Suite = (setting) =>
  describe('tenants', () => {
    it('are part of the address, and a page of one is never shown under the name of another', async () => {
      const { console, voices } = setting();
      const other = await console.inTenant('branch');
      const page = await console.signedIn();
      await page.goto(`${console.url}/console/people/persons/${voices.person.gkId}`);
      await page.waitForURL(`**/t/demo/people/persons/${voices.person.gkId}`);
      await page.getByRole('heading', { name: 'anna-4711', level: 1 }).waitFor();
      await picker(page).selectOption('branch');
      await page.waitForURL('**/t/branch/people');
      await page.getByText('No persons yet').waitFor();
      expect(await page.getByText('anna-4711').count()).toBe(0);

      // A session likewise; other pages stay, with their tab.
      await moveTo(page, console.at(`/sessions/${voices.gkSessionId}`));
      await shownSession(page, 'call-20933');
      await picker(page).selectOption('branch');
      await page.waitForURL('**/t/branch/sessions');
      await moveTo(page, console.at('/people?tab=watchlists'));
      await page.getByRole('link', { name: 'card-fraud-ring' }).waitFor();
      await picker(page).selectOption('branch');
      await page.waitForURL('**/t/branch/people?tab=watchlists');
      await page.getByText('No watchlists yet').waitFor();
      // A view that is saved here is not offered there.
      await moveTo(page, console.at('/people?q=anna'));
      await page.getByRole('button', { name: 'Save this view' }).click();
      await page.getByRole('dialog').getByLabel('Name of the view').fill('Annas');
      await page.getByRole('dialog').getByRole('button', { name: 'Save this view' }).click();
      const view = page.getByRole('button', { name: 'Annas', exact: true });
      await view.waitFor();
      await picker(page).selectOption('branch');
      await page.waitForURL('**/t/branch/people*');
      await view.waitFor({ state: 'detached' });
      await moveTo(page, console.at('/people?q=anna'));
      await view.waitFor();
      await page.getByRole('button', { name: 'Remove view Annas' }).click();
      await moveTo(page, console.at('/people?tab=watchlists'));
      await page.getByRole('link', { name: 'card-fraud-ring' }).waitFor();
      await picker(page).selectOption('branch');
      await page.waitForURL('**/t/branch/people?tab=watchlists');
      await page.getByText('No watchlists yet').waitFor();
      // In the audit of the installation a tenant has its name.
      await moveTo(page, console.at('/sessions?tab=system&q=CreateScope'));
      await page.getByRole('row').filter({ hasText: 'tenant branch' }).waitFor();
      await moveTo(page, console.at('/people?tab=watchlists'));
      await page.getByRole('link', { name: 'card-fraud-ring' }).waitFor();
      await picker(page).selectOption('branch');
      await page.waitForURL('**/t/branch/people?tab=watchlists');
      await page.getByText('No watchlists yet').waitFor();
      // Back is back: the address says whose page it is.
      await page.goBack();
      await page.getByRole('link', { name: 'card-fraud-ring' }).waitFor();
      expect(await picker(page).inputValue()).toBe('demo');

      await page.goto(`${console.url}/console/t/nowhere/people`);
      await page.getByText('There is no tenant called nowhere').waitFor();
      expect(other.tenantName).toBe('branch');
    });

    it('are ready to use when made, and making one does not leave the one in use', async () => {
      const { console } = setting();
      const page = await console.signedIn();
      await moveTo(page, console.at('/tenants'));
      await page.getByRole('button', { name: 'New tenant' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create tenant' }).click();
      await dialog.getByText('This field is required.').waitFor();
      await dialog.getByLabel('Tenant name').fill('second');
      await dialog.getByRole('button', { name: 'Create tenant' }).click();
      await page.getByText('second is ready; you are still in the tenant you were in.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/t/demo/tenants');
      const row = page.getByRole('row').filter({ hasText: 'second' });
      await row.getByText('Active').waitFor();
      // Ready means: the lab can begin at once.
      await row.getByRole('button', { name: 'Open' }).click();
      await page.waitForURL('**/t/second/');
      await page.getByRole('link', { name: 'Voice lab' }).click();
      await page.getByRole('button', { name: 'Record sample 1' }).waitFor();

      await page.getByRole('link', { name: 'Tenants', exact: true }).click();
      await row.getByRole('button', { name: 'Rename' }).click();
      await dialog.getByLabel('Tenant name').fill('showroom');
      await dialog.getByLabel('Customer').fill('Muster Bank');
      await dialog.getByRole('button', { name: 'Save tenant' }).click();
      await page.getByText('Tenant saved.').waitFor();
      // What is open under the old name stays open under the new one.
      await page.waitForURL('**/t/showroom/tenants');
      // It goes by its own name, with the customer beside it.
      await page.getByRole('row').getByText('Muster Bank', { exact: true }).waitFor();
      expect(await page.getByRole('row').getByText('showroom', { exact: true }).count()).toBe(1);
      expect(await picker(page).locator('option:checked').innerText()).toBe('showroom (Muster Bank)');
      const renamed = page.getByRole('row').filter({ hasText: 'showroom' });
      // Somebody else is quicker: what they wrote stays, and the words of whoever comes later are there to be copied.
      await renamed.getByRole('button', { name: 'Rename' }).click();
      const { body } = await console.api('GET', '/v1/scopes/showroom/gkid');
      const elsewhere = { scopeId: 'showroom', customerName: 'Fair', description: '' };
      const path = `/v1/management/tenants/${body.gkScopeId.value}`;
      expect((await console.api('PUT', path, { tenant: elsewhere })).status).toBe(200);
      await dialog.getByLabel('Customer').fill('Stand');
      await dialog.getByRole('button', { name: 'Save tenant' }).click();
      await dialog.getByText(/^This was changed in the meantime by /).waitFor();
      expect(await dialog.getByLabel('Customer').inputValue()).toBe('Stand');
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await renamed.getByText('Fair', { exact: true }).waitFor();
      await renamed.getByRole('button', { name: 'Delete' }).click();
      await dialog
        .getByText(/will be erased on \d+ \w+ \d{4}, \d+:\d+\. Until then you can cancel/)
        .waitFor();
      await confirmByTyping(page, 'showroom', 'Delete tenant');
      await renamed.getByText('Pending deletion').waitFor();
      await renamed.getByText(/^Will be deleted on \d+ \w+ \d{4}, \d+:\d+$/).waitFor();
      // On every page of it, and where it is chosen.
      const banner = page.getByText(/marked for deletion: everything in it will be erased on \d+ \w+ \d{4}/);
      await banner.waitFor();
      expect(await picker(page).locator('option:checked').innerText()).toMatch(
        /^showroom .*pending deletion$/,
      );
      await renamed.getByRole('button', { name: 'Keep it' }).click();
      await banner.waitFor({ state: 'detached' });
      await renamed.getByRole('button', { name: 'Delete' }).waitFor();
      // As it was, and no date any more.
      await renamed.getByText('Active', { exact: true }).waitFor();
      await renamed.getByText(/^Will be deleted on/).waitFor({ state: 'detached' });

      // One that was never active does not wait, and the dialog does not say that it does.
      const made = await console.api('POST', '/v1/scopes', {
        scopeId: 'never-active',
        scopeProfile: 'SCOPE_PROFILE_DEFAULT',
        expectedPersonsNumber: 1,
      });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      await page.reload();
      const unused = page.getByRole('row').filter({ hasText: 'never-active' });
      await unused.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText(/was never active, so it is erased at once/).waitFor();
      await confirmByTyping(page, 'never-active', 'Delete tenant');
      await unused.waitFor({ state: 'detached' });
    });
  });

// The API page in a browser: finding an operation, and sending it as whoever is signed in.
import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import type { Suite } from './setting.js';

export const docs: Suite = (setting) =>
  describe('the API page', () => {
    it('finds operations by word, and sends one in the name of the reader', async () => {
      const { console } = setting();
      const page = await console.signedIn();
      await page.goto(`${console.url}/docs`);
      const shown = page.locator('details.operation:not([hidden])');
      const all = await shown.count();
      await page.getByLabel('Search').fill('list scopes');
      await page.getByText(new RegExp(`^\\d+ of ${String(all)} operations$`)).waitFor();
      expect(await shown.count()).toBeLessThan(10);
      // By its headers and parameters, too.
      await page.getByLabel('Search').fill('retry-after');
      await page.locator('#header-retry-after').waitFor();
      await page.locator('#header-authorization').waitFor({ state: 'hidden' });
      await page.getByLabel('Search').fill('idempotency-key enroll');
      await page.locator('#VoiceprintsProcessor_Enroll').waitFor();
      await page.getByLabel('Search').fill('list scopes');
      await page.locator('#ScopesManager_ListScopes').waitFor();
      // The samples call the server that the page is read on.
      expect(await page.locator('#tutorials pre').first().textContent()).toContain(console.url);
      await page.locator('#ScopesManager_ListScopes > summary').click();
      await page.getByRole('button', { name: 'Send GET' }).click();
      await page.getByText(/^200 /).waitFor();
      // The tenant of that answer stands in other requests.
      await page.getByLabel('Search').fill('list persons');
      await page.locator('#Directory_ListPersons > summary').click();
      const address = page.locator('#Directory_ListPersons').getByLabel('Path and query');
      expect(await address.inputValue()).not.toContain('$');
      await page.getByLabel('Search').fill('list scopes');
      await page.locator('#ScopesManager_ListScopes').waitFor();
      // axe takes the whole page apart, however small the part that it is asked about: only what is found stays.
      await page.evaluate('document.querySelectorAll("main [hidden]").forEach((each) => { each.remove(); })');
      for (const part of ['#tools', '#ScopesManager_ListScopes'])
        expect(await accessibilityFaults(page, part)).toEqual([]);
    });

    it('says to whoever is not signed in that they must', async () => {
      const { console } = setting();
      const page = await console.newPage();
      // A link to an operation unfolds what it lies in.
      await page.goto(`${console.url}/docs#ScopesManager_ListScopes`);
      await page.getByRole('button', { name: 'Send GET' }).click();
      await page.getByText('You are not signed in.').waitFor();
    });
  });

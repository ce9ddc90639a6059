// Engagement clients, sites, agents and opening hours, and the availability they give.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { confirmByTyping, takeSecret, type ConsoleTest } from '../support.js';
import { moveTo } from '../voices.js';
import type { Suite } from './setting.js';

export const engagement: Suite = (setting) =>
  describe('engagement', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      page = await console.signedIn();
    });

    const dialog = () => page.getByRole('dialog');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    const save = async (name: string): Promise<void> => {
      await dialog().getByRole('button', { name, exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
    };
    const tab = (name: string) => page.getByRole('tab', { name }).click();

    it('builds a site up until it is available', async () => {
      await page.getByRole('link', { name: 'Engagement', exact: true }).click();
      await tab('Sites');
      await press('New site');
      await dialog().getByLabel('Site ID').fill('not a site id');
      await dialog().getByLabel('Time zone').fill('Europe/Oslo');
      await dialog().getByRole('button', { name: 'Save site' }).click();
      await dialog().getByRole('alert').waitFor();
      // Whoever goes on by keyboard is where something is wrong.
      expect(await page.evaluate('document.activeElement.value')).toBe('not a site id');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('oslo');
      await dialog().getByLabel('Name', { exact: true }).fill('Oslo');
      await save('Save site');
      await page.getByRole('link', { name: 'Oslo' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Find anything' }).waitFor();
      await page.keyboard.type('osl');
      await page.getByRole('option', { name: /^Oslo.*Site$/ }).click();
      await page.getByText('Begin with a business unit').waitFor();

      await tab('Units and groups');
      await press('New business unit');
      await dialog().getByLabel('Business unit ID').fill('10');
      await save('Save business unit');
      await press('New agent group');
      await dialog().getByLabel('Agent group ID').fill('cards');
      await save('Save agent group');

      await tab('Opening hours');
      await press('New opening hours');
      await dialog().getByLabel('ID', { exact: true }).fill('always');
      await dialog().getByLabel('Monday').fill('nine to five');
      await dialog().getByText('Write times like').waitFor();
      for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']) {
        await dialog().getByLabel(day).fill('00:00-24:00');
      }
      await dialog().getByLabel('Single dates').fill('2031-01-01 closed');
      await save('Save opening hours');
      await page.getByText('1 exception').waitFor();
      // The button of the empty page is gone; the keyboard goes on at the one that has its place.
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New opening hours');

      await tab('Availability');
      await page.getByText('Not available', { exact: true }).waitFor();
      await page.getByText('Offline', { exact: true }).waitFor();

      await tab('Agents');
      await press('New agent');
      await dialog().getByLabel('Agent ID').fill('ada');
      await dialog().getByLabel('cards').check();
      await dialog().getByLabel('Conversations at once').fill('2');
      // Both ways to write an attribute are read, and a line that is neither is refused by name.
      await dialog().getByLabel('Attributes').fill('language: de\nskill=cards\nfluent');
      await dialog().getByText('This line cannot be read: fluent').waitFor();
      expect(await dialog().getByRole('button', { name: 'Save agent' }).isDisabled()).toBe(true);
      await dialog().getByLabel('Attributes').fill('language: de\nLanguage=fr');
      await dialog().getByText('Language is there twice. Each name can have one value.').waitFor();
      expect(await dialog().getByRole('button', { name: 'Save agent' }).isDisabled()).toBe(true);
      await dialog().getByLabel('Attributes').fill('language: de\nskill=cards');
      await dialog().getByLabel('Conversations now').fill('5');
      await dialog().getByRole('button', { name: 'Save agent' }).click();
      await dialog().getByText('This is more than the agent’s conversations at once, 2.').waitFor();
      await dialog().getByLabel('Conversations now').fill('0');
      await save('Save agent');
      await tab('Availability');
      await page.getByText('Available', { exact: true }).waitFor();
      await page.getByText('Within opening hours').waitFor();
      // The question takes the same syntax as the form of the agent.
      await page.getByLabel('Agent attributes').fill('language: fr');
      await page.getByText('Not available', { exact: true }).waitFor();
      await page.getByLabel('Agent attributes').fill('language=de\nskill: cards');
      await page.getByText('Available', { exact: true }).waitFor();
      await page.getByLabel('Agent attributes').fill('');

      await page.getByLabel('At', { exact: false }).last().fill('2031-01-01T12:00');
      await page.getByText('Outside opening hours').waitFor();

      await tab('Agents');
      await page.getByLabel('State of ada').selectOption('AGENT_STATE_BUSY');
      await page.getByText('ada: Busy.').waitFor();
      await tab('Availability');
      await page.getByText('Busy', { exact: true }).waitFor();
    });

    it('registers a client for that site, locks and unlocks it', async () => {
      await moveTo(page, console.at('/engagement'));
      await press('Register client');
      await dialog().getByLabel('Name', { exact: true }).fill('Kiosk');
      await dialog().getByLabel('Oslo (oslo)').check();
      await dialog().getByRole('button', { name: 'Register', exact: true }).click();
      expect((await takeSecret(page)).length).toBeGreaterThan(20);
      const row = page.getByRole('row').filter({ hasText: 'Kiosk' });
      await row.getByText('oslo', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Lock' }).click();
      await dialog().getByRole('button', { name: 'Lock', exact: true }).click();
      await row.getByText('Locked').waitFor();
      await row.getByRole('button', { name: 'Unlock' }).click();
      expect((await takeSecret(page)).length).toBeGreaterThan(20);
      await row.getByText('Active').waitFor();
    });

    it('takes everything down again, each only by its name', async () => {
      await moveTo(page, console.at('/engagement/sites/oslo?tab=agents'));
      await press('Delete');
      expect(await dialog().getByRole('button', { name: 'Delete agent' }).isDisabled()).toBe(true);
      await confirmByTyping(page, 'ada', 'Delete agent');
      await page.getByText('No agents yet').waitFor();
      await tab('Opening hours');
      await press('Delete');
      await confirmByTyping(page, 'always', 'Delete opening hours');
      await page.getByText('No opening hours').waitFor();
      await tab('Units and groups');
      await page
        .getByRole('row')
        .filter({ hasText: 'cards' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await confirmByTyping(page, 'cards', 'Delete agent group');
      await page.getByText('No agent groups yet').waitFor();
      await press('Delete');
      await confirmByTyping(page, '10', 'Delete business unit');
      await page.getByText('No business units yet').waitFor();
      await moveTo(page, console.at('/engagement?tab=sites'));
      const row = page.getByRole('row').filter({ hasText: 'oslo' });
      await row.getByRole('button', { name: 'Delete' }).click();
      await confirmByTyping(page, 'oslo', 'Delete site');
      await row.waitFor({ state: 'detached' });
    });
  });

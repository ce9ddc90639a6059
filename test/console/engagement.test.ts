// Engagement clients, sites, agents and opening hours, and the availability they give.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmByTyping, HAS_CHROMIUM, startConsole, takeSecret, type ConsoleTest } from './support.js';

const long = { timeout: 240_000 };

describe.skipIf(!HAS_CHROMIUM)('engagement', () => {
  let console: ConsoleTest;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole();
    page = await console.signedIn();
  });
  afterAll(() => console?.stop());

  const dialog = () => page.getByRole('dialog');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const save = async (name: string): Promise<void> => {
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  const tab = (name: string) => page.getByRole('tab', { name }).click();

  it('builds a site up until it is available', long, async () => {
    await page.getByRole('link', { name: 'Engagement', exact: true }).click();
    await tab('Sites');
    await press('New site');
    await dialog().getByLabel('Site ID').fill('not a site id');
    await dialog().getByLabel('Time zone').fill('Europe/Berlin');
    await dialog().getByRole('button', { name: 'Save site' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Site ID').fill('berlin');
    await dialog().getByLabel('Name', { exact: true }).fill('Berlin');
    await save('Save site');
    await page.getByRole('link', { name: 'Berlin' }).click();
    await page.getByRole('heading', { name: 'Begin with a business unit' }).waitFor();

    await tab('Units and groups');
    await press('New business unit');
    await dialog().getByLabel('Business unit ID').fill('10');
    await save('Save business unit');
    await press('New agent group');
    await dialog().getByLabel('Agent group ID').fill('cards');
    await save('Save agent group');

    await tab('Hours of operation');
    await press('New hours');
    await dialog().getByLabel('ID', { exact: true }).fill('always');
    await dialog().getByLabel('Monday').fill('nine to five');
    await dialog().getByText('Write times like').waitFor();
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']) {
      await dialog().getByLabel(day).fill('00:00-24:00');
    }
    await dialog().getByLabel('Single dates').fill('2031-01-01 closed');
    await save('Save hours');
    await page.getByText('1 exception').waitFor();

    await tab('Availability');
    await page.getByText('Not available', { exact: true }).waitFor();
    await page.getByText('Offline', { exact: true }).waitFor();

    await tab('Agents');
    await press('New agent');
    await dialog().getByLabel('Agent ID').fill('ada');
    await dialog().getByLabel('cards').check();
    await dialog().getByLabel('Conversations at once').fill('2');
    await save('Save agent');
    await tab('Availability');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.getByText('Inside the opening hours').waitFor();

    await page.getByLabel('At', { exact: false }).last().fill('2031-01-01T12:00');
    await page.getByText('Outside the opening hours').waitFor();

    await tab('Agents');
    await page.getByLabel('State of ada').selectOption('AGENT_STATE_BUSY');
    await page.getByText('ada is busy.').waitFor();
    await tab('Availability');
    await page.getByText('Busy', { exact: true }).waitFor();
  });

  it('registers a client for that site, locks and unlocks it', long, async () => {
    await page.goto(`${console.url}/console/engagement`);
    await press('Register a client');
    await dialog().getByLabel('Name', { exact: true }).fill('Web chat');
    await dialog().getByLabel('Berlin (berlin)').check();
    await dialog().getByRole('button', { name: 'Register', exact: true }).click();
    expect((await takeSecret(page)).length).toBeGreaterThan(20);
    const row = page.getByRole('row').filter({ hasText: 'Web chat' });
    await row.getByText('berlin', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Lock' }).click();
    await dialog().getByRole('button', { name: 'Lock', exact: true }).click();
    await row.getByText('Locked').waitFor();
    await row.getByRole('button', { name: 'Unlock' }).click();
    await row.getByText('Active').waitFor();
  });

  it('takes everything down again, each only by its name', long, async () => {
    await page.goto(`${console.url}/console/engagement/sites/berlin?tab=agents`);
    await press('Delete');
    expect(await dialog().getByRole('button', { name: 'Delete agent' }).isDisabled()).toBe(true);
    await confirmByTyping(page, 'ada', 'Delete agent');
    await page.getByRole('heading', { name: 'No agent yet' }).waitFor();
    await tab('Hours of operation');
    await press('Delete');
    await confirmByTyping(page, 'always', 'Delete hours');
    await page.getByRole('heading', { name: 'No hours of operation' }).waitFor();
    await tab('Units and groups');
    await page.getByRole('row').filter({ hasText: 'cards' }).getByRole('button', { name: 'Delete' }).click();
    await confirmByTyping(page, 'cards', 'Delete agent group');
    await page.getByRole('heading', { name: 'No agent group yet' }).waitFor();
    await press('Delete');
    await confirmByTyping(page, '10', 'Delete business unit');
    await page.getByRole('heading', { name: 'No business unit yet' }).waitFor();
    await page.goto(`${console.url}/console/engagement?tab=sites`);
    await press('Delete');
    await confirmByTyping(page, 'berlin', 'Delete site');
    await page.getByRole('heading', { name: 'No site yet' }).waitFor();
  });
});

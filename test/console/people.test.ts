// People and watchlists: what is shown, and everything that takes something away.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  confirmByTyping,
  HAS_CHROMIUM,
  startConsole,
  type ConsoleTest,
} from './support.js';
import { enrollOwner, settled, type Owner } from './voices.js';

const long = { timeout: 400_000 };

describe.skipIf(!HAS_CHROMIUM)('people and watchlists', () => {
  let console: ConsoleTest;
  let page: Page;
  let anna: Owner;
  let bruno: Owner;
  let carl: Owner;
  beforeAll(async () => {
    console = await startConsole();
    anna = await enrollOwner(console, 'person', 'anna', 'anna');
    bruno = await enrollOwner(console, 'person', 'bruno', 'bruno');
    carl = await enrollOwner(console, 'fraudster', 'carl', 'carl');
    page = await console.signedIn();
  });
  afterAll(() => console?.stop());

  const open = async (path: string): Promise<void> => {
    await page.goto(`${console.url}/console/people${path}`);
    await settled(page);
  };
  const toast = (text: string | RegExp) => page.locator('.toast').getByText(text).waitFor();

  it('lists and finds people', long, async () => {
    await open('');
    await page.getByRole('link', { name: 'anna' }).waitFor();
    await page.getByLabel('Find a person').fill('brun');
    await page.getByRole('link', { name: 'anna' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'bruno' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Find a person').fill('zzz');
    await page.getByText('Nobody by that name').waitFor();
  });

  it('locks, unlocks, plays and removes takes, and deletes a voiceprint', long, async () => {
    await open(`/persons/${anna.gkId}`);
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('reported stolen');
    await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByText('reported stolen').waitFor();
    expect(await lockStatus(anna)).toBe('LOCK_STATUS_LOCKED');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('button', { name: 'Lock', exact: true }).waitFor();
    expect(await lockStatus(anna)).toBe('LOCK_STATUS_UNLOCKED');

    await page.getByRole('button', { name: 'Play take 1' }).click();
    await expect
      .poll(() => page.evaluate<number>('document.querySelector("audio").readyState'), { timeout: 60_000 })
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Remove take 3' }).click();
    await confirmByTyping(page, 'remove', 'Remove the take');
    await page.getByRole('button', { name: 'Remove take 3' }).waitFor({ state: 'detached' });
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Delete voiceprint' }).click();
    await confirmByTyping(page, 'anna', 'Delete voiceprint');
    await page.getByText('No voiceprint yet').waitFor();
  });

  it('takes consent back and gives it again', long, async () => {
    await open(`/persons/${anna.gkId}`);
    await page.getByRole('button', { name: 'Opt out' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill('asked by letter');
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out' }).click();
    await page.getByText('Opted out', { exact: true }).waitFor();
    await page.getByText('asked by letter').waitFor();
    await page.getByRole('button', { name: 'Opt in' }).click();
    await page.getByText('Opted in', { exact: true }).waitFor();
  });

  it('deletes a person after the name was typed', long, async () => {
    await open(`/persons/${anna.gkId}`);
    await page.getByRole('button', { name: 'Delete person' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Delete person' });
    await page.getByRole('dialog').getByLabel(/^Type/).fill('ann');
    expect(await button.isDisabled()).toBe(true);
    await confirmByTyping(page, 'anna', 'Delete person');
    await toast('anna is deleted');
    expect((await read(`/v1/persons/${anna.gkId}`)).status).toBe(404);
  });

  it('erases the personal data of a person', long, async () => {
    await open(`/persons/${bruno.gkId}`);
    await page.getByRole('button', { name: 'Erase personal data' }).click();
    await confirmByTyping(page, 'bruno', 'Erase personal data');
    await toast(/being erased/);
    await expect
      .poll(async () => (await read('/v1/persons/bruno/gkid')).status, { timeout: 60_000 })
      .toBe(404);
  });

  it('fills and empties a watchlist, deletes it and the fraudster', long, async () => {
    await open('?tab=watchlists');
    await page.getByText('No watchlists yet').waitFor();
    await page.getByRole('button', { name: 'Add a watchlist' }).click();
    await page.getByRole('dialog').getByLabel('Identifier').fill('known');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Nobody is in it yet').waitFor();
    await page.getByRole('button', { name: 'Add a fraudster' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('carl');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove carl' }).click();
    await page.getByText('Nobody is in it yet').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete watchlist' }).click();
    await confirmByTyping(page, 'known', 'Delete watchlist');
    await page.getByText('No watchlists yet').waitFor();

    await open(`/fraudsters/${carl.gkId}`);
    await page.getByRole('button', { name: 'Delete fraudster' }).click();
    await confirmByTyping(page, 'carl', 'Delete fraudster');
    await toast('carl is deleted');
  });

  const read = (path: string) => console.api('GET', `${path}?context.gkScopeId.value=${console.gkScopeId}`);
  const lockStatus = async ({ profile }: Owner): Promise<string> =>
    (
      await console.api(
        'GET',
        `/v1/voiceprints/profiles?context.gkScopeId.value=${console.gkScopeId}&gkVoiceprintProfileId.value=${profile}`,
      )
    ).body.details.lockInfo.status;
});

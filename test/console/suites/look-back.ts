// Looking back: the calls of a fraudster, a voice under several names that becomes a watchlist entry, and the search that follows.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults, type ConsoleTest } from '../support.js';
import { openSession, sendVoice, settled } from '../voices.js';
import type { Suite } from './setting.js';

export const lookBack: Suite = (setting) =>
  describe('looking back', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      // Emil calls under three names.
      for (const [sentence, personId] of ['anna-4711', 'bruno-0815', 'dora-2231'].entries()) {
        const scope = `context.gkScopeId.value=${console.gkScopeId}`;
        const { body } = await console.api('GET', `/v1/persons/${personId}/gkid?${scope}`);
        const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', {
          claimedGkPersonId: body.gkPersonId,
          sessionId: `call-of-${personId}`,
        });
        const gkMediaSegmentId = await sendVoice(console, context, 'emil', 3 + sentence);
        const heard = await console.api('POST', '/v1/audios/process', { context, gkMediaSegmentId });
        expect(heard.status).toBe(200);
      }
      page = await console.signedIn();
    });

    const open = async (path: string): Promise<void> => {
      await page.goto(console.at(path));
      await settled(page);
    };
    const search = () => page.getByRole('button', { name: 'Search stored calls' }).click();

    async function allow(): Promise<void> {
      const context = { gkScopeId: { value: console.gkScopeId } };
      const parameters = { lookBack: { hasLegalBasis: true, searchForNewFraudsters: true } };
      const made = await console.api('POST', '/v1/configsets', {
        context,
        configsetId: 'SCOPE',
        type: 'CONFIGSET_TYPE_OPERATIONAL',
        rawContent: Buffer.from(JSON.stringify(parameters)).toString('base64'),
      });
      const revision = made.body.gkConfigsetRevisionId.value as string;
      const used = await console.api('PUT', `/v1/configsets/revisions/${revision}:activate`, { context });
      expect(used.status).toBe(200);
    }

    it('says that a legal basis is needed, and finds the calls of a fraudster with one', async () => {
      await open('/look-back');
      await page.getByRole('combobox', { name: 'Fraudster' }).fill('case-118');
      await page.getByRole('option', { name: /^case-118/ }).click();
      await search();
      await page.getByText('Searching stored calls is switched off for this tenant').waitFor();
      await allow();
      await search();
      const result = page.getByRole('region', { name: 'Result' });
      const row = result.getByRole('row', { name: /dora-2231/ });
      await row.waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await row.getByRole('button', { name: /^Listen/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Play Recording' }).waitFor();
      await page.keyboard.press('Escape');
      await row.getByRole('link').first().click();
      await page.waitForURL('**/sessions/*');
    });

    it('finds a voice under three names, and says what putting it on a watchlist means', async () => {
      await open('/look-back?tab=voices');
      await search();
      const voice = page.getByRole('region', { name: 'Voice 1', exact: true });
      for (const name of ['anna-4711', 'bruno-0815', 'dora-2231']) {
        await voice.getByRole('link', { name, exact: true }).waitFor();
        await voice.getByRole('link', { name: `call-of-${name}` }).waitFor();
      }
      await voice.getByText('Anna Keller').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await accessibilityFaults(page)).toEqual([]);
      await voice.getByRole('button', { name: 'Put this voice on a watchlist' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('is reported as fraud').waitFor();
      expect(await dialog.getByRole('button', { name: 'Put on the watchlist' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Name of the fraudster').fill('many-names');
      await dialog.getByLabel('Watchlist').selectOption({ label: 'card-fraud-ring' });
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Put on the watchlist' }).click();
      await page.locator('.toast').getByText('many-names is on the watchlist').waitFor();
      await page.waitForURL('**/people/fraudsters/*');
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it('shows the search that ran by itself', async () => {
      await open('/look-back?tab=searches');
      await page.getByRole('row', { name: /many-names.*Finished/ }).waitFor({ timeout: 120_000 });
      await page.getByRole('button', { name: 'Show calls of many-names' }).click();
      const found = page.getByRole('region', { name: 'Calls of many-names' });
      await found.getByRole('row').nth(1).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

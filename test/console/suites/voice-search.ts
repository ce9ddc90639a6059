// Looking back: the calls of a fraudster, a voice under several names that becomes a watchlist entry, and the search that follows.
import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { byColumn } from '../csv.js';
import { resize, type ConsoleTest } from '../support.js';
import { filterByCaveat, opened, openedPart, relatedCalls } from '../session-page.js';
import { openSession, sendVoice, settled } from '../voices.js';
import type { Suite } from './setting.js';

export const voiceSearch: Suite = (setting) =>
  describe('looking back', () => {
    let console: ConsoleTest;
    let page: Page;
    /** In which a search found case-118. */
    let foundCall: string;
    beforeAll(async () => {
      console = setting().console;
      // Emil calls under three names, and Carl under one of them.
      const calls = [
        ['anna-4711', 'emil', 3, 'call-of-anna-4711'],
        ['bruno-0815', 'emil', 4, 'call-of-bruno-0815'],
        ['dora-2231', 'emil', 5, 'call-of-dora-2231'],
        ['dora-2231', 'carl', 4, 'unchecked-call'],
      ] as const;
      for (const [personId, voice, sentence, sessionId] of calls) {
        const scope = `context.gkScopeId.value=${console.gkScopeId}`;
        const { body } = await console.api('GET', `/v1/persons/${personId}/gkid?${scope}`);
        const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', {
          claimedGkPersonId: body.gkPersonId,
          sessionId,
        });
        const gkMediaSegmentId = await sendVoice(console, context, voice, sentence);
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

    const download = async (button: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent('download') as Promise<Download>,
        page.getByRole('button', { name: button }).click(),
      ]);
      return readFileSync(await file.path(), 'utf8');
    };

    /** In the settings of the page, where the notice leads to. */
    async function allow(): Promise<void> {
      await page.getByRole('link', { name: 'Settings of voice search' }).click();
      const settings = page.getByRole('region', { name: 'Settings of voice search' });
      const save = settings.getByRole('button', { name: 'Save settings' });
      const automatic = settings.getByLabel('Search automatically for new fraudsters');
      await automatic.waitFor();
      expect([await save.isDisabled(), await automatic.isDisabled()]).toEqual([true, true]);
      await settings.getByText('Nothing has been changed.').waitFor();
      await settings.getByLabel('There is a legal basis for searching stored calls').check();
      // Why it cannot be pressed yet.
      expect(await save.isDisabled()).toBe(true);
      await settings.getByText('Enter the legal basis first.').waitFor();
      await settings.getByLabel('Legal basis, for the record').fill('Assessment 12 of May');
      await automatic.check();
      await settings.getByLabel('How many days back may be searched').fill('0');
      await settings.getByText('Enter a whole number from 1 to 3650.').waitFor();
      expect(await save.isDisabled()).toBe(true);
      await settings.getByLabel('How many days back may be searched').fill('20');
      expect(await accessibilityFaults(page)).toEqual([]);
      await save.click();
      await page.locator('.toast').getByText('stored calls can be searched').waitFor();
      await expect.poll(() => save.isDisabled()).toBe(true);
      const scope = `context.gkScopeId.value=${console.gkScopeId}`;
      const { body } = await console.api(
        'GET',
        `/v1/configsets/SCOPE?${scope}&expectedFormat=CONFIGSET_FORMAT_ALL_BYTES`,
      );
      expect(JSON.parse(Buffer.from(body.rawContent, 'base64').toString()).voiceSearch).toEqual({
        hasLegalBasis: true,
        days: 20,
        searchForNewFraudsters: true,
      });
      expect(body.details.description).toContain('Assessment 12 of May');
      await page.getByRole('tab', { name: 'Calls of a fraudster' }).click();
      await choose();
    }

    const choose = async (): Promise<void> => {
      await page.getByRole('combobox', { name: 'Fraudster' }).fill('case-118');
      await page.getByRole('option', { name: /^case-118/ }).click();
    };

    it('says that a legal basis is needed, and finds the calls of a fraudster with one', async () => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      for (const tab of ['?tab=voices', '?tab=searches', '']) {
        await open(`/voice-search${tab}`);
        await page.getByText('Searching stored calls is switched off for this tenant').waitFor();
        // Nobody is offered what would be refused.
        expect(await page.getByRole('button', { name: 'Search stored calls' }).count()).toBe(0);
      }
      expect(asked.filter((path) => path.includes('/voice-search/'))).toEqual([]);
      await allow();
      await search();
      const result = page.getByRole('region', { name: 'Result' });
      const row = result.getByRole('row', { name: /unchecked-call/ });
      await row.getByRole('link', { name: 'dora-2231' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await row.getByRole('button', { name: /^Listen/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Play Recording' }).waitFor();
      await page.keyboard.press('Escape');
      await row.getByRole('link').first().click();
      await page.waitForURL('**/sessions/*');
      foundCall = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    });

    it('shows on the page of a call which search found whom, on which watchlist, and the other calls', async () => {
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByRole('link', { name: 'case-118' }).waitFor();
      await relatedCalls(page)
        .getByRole('row', { name: /case-118/ })
        .first()
        .waitFor();
      const found = await openedPart(page, 'Timeline');
      await found.getByRole('link', { name: 'card-fraud-ring' }).first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await found.getByRole('link', { name: 'search through stored calls' }).first().click();
      await expect
        .poll(() => page.getByRole('combobox', { name: 'Fraudster' }).inputValue())
        .toBe('case-118');
    });

    it('lists what was found later, narrows the list to it and exports it for a spreadsheet', async () => {
      await open('/sessions?show=all');
      await filterByCaveat(page, 'Found later');
      await expect.poll(() => new URL(page.url()).searchParams.get('found')).toBe('FOUND_LATER');
      const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${foundCall}"]`) });
      await row.getByText('Found later', { exact: true }).waitFor();
      await row.getByText(/case-118.*known fraudster, found later/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const csv = await download('Export as CSV');
      expect(csv.codePointAt(0)).toBe(0xfeff);
      const rows = byColumn(csv);
      const found = rows.find((cells) => cells['system_identifier'] === foundCall);
      expect(found?.['person']).toContain('case-118');
      // In words, as the list has them.
      expect(csv).not.toMatch(/DECISION_|SESSION_TYPE_|ENGAGEMENT_VERDICT_/);
      expect(rows.filter((cells) => !cells['caveats']?.includes('Found later'))).toEqual([]);
    });

    it('plays the recording of an enrollment, and says whose voiceprint it went to', async () => {
      const { person } = setting().voices;
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', { sessionId: 'call-enrolled' });
      const gkMediaSegmentId = await sendVoice(console, context, 'anna', 5);
      const processed = await console.api('POST', '/v1/audios/process', {
        context,
        gkMediaSegmentId,
        isForEnrollment: true,
      });
      expect(processed.status, JSON.stringify(processed.body)).toBe(200);
      const enrolled = await console.api('POST', `/v1/voiceprints/${person.profile}/enrollment`, {
        context,
        gkProcessedAudioId: processed.body.result.gkProcessedAudioId,
      });
      expect(enrolled.status, JSON.stringify(enrolled.body)).toBe(200);
      await open('/sessions');
      await page.getByRole('link', { name: 'call-enrolled' }).click();
      const heard = page.getByRole('region', { name: 'What was heard' });
      await heard.getByRole('button', { name: /^Play/ }).waitFor();
      await opened(heard.getByRole('group').first());
      await heard.getByText('Enrolled for').waitFor();
      await heard.getByRole('link', { name: 'anna-4711' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('finds a voice under three names, and says what putting it on a watchlist means', async () => {
      await open('/voice-search?tab=voices');
      await search();
      const voice = page.getByRole('region', { name: 'Voice 1', exact: true });
      for (const name of ['anna-4711', 'bruno-0815', 'dora-2231']) {
        await voice.getByRole('link', { name, exact: true }).waitFor();
        await voice.getByRole('link', { name: `call-of-${name}` }).waitFor();
      }
      await voice.getByText('Anna Keller').waitFor();
      await resize(page, { width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await accessibilityFaults(page)).toEqual([]);
      await voice.getByRole('button', { name: 'Put this voice on a watchlist' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('reported as fraud').waitFor();
      expect(await dialog.getByRole('button', { name: 'Put on the watchlist' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Name of the fraudster').fill('many-names');
      await dialog.getByLabel('Watchlist').selectOption({ label: 'card-fraud-ring' });
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Put on the watchlist' }).click();
      await page.locator('.toast').getByText('many-names is on the watchlist').waitFor();
      await page.waitForURL('**/people/fraudsters/*');
      await resize(page, { width: 1280, height: 800 });
    });

    it('marks the calls from which the fraudster was made, in the list and on their pages', async () => {
      await open('/sessions');
      await filterByCaveat(page, 'Found later');
      const row = page.getByRole('row', { name: /call-of-anna-4711/ });
      await row.getByText('Found later', { exact: true }).waitFor();
      await row.getByText(/many-names.*enrolled as a fraudster/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const listed = byColumn(await download('Export as CSV'));
      expect(listed.length).toBeGreaterThan(1);
      const anna = listed.find(({ session }) => session === 'call-of-anna-4711');
      expect(anna?.['person']).toContain('many-names');
      await page.getByRole('link', { name: 'call-of-anna-4711' }).click();
      await openedPart(page, 'Timeline');
      const step = page.getByRole('listitem').filter({ hasText: 'done later' });
      await step.getByRole('link', { name: 'card-fraud-ring' }).waitFor();
      await step.getByRole('link', { name: 'many-names' }).waitFor();
      // Nobody has checked it in the call: what was only examined can be heard as well.
      const heard = page.getByRole('region', { name: 'What was heard' });
      await heard.getByRole('button', { name: /^Play/ }).waitFor();
      await (await openedPart(page, 'Recording examined')).getByText(/ s$/).waitFor();
      await relatedCalls(page)
        .getByRole('row', { name: /^many-names.*call-of-bruno-0815/ })
        .waitFor();
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText(/many-names.*enrolled as a fraudster/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('shows the search that ran by itself', async () => {
      await open('/voice-search?tab=searches');
      await page.getByRole('row', { name: /many-names.*Finished/ }).waitFor({ timeout: 120_000 });
      await page.getByRole('button', { name: 'Show calls of many-names' }).click();
      const found = page.getByRole('region', { name: 'Calls of many-names' });
      await found.getByRole('row').nth(1).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('tells both who heard one recording, also the one in which the fraudster passed for somebody', async () => {
      const uploads = await openSession(console, 'SESSION_TYPE_CALL_CENTER', { sessionId: 'recordings' });
      const media = (await sendVoice(console, uploads, 'carl', 5)).value;
      const context = { gkScopeId: { value: console.gkScopeId }, configsetId: uploads.configsetId };
      const manifest = `media,person_id\n${media},\n${media},bruno-0815`;
      const begun = await console.api('POST', '/v1/batches:check', { context, manifest });
      expect(begun.status, JSON.stringify(begun.body)).toBe(200);
      const scope = `context.gkScopeId.value=${console.gkScopeId}`;
      const results = async (): Promise<string[]> => {
        const { body } = await console.api('GET', `/v1/batches/${begun.body.gkJobId}/results?${scope}`);
        return (body.results ?? []).flatMap((one: { gkSessionId?: string }) => one.gkSessionId ?? []);
      };
      await expect.poll(async () => (await results()).length).toBe(2);
      await open('/voice-search');
      await choose();
      await search();
      const rowsOf = async () => {
        const rows = (await results()).map((id) =>
          page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) }),
        );
        for (const row of rows) await row.waitFor();
        return rows;
      };
      await page.getByRole('region', { name: 'Result' }).getByText('Heard in').waitFor();
      const [, posing] = await rowsOf();
      await posing?.getByRole('link', { name: 'bruno-0815' }).waitFor();
      await open('/sessions?found=later');
      for (const row of await rowsOf()) await row.getByText('Found later', { exact: true }).waitFor();
    });
  });

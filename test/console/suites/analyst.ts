// The questions of a fraud analyst, from a call that did not match to whoever else it was: known already, on the list already, in
// which other calls; who wrote what about it; and what a word of the pages means.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { resize, type ConsoleTest } from '../support.js';
import { opened, openedPart, relatedCalls, shownSession, takeStep } from '../session-page.js';
import { openSession, reopen, sendVoice } from '../voices.js';
import type { Suite } from './setting.js';

/** Buttons and links of the page that a message covers. */
const coveredButtons = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main a, main button, header a, header button')]
    .filter((each) => each.checkVisibility())
    .filter((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.toasts');
    })
    .map((each) => each.textContent)`);

export const analyst: Suite = (setting) =>
  describe('asking whose voice it is', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      // Carl says that he is Anna, and nobody has looked at a watchlist.
      const { person } = setting().voices;
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', {
        sessionId: 'call-mismatch',
        claimedGkPersonId: { value: person.gkId },
      });
      const verified = await console.api('POST', `/v1/voiceprints/${person.profile}/verification`, {
        context,
        gkMediaSegmentId: await sendVoice(console, context, 'carl', 5),
      });
      expect(verified.status).toBe(200);
      expect((await console.api('PUT', '/v1/sessions/stop', { context })).status).toBe(200);
      page = await console.signedIn();
    });

    const openCall = async (name: string): Promise<void> => {
      await reopen(page, console.at('/sessions'));
      await page.getByRole('link', { name }).click();
      await shownSession(page, name);
    };

    it('finds a known fraudster behind a mismatch, and the call on the fraudster’s page', async () => {
      await openCall('call-mismatch');
      await takeStep(page, 'Check against a watchlist');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('The call has ended').waitFor();
      await dialog.getByLabel('Watchlist').selectOption({ label: 'card-fraud-ring' });
      await dialog.getByRole('button', { name: 'Check now' }).click();
      const answer = dialog.getByRole('region', { name: 'Answer' });
      await answer.getByText('The voice resembles a known fraudster').waitFor();
      await answer.getByRole('button', { name: 'Add the recording to case-118' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await answer.getByRole('link', { name: 'case-118' }).click();
      await page.getByRole('heading', { name: 'case-118', level: 1 }).waitFor();
      const calls = page.getByRole('region', { name: 'Calls in which this voice was found' });
      await calls.getByRole('row', { name: /call-mismatch.*anna-4711/ }).waitFor();
      await calls.getByRole('link', { name: 'call-20933' }).waitFor();
      expect(await calls.getByRole('link', { name: 'call-20931' }).count()).toBe(0);
    });

    it('shows on the page of the call who was found in it later, when and in which list', async () => {
      await openCall('call-mismatch');
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText('After the call, a fraudster or signs of an attack were found in it.').waitFor();
      await result.getByText('Do not rely on the result').waitFor();
      await result.getByRole('link', { name: 'case-118' }).waitFor();
      await openedPart(page, 'Timeline');
      const step = page.getByRole('listitem').filter({ hasText: 'checked later' });
      await step.getByRole('link', { name: 'card-fraud-ring' }).waitFor();
      await step.getByText('Voice checked against a watchlist').waitFor();
      await step.getByText('Fraud risk').waitFor();
      await relatedCalls(page)
        .getByRole('row', { name: /^case-118/ })
        .first()
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await resize(page, { width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await resize(page, { width: 1280, height: 800 });
      await step.getByRole('link').last().click();
      const details = await opened(page.getByRole('group', { name: 'Call details' }));
      await details.getByText('Fraud analysis').waitFor();
    });

    it('says that a voice is on the list already, and as whom', async () => {
      await openCall('call-mismatch');
      await takeStep(page, 'Add caller to a watchlist');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name of the fraudster').fill('second-name');
      await dialog.getByLabel('Watchlist').selectOption({ label: 'card-fraud-ring' });
      await dialog.getByRole('button', { name: 'Add to watchlist' }).click();
      await dialog.getByText('This voice is already on the list as').waitFor();
      await dialog.getByRole('link', { name: 'case-118' }).waitFor();
      await dialog.getByRole('button', { name: 'Add as a second entry' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add the recordings to case-118' }).click();
      await expect.poll(() => dialog.getByLabel('Name of the fraudster').inputValue()).toBe('case-118');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      const scope = `context.gkScopeId.value=${console.gkScopeId}`;
      expect((await console.api('GET', `/v1/fraudsters/second-name/gkid?${scope}`)).status).toBe(404);
    });

    it('answers for the recording that is chosen, and for no other', async () => {
      const { person } = setting().voices;
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', {
        sessionId: 'call-two-voices',
      });
      for (const voice of ['carl', 'anna'] as const) {
        const verified = await console.api('POST', `/v1/voiceprints/${person.profile}/verification`, {
          context,
          gkMediaSegmentId: await sendVoice(console, context, voice, 4),
        });
        expect(verified.status).toBe(200);
      }
      expect((await console.api('PUT', '/v1/sessions/stop', { context })).status).toBe(200);
      await openCall('call-two-voices');
      await takeStep(page, 'Check against a watchlist');
      const dialog = page.getByRole('dialog');
      const answer = dialog.getByRole('region', { name: 'Answer' });
      const found = answer.getByText('The voice resembles a known fraudster');
      await dialog.getByLabel('Watchlist').selectOption({ label: 'card-fraud-ring' });
      await dialog.getByRole('button', { name: 'Check now' }).click();
      await found.waitFor();
      await answer.getByText('Recording 1', { exact: true }).waitFor();
      await dialog.getByLabel('Recording').selectOption({ index: 1 });
      await answer.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Check now' }).click();
      await answer.getByText('Recording 2', { exact: true }).waitFor();
      expect(await found.count()).toBe(0);
      await dialog.getByLabel('Watchlist').selectOption({ index: 0 });
      await answer.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      // So does the warning that a voice is on the list.
      await takeStep(page, 'Add caller to a watchlist');
      const take = (number: number) => dialog.getByLabel(new RegExp(`^Recording ${number},`));
      const warning = dialog.getByText('This voice is already on the list as');
      const second = dialog.getByRole('button', { name: 'Add as a second entry' });
      const add = dialog.getByRole('button', { name: 'Add to watchlist' });
      await dialog.getByLabel('Name of the fraudster').fill('second-name');
      await dialog.getByLabel('Watchlist').selectOption({ label: 'card-fraud-ring' });
      await take(1).check();
      await add.click();
      await warning.waitFor();
      expect(await second.getAttribute('data-kind')).toBe('plain');
      await take(2).check();
      await warning.waitFor({ state: 'detached' });
      expect(await second.count()).toBe(0);
      await take(2).uncheck();
      await add.click();
      await warning.waitFor();
      await dialog.getByRole('button', { name: 'Add the recordings to case-118' }).click();
      await dialog.getByRole('button', { name: 'Add recordings' }).waitFor();
      expect([await take(1).isChecked(), await take(2).isChecked()]).toEqual([true, false]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    });

    it('takes a case, finds it under “My cases”, and closes it with its outcome', async () => {
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', { sessionId: 'call-alarm' });
      const { voices } = setting();
      const checked = await console.api('POST', '/v1/voiceprints/known-fraudsters-detection', {
        context,
        gkMediaSegmentId: await sendVoice(console, context, 'carl', 3),
        watchlist: { uniqueId: { value: voices.gkWatchlistId } },
      });
      expect(checked.status, JSON.stringify(checked.body)).toBe(200);
      expect((await console.api('PUT', '/v1/sessions/stop', { context })).status).toBe(200);
      const mine = page.getByRole('row', { name: /call-alarm/ });
      const list = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
      };
      await reopen(page, console.at('/sessions'));
      await page.getByRole('tab', { name: 'Cases' }).click();
      // An alarm is a case before anybody has looked at it.
      await list('Unassigned');
      await mine.getByText('Open case', { exact: true }).waitFor();
      expect(await accessibilityFaults(page, 'main')).toEqual([]);
      await mine.getByRole('link', { name: 'call-alarm' }).click();
      await page
        .getByRole('region', { name: 'Result' })
        .getByText('Reason: a known fraudster.', { exact: true })
        .waitFor();
      const take = page.getByRole('button', { name: 'Take the case' });
      await take.click();
      const toast = page.locator('.toast').getByText('The case is yours.');
      await toast.waitFor();
      expect(await coveredButtons(page)).toEqual([]);
      await page.getByRole('region', { name: 'Result' }).getByText('In progress', { exact: true }).waitFor();
      await reopen(page, console.at('/sessions?tab=cases'));
      await mine.getByText('assigned to you', { exact: true }).waitFor();
      await mine.getByRole('link', { name: 'call-alarm' }).click();
      // To nobody that there is.
      await page.getByRole('button', { name: 'Assign', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('User name').fill('nobody-here');
      await dialog.getByRole('button', { name: 'Assign' }).click();
      await dialog.getByText('This is not a user who can reach this tenant.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Record outcome' }).click();
      await dialog.getByLabel('What was it?').selectOption({ label: 'Fraud' });
      await dialog.getByRole('button', { name: 'Record outcome' }).click();
      await page.getByRole('region', { name: 'Result' }).getByText('Closed', { exact: true }).waitFor();
      await reopen(page, console.at('/sessions?tab=cases'));
      await list('Closed');
      await mine.waitFor();
      await list('My cases');
      await mine.waitFor({ state: 'detached' });
      // On a phone, messages take the place of the top bar.
      await resize(page, { width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await resize(page, { width: 1280, height: 800 });
    });

    it('tells in the audit trail which call a note and an outcome are about, in words', async () => {
      await openCall('call-mismatch');
      const dialog = page.getByRole('dialog');
      // The page is slow to load what was just saved, and the analyst is quick: that is no conflict with somebody else.
      await page.route('**/timeline?**', async (route) => {
        await pause(1000);
        await route.continue();
      });
      await takeStep(page, 'Note and case number');
      await dialog.getByLabel(/^Case number/).fill('F-77');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      for (const outcome of ['Uncertain', 'Fraud']) {
        await page.getByRole('button', { name: 'Record outcome' }).click();
        await dialog.getByLabel('What was it?').selectOption({ label: outcome });
        await dialog.getByRole('button', { name: 'Record outcome' }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await reopen(page, console.at('/sessions?tab=audit'));
      const row = page.getByRole('row', { name: /Outcome recorded.*call-mismatch/ }).first();
      await row.getByText('Engagement', { exact: true }).click();
      await row.getByText('Uncertain').waitFor();
      expect(await row.locator('ins').innerText()).toBe('Fraud');
      const note = page.getByRole('row', { name: /Engagement changed.*call-mismatch/ }).first();
      await note.getByText('Engagement', { exact: true }).click();
      await note.getByText('added').waitFor();
      // Nothing on the page shouts in the codes of the contract.
      const shouted = (await page.getByRole('table').innerText()).match(/\b[A-Z]+_[A-Z_]+\b/g);
      expect(shouted).toBeNull();
      expect(await accessibilityFaults(page)).toEqual([]);
      await note.getByRole('link', { name: 'call-mismatch' }).first().click();
      await shownSession(page, 'call-mismatch');
    });

    it('explains a word by Ctrl-K, whatever was typed how fast', async () => {
      await reopen(page, console.at('/'));
      const search = page.getByRole('dialog', { name: 'Find anything' });
      // Again and again: with the dialog fetched before, keys come in the very moment in which it is shown.
      for (const word of ['VOICEPRINT_NO_MATCH', 'http.address', 'low reliability']) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(word);
        await expect.poll(() => search.getByRole('combobox').inputValue()).toBe(word);
        await search.getByRole('option', { name: /Help/ }).first().waitFor();
        if (word === 'low reliability') break;
        await page.keyboard.press('Escape');
        await search.waitFor({ state: 'detached' });
      }
      expect(await accessibilityFaults(page)).toEqual([]);
      await search
        .getByRole('option', { name: /^LOW_RELIABILITY.*Help/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Errors and reasons', level: 1 }).waitFor();
      expect(await page.locator('[data-sought]').innerText()).toContain('LOW_RELIABILITY');
      await resize(page, { width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await resize(page, { width: 1280, height: 800 });
    });
  });

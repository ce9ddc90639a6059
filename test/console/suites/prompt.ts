// Digits to repeat: tried in the lab, wanted by a config set, and told on the page of a session.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { openedPart, opened } from '../session-page.js';
import { resize, type ConsoleTest } from '../support.js';
import { aliveForChecks, enrollOwner, moveTo, openSession, reopen, sendVoice } from '../voices.js';
import type { Suite } from './setting.js';

const digits = (name: string) => readFile(new URL(`../../fixtures/words/${name}.wav`, import.meta.url));
const phone = { width: 390, height: 844 };

export const prompt: Suite = (setting) =>
  describe('digits to repeat', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      page = await console.signedIn();
    });

    /** `figures` are drawn, and a recording is given as the answer. */
    const answer = async (figures: string, recording: string): Promise<void> => {
      console.drawNext(figures);
      await page.getByRole('button', { name: /^Draw/ }).click();
      await page.getByText([...figures].join(' '), { exact: true }).waitFor();
      await page
        .locator('main input[type=file]')
        .setInputFiles({ name: `${recording}.wav`, mimeType: 'audio/wav', buffer: await digits(recording) });
      await page.getByRole('region', { name: `Result for ${recording}.wav` }).waitFor();
    };
    const card = () => page.getByRole('region', { name: /^Result for/ });
    const fact = (name: string) =>
      card().locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');

    it('are drawn in the lab, and an answer says which were said, by whom, and how soon', async () => {
      await reopen(page, console.at('/voice?tab=digits&person=anna-4711'));
      await page.getByText('The voice is compared with the newest recording of anna-4711.').waitFor();
      await answer('7391', 'slt-7391');
      await card().getByText('Verified', { exact: true }).waitFor();
      await card().getByText('The same voice said the digits in time').waitFor();
      expect((await fact('Asked for').innerText()).split('\n')).toEqual([
        'seven: said',
        'three: said',
        'nine: said',
        'one: said',
      ]);
      expect(await fact('Voice match').innerText()).toMatch(/more likely to be the same voice/);
      expect(await fact('Answered after').innerText()).toMatch(/^\d+\.\d s$/);
      // They are gone: nobody answers twice.
      expect(await page.getByText('7 3 9 1', { exact: true }).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);

      await answer('7351', 'slt-7391');
      await card().getByText('No match', { exact: true }).waitFor();
      await card().getByText('Other words were said').waitFor();
      await fact('Asked for').getByText('five: not heard').waitFor();
      expect(await fact('Heard').innerText()).toBe('seven three nine one');
      expect(await accessibilityFaults(page)).toEqual([]);

      await answer('0528', 'rms-0528');
      await card().getByText('The digits were said by another voice').waitFor();
      expect(await fact('Voice match').innerText()).toMatch(/a different voice/);

      await page.getByRole('button', { name: 'See the session' }).click();
      const check = await openedPart(page, 'Answer to a prompt checked');
      await check.getByText('zero: said').waitFor();
      await check.getByText('Answered after').waitFor();
      await check.getByText('The digits were said by another voice').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const timeline = await openedPart(page, 'Timeline');
      const step = timeline.getByRole('listitem').filter({ hasText: 'Answer to a prompt checked' });
      await opened(step.locator('details'));
      await step.getByText('zero five two eight').first().waitFor();
    });

    it('are compared with speech recorded for it, where nobody has a voiceprint, on a phone', async () => {
      await resize(page, phone);
      await reopen(page, console.at('/voice?tab=digits&person=nobody-yet'));
      await page.getByRole('button', { name: 'Record something else first' }).waitFor();
      await page
        .locator('main input[type=file]')
        .setInputFiles({ name: 'before.wav', mimeType: 'audio/wav', buffer: await digits('slt-7391') });
      await page.getByText('The voice is compared with before.wav.').waitFor();
      console.drawNext('7391');
      await page.getByRole('button', { name: 'Draw digits' }).click();
      await page.getByRole('button', { name: 'Record the answer' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.getByRole('button', { name: 'Start over' }).click();
      await page.getByRole('button', { name: 'Record something else first' }).waitFor();
      await resize(page, { width: 1280, height: 900 });
    });

    it('are wanted as the config set says, and told where the result is', async () => {
      const own = await console.inTenant('prompted');
      const { profile } = await enrollOwner(own, 'person', 'anna', 'anna');
      await moveTo(page, own.at('/voice?tab=digits&person=anna'));
      const settings = page.getByRole('region', { name: 'When callers are to repeat digits' });
      const when = settings.getByLabel('Ask the caller');
      const save = settings.getByRole('button', { name: 'Save settings' });
      await when.waitFor();
      expect(await save.isDisabled()).toBe(true);
      await when.selectOption('When an attack check cannot tell, or from a risk on');
      await settings.getByLabel('Risk (1 to 999)').fill('1000');
      await settings.getByText('Enter a whole number from 1 to 999.').waitFor();
      expect(await save.isDisabled()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await when.selectOption('Whenever the voice matches');
      await settings.getByText('Every caller is asked').waitFor();
      await settings.getByLabel('Digits (3 to 10)').fill('3');
      await save.click();
      await page.getByText('Saved, for calls from now on.').waitFor();
      await settings.getByRole('button', { name: 'Save settings', disabled: true }).waitFor();
      expect(await when.inputValue()).toBe('always');

      await aliveForChecks(page);
      const context = await openSession(own);
      const gkMediaSegmentId = await sendVoice(own, context, 'anna', 4);
      const verified = await own.api('POST', `/v1/voiceprints/${profile}/verification`, {
        context,
        gkMediaSegmentId,
      });
      expect(verified.status).toBe(200);
      const { value } = context['gkSessionId'] as { value: string };
      await moveTo(page, own.at(`/sessions/${value}`));
      const result = page.getByRole('region', { name: 'Result' });
      await result.getByText('Ask to repeat digits').waitFor();
      await result.getByText(/^Ask the caller to repeat digits/).waitFor();
      expect(await result.locator('[data-tone=good]').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

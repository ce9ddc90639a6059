// Batches: a manifest is tried without changing anything, started, followed, looked through and taken along.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { confirmByTyping, type ConsoleTest } from '../support.js';
import { openedPart } from '../session-page.js';
import { moveTo, openSession, sendVoice } from '../voices.js';
import type { Suite } from './setting.js';

export const batches: Suite = (setting) =>
  describe('batches', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = await setting().console.inTenant('batches');
      page = await console.signedIn();
    });

    const dialog = () => page.getByRole('dialog');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const rows = () => page.getByRole('table', { name: 'Results' }).locator('tbody tr');

    it('are tried without changing anything, and then started', async () => {
      const context = await openSession(console);
      const media: string[] = [];
      for (const sentence of [1, 2, 3])
        media.push((await sendVoice(console, context, 'anna', sentence)).value);
      const manifest = [
        { speaker_id: 'anna', consent: true, recordings: media.map((each) => ({ media: each })) },
        { speaker_id: 'bruno', consent: false, recordings: [{ media: 'none' }] },
        { speaker_id: 'carl', consent: true, recordings: [{ media: 'none' }] },
      ];
      await page.goto(console.at('/batches'));
      await page.getByText('No batches yet').waitFor();
      await press('New batch');
      const take = (text: string) =>
        dialog()
          .locator('input[type=file]')
          .setInputFiles({ name: 'people.jsonl', mimeType: 'application/json', buffer: Buffer.from(text) });
      await take('speaker_id,file\n,a.wav\n,b.wav');
      await dialog().getByText('people.jsonl (header and 2 lines)').waitFor();
      await dialog().getByRole('button', { name: 'Start dry run' }).click();
      await dialog().locator('.field-error').getByText('line 2: speaker_id is mandatory').waitFor();
      await dialog().locator('.field-error').getByText('line 3: speaker_id is mandatory').waitFor();
      await take(manifest.map((line) => JSON.stringify(line)).join('\n'));
      await dialog().getByText('people.jsonl (3 lines)').waitFor();
      // That was said of the other file.
      await dialog().locator('.field-error').waitFor({ state: 'detached' });
      expect(await dialog().getByRole('alert').count()).toBe(0);
      await dialog().getByLabel('Description').fill('Old recordings');
      await dialog().getByRole('button', { name: 'Start dry run' }).click();
      await page.getByRole('heading', { name: 'Old recordings', level: 1 }).waitFor();
      await page.getByText('This was a dry run: nothing has been changed').waitFor();
      await page.getByText('1 line would be done, 2 would not be done.').waitFor();
      await press('Start this batch');
      await dialog().getByText('1 person gets a voiceprint').waitFor();
      await dialog().getByRole('button', { name: 'Start this batch' }).click();
      await page.getByText('This was a dry run').waitFor({ state: 'detached' });
      await page.getByText('Completed', { exact: true }).waitFor();
      await rows().nth(2).waitFor();
      await rows()
        .filter({ hasText: 'anna' })
        .getByText('3 of 3 recordings were used; not checked for attacks', { exact: true })
        .waitFor();
      expect(await page.locator('main').textContent()).toMatch(/Attack checks\s*Not part of an enrollment/);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('are not offered to be started where a dry run found nothing to do', async () => {
      await page.goto(console.at('/batches'));
      await press('New batch');
      const buffer = Buffer.from('speaker_id,consent,media\nbruno,no,none');
      await dialog()
        .locator('input[type=file]')
        .setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer });
      await dialog().getByRole('button', { name: 'Start dry run' }).click();
      await page.getByText('0 lines would be done, 1 would not be done.').waitFor();
      await page.getByText('Correct the manifest as the results below say').waitFor();
      expect(await page.getByRole('button', { name: 'Start this batch' }).count()).toBe(0);
    });

    it('show what became of each line, by outcome and reason, and give it away as a file', async () => {
      await page.getByRole('link', { name: 'Batches' }).first().click();
      await page.getByRole('table', { name: 'Batches' }).locator('tbody tr').nth(1).waitFor();
      const real = page.getByRole('row').filter({ hasNotText: 'Dry run' }).getByRole('link');
      await real.click();
      await rows().nth(2).waitFor();
      await page.getByLabel('Outcome').selectOption({ label: 'Refused' });
      await rows().filter({ hasText: 'anna' }).waitFor({ state: 'detached' });
      await rows().filter({ hasText: 'bruno' }).getByText('No consent', { exact: true }).waitFor();
      await rows()
        .filter({ hasText: 'bruno' })
        .getByText('The manifest says that there is no consent', { exact: true })
        .waitFor();
      await page.getByLabel('Outcome').selectOption({ label: 'Failed' });
      await page.getByLabel('Reason').selectOption({ label: 'Recording not found' });
      await rows().filter({ hasText: 'carl' }).waitFor();
      expect(await rows().count()).toBe(1);
      const [download] = await Promise.all([page.waitForEvent('download'), press('Export as CSV')]);
      expect(readFileSync(await download.path(), 'utf8')).toMatch(
        /^\uFEFFline,request_id,owner_id,.*\r\n3,,carl,FAILED,RECORDING_NOT_FOUND,/,
      );
    });

    it('are canceled with what that means', async () => {
      // As if it still ran: a batch that is slow enough to be canceled would be slow for everybody.
      await page.route(/\/v1\/batches\/[^/?]+\?/, async (route) => {
        const response = await route.fetch();
        const { batch, ...rest } = (await response.json()) as { batch: object };
        const running = { ...batch, state: 'BATCH_STATE_RUNNING', lines: 10 };
        await route.fulfill({ response, json: { ...rest, batch: running } });
      });
      await page.reload();
      await press('Cancel batch');
      await dialog().getByText('7 lines have no result yet and will not be processed.').waitFor();
      await dialog().getByRole('button', { name: 'Keep running', exact: true }).click();
      await dialog().waitFor({ state: 'detached' });
      await press('Cancel batch');
      await confirmByTyping(page, 'cancel', 'Cancel batch');
      await page.locator('.toast').getByText('The batch has been canceled.').first().waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route(/\/v1\/batches\/[^/?]+\?/, async (route) => {
        const response = await route.fetch();
        const { batch, ...rest } = (await response.json()) as { batch: { reasons: object[] } };
        const left = { outcome: 'LINE_OUTCOME_SKIPPED', reason: 'CANCELLED', lines: 7 };
        const reasons = [...batch.reasons, left];
        const over = { ...batch, state: 'BATCH_STATE_CANCELLED', lines: 10, skipped: 7, reasons };
        await route.fulfill({ response, json: { ...rest, batch: over } });
      });
      await page.reload();
      await page.getByText('3 of 10 done, then canceled', { exact: true }).waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    it('check for attacks beside the match, and decide nothing in a dry run', async () => {
      const context = await openSession(console);
      const { value: media } = await sendVoice(console, context, 'anna', 4);
      await page.goto(console.at('/batches'));
      await press('New batch');
      await dialog().getByLabel('Operation').selectOption({ label: 'Check recordings' });
      await dialog().getByText('Past recordings neither lock a voiceprint').waitFor();
      const buffer = Buffer.from(`speaker_id,media,channel\nanna,${media},1`);
      await dialog()
        .locator('input[type=file]')
        .setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer });
      await dialog().getByRole('button', { name: 'Start dry run' }).click();
      await rows().getByText('Would be compared with the voiceprint', { exact: true }).waitFor();
      expect(await rows().first().textContent()).not.toMatch(/verified|checked|matches/i);
      await press('Start this batch');
      expect(await dialog().textContent()).toMatch(/Watchlist\s*None\s*Attack checks\s*Yes/);
      await dialog().getByRole('button', { name: 'Start this batch' }).click();
      await page.getByText('This was a dry run').waitFor({ state: 'detached' });
      await expect
        .poll(() => page.locator('main').textContent())
        .toMatch(/Watchlist\s*None\s*Attack checks\s*Yes/);
      const row = rows().filter({ hasText: media });
      await row.getByText('Synthetic speech', { exact: true }).waitFor();
      await row.getByText('Fraud risk', { exact: true }).waitFor();
      await row.getByText(`${media}, channel 1`).waitFor();
      await row.getByText('Synthetic speech was found; the voice is that of the person').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), press('Export as CSV')]);
      const csv = readFileSync(await download.path(), 'utf8');
      expect(csv).toContain(',anna,DONE,SYNTHETIC_SPEECH_DETECTED,');
      expect(csv).toContain(`,${media},SYNTHETIC_SPEECH,,,FRAUD_DETECTION,1,`);
      // As if the session was so old that it is not kept any more.
      await page.route(/\/v1\/x\/sessions\?.*gkSessionIds/, (route) => route.fulfill({ json: {} }));
      await page.reload();
      await row.getByText('Deleted (result as of the check)', { exact: true }).waitFor();
      await row.getByText('Fraud risk', { exact: true }).waitFor();
      expect(await row.getByRole('link').count()).toBe(0);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    it('check a recording also where its line names somebody without a voiceprint', async () => {
      const context = await openSession(console);
      const { value: media } = await sendVoice(console, context, 'bruno', 4);
      await page.goto(console.at('/batches'));
      await press('New batch');
      await dialog().getByLabel('Operation').selectOption({ label: 'Check recordings' });
      await dialog().getByText('whoever the line names').waitFor();
      const buffer = Buffer.from(`speaker_id,media\nzoe,${media}`);
      await dialog()
        .locator('input[type=file]')
        .setInputFiles({ name: 'z.csv', mimeType: 'text/csv', buffer });
      await dialog().getByRole('button', { name: 'Start dry run' }).click();
      await rows().getByText('Would be checked; the person is not enrolled', { exact: true }).waitFor();
      await rows().getByText('1 recording; this person has no trained print', { exact: true }).waitFor();
      await press('Start this batch');
      await dialog().getByRole('button', { name: 'Start this batch' }).click();
      await page.getByText('This was a dry run').waitFor({ state: 'detached' });
      const row = rows().filter({ hasText: 'zoe' });
      await row.getByText('Done', { exact: true }).waitFor();
      // The voices of these tests are made by a machine.
      await row.getByText('This person has no trained print; synthetic speech was found').waitFor();
      await row.getByText('Fraud risk', { exact: true }).waitFor();
      await row.getByRole('link').click();
      await (
        await openedPart(page, 'Voice compared with the voiceprint')
      )
        .getByText('Not compared, because this person has no trained voiceprint')
        .waitFor();
      // As if the batch had been canceled before anything was checked.
      await page.route(/\/timeline\?/, async (route) => {
        const response = await route.fetch();
        const { session, ...rest } = (await response.json()) as { session: object };
        const assessment = { headline: 'SESSION_HEADLINE_UPLOAD' };
        const given = { ...rest, session: { ...session, wasAbandon: true }, assessment };
        await route.fulfill({ response, json: given });
      });
      await page.reload();
      await page.getByText(/^Begun for batch \S+, which was canceled$/).waitFor();
      await page.getByText('Nothing was checked here before the batch was canceled').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });

    /** Started as a program does it; opens the page of the batch. */
    const check = async (manifest: string, more: object): Promise<void> => {
      const { gkScopeId, configsetId } = await openSession(console);
      const context = { gkScopeId, configsetId };
      const asked = { context, manifest, withoutAttackChecks: true, ...more };
      const { body } = await console.api('POST', '/v1/batches:check', asked);
      await moveTo(page, console.at(`/batches/${String(body['gkJobId'])}`));
      await page.getByText('Completed', { exact: true }).waitFor();
      await rows().first().waitFor();
    };
    const result = () => page.getByRole('region', { name: 'Result' });

    it('show what is checked later on the page of the line, and no call where the recording was uploaded', async () => {
      const context = await openSession(console, 'SESSION_TYPE_DIGITAL', { sessionId: 'bag-of-recordings' });
      const { value: media } = await sendVoice(console, context, 'anna', 4);
      await check(`speaker_id,media,file_name\nanna,${media},calls/anna-4.wav`, {});
      await rows().getByText('calls/anna-4.wav', { exact: true }).waitFor();
      await rows().getByText('Not checked for attacks', { exact: true }).first().waitFor();
      await rows().getByRole('link').last().click();
      await result()
        .getByText(/^Not checked for attacks \(.*Nobody knows whether a live person spoke/)
        .waitFor();
      await result().getByRole('button', { name: 'Check for attacks' }).click();
      const synthetic = page.getByRole('group', { name: 'Checked for synthetic speech' });
      await synthetic.getByText('Fraud risk', { exact: true }).waitFor();
      await result().getByText('After the call, a fraudster or signs of an attack were found').waitFor();
      await (await openedPart(page, 'Call details')).getByRole('link', { name: /^batch / }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // Where it was uploaded nothing was decided, and nobody called.
      await moveTo(page, console.at('/sessions?found=FOUND_LATER'));
      await page.getByRole('table').locator('tbody tr').first().waitFor();
      await moveTo(page, console.at('/sessions'));
      await page.getByRole('table').locator('tbody tr').first().waitFor();
      expect(await page.getByRole('link', { name: 'bag-of-recordings' }).count()).toBe(0);
      await moveTo(page, console.at('/sessions?show=all'));
      const bag = page.getByRole('row').filter({ hasText: 'bag-of-recordings' });
      await bag.getByText('Upload', { exact: true }).waitFor();
      expect(await bag.textContent()).not.toMatch(/Found later|Nothing decided/);
      await bag.getByRole('link', { name: 'bag-of-recordings' }).click();
      await result()
        .getByText(/^Recordings uploaded for batch /)
        .waitFor();
      await result().getByText('This is not a call.').waitFor();
      expect(await result().textContent()).toMatch(/Recordings1/);
      expect(await page.locator('main').innerText()).not.toMatch(/later|fraudster|could be checked/i);
      expect(await accessibilityFaults(page)).toEqual([]);
      await result()
        .getByRole('link', { name: /^batch / })
        .click();
      // So does the line.
      await rows().getByText('Found later', { exact: true }).waitFor();
      expect(await rows().locator('.badge').getByText('Not checked for attacks').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('say in one way that nobody on the watchlist could be compared', async () => {
      const context = await openSession(console);
      const { body } = await console.api('POST', '/v1/watchlists', { context, watchlistId: 'nobody-yet' });
      const { value: media } = await sendVoice(console, context, 'anna', 4);
      await check(`media\n${media}`, { gkWatchlistId: body['gkWatchlistId'] });
      const nobody = 'Nobody on the watchlist nobody-yet has a trained voiceprint; not checked for attacks';
      await rows().getByText(nobody, { exact: true }).waitFor();
      await rows()
        .getByText(/^Not checked for attacks/)
        .waitFor();
      await rows().getByRole('link').last().click();
      await result().getByText('The voice was not compared with everybody on a list.').waitFor();
      const listed = await openedPart(page, 'Voice checked against a watchlist');
      await listed.getByText('Nobody on the watchlist had a trained voiceprint').waitFor();
      await page.getByRole('button', { name: 'Check for attacks' }).waitFor();
      await moveTo(page, console.at('/sessions?found=ATTACK_CHECK_MISSING'));
      await page
        .getByRole('row')
        .filter({ hasText: 'Uncertain' })
        .getByText(/Not checked for attacks/)
        .waitFor();
      // A match beside it is no green word, in the line, on the page and in the list; nor is anybody without a print left out.
      const marks = ['List not fully compared', 'Not checked for attacks'];
      const lines = `speaker_id,media\nanna,${media}\nnobody-knows,${media}`;
      await check(lines, { gkWatchlistId: body['gkWatchlistId'] });
      for (const at of [0, 1])
        for (const mark of marks) await expect.poll(() => rows().nth(at).textContent()).toContain(mark);
      const sessions: string[] = [];
      for (const at of [0, 1]) {
        await rows().nth(at).getByRole('link').last().click();
        for (const mark of marks) await result().getByText(mark).first().waitFor();
        await page.getByRole('button', { name: 'Check for attacks' }).waitFor();
        sessions.push(new URL(page.url()).pathname.split('/').at(-1) ?? '');
        await result()
          .getByText(at === 1 ? 'Uncertain' : 'Verified', { exact: true })
          .waitFor();
        await result()
          .getByText(at === 1 ? 'nobody-knows' : 'anna')
          .first()
          .waitFor();
        await page.goBack();
      }
      await moveTo(page, console.at('/sessions?found=LIST_NOT_FULLY_COMPARED'));
      for (const gkId of sessions) {
        const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${gkId}"]`) });
        for (const mark of marks) await expect.poll(() => row.textContent()).toContain(mark);
        expect(await row.locator('.badge[data-tone=good]').count()).toBe(0);
      }
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

// People and watchlists: what is shown, and everything that takes something away.
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { confirmByTyping, pressKey, type ConsoleTest } from '../support.js';
import { filterByCaveat, openedPart } from '../session-page.js';
import {
  enrollOwner,
  giveFile,
  makeOwner,
  moveTo,
  openSession,
  reopen,
  sendVoice,
  type Owner,
} from '../voices.js';
import { heardSomething } from './heard.js';
import type { Suite } from './setting.js';

export const people: Suite = (setting) =>
  describe('people and watchlists', () => {
    let console: ConsoleTest;
    let page: Page;
    let anna: Owner;
    let bruno: string;
    let carl: string;
    /** In a call of anna's. */
    let recording: { value: string };
    beforeAll(async () => {
      console = await setting().console.inTenant('people');
      anna = await enrollOwner(console, 'person', 'anna', 'anna', { firstName: 'Anna', lastName: 'Keller' });
      bruno = await makeOwner(console, 'person', 'bruno');
      carl = await makeOwner(console, 'fraudster', 'carl');
      page = await console.signedIn();
    });

    const open = async (path: string): Promise<void> => {
      await reopen(page, console.at(`/people${path}`));
    };
    const toast = (text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();
    const dialog = () => page.getByRole('dialog');
    const read = (path: string) => console.api('GET', `${path}?context.gkScopeId.value=${console.gkScopeId}`);
    const profileOf = async ({ profile }: Owner) =>
      console.api(
        'GET',
        `/v1/voiceprints/profiles?context.gkScopeId.value=${console.gkScopeId}&gkVoiceprintProfileId.value=${profile}`,
      );

    it('lists and finds people, keeps the search in the address and as a view, and exports', async () => {
      await open('');
      await page.getByRole('link', { name: 'anna' }).waitFor();
      await page.getByLabel('Find a person').fill('brun');
      await page.getByRole('link', { name: 'anna' }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'bruno' }).waitFor();
      await page.waitForURL(({ search }) => search === '?q=brun');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save this view' }).click();
      await dialog().getByLabel('Name of the view').fill('Brunos');
      await dialog().getByRole('button', { name: 'Save this view' }).click();
      // Another search under the same name takes its place only with a word.
      await page.getByLabel('Find a person').fill('bru');
      await page.waitForURL(({ search }) => search === '?q=bru');
      await page.getByRole('button', { name: 'Save this view' }).click();
      await dialog().getByLabel('Name of the view').fill('Brunos');
      await dialog().getByText('There is a view “Brunos” already').waitFor();
      await dialog().getByRole('button', { name: 'Replace view' }).click();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: 'anna' }).waitFor();
      await page.getByRole('button', { name: 'Brunos', exact: true }).click();
      await page.getByRole('link', { name: 'anna' }).waitFor({ state: 'detached' });
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as CSV' }).click(),
      ]);
      expect(readFileSync(await file.path(), 'utf8')).toMatch(/^\u{FEFF}identifier,name,.*\r\nbruno,,0,0,/u);
      await pressKey(page.getByRole('button', { name: 'Remove view Brunos' }));
      // The button is gone: whoever pressed it goes on in the list.
      await expect.poll(() => page.evaluate<string>('document.activeElement.type')).toBe('search');
      await page.getByLabel('Find a person').fill('zzz');
      await page.getByText('No matching persons').waitFor();
    });

    it('creates the first group where somebody is to be added to one', async () => {
      await open('');
      await page.getByRole('checkbox', { name: 'Select bruno' }).check();
      await page.getByRole('button', { name: 'Add to group' }).click();
      await dialog().getByText('There is no group yet. Name the first one.').waitFor();
      const create = dialog().getByRole('button', { name: 'Create group and add' });
      expect(await create.isDisabled()).toBe(true);
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      // What is typed goes into the field at once, and Enter is enough.
      await page.keyboard.type('first callers');
      await page.keyboard.press('Enter');
      await toast('1 entry added to first callers.');
      await page.getByRole('checkbox', { name: 'Select bruno' }).check();
      await page.getByRole('checkbox', { name: 'Select anna' }).check();
      await page.getByRole('button', { name: 'Add to group' }).click();
      await dialog().getByRole('button', { name: 'Add', exact: true }).click();
      await toast('1 entry added to first callers. 1 was in it already.');
      await open('?tab=groups');
      await page.getByRole('link', { name: 'first callers' }).click();
      await page.getByRole('link', { name: 'bruno' }).waitFor();
    });

    it('names those who are to be deleted, also where a search since has taken them out of sight', async () => {
      for (const id of ['gone-1', 'gone-2', 'gone-3']) await makeOwner(console, 'person', id);
      await open('');
      await page.getByRole('checkbox', { name: 'Select gone-1' }).check();
      await page.getByRole('checkbox', { name: 'Select gone-2' }).check();
      await page.getByLabel('Find a person').fill('gone-3');
      await page.getByRole('link', { name: 'gone-1' }).waitFor({ state: 'detached' });
      await page.getByRole('checkbox', { name: 'Select gone-3' }).check();
      await page.getByRole('button', { name: 'Delete persons' }).click();
      await dialog().getByText('gone-1, gone-2, gone-3', { exact: true }).waitFor();
      await dialog().getByText('2 of them are hidden by the current search').waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
    });

    it('lists verified sessions in which the voice also did not match', async () => {
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', {
        sessionId: 'call-two-voices',
      });
      for (const [voice, sentence] of [
        ['emil', 5],
        ['anna', 4],
      ] as const) {
        const gkMediaSegmentId = await sendVoice(console, context, voice, sentence);
        recording = gkMediaSegmentId;
        const request = { context, gkMediaSegmentId, ignoreCheckpoints: voice === 'anna' };
        const path = `/v1/voiceprints/${anna.profile}/verification`;
        expect((await console.api('POST', path, request)).status).toBe(200);
      }
      await reopen(page, console.at('/sessions'));
      await filterByCaveat(page, 'Checks contradict');
      await page.waitForURL(({ searchParams }) => searchParams.get('found') === 'CONTRADICTION');
      const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
      await expect.poll(() => rows.filter({ hasNotText: 'Checks contradict' }).count()).toBe(0);
      await rows.filter({ hasText: 'call-two-voices' }).getByText('Verified').waitFor();
      // The address alone is enough.
      await reopen(page, console.at('/sessions?found=CONTRADICTION'));
      await rows.filter({ hasText: 'call-two-voices' }).waitFor();
      expect(await accessibilityFaults(page, 'main')).toEqual([]);
    });

    it('says of a person without a trained voiceprint that the voice cannot be verified yet', async () => {
      await open(`/persons/${bruno}`);
      await page.getByText('A person whose voice cannot be verified yet').waitFor();
      expect(await page.getByRole('link', { name: 'Verify in the voice lab' }).count()).toBe(0);
      await open(`/persons/${anna.gkId}`);
      await page.getByText('A person whose voice can be verified.').waitFor();
      await page.getByRole('link', { name: 'Verify in the voice lab' }).waitFor();
    });

    it('locks, unlocks, plays and removes recordings, and deletes a voiceprint', async () => {
      await open(`/persons/${anna.gkId}`);
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
      await dialog().getByText('Verification with the voiceprint “main” of anna').waitFor();
      await dialog().getByText('calls can still be compared with other voiceprints').waitFor();
      await dialog().getByLabel('Reason').fill('reported stolen');
      await dialog().getByRole('button', { name: 'Lock', exact: true }).click();
      await page.getByText('reported stolen').waitFor();
      expect((await profileOf(anna)).body.details.lockInfo.status).toBe('LOCK_STATUS_LOCKED');
      // Somebody else has another reason meanwhile: nobody opens a lock that they have not seen.
      const lock = `/v1/voiceprints/profiles/${anna.profile}/attributes/lock`;
      const context = await openSession(console, 'SESSION_TYPE_ADMINISTRATION');
      expect((await console.api('PUT', lock, { context, reason: 'second report' })).status).toBe(200);
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByText('Somebody else changed this in the meantime. Nothing was done.').waitFor();
      await page.getByText('second report').waitFor();
      expect((await profileOf(anna)).body.details.lockInfo.status).toBe('LOCK_STATUS_LOCKED');
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).waitFor();
      expect((await profileOf(anna)).body.details.lockInfo.status).toBe('LOCK_STATUS_UNLOCKED');
      // A print that has locked itself opens again by itself, unless somebody says that it is to stay locked.
      await page.route(/\/voiceprints\/profiles\?/, async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { details?: { lockInfo?: object } };
        if (answer.details)
          answer.details.lockInfo = {
            status: 'LOCK_STATUS_LOCKED',
            lockReason: 'LOCK_REASON_CONSECUTIVE_MISMATCHES',
            autoUnlockTimestamp: new Date(Date.now() + 1_700_000).toISOString(),
          };
        await route.fulfill({ response, json: answer });
      });
      await open(`/persons/${anna.gkId}`);
      await page.getByRole('button', { name: 'Unlock' }).waitFor();
      await page.getByRole('button', { name: 'Keep locked' }).click();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await dialog().getByLabel('Reason').fill('theft');
      await dialog().getByRole('button', { name: 'Lock', exact: true }).click();
      await page.getByText('theft', { exact: false }).first().waitFor();
      await page.getByRole('button', { name: 'Keep locked' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Unlock' }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).waitFor();

      await page.getByRole('button', { name: 'Play recording 1' }).click();
      await heardSomething(page);
      await page.getByRole('button', { name: 'Remove recording 3' }).click();
      await confirmByTyping(page, 'remove', 'Remove recording');
      await page.getByRole('button', { name: 'Remove recording 3' }).waitFor({ state: 'detached' });
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    const focusedText = (): Promise<string> => page.evaluate<string>('document.activeElement.innerText');

    const staying = 'Recordings of this voice stay in their sessions until they are 90 days old';
    const isKept = async (): Promise<boolean> => {
      const context = await openSession(console, 'SESSION_TYPE_ADMINISTRATION');
      const path = '/v1/audios/download-url';
      const { status } = await console.api('POST', path, { context, gkMediaSegmentId: recording });
      expect([200, 404]).toContain(status);
      return status === 200;
    };

    it('says of a voiceprint that is to be deleted that its recordings stay', async () => {
      const { gkId, profile } = await enrollOwner(console, 'person', 'emilia', 'emil');
      await open(`/persons/${gkId}`);
      await page.getByRole('button', { name: 'Delete voiceprint' }).click();
      await dialog()
        .getByText('The voiceprint “main” of emilia, made from 3 recordings, will be deleted.')
        .waitFor();
      await dialog().getByText('emilia can then no longer be recognized by voice.').waitFor();
      await dialog().getByText(staying).waitFor();
      await dialog().getByRole('button', { name: 'Erase personal data instead' }).click();
      await dialog().getByRole('heading', { name: 'Erase the personal data of emilia' }).waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Delete voiceprint' }).click();
      await confirmByTyping(page, 'emilia', 'Delete voiceprint');
      await toast('Voiceprint deleted; its recordings stay in their sessions.');
      expect((await profileOf({ gkId, profile })).status).toBe(404);
      // Her session says what it was for, and asks for no better recording.
      await page.getByRole('region', { name: 'Recent sessions' }).getByRole('link').first().click();
      await page.getByText('A voice was enrolled. Nothing was checked.').waitFor();
      expect(await page.getByText('Make a longer and clearer recording').count()).toBe(0);
    });

    it('says what an opt-out deletes before it does, and what an opt-in means', async () => {
      await open(`/persons/${anna.gkId}`);
      await page.getByText('Voiceprint “main”').waitFor();
      await page.getByRole('button', { name: 'Opt out' }).click();
      await dialog()
        .getByText('1 voiceprint of this person, made from 2 recordings, will be deleted now.')
        .waitFor();
      await dialog().getByText(staying).waitFor();
      // Whoever wants the recordings gone as well is led there, and back.
      await dialog().getByRole('button', { name: 'Erase personal data instead' }).click();
      await dialog().getByRole('heading', { name: 'Erase the personal data of anna' }).waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Opt out' }).click();
      const optOut = dialog().getByRole('button', { name: 'Opt out' });
      expect(await optOut.isDisabled()).toBe(true);
      await dialog()
        .getByLabel(/^Reason/)
        .fill('asked by letter');
      await dialog().getByLabel(/^Type/).fill('anna');
      // Days that are none are refused before anything is deleted.
      for (const days of ['-3', 'abc', '0', '3651']) {
        await dialog()
          .getByLabel(/^Days until/)
          .fill(days);
        await dialog().getByText('Enter a whole number from 1 to 3,650').waitFor();
        expect([days, await optOut.isDisabled()]).toEqual([days, true]);
      }
      await dialog()
        .getByLabel(/^Days until/)
        .fill('30');
      // What was typed is not lost by a key, and the question is taken back by the same.
      const question = dialog().getByText('Throw away what you have typed?');
      const reason = dialog().getByLabel(/^Reason/);
      await reason.focus();
      await page.keyboard.press('Escape');
      await question.waitFor();
      expect(await focusedText()).toBe('Keep editing');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await dialog().getByRole('button', { name: 'Close' }).click();
      await dialog().getByRole('button', { name: 'Keep editing' }).click();
      expect(await reason.inputValue()).toBe('asked by letter');
      await optOut.click();
      await page.getByText('Opted out', { exact: true }).waitFor();
      // The button is gone, and the focus is where the status is.
      await expect.poll(focusedText).toMatch(/^Opted out/);
      await page.getByText('A person who has opted out').waitFor();
      expect(await page.getByRole('link', { name: 'Verify in the voice lab' }).count()).toBe(0);
      await page.getByText('asked by letter').waitFor();
      await page.getByText(/^May be asked again from /).waitFor();
      await page.getByText('No voiceprint yet').waitFor();
      await page.getByText(staying).waitFor();
      expect(await isKept()).toBe(true);
      await page.getByText('This person has opted out: none can be created until they opt in.').waitFor();
      expect(await page.getByRole('button', { name: 'Create a voiceprint' }).count()).toBe(0);
      // Before anybody speaks in vain.
      await moveTo(page, console.at('/voice?person=anna'));
      await page.getByText('anna has opted out: no voiceprint can be created.').waitFor();
      expect(await page.getByRole('button', { name: /^Record/ }).count()).toBe(0);
      await page.locator('main').getByRole('link', { name: 'anna' }).click();

      await page.getByRole('button', { name: 'Opt in' }).click();
      // What was said before, and until when nobody is to ask.
      await dialog()
        .getByText(
          /^This person opted out on .*, for this reason: asked by letter\. They may be asked again only from/,
        )
        .waitFor();
      await dialog().getByText('record their voice and make a voiceprint from it;').waitFor();
      const optIn = dialog().getByRole('button', { name: 'Opt in' });
      expect(await optIn.isDisabled()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog().getByLabel('The person has been told this and has agreed').check();
      // Somebody else writes down meanwhile that the person does not want it: that stands.
      const context = await openSession(console, 'SESSION_TYPE_ADMINISTRATION');
      for (const [act, said] of [
        ['optin', {}],
        ['optout', { reason: 'called again' }],
      ] as const) {
        const done = await console.api('PUT', `/v1/persons/${anna.gkId}/${act}`, { context, ...said });
        expect(done.status).toBe(200);
      }
      await optIn.click();
      await dialog().getByText('Somebody else changed this meanwhile').waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByText(/called again/).waitFor();
      await page.getByRole('button', { name: 'Opt in' }).click();
      await dialog().getByLabel('The person has been told this and has agreed').check();
      await optIn.click();
      await page.getByText('Opted in', { exact: true }).waitFor();
      await expect.poll(focusedText).toMatch(/^Opted in/);
      // What was agreed to is kept, word for word.
      await reopen(page, console.at('/sessions?tab=audit'));
      const record = page.getByRole('row').filter({ hasText: 'Person opted in' }).first();
      await record.locator('summary').click();
      await record.getByText(/record their voice and make a voiceprint from it;[\s\S]*has agreed/).waitFor();
      await open(`/persons/${anna.gkId}`);
      // Nothing is lost now, so nothing need be typed.
      await page.getByRole('button', { name: 'Opt out' }).click();
      await dialog().getByText('This person has no voiceprint, so nothing is deleted.').waitFor();
      // Somebody else was first: what was said then stands.
      const first = { context, reason: 'by registered letter' };
      expect((await console.api('PUT', `/v1/persons/${anna.gkId}/optout`, first)).status).toBe(200);
      await dialog()
        .getByLabel(/^Reason/)
        .fill('second tab');
      await dialog().getByRole('button', { name: 'Opt out' }).click();
      await dialog()
        .getByText(/opted out already, on .*, for this reason: by registered letter/)
        .waitFor();
      await page.keyboard.press('Escape');
      await dialog().getByRole('button', { name: 'Discard' }).click();
      await page.getByText('Reason: by registered letter').waitFor();
    });

    it('deletes a person after the name was typed, and erases later what is left', async () => {
      await open(`/persons/${anna.gkId}`);
      await page.getByRole('button', { name: 'Delete person' }).click();
      await dialog().getByText(staying).waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByLabel(/^Type/).fill('ann');
      expect(await dialog().getByRole('button', { name: 'Delete person' }).isDisabled()).toBe(true);
      await confirmByTyping(page, 'anna', 'Delete person');
      await toast('anna deleted.');
      expect((await read(`/v1/persons/${anna.gkId}`)).status).toBe(404);
      expect(await isKept()).toBe(true);
      await open(`/persons/${anna.gkId}`);
      await page.getByText('There is no such person in this tenant').waitFor();
      const rest = page.getByRole('button', { name: 'Erase what is left' });
      // The audit trail says who it was, leads here, and knows whose the voiceprint was.
      await reopen(page, console.at('/sessions?tab=audit&q=anna'));
      const deletion = page.getByRole('row').filter({ hasText: 'Person deleted' });
      await deletion.getByRole('link', { name: 'anna', exact: true }).waitFor();
      await page.getByText('anna (voiceprint since deleted)').first().waitFor();
      await deletion.getByRole('link', { name: 'anna', exact: true }).click();
      await rest.click();
      await confirmByTyping(page, 'erase', 'Erase what is left');
      await toast('What was left of this person has been erased.');
      await page.getByText('The personal data of this person was erased').waitFor();
      await expect.poll(isKept).toBe(false);
      await reopen(page, console.at('/sessions?tab=audit&kind=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT'));
      await page.getByRole('row').getByText('Personal data erased', { exact: true }).waitFor();
      await reopen(page, console.at('/sessions?tab=audit&kind=RECORD_TYPE_PERSON_EVENT'));
      await page.getByRole('row').getByText('Person deleted', { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'anna', exact: true }).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      // A second time, and of somebody who never was.
      const nobody = '00000000-0000-4000-8000-000000000000';
      await open(`/persons/${nobody}`);
      await rest.click();
      await confirmByTyping(page, 'erase', 'Erase what is left');
      await dialog().getByText('Nothing is left of this person here').waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
    });

    it('erases the personal data of a person, and says what is kept before and afterwards', async () => {
      const claimed = { claimedGkPersonId: { value: bruno } };
      const judged = await openSession(console, 'SESSION_TYPE_IVR', claimed);
      const plain = await openSession(console, 'SESSION_TYPE_IVR', claimed);
      await sendVoice(console, judged, 'carl', 1);
      await sendVoice(console, plain, 'carl', 2);
      const { gkEngagementId, gkSessionId } = judged as Record<string, { value: string }>;
      const outcome = `/v1/x/engagements/${gkEngagementId?.value}/outcome`;
      const verdict = 'ENGAGEMENT_VERDICT_FRAUD';
      const description = 'posed as Bruno';
      expect((await console.api('PUT', outcome, { context: judged, verdict, description })).status).toBe(200);
      await open(`/persons/${bruno}`);
      await page.getByRole('button', { name: 'Erase personal data' }).click();
      await dialog().getByText('1 recording will be deleted, 1 kept.').waitFor();
      await dialog().getByText('1 recording is kept as evidence of fraud').waitFor();
      await dialog().getByText('1 session with the outcome Fraud is kept').waitFor();
      // What was written down may name the person: it is led to, before and afterwards.
      const toText = (of: Locator) =>
        of.getByText(/1 session that stays has notes, reasons/).getByRole('link', {
          name: gkSessionId?.value.slice(0, 8) ?? '',
        });
      await toText(dialog()).waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await confirmByTyping(page, 'bruno', 'Erase personal data');
      await dialog().getByText('The personal data of bruno has been erased.').waitFor();
      await dialog().getByText('1 recording and 0 voiceprints deleted, 1 recording kept.').waitFor();
      await dialog().getByText('1 recording is kept as evidence of fraud').waitFor();
      await toText(dialog()).waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByRole('button', { name: 'Close' }).click();
      await page.waitForURL(/people/);
      await open(`/persons/${bruno}`);
      await toText(page.locator('main')).waitFor();
      await page.getByText('The personal data of this person was erased').waitFor();
      await page
        .locator('main')
        .getByText(/1 recording is kept as evidence of fraud/)
        .waitFor();
      // Once, and nothing beside it says that nothing is held.
      expect(await page.getByText('is kept as evidence of fraud').count()).toBe(1);
      expect(await page.getByText('No hold is in place').count()).toBe(0);
      await reopen(page, console.at(`/sessions/${gkSessionId?.value}`));
      await page.getByText(/^Kept as evidence of fraud/).waitFor();
      await page.locator('main').getByText('erased person').first().waitFor();
      // Another outcome decides over it: the dialog says so, and it goes.
      await page.getByRole('button', { name: 'Record outcome' }).first().click();
      const willGo = dialog().getByText(/This outcome deletes it at once/);
      await dialog().getByLabel('What was it?').selectOption('ENGAGEMENT_VERDICT_FRAUD');
      expect(await willGo.count()).toBe(0);
      await dialog().getByLabel('What was it?').selectOption('ENGAGEMENT_VERDICT_UNCERTAIN');
      await willGo.waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      expect(await dialog().getByRole('button', { name: 'Record outcome' }).isDisabled()).toBe(true);
      await confirmByTyping(page, 'delete', 'Record outcome');
      await toast('Outcome recorded.');
      const kept = async (): Promise<unknown> => {
        const { body } = await read(`/v1/x/persons/${bruno}/erasure`);
        return (body as { keptAsFraudCount?: number }).keptAsFraudCount ?? 0;
      };
      await expect.poll(kept).toBe(0);
      await reopen(page, console.at(`/sessions/${gkSessionId?.value}`));
      await page.getByText('Data erased').first().waitFor();
      await expect.poll(async () => (await read('/v1/persons/bruno/gkid')).status).toBe(404);
    });

    it('exports what is held, holds it through an erasure, and hands out the certificate', async () => {
      const dpo = await enrollOwner(console, 'person', 'held', 'fritz');
      await open(`/persons/${dpo.gkId}`);
      const card = page.getByRole('region', { name: 'Data protection' });
      const [archive] = await Promise.all([
        page.waitForEvent('download'),
        card.getByRole('button', { name: 'Export all data' }).click(),
      ]);
      const files = unzipSync(new Uint8Array(readFileSync(await archive.path())));
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining(['person.json', 'sessions.json', 'audit.json']),
      );
      expect(Object.keys(files).filter((name) => name.startsWith('recordings/'))).toHaveLength(3);
      await card.getByRole('button', { name: 'Place hold' }).click();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByRole('button', { name: 'Place hold' }).click();
      // Without a reason the field says so.
      await dialog().locator('.field-error').waitFor();
      await dialog().getByLabel('Reason').fill('Case 4711');
      await dialog().getByRole('button', { name: 'Place hold' }).click();
      await card.getByRole('row').filter({ hasText: 'Case 4711' }).waitFor();
      // The same as in the dialog.
      await card.getByText('3 recordings are on hold, until the hold ends.').waitFor();
      await page.getByRole('button', { name: 'Erase personal data' }).click();
      await dialog().getByText('0 recordings will be deleted, 3 kept.').waitFor();
      await confirmByTyping(page, 'held', 'Erase personal data');
      await dialog().getByText('0 recordings and 1 voiceprint deleted, 3 recordings kept.').waitFor();
      await dialog()
        .getByText(/^Erased on .+ at the request of .+ Proof: record \d+ of the audit trail\.$/)
        .waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog().getByRole('button', { name: 'Download certificate' }).click(),
      ]);
      const { certificate } = JSON.parse(readFileSync(await file.path(), 'utf8')) as { certificate: string };
      expect(certificate.split('.')).toHaveLength(3);
      await dialog().getByRole('button', { name: 'Close' }).click();
      // Who was erased keeps a page for what is still held, and there the hold is lifted.
      await open(`/persons/${dpo.gkId}`);
      await card.getByRole('button', { name: 'Lift hold' }).click();
      await dialog().getByLabel('Reason').fill('Case closed');
      await dialog().getByRole('button', { name: 'Lift hold' }).click();
      await toast('Hold lifted.');
      await expect
        .poll(async () => {
          const { body } = await read(`/v1/x/persons/${dpo.gkId}/erasure`);
          return (body as { keptOnLegalHoldCount?: number }).keptOnLegalHoldCount ?? 0;
        })
        .toBe(0);
    });

    it('says what the voiceprint of a fraudster still needs, and when nobody is checked against it', async () => {
      const gkId = await makeOwner(console, 'fraudster', 'emil');
      await open(`/fraudsters/${gkId}`);
      await page.getByRole('button', { name: 'Create a voiceprint' }).click();
      await page.getByRole('button', { name: 'Add a recording' }).click();
      await giveFile(page, 'emil', 1);
      await page.getByText('A voiceprint is trained from at least 3 recordings: 1 so far.').waitFor();
      // One alone is like no others.
      const first = page.getByRole('row').filter({ hasText: 'Recording 1' });
      expect(await first.getByText('Yes', { exact: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Train', exact: true }).click();
      await page.getByText('More recordings are needed: 1 of 3 so far').waitFor();
      for (const sentence of [2, 3]) {
        await giveFile(page, 'emil', sentence);
        await page
          .getByRole('row')
          .filter({ hasText: `Recording ${sentence}` })
          .waitFor();
      }
      await page.getByText('There is enough to train the voiceprint now.').waitFor();
      await page.getByRole('button', { name: 'Train', exact: true }).click();
      await page.getByText('The voiceprint is trained', { exact: true }).waitFor();
      await page.getByText('the fraudster is on no watchlist').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Delete fraudster' }).click();
      await confirmByTyping(page, 'emil', 'Delete fraudster');
      await toast('emil deleted.');
    });

    it('fills and empties a watchlist by names that are picked, deletes it and the fraudster', async () => {
      await open('?tab=watchlists');
      await page.getByText('No watchlists yet').waitFor();
      await page.getByRole('button', { name: 'Add watchlist' }).click();
      await dialog().getByLabel('Identifier').fill('known');
      await dialog().getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('No members yet').waitFor();
      // By the ID, applications name the list.
      await page.getByText('A call is checked against them if its application names the list.').waitFor();
      await page.getByRole('button', { name: 'Copy System identifier' }).click();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(page.url()).toContain(`/people/watchlists/${copied}`);
      await page.getByRole('button', { name: 'Add fraudster' }).click();
      await dialog().getByRole('combobox').fill('ca');
      await dialog().getByRole('option', { name: /^carl/ }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // What was marked is chosen, although the list is just being looked up again.
      const isLookup = (url: URL): boolean => url.searchParams.get('query') === 'car';
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route(isLookup, (route) => held.then(() => route.continue()), { times: 1 });
      const lookedUp = page.waitForRequest((request) => isLookup(new URL(request.url())));
      await dialog().getByRole('combobox').fill('car');
      await page.keyboard.press('ArrowDown');
      await lookedUp;
      await page.keyboard.press('Enter');
      answer();
      expect(await dialog().getByRole('combobox').inputValue()).toBe('carl');
      await dialog().getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Remove carl' }).click();
      await dialog().getByText('calls checked against it will then be compared with nobody').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'carl' }).waitFor();
      await page.getByRole('button', { name: 'Remove carl' }).click();
      await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
      await toast('carl removed from known.');
      await page.getByText('No members yet').waitFor();
      await page.getByText('Calls checked against it are compared with nobody.').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);

      // Several at once, from the list.
      await open('?tab=fraudsters');
      await page.getByLabel('Select carl').check();
      await page.getByRole('button', { name: 'Add to watchlist' }).click();
      await dialog().getByRole('button', { name: 'Add', exact: true }).click();
      await toast('1 entry added to known.');
      await open('?tab=watchlists');
      await page.getByRole('link', { name: 'known' }).click();
      await page.getByRole('link', { name: 'carl' }).waitFor();
      await page.getByRole('button', { name: 'Delete watchlist' }).click();
      await confirmByTyping(page, 'known', 'Delete watchlist');
      await page.getByText('No watchlists yet').waitFor();

      await open(`/fraudsters/${carl}`);
      await page.getByRole('button', { name: 'Delete fraudster' }).click();
      await confirmByTyping(page, 'carl', 'Delete fraudster');
      await toast('carl deleted.');
    });

    it('shows as much of a long list as before, at the same place, to whoever comes back to it', async () => {
      const many = await setting().console.inTenant('many-people');
      const context = await openSession(many);
      const ids = Array.from({ length: 110 }, (_, index) => `caller-${String(index).padStart(3, '0')}`);
      for (const personId of ids) await many.api('POST', '/v1/persons', { context, personId });
      const list = many.at('/people?sort=id');
      await reopen(page, list);
      const rows = page.getByRole('link', { name: /^caller-\d+$/ });
      for (const shown of [50, 100]) {
        await rows.nth(shown - 1).waitFor();
        await page.getByRole('button', { name: 'Show more' }).click();
      }
      await rows.nth(109).waitFor();
      const link = page.getByRole('link', { name: 'caller-090', exact: true });
      await link.scrollIntoViewIfNeeded();
      await link.click();
      await page.getByRole('heading', { name: 'caller-090' }).waitFor();
      expect(await page.evaluate<number>('scrollY')).toBe(0);
      await page.goBack();
      await rows.nth(109).waitFor();
      await page.waitForFunction(
        `[...document.querySelectorAll('a')].some((a) => a.textContent === 'caller-090' && a.getBoundingClientRect().top > 0 && a.getBoundingClientRect().top < innerHeight)`,
      );
      // By a link it begins at the beginning.
      await reopen(page, list);
      await rows.nth(49).waitFor();
      expect(await rows.count()).toBe(50);
    });

    it("says of a fraudster's voiceprint what is deleted with it, and calls go on naming the fraudster", async () => {
      const { gkId, profile } = await enrollOwner(console, 'fraudster', 'emil-7', 'emil');
      const context = await openSession(console);
      const gkMediaSegmentId = await sendVoice(console, context, 'emil', 5);
      const uniqueIds = [{ value: profile }];
      const { body } = await console.api('POST', '/v1/voiceprints/known-fraudsters-detection', {
        ...{ context, gkMediaSegmentId, gkVoiceprintProfileIds: { uniqueIds } },
      });
      expect(body.result.decision, JSON.stringify(body)).toBe('DECISION_FRAUD');
      await open(`/fraudsters/${gkId}`);
      await page.getByRole('button', { name: 'Delete voiceprint' }).click();
      await dialog().getByText('Calls in which this voice was recognized still name the fraudster').waitFor();
      await confirmByTyping(page, 'emil-7', 'Delete voiceprint');
      await toast('except those of erased persons that were only kept for it.');
      const { value } = context['gkSessionId'] as { value: string };
      await reopen(page, console.at(`/sessions/${value}`));
      await page.getByRole('region', { name: 'Result' }).getByRole('link', { name: 'emil-7' }).waitFor();
      const check = await openedPart(page, 'Voice checked against a watchlist');
      await check.getByRole('link', { name: 'emil-7' }).click();
      await page.waitForURL(({ pathname }) => pathname.endsWith(`/fraudsters/${gkId}`));
    });
  });

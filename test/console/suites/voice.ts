// The voice lab: every check, with files as they come, and what it says when one is not good enough.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { confirmByTyping, type ConsoleTest } from '../support.js';
import { openedPart } from '../session-page.js';
import {
  aliveForChecks,
  unknownToChecks,
  nameStretch,
  enrollOwner,
  giveFile,
  moveTo,
  muteMicrophone,
  noiseWav,
  reopen,
  silentWav,
  stereoWav,
  voiceWav,
} from '../voices.js';
import type { Suite } from './setting.js';

const outcome = (page: Page) => page.locator('.outcome');
const wav = (name: string, buffer: Buffer) => ({ name, mimeType: 'audio/wav', buffer });

export const voice: Suite = (setting) =>
  describe('the voice lab', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      page = await console.signedIn();
    });

    const open = async (tab = ''): Promise<void> => {
      await reopen(page, console.at(`/voice${tab}`));
    };
    const choose = async (person: string): Promise<void> => {
      await open();
      await page.getByLabel('Whose voice').fill(person);
      await page.getByText(`${person} has a trained voiceprint`).waitFor();
    };
    const input = () => page.locator('main input[type=file]');

    it('picks a person by a part of the name', async () => {
      await open();
      await page.getByLabel('Whose voice').fill('keller');
      await page.getByRole('option', { name: /anna-4711/ }).click();
      expect(await page.getByLabel('Whose voice').inputValue()).toBe('anna-4711');
      await page.getByText('anna-4711 has a trained voiceprint').waitFor();
      // A reload asks nobody whose voice it was about.
      await page.reload();
      await page.getByText('anna-4711 has a trained voiceprint').waitFor();
      expect(await page.getByLabel('Whose voice').inputValue()).toBe('anna-4711');
    });

    it('never calls a voice verified that an attack check refuses', async () => {
      await choose('anna-4711');
      await giveFile(page, 'anna', 4);
      // The voice is that of the voiceprint, and it came out of a computer.
      await outcome(page).getByText('Fraud risk', { exact: true }).waitFor();
      await outcome(page).getByText('Reason: synthetic speech.').waitFor();
      expect(await outcome(page).getByText('Verified', { exact: true }).count()).toBe(0);
      await page.getByRole('region', { name: 'Voice match' }).waitFor();
      await page
        .getByRole('region', { name: 'Synthetic speech' })
        .getByText('Fraud risk', { exact: true })
        .waitFor();
      await page
        .getByRole('region', { name: 'Attack checks' })
        .getByText('This sounds computer-generated', { exact: false })
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // No sentence twice, and each as the page of the session has it.
      const sentences = await page.locator('.lab p, .lab li').allInnerTexts();
      expect(sentences.filter((one, at) => sentences.indexOf(one) !== at)).toEqual([]);
      const [, ...said] = await outcome(page).locator('p, li').allInnerTexts();
      expect(said.length).toBeGreaterThan(2);
      await page.getByRole('button', { name: 'See the session' }).click();
      const result = page.getByRole('region', { name: 'Result' });
      // Whoever investigates it later reads whom it was about.
      await result.getByRole('link', { name: 'anna-4711' }).waitFor();
      const there = (await result.innerText()).replaceAll(/\s+/g, ' ');
      for (const one of said) expect(there).toContain(one.replaceAll(/\s+/g, ' '));
      // Among several, a stranger and the owner are told apart, also where their files have one name.
      await choose('anna-4711');
      await input().setInputFiles([
        wav('same.wav', await voiceWav('anna', [4])),
        wav('same.wav', await voiceWav('bruno', [1])),
      ]);
      const results = page.getByRole('table', { name: 'Results' });
      const row = (name: string) => results.getByRole('row').filter({ hasText: name });
      await row('same.wav (1)')
        .getByText(/claimed, matches/)
        .waitFor();
      await row('same.wav (2)')
        .getByText(/claimed, does not match/)
        .waitFor();
      await page.getByRole('button', { name: 'Show same.wav (1)' }).waitFor();
    });

    it('shows nothing of a file when the next one fails or asks something', async () => {
      await aliveForChecks(page);
      await choose('anna-4711');
      await giveFile(page, 'anna', 4);
      await outcome(page).getByText('Verified', { exact: true }).waitFor();
      await outcome(page).getByText('Result for anna-4.wav').waitFor();
      await input().setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('no sound'),
      });
      await page.getByText('notes.txt is not an audio file').waitFor();
      expect(await outcome(page).count()).toBe(0);

      await giveFile(page, 'anna', 5);
      await outcome(page).getByText('Verified', { exact: true }).waitFor();
      await input().setInputFiles(wav('call.wav', await stereoWav('dora', 'anna', 4)));
      await page.getByText('call.wav has 2 channels. Which one has the voice?').waitFor();
      expect(await outcome(page).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Right', exact: true }).click();
      await outcome(page).getByText('Verified', { exact: true }).waitFor();
      await input().setInputFiles(wav('call.wav', await stereoWav('dora', 'anna', 4)));
      await page.getByRole('button', { name: 'Left', exact: true }).click();
      await outcome(page)
        .getByText(/^(No match|Fraud risk)$/)
        .waitFor();
    });

    it('checks every file of a drop, each under its own name', async () => {
      await choose('anna-4711');
      await input().setInputFiles([
        wav('first.wav', await voiceWav('anna', [4])),
        wav('second.wav', await voiceWav('bruno', [4])),
        wav('third.wav', await voiceWav('anna', [5])),
      ]);
      const results = page.getByRole('table', { name: 'Results' });
      await results.getByRole('row').filter({ hasText: 'third.wav' }).getByText('Verified').waitFor();
      await results.getByRole('row').filter({ hasText: 'first.wav' }).getByText('Verified').waitFor();
      await results
        .getByRole('row')
        .filter({ hasText: 'second.wav' })
        .getByText(/^(No match|Fraud risk)$/)
        .waitFor();
      await outcome(page).getByText('Result for third.wav').waitFor();
      await page.getByRole('button', { name: 'Show second.wav' }).click();
      await outcome(page).getByText('Result for second.wav').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('keeps what the server was away for, and sends it again', async () => {
      await aliveForChecks(page);
      await choose('anna-4711');
      await page.context().setOffline(true);
      await giveFile(page, 'anna', 4);
      await page.getByText('anna-4.wav: That did not work').waitFor();
      const again = page.getByRole('button', { name: 'Send the recording again' });
      await again.waitFor();
      expect(await outcome(page).count()).toBe(0);
      await page.context().setOffline(false);
      await page.getByText('The server can be reached again, and the recording is still here').waitFor();
      expect(await page.getByText('The server cannot be reached').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await again.focus();
      await page.keyboard.press('Enter');
      await outcome(page).getByText('Verified', { exact: true }).waitFor();
      expect(await again.count()).toBe(0);
      expect(await page.evaluate<string>('document.activeElement.innerText')).toBe('Sent again.');

      await open();
      await page.getByLabel('Whose voice').fill('cut-off');
      await page.getByRole('button', { name: 'Record sample 1' }).waitFor();
      await page.context().setOffline(true);
      await input().setInputFiles(wav('speech.wav', await voiceWav('emil', [1])));
      await page.getByText('That did not work').waitFor();
      // It was not refused: nobody has heard it yet.
      expect(await page.getByText('Not used').count()).toBe(0);
      await page.context().setOffline(false);
      await page.getByText('The server can be reached again.').waitFor();
      await again.click();
      const files = page.getByRole('table', { name: 'Files for the voiceprint' });
      await files.getByRole('row').filter({ hasText: 'speech.wav' }).getByText('Used').waitFor();
      expect(await again.count()).toBe(0);
    });

    it('says once why the server refuses a file', async () => {
      await open();
      await page.getByLabel('Whose voice').fill('cut-off');
      await page.getByRole('button', { name: 'Record sample 2' }).waitFor();
      await page.route('**/v1/audios/process', (route) =>
        route.fulfill({
          status: 403,
          json: {
            status: {
              statusCode: 'PERMISSION_DENIED',
              httpTransCode: 403,
              statusMessage: { message: 'not today' },
              requestInfo: { requestId: 'req-4712' },
            },
          },
        }),
      );
      await input().setInputFiles(wav('second.wav', await voiceWav('emil', [2])));
      const files = page.getByRole('table', { name: 'Files for the voiceprint' });
      const row = files.getByRole('row').filter({ hasText: 'second.wav' });
      await row.getByText('Not today.').waitFor();
      await row.getByText(/req-4712/).waitFor();
      expect(await page.getByText('Not today.').count()).toBe(1);
      expect(await page.getByText('That did not work').count()).toBe(0);
      await page.unroute('**/v1/audios/process');
    });

    it('says that there is no speech, in noise and in silence, and gives no level for it', async () => {
      await open();
      await page.getByLabel('Whose voice').fill('newcomer');
      await page.getByRole('button', { name: 'Record sample 1' }).waitFor();
      for (const [name, file] of [
        ['silence.wav', silentWav(4)],
        ['noise.wav', noiseWav(4)],
      ] as const) {
        await input().setInputFiles(wav(name, file));
        await page.getByText(`${name}: `).waitFor();
        const said = await page.locator('.notice', { hasText: name }).innerText();
        expect([name, said]).toEqual([
          name,
          expect.stringMatching(/No speech was found: this recording was not used/),
        ]);
        expect(await page.locator('main').innerText()).not.toMatch(/-1\d\d dB/);
      }
      await page.getByText(/^none in 4\.0 s/).waitFor();
      // Of several files none goes without a word, and those that are used keep their names.
      await input().setInputFiles([
        wav('noise.wav', noiseWav(4)),
        wav('speech.wav', await voiceWav('emil', [1])),
      ]);
      const files = page.getByRole('table', { name: 'Files for the voiceprint' });
      await files.getByRole('row').filter({ hasText: 'speech.wav' }).getByText('Used').waitFor();
      await files.getByRole('row').filter({ hasText: 'noise.wav' }).getByText('Not used').waitFor();
      const recordings = page.getByRole('list', { name: 'Recordings' });
      await recordings.getByText('speech.wav').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // What is given while another file is checked waits for its turn, and earlier recordings keep their names.
      await input().setInputFiles(wav('second.wav', await voiceWav('emil', [2])));
      await input().setInputFiles(wav('late.wav', noiseWav(4)));
      await files.getByRole('row').filter({ hasText: 'late.wav' }).getByText('Not used').waitFor();
      await files.getByRole('row').filter({ hasText: 'second.wav' }).getByText('Used').waitFor();
      expect(await files.getByRole('row').filter({ hasText: 'speech.wav' }).count()).toBe(0);
      for (const name of ['speech.wav', 'second.wav']) await recordings.getByText(name).waitFor();
      // Every check has the same word for it, and so has the session.
      await choose('anna-4711');
      await input().setInputFiles(wav('noise.wav', noiseWav(4)));
      await page.getByRole('region', { name: 'Voice match' }).getByText('No speech was found').waitFor();
      await page.getByRole('button', { name: 'See the session' }).click();
      const check = await openedPart(page, 'Voice compared with the voiceprint');
      await check.getByText('No speech was found').waitFor();
      expect(await check.getByText('Too little speech').count()).toBe(0);
    });

    it('says after a few seconds that the microphone hears nothing', async () => {
      await choose('anna-4711');
      await muteMicrophone(page);
      await page.getByRole('button', { name: 'Record and verify' }).click();
      await page.getByText('No speech heard yet. Check that the right microphone is selected').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Record and verify', disabled: false }).waitFor();
      expect(await outcome(page).getByText('Verified', { exact: true }).count()).toBe(0);
    });

    it('refuses a stranger, and starts over only after the name was typed', async () => {
      const own = await console.inTenant('lab');
      await enrollOwner(own, 'person', 'bruno', 'bruno');
      // The tenant was not there yet when the console was loaded.
      await moveTo(page, own.at('/voice?person=bruno'));
      await page.getByText('bruno has a trained voiceprint').waitFor();
      await giveFile(page, 'dora', 4);
      await outcome(page)
        .getByText(/^(No match|Fraud risk)$/)
        .waitFor();
      // A stranger is no fraudster whom anybody knows, and is not asked to try again.
      expect(await page.locator('main').innerText()).not.toMatch(/known fraudster|quiet place|may match/);
      // The next recording may be of somebody else, so what is found in one is not said of the other.
      await giveFile(page, 'bruno', 4);
      await outcome(page)
        .getByText(/^(Verified|Fraud risk)$/)
        .waitFor();
      const trials = await own.api(
        'GET',
        `/v1/x/sessions?context.gkScopeId.value=${own.gkScopeId}&isTest=true`,
      );
      expect(trials.body.sessions).toHaveLength(2);
      await page.getByRole('button', { name: 'Start over' }).click();
      expect(
        await page.getByRole('dialog').getByRole('button', { name: 'Delete voiceprint' }).isDisabled(),
      ).toBe(true);
      await confirmByTyping(page, 'bruno', 'Delete voiceprint');
      await page.getByRole('button', { name: 'Record sample 1' }).waitFor();
      await moveTo(page, own.at('/voice?tab=identify'));
      await page.getByText('No group yet').waitFor();
    });

    it('identifies a voice in a group', async () => {
      await open('?tab=identify');
      await page.getByRole('button', { name: 'Record and identify' }).waitFor();
      await giveFile(page, 'anna', 4);
      await outcome(page).getByText('Verified', { exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'Voice match' })
        .getByText('anna-4711', { exact: true })
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // Among several recordings each row says what the answer to it alone says.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await unknownToChecks(page);
      await input().setInputFiles([
        wav('first.wav', await voiceWav('anna', [4])),
        wav('second.wav', await voiceWav('anna', [5])),
      ]);
      for (const name of ['first.wav', 'second.wav']) {
        const row = page.getByRole('table', { name: 'Results' }).getByRole('row').filter({ hasText: name });
        await row.getByText('anna-4711', { exact: true }).waitFor();
        await row.getByText('Verified', { exact: true }).waitFor();
      }
      await outcome(page)
        .getByText(/^Attack check unresolved/)
        .waitFor();
    });

    it('finds a fraudster by the watchlist', async () => {
      await open('?tab=watchlist');
      await page.getByRole('button', { name: 'Record and check' }).waitFor();
      await giveFile(page, 'carl', 4);
      await outcome(page).getByText('Fraud risk', { exact: true }).waitFor();
    });

    it('says that a voice is made by a computer, whomever it sounds like', async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const tab of ['identify', 'watchlist']) {
        await open(`?tab=${tab}`);
        await giveFile(page, 'anna', 4);
        await outcome(page).getByText('Reason: synthetic speech.').waitFor();
        expect(await outcome(page).innerText()).not.toMatch(
          /Verified|carry on|No risk found|known fraudster/,
        );
        await page.getByRole('region', { name: 'Voice match' }).waitFor();
        await page
          .getByRole('region', { name: 'Synthetic speech' })
          .getByText('Fraud risk', { exact: true })
          .waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
      }
    });

    it('looks for computer-generated speech and playback', async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await nameStretch(page);
      await open('?tab=attacks');
      await giveFile(page, 'anna', 5);
      await page.getByRole('region', { name: 'Synthetic speech' }).waitFor();
      await page
        .getByRole('region', { name: 'Playback' })
        .getByText('Experimental', { exact: true })
        .waitFor();
      await page.getByTitle('Playback: 0.5 to 2.5 s').waitFor({ state: 'attached' });
      await page
        .getByRole('region', { name: 'Synthetic speech' })
        .getByText(/cannot tell how it was made \(text-to-speech, voice conversion, a vocoder\)/)
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

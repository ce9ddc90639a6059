// Calls that are listened to while they run: what the lists and the page of the session say of them, then and afterwards.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { callSamples, muLaw } from '../../live/support.js';
import { accessibilityFaults } from '../axe.js';
import { PATIENCE_MS, resize, type ConsoleTest } from '../support.js';
import { openedPart } from '../session-page.js';
import { openSession, reopen } from '../voices.js';
import type { Suite } from './setting.js';

export const live: Suite = (setting) =>
  describe('listening to live calls', () => {
    let console: ConsoleTest;
    let page: Page;
    beforeAll(async () => {
      console = setting().console;
      page = await console.signedIn();
    });

    /** A call that asks for anna. */
    const call = async (sessionId: string, more: object = {}, also: object = {}) => {
      const { person } = setting().voices;
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', { sessionId, ...more });
      const target = { gkVoiceprintProfileIds: { uniqueIds: [{ value: person.profile }] }, ...also };
      const { body } = await console.api('POST', '/v1/live/calls', { context, target });
      const socket = new WebSocket(`${console.url.replace('http', 'ws')}/v1/live`);
      await new Promise((resolve) => socket.once('open', resolve));
      const format = { encoding: 'MULAW', sampleRateHz: 8000 };
      socket.send(JSON.stringify({ start: { streamToken: body.streamToken, format } }));
      const closed = new Promise((resolve) =>
        socket.once('close', (_code, reason) => resolve(reason.toString())),
      );
      const { value } = context['gkSessionId'] as { value: string };
      return { socket, closed, path: `/sessions/${value}` };
    };
    const stop = JSON.stringify({ stop: {} });

    it(
      'shows a call while it runs, and stops listening to it, which is recorded and told',
      async () => {
        await reopen(page, console.at('/calls'));
        await page.getByText('No calls at the moment').waitFor();
        const { socket, closed, path } = await call('call-live', { ani: '+4930777' });
        const row = page.getByRole('row', { name: /WebSocket.*Listening/ });
        await row.waitFor();
        // By what people know the call by.
        await row.getByRole('link', { name: 'call-live' }).waitFor();
        await row.getByText('+4930777').waitFor();
        // The page of its session says so, too, and where to see it.
        await row.getByRole('link', { name: 'call-live' }).click();
        const open = page.getByRole('region', { name: 'Result' });
        await open.getByText('Open, being listened to now').waitFor();
        await open.getByRole('link', { name: 'Live calls' }).click();
        await row.waitFor();
        expect(await accessibilityFaults(page, 'main')).toEqual([]);
        await page.getByRole('link', { name: 'Voxgate' }).first().click();
        const now = page.getByRole('region', { name: 'Live calls', exact: true });
        await now.getByText('1 call is being listened to now.').waitFor();
        await now.getByRole('link', { name: 'All live calls' }).click();
        socket.send(muLaw(await callSamples('anna', [4, 5], 8000)));
        await page.getByRole('row', { name: /call-live.*Verified/ }).waitFor();
        const listed = page.getByRole('row', { name: /call-live/ });
        await listed.getByRole('link', { name: 'anna-4711' }).waitFor();
        // Nothing that can be pressed is out of view on a small screen.
        await resize(page, { width: 1360, height: 800 });
        const button = await listed.getByRole('button', { name: 'Stop listening' }).boundingBox();
        expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThan(1360);
        const fits = await page.evaluate<boolean>(
          `[...document.querySelectorAll('main table')].every((table) => table.scrollWidth <= table.parentElement.clientWidth)`,
        );
        expect(fits).toBe(true);
        const dialog = page.getByRole('dialog', { name: 'Stop listening to call-live?' });
        // A click that was none does no harm.
        await listed.getByRole('button', { name: 'Stop listening' }).click();
        await dialog.getByText(/if somebody else takes over the telephone, nobody will know/).waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await listed.getByRole('button', { name: 'Stop listening' }).click();
        await dialog.getByRole('button', { name: 'Stop listening' }).click();
        await page.getByText('No calls at the moment').waitFor();
        expect(await closed).toBe('ended');
        await reopen(page, console.at(path));
        const result = page.getByRole('region', { name: 'Result' });
        await result.getByText('Cut off', { exact: true }).waitFor();
        await openedPart(page, 'Timeline');
        await result.getByText(/^Not listened to since .*: somebody stopped it$/).waitFor();
        expect(await page.getByText(/You can carry on/).count()).toBe(0);
        const step = page.locator('li', { hasText: 'Listening was stopped' });
        await step.getByText(/^By /).waitFor();
        await reopen(page, console.at('/sessions'));
        await page.getByRole('row', { name: /call-live.*Cut off/ }).waitFor();
      },
      PATIENCE_MS,
    );

    it(
      'offers a newcomer a call to try, from the microphone, and leads to its session',
      async () => {
        await reopen(page, console.at('/calls'));
        await page.getByRole('button', { name: 'Try a call' }).click();
        const trial = page.getByRole('region', { name: 'Try a call' });
        await trial.getByRole('button', { name: 'Call now' }).click();
        await page.getByRole('row', { name: /WebSocket/ }).waitFor();
        expect(await accessibilityFaults(page, 'main')).toEqual([]);
        await trial.getByRole('button', { name: 'Hang up' }).click();
        await trial.getByText('The call is over').waitFor();
        await trial.getByRole('link').click();
        await page.getByText('Trial', { exact: true }).first().waitFor();
      },
      PATIENCE_MS,
    );

    it(
      'names the fraudster who is recognized in a call',
      async () => {
        const { voices } = setting();
        const watchlist = { uniqueId: { value: voices.gkWatchlistId } };
        const { socket, closed } = await call('call-of-carl', {}, { watchlist });
        socket.send(muLaw(await callSamples('carl', [4, 5], 8000)));
        await reopen(page, console.at('/calls'));
        const row = page.getByRole('row', { name: /call-of-carl/ });
        await row.getByText('Fraud risk', { exact: true }).waitFor();
        await row.getByRole('link', { name: 'case-118' }).waitFor();
        await row.getByRole('link', { name: 'anna-4711' }).waitFor();
        expect(await accessibilityFaults(page, 'main')).toEqual([]);
        socket.send(stop);
        await closed;
      },
      PATIENCE_MS,
    );

    it('says of a call in which nobody spoke how long was listened to', async () => {
      const { socket, closed, path } = await call('call-silent');
      socket.send(muLaw(new Int16Array(8 * 8000)));
      socket.send(stop);
      await closed;
      await reopen(page, console.at(path));
      const heard = page.getByRole('region', { name: 'What was heard' });
      await heard.getByText('none was heard').waitFor();
      await (await openedPart(page, 'Timeline')).getByText('Live call listened to').waitFor();
      expect(await page.getByText(/longer and clearer/).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it(
      'says everywhere that somebody else has taken over the telephone, and since when',
      async () => {
        const { socket, closed, path } = await call('call-taken-over');
        const own = await callSamples('anna', [4, 5], 8000);
        socket.send(muLaw(own));
        await reopen(page, console.at('/calls'));
        const row = page.getByRole('row', { name: /call-taken-over/ });
        await row.getByText('Verified', { exact: true }).waitFor();
        socket.send(muLaw(await callSamples('bruno', [4, 5], 8000)));
        await row.getByText('Another voice', { exact: true }).waitFor();
        expect(await row.getByText('Uncertain', { exact: true }).count()).toBe(1);
        socket.send(stop);
        await closed;
        await reopen(page, console.at(path));
        const result = page.getByRole('region', { name: 'Result' });
        await result.getByText('Somebody else speaks in a part of the call.').waitFor();
        await result.getByText('Uncertain', { exact: true }).waitFor();
        // Nobody is sent for a longer recording, and the first answer does not count any more.
        expect(await page.getByText(/not good enough|longer and clearer/).count()).toBe(0);
        // Of the answers to one call, the last counts.
        const card = await openedPart(page, 'Live call: voice compared');
        const timeline = await openedPart(page, 'Timeline');
        const steps = page.getByRole('listitem').filter({ hasText: 'Live call: voice compared' });
        await steps.first().getByText('judged again later').waitFor();
        await steps.last().getByText('counts towards the decision').waitFor();
        await card.getByText('Somebody else speaks in a part of the call.').waitFor();
        await card.getByText(/^heard from [\d.]+ to [\d.]+ s$/).waitFor();
        const told = /Somebody else speaks in a part of the call · heard from ([\d.]+)/;
        const noticed = (await timeline.getByText(told).first().textContent()) ?? '';
        expect(Math.abs(Number(told.exec(noticed)?.[1]) - own.length / 8000)).toBeLessThan(4);
        expect(await accessibilityFaults(page)).toEqual([]);
        for (const list of ['/sessions', '/']) {
          await reopen(page, console.at(list));
          const entry = page.getByRole('row', { name: /call-taken-over/ });
          await entry.getByText('Another voice', { exact: true }).waitFor();
          await entry.getByText('Uncertain', { exact: true }).waitFor();
        }
      },
      PATIENCE_MS,
    );
  });

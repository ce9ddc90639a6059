// Calls that are listened to while they run: what the lists and the page of the session say of them, then and afterwards.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { callSamples, muLaw } from '../../live/support.js';
import { accessibilityFaults } from '../axe.js';
import { PATIENCE_MS, type ConsoleTest } from '../support.js';
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
    const call = async (sessionId: string) => {
      const { person } = setting().voices;
      const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', { sessionId });
      const target = { gkVoiceprintProfileIds: { uniqueIds: [{ value: person.profile }] } };
      const { body } = await console.api('POST', '/v1/live/calls', { context, target });
      const socket = new WebSocket(`${console.url.replace('http', 'ws')}/v1/live`);
      await new Promise((resolve) => socket.once('open', resolve));
      const format = { encoding: 'MULAW', sampleRateHz: 8000 };
      socket.send(JSON.stringify({ start: { streamToken: body.streamToken, format } }));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const { value } = context['gkSessionId'] as { value: string };
      return { socket, closed, path: `/sessions/${value}` };
    };
    const stop = JSON.stringify({ stop: {} });

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
        await row.getByText(/^Another voice, noticed at \d+ s$/).waitFor();
        expect(await row.getByText('Uncertain', { exact: true }).count()).toBe(1);
        socket.send(stop);
        await closed;
        await reopen(page, console.at(path));
        const result = page.getByRole('region', { name: 'Result' });
        const told =
          /^Somebody else speaks in a part of the call, from about (\d+) s on, after the voice had/;
        const title = (await result.getByText(told).textContent()) ?? '';
        expect(Math.abs(Number(told.exec(title)?.[1]) - own.length / 8000)).toBeLessThan(4);
        await result.getByText('Uncertain', { exact: true }).waitFor();
        // Nobody is sent for a longer recording, and the first answer does not count any more.
        expect(await page.getByText(/not good enough|longer and clearer/).count()).toBe(0);
        const cards = page.getByRole('region', { name: 'Live call: voice compared' });
        await cards.nth(2).waitFor();
        await cards.nth(0).getByText('judged again later').waitFor();
        await cards.nth(2).getByText('counts towards the decision').waitFor();
        await cards.nth(2).getByText('Somebody else speaks in a part of the call.').waitFor();
        await cards
          .nth(2)
          .getByText(/^heard from [\d.]+ to [\d.]+ s$/)
          .waitFor();
        await cards.nth(0).getByText('3.0 s', { exact: true }).waitFor();
        const timeline = page.getByRole('region', { name: 'Timeline' });
        await timeline
          .getByText(/Somebody else speaks in a part of the call · heard from/)
          .first()
          .waitFor();
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

// The widget on an agent's desktop: a page of another origin that shows the call the agent is in.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { callSamples, muLaw } from '../../live/support.js';
import { accessibilityFaults } from '../axe.js';
import { PATIENCE_MS } from '../support.js';
import { openSession } from '../voices.js';
import type { Suite } from './setting.js';

const MULAW_SILENCE = 0xff;
const WAV_DATA = 'data';

/** The bytes after the header: mu-law at 8 kHz, like the calls here. */
async function digits(name: string): Promise<Buffer> {
  const file = await readFile(new URL(`../../fixtures/words/${name}.wav`, import.meta.url));
  return file.subarray(file.indexOf(WAV_DATA) + 8);
}

export const widget: Suite = (setting) =>
  describe('the widget on a page of somebody else', () => {
    /** A call of anna's that is prepared, and a token to follow it. */
    const prepare = async (enrollInto?: string, checks: object = {}, sessionId = '') => {
      const { console, voices } = setting();
      const api = async (path: string, body: object) => (await console.api('POST', path, body)).body;
      const target = {
        gkVoiceprintProfileIds: { uniqueIds: [{ value: voices.person.profile }] },
        ...(enrollInto && { enrollInto: { value: enrollInto } }),
        ...checks,
      };
      const context = await openSession(console, 'SESSION_TYPE_DIGITAL', { sessionId });
      const call = await api('/v1/live/calls', { context, target });
      const { agentToken } = await api(`/v1/live/calls/${call.liveCallId}:agent-token`, {});
      return { liveCallId: call.liveCallId as string, streamToken: call.streamToken as string, agentToken };
    };
    /** A desktop at 127.0.0.1, while the server is called localhost: another origin to a browser. */
    const desktop = async (attributes: string, language = 'en') => {
      const { console } = setting();
      const page = await console.newPage();
      const address = `${console.url.replace('localhost', '127.0.0.1')}/desktop`;
      await page.route(address, (route) =>
        route.fulfill({
          contentType: 'text/html',
          headers: {
            'content-security-policy': `default-src 'none'; script-src ${console.url}; connect-src ${console.url}`,
          },
          body: `<!doctype html><html lang="${language}"><title>Desktop</title><main><h1>Desktop</h1>
            <voxgate-call ${attributes}></voxgate-call></main>
            <script type="module" src="${console.url}/widget/voxgate-call.js"></script></html>`,
        }),
      );
      await page.goto(address);
      return page;
    };
    const speak = async (streamToken: string): Promise<WebSocket> => {
      const socket = new WebSocket(`${setting().console.url.replace('http', 'ws')}/v1/live`);
      await new Promise((resolve) => socket.once('open', resolve));
      const format = { encoding: 'MULAW', sampleRateHz: 8000 };
      socket.send(JSON.stringify({ start: { streamToken, format } }));
      socket.send(muLaw(await callSamples('anna', [4, 5], 8000)));
      return socket;
    };

    it(
      'follows the call from before its beginning, and takes the word of the agent',
      async () => {
        const { console } = setting();
        const { liveCallId, streamToken, agentToken } = await prepare();
        const page = await desktop(`call="${liveCallId}" token="${agentToken}" consent`);
        await page.getByText('Waiting for the call').waitFor();
        const confirm = page.getByRole('button', { name: 'Confirm customer' });
        const deny = page.getByRole('button', { name: 'Not the customer' });
        expect(await deny.isDisabled()).toBe(true);
        const socket = await speak(streamToken);
        await page.getByRole('status').getByText('Verified').waitFor();
        await page.getByText(/^([3-9]|1\d) s of speech$/).waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        // By the keyboard alone: the box, the first button, the second.
        await page.getByLabel('The customer agrees to a voiceprint').focus();
        await page.keyboard.press('Tab');
        const focused = 'document.querySelector("voxgate-call").shadowRoot.activeElement.textContent';
        expect(await page.evaluate<string>(focused)).toBe('Confirm customer');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByText('You said that this is not the customer.').waitFor();
        // The button is gone for the keyboard; what came of it has the focus.
        expect(await page.evaluate<string>(focused)).toBe('You said that this is not the customer.');
        await page.getByRole('meter', { name: 'Speech until the first decision' }).waitFor();
        expect(await confirm.isDisabled()).toBe(true);
        const { body } = await console.api('GET', `/v1/live/calls/${liveCallId}`);
        expect(body.call).toMatchObject({ agentWord: 'DENIED' });
        // Another desktop that follows the same call knows it, in its own language.
        const second = await desktop(`call="${liveCallId}" token="${agentToken}"`, 'de');
        await second.getByText('Sie haben angegeben, dass dies nicht der Kunde ist.').waitFor();
        socket.send(JSON.stringify({ stop: {} }));
        await page.getByText('Verified (Call ended)').waitFor();
      },
      3 * PATIENCE_MS,
    );

    it(
      'says what became of the speech of a caller who was confirmed, when the call is over',
      async () => {
        const { console } = setting();
        // Somebody new, who has not been asked yet.
        const { body: made } = await console.api('POST', '/v1/voiceprints/profiles', {
          context: await openSession(console),
          owner: { personId: `unasked-${crypto.randomUUID()}`, tag: 'main' },
        });
        const { liveCallId, streamToken, agentToken } = await prepare(made.gkVoiceprintProfileId.value);
        const page = await desktop(`call="${liveCallId}" token="${agentToken}"`);
        const socket = await speak(streamToken);
        await page.getByRole('status').getByText('Verified').waitFor();
        const box = page.getByLabel('The customer agrees to a voiceprint');
        const confirm = page.getByRole('button', { name: 'Confirm customer' });
        // The page did not ask for the box. Who has not agreed yet is asked all the same, and the box has the focus.
        expect(await box.isVisible()).toBe(false);
        await confirm.click();
        await page.getByRole('status').getByText('Ask the customer for consent').waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.keyboard.press('Space');
        expect(await box.isChecked()).toBe(true);
        await confirm.click();
        await page.getByText('You confirmed the customer.').waitFor();
        // A mistake can be taken back while the call runs.
        expect(await page.getByRole('button', { name: 'Not the customer' }).isEnabled()).toBe(true);
        // Two people: nothing is enrolled.
        socket.send(muLaw(await callSamples('bruno', [4, 5], 8000)));
        socket.send(JSON.stringify({ stop: {} }));
        await page
          .getByText(/^You confirmed the customer\. The voice was not added to the voiceprint: .+\.$/)
          .waitFor();
      },
      3 * PATIENCE_MS,
    );

    it(
      'says that another voice is heard, when somebody takes over the telephone',
      async () => {
        const { liveCallId, streamToken, agentToken } = await prepare();
        const page = await desktop(`call="${liveCallId}" token="${agentToken}"`);
        const socket = await speak(streamToken);
        await page.getByRole('status').getByText('Verified').waitFor();
        socket.send(muLaw(await callSamples('bruno', [4, 5], 8000)));
        await page.getByRole('status').getByText('Uncertain').waitFor();
        await page.getByText('Somebody else speaks in a part of the call.').waitFor();
        socket.close();
      },
      3 * PATIENCE_MS,
    );

    it(
      'tells the agent which digits to ask for, and what came of it',
      async () => {
        const { console } = setting();
        const { liveCallId, streamToken, agentToken } = await prepare();
        const page = await desktop(`call="${liveCallId}" token="${agentToken}"`);
        const socket = await speak(streamToken);
        await page.getByRole('status').getByText('Verified').waitFor();
        const ask = async (figures: string, answer: string): Promise<void> => {
          console.drawNext(figures);
          await console.api('POST', `/v1/live/${liveCallId}/prompt`, {});
          await page.getByText('Ask the caller to say, in English:').waitFor();
          await console.api('POST', `/v1/live/${liveCallId}/prompt/end`, {});
          await page.getByText('The caller is to say now:').waitFor();
          const pause = Buffer.alloc(2 * 8000, MULAW_SILENCE);
          socket.send(Buffer.concat([pause, await digits(answer), pause]));
        };
        await ask('7391', 'slt-7391');
        await page.getByRole('status').getByText('The caller has repeated the digits.').waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        await ask('7351', 'slt-7391');
        await page
          .getByText('The caller has not repeated the digits. Heard: seven three nine one.')
          .waitFor();
        expect(await page.locator('.state.GOOD').count()).toBe(0);
        socket.close();
      },
      3 * PATIENCE_MS,
    );

    it(
      'lets the agent ask for digits where they are wanted, from the widget alone',
      async () => {
        const { console } = setting();
        const { liveCallId, streamToken, agentToken } = await prepare();
        const page = await desktop(`call="${liveCallId}" token="${agentToken}"`);
        const socket = await speak(streamToken);
        await page.getByRole('status').getByText('Verified').waitFor();
        const ask = page.getByRole('button', { name: 'Ask for digits' });
        // Nothing asks for them here: not offered before somebody has asked.
        expect(await ask.isVisible()).toBe(false);
        await console.api('POST', `/v1/live/${liveCallId}/prompt`, {});
        await page.getByRole('button', { name: 'Digits were read out' }).click();
        await page.getByText('The caller is to say now:').waitFor();
        console.drawNext('7391');
        await ask.focus();
        await page.keyboard.press('Enter');
        await page.getByText('Ask the caller to say, in English: seven three nine one').waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.keyboard.press('Enter');
        await page.getByText('The caller is to say now:').waitFor();
        const pause = Buffer.alloc(2 * 8000, MULAW_SILENCE);
        socket.send(Buffer.concat([pause, await digits('slt-7391'), pause]));
        await page.getByRole('status').getByText('The caller has repeated the digits.').waitFor();
        await ask.click();
        await page.getByText('Ask the caller to say, in English:').waitFor();
        socket.send(JSON.stringify({ stop: {} }));
        await page.getByText('Verified (Call ended)').waitFor();
        expect(await page.getByText('Ask the caller to say').count()).toBe(0);
        expect(await page.getByRole('button', { name: /digits/i }).count()).toBe(0);
      },
      3 * PATIENCE_MS,
    );

    it(
      'is green where the pages of the console are, for a call in which playback cannot be told',
      async () => {
        const { console } = setting();
        const desk = await console.signedIn();
        const { liveCallId, streamToken, agentToken } = await prepare('', { playback: true }, 'call-open');
        const page = await desktop(`call="${liveCallId}" token="${agentToken}"`);
        const socket = await speak(streamToken);
        await page.getByRole('status').getByText('Verified').waitFor();
        const isGreen = async (): Promise<boolean> => (await page.locator('.state.GOOD').count()) > 0;
        const row = desk.getByRole('row', { name: /call-open.*Verified/ });
        const isRowGreen = async (): Promise<boolean> => (await row.locator('[data-tone=good]').count()) > 0;
        await desk.getByRole('link', { name: 'Live calls', exact: true }).click();
        await row.waitFor();
        expect(await isRowGreen()).toBe(await isGreen());
        expect(await accessibilityFaults(page)).toEqual([]);
        socket.send(JSON.stringify({ stop: {} }));
        await page.getByText('Verified (Call ended)').waitFor();
        await desk.getByRole('link', { name: 'Sessions and audit', exact: true }).click();
        await row.waitFor();
        expect(await isRowGreen()).toBe(await isGreen());
        await row.getByRole('link', { name: 'call-open' }).click();
        const result = desk.getByRole('region', { name: 'Result' });
        await result.getByText('Verified', { exact: true }).waitFor();
        const isPageGreen = (await result.locator('[data-tone=good]').count()) > 0;
        expect(isPageGreen).toBe(await isGreen());
      },
      3 * PATIENCE_MS,
    );

    it('says so when a call may not be followed', async () => {
      const { liveCallId } = await prepare();
      const page = await desktop(`call="${liveCallId}" token="vxagent_wrong"`);
      await page.getByText('This call can no longer be followed.').waitFor();
      expect(await page.getByRole('button', { name: 'Confirm customer' }).isDisabled()).toBe(true);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

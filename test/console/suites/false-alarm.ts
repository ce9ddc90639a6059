// An outcome holds for a whole engagement: the page of each of its sessions leads to the others, and whoever records Genuine is told who was recognized
// in any of them, and what that outcome costs.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { resize, type ConsoleTest } from '../support.js';
import { openedPart, relatedCalls } from '../session-page.js';
import { enrollOwner, openSession, reopen, sendVoice, type CallContext, type Owner } from '../voices.js';
import type { Suite } from './setting.js';

const GENUINE = 'Genuine: it was the person they claimed to be';

export const falseAlarm: Suite = (setting) =>
  describe('an engagement in which a known fraudster was recognized', () => {
    let console: ConsoleTest;
    let page: Page;
    let emil: Owner;
    let ring: { value: string };
    let first: CallContext;

    const api = async (method: string, path: string, body?: object) => {
      const answer = await console.api(method, path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };

    beforeAll(async () => {
      console = await setting().console.inTenant('false-alarm');
      emil = await enrollOwner(console, 'person', 'emil', 'emil');
      const carl = await enrollOwner(console, 'fraudster', 'carl', 'carl');
      const context = await openSession(console);
      ring = (await api('POST', '/v1/watchlists', { context, watchlistId: 'ring' })).gkWatchlistId;
      await api('POST', `/v1/watchlists/${ring.value}/fraudsters`, {
        context,
        gkFraudsterId: { value: carl.gkId },
      });
      page = await console.signedIn();
    });

    const call = (sessionId: string, within?: CallContext, details = {}): Promise<CallContext> =>
      openSession(console, 'SESSION_TYPE_CALL_CENTER', { sessionId, ...details }, { within });
    const idOf = (context: CallContext): string => (context['gkSessionId'] as { value: string }).value;
    const detect = async (context: CallContext, gkMediaSegmentId: { value: string }): Promise<void> => {
      const asked = { context, gkMediaSegmentId, watchlist: { uniqueId: ring } };
      const { result } = await api('POST', '/v1/voiceprints/known-fraudsters-detection', asked);
      expect(result.decision).toBe('DECISION_FRAUD');
    };
    const open = (path: string) => reopen(page, console.at(path));
    const dialog = () => page.getByRole('dialog');
    const result = () => page.getByRole('region', { name: 'Result' });
    const warned = () => dialog().getByText('an erasure then also deletes these recordings');
    const judge = async (outcome: string): Promise<void> => {
      await dialog().getByLabel('What was it?').selectOption({ label: outcome });
    };
    const record = async (): Promise<void> => {
      await dialog().getByRole('button', { name: 'Record outcome' }).click();
      await dialog().waitFor({ state: 'detached' });
    };

    it('is warned of in every session, with the name and the other session', async () => {
      first = await call('call-emil', undefined, { customData: { order: '<b>emil’s</b> 4711' } });
      const heard = await sendVoice(console, first, 'emil', 4);
      await api('POST', `/v1/voiceprints/${emil.profile}/verification`, {
        context: first,
        gkMediaSegmentId: heard,
      });
      const second = await call('call-carl', first);
      await detect(second, await sendVoice(console, second, 'carl', 4));
      for (const context of [first, second]) await api('PUT', '/v1/sessions/stop', { context });

      await open(`/sessions/${idOf(first)}`);
      const others = relatedCalls(page);
      const row = others.getByRole('row', { name: /same engagement.*call-carl.*Fraud risk/ });
      await row.getByRole('link', { name: 'call-carl' }).waitFor();
      expect(await others.getByRole('link', { name: 'call-emil' }).count()).toBe(0);
      // As it was sent, not as markup.
      const details = await openedPart(page, 'Call details');
      await details.getByText('Custom data: order').waitFor();
      await details.getByText('<b>emil’s</b> 4711').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.getByRole('button', { name: 'Record outcome' }).click();
      await judge('Fraud');
      expect(await warned().count()).toBe(0);
      await judge(GENUINE);
      await warned().waitFor();
      const carl = dialog().getByRole('listitem').filter({ hasText: 'carl was recognized in session' });
      await carl.getByRole('link', { name: 'carl', exact: true }).waitFor();
      await carl.getByRole('link', { name: 'call-carl' }).waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await record();

      await open(`/sessions/${idOf(second)}`);
      await result().getByText('Outcome disagrees').waitFor();
      expect(await page.getByText('Follow your fraud procedure').count()).toBe(0);
      await page.getByRole('button', { name: 'Record outcome' }).click();
      await judge(GENUINE);
      expect(await warned().count()).toBe(0);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
    });

    it('is named for several engagements, and asks for no outcome that was recorded since', async () => {
      const [later, beside] = [await call('call-later'), await call('call-beside')];
      const heard = await sendVoice(console, later, 'carl', 5);
      const asked = { context: later, gkMediaSegmentId: heard };
      await api('POST', `/v1/voiceprints/${emil.profile}/verification`, asked);
      for (const context of [later, beside]) await api('PUT', '/v1/sessions/stop', { context });
      await detect(await openSession(console), heard);
      await open(`/sessions/${idOf(later)}`);
      await result().getByText('record the outcome').waitFor();

      await open('/sessions');
      for (const name of ['call-later', 'call-beside'])
        await page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await page.getByRole('button', { name: 'Record outcome' }).click();
      await judge(GENUINE);
      await warned().waitFor();
      const carl = dialog().getByRole('listitem').filter({ hasText: 'carl was recognized in session' });
      await carl.getByRole('link', { name: 'call-later' }).waitFor();
      await judge('Uncertain');
      await record();
      await open(`/sessions/${idOf(later)}`);
      await result().getByText('Uncertain', { exact: true }).waitFor();
      expect(await result().getByText('record the outcome').count()).toBe(0);
    });

    it('shows on a phone what goes before what has to be typed', async () => {
      await resize(page, { width: 390, height: 420 });
      await open(`/sessions/${idOf(first)}`);
      await relatedCalls(page).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await open(`/people/persons/${emil.gkId}`);
      await page.getByRole('button', { name: 'Erase personal data' }).first().click();
      await dialog().getByLabel(/^Type/).waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
      const [top, height, shown] = (await page.evaluate(`(() => {
        const body = document.querySelector('dialog .dialog-body');
        return [body.scrollTop, body.scrollHeight, body.clientHeight];
      })()`)) as [number, number, number];
      expect(height).toBeGreaterThan(shown);
      expect(top).toBe(0);
      // Whoever types sees what they type.
      await page.keyboard.type('e');
      await expect
        .poll(() => page.evaluate(`document.querySelector('dialog .dialog-body').scrollTop`))
        .toBeGreaterThan(0);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await resize(page, { width: 1280, height: 800 });
    });
  });

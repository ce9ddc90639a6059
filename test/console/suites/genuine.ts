// A call whose voice was put on a watchlist turns out to be genuine: who records that is told whose voiceprint the voice is in, and where that is
// listed; before and after, for one call and for several, and also when the customer was erased.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import { confirmByTyping, type ConsoleTest } from '../support.js';
import { takeStep } from '../session-page.js';
import { enrollOwner, openSession, reopen, sendVoice, type CallContext, type Owner } from '../voices.js';
import type { Suite } from './setting.js';

const GENUINE = 'Genuine: it was the person they claimed to be';

interface Made {
  context: CallContext;
  gkSessionId: string;
  media: string;
  audio: { value: string };
}

export const genuine: Suite = (setting) =>
  describe('a genuine call whose voice is on a watchlist', () => {
    let console: ConsoleTest;
    let page: Page;
    let anna: Owner;
    let ring: { value: string };

    const api = async (method: string, path: string, body?: object) => {
      const answer = await console.api(method, path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    let desk: CallContext;
    const scope = (): string => {
      const ids = ['gkScopeId', 'gkEngagementId', 'gkSessionId'].map((name) => {
        const { value } = desk[name] as { value: string };
        return `context.${name}.value=${value}`;
      });
      return [...ids, `context.configsetId=${String(desk['configsetId'])}`].join('&');
    };

    beforeAll(async () => {
      console = await setting().console.inTenant('genuine');
      anna = await enrollOwner(console, 'person', 'anna', 'bruno');
      desk = await openSession(console);
      ring = (await api('POST', '/v1/watchlists', { context: desk, watchlistId: 'ring' })).gkWatchlistId;
      page = await console.signedIn();
    });

    /** Dora is compared with a customer whom she does not sound like. */
    async function phone(
      sessionId: string,
      of: { details?: object; within?: CallContext; person?: Owner } = {},
    ) {
      const { details = {}, within, person = anna } = of;
      const context = await openSession(
        console,
        'SESSION_TYPE_CALL_CENTER',
        { sessionId, ...details },
        { within },
      );
      const gkMediaSegmentId = await sendVoice(console, context, 'dora', 4);
      const path = `/v1/voiceprints/${person.profile}/verification`;
      const { result } = await api('POST', path, { context, gkMediaSegmentId });
      expect(result.decision).toBe('DECISION_NO_MATCH');
      await api('PUT', '/v1/sessions/stop', { context });
      const gkSessionId = (context['gkSessionId'] as { value: string }).value;
      return { context, gkSessionId, media: gkMediaSegmentId.value, audio: result.gkProcessedAudioId };
    }

    const makeFraudster = async ({ audio }: Made, fraudsterId: string): Promise<string> => {
      const made = await api('POST', '/v1/x/voice-search/fraudsters', {
        context: await openSession(console, 'SESSION_TYPE_FRAUD_ANALYST'),
        ...{ gkWatchlistId: ring, fraudsterId, tag: 'main' },
        ...{ gkProcessedAudioIds: [audio], wholeRecordings: true },
      });
      return made.gkFraudsterId.value;
    };

    async function recordOutcome({ context }: Made, verdict: string): Promise<void> {
      const { gkEngagementId } = context as { gkEngagementId: { value: string } };
      await api('PUT', `/v1/x/engagements/${gkEngagementId.value}/outcome`, { context, verdict });
    }

    async function erase({ gkId }: Owner): Promise<void> {
      await api('DELETE', `/v1/persons/${gkId}/personal-data?${scope()}`);
      const isOver = async (): Promise<boolean> => {
        const { erasedTime, isRunning } = await api('GET', `/v1/x/persons/${gkId}/erasure?${scope()}`);
        return Boolean(erasedTime) && !isRunning;
      };
      await expect.poll(isOver).toBe(true);
    }

    const open = (path: string) => reopen(page, console.at(path));
    const dialog = () => page.getByRole('dialog');
    const toast = (message: string) => page.locator('.toast').getByText(message).waitFor();
    const result = () => page.getByRole('region', { name: 'Result' });
    const typedWord = () => dialog().getByLabel(/^Type/);
    const judge = async (outcome: string): Promise<void> => {
      await dialog().getByLabel('What was it?').selectOption({ label: outcome });
    };
    /** What is said of one fraudster. */
    const said = (where: Locator, name: string): Locator =>
      where.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });

    it('is told by the dialog and the page, also in another session of the engagement, until the fraudster is deleted', async () => {
      const first = await phone('call-first');
      const second = await phone('call-second', { within: first.context });
      await open(`/sessions/${first.gkSessionId}`);
      await takeStep(page, 'Add caller to a watchlist');
      await dialog().getByLabel('Name of the fraudster').fill('mistaken');
      await dialog().getByLabel('Watchlist').selectOption({ label: 'ring' });
      await dialog().getByRole('button', { name: 'Add to watchlist' }).click();
      await dialog().waitFor({ state: 'detached' });

      await open(`/sessions/${second.gkSessionId}`);
      await page.getByRole('button', { name: 'Record outcome' }).click();
      await judge('Fraud');
      expect(await dialog().getByText('enrolled as a fraudster').count()).toBe(0);
      await judge(GENUINE);
      await dialog().getByText('This outcome does not change that').waitFor();
      const warned = said(dialog(), 'mistaken');
      await warned.getByText('is on watchlist ring and raises alarms. If it is a mistake, delete').waitFor();
      await warned.getByRole('link', { name: 'ring' }).waitFor();
      expect(await typedWord().count()).toBe(0);
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByRole('button', { name: 'Record outcome' }).click();
      await dialog().waitFor({ state: 'detached' });

      for (const made of [second, first]) {
        await open(`/sessions/${made.gkSessionId}`);
        await result().getByText('Judged as genuine, but the voice of this engagement').waitFor();
        await said(result(), 'mistaken').getByText('is on watchlist ring and raises alarms').waitFor();
        const where = made === first ? 'of this session are kept for that' : 'are kept for that in session';
        await said(result(), 'mistaken').getByText(where).waitFor();
      }
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.setViewportSize({ width: 1280, height: 800 });
      // The next step is there.
      await result().getByRole('button', { name: 'Remove from watchlist: mistaken' }).click();
      await dialog().getByText('mistaken is taken off ring and raises no alarms there any more').waitFor();
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await dialog().getByRole('button', { name: 'Remove from watchlist' }).click();
      await toast('mistaken is on no watchlist any more.');
      const unlisted = said(result(), 'mistaken').getByText('is enrolled as a fraudster, on no watchlist.');
      await unlisted.waitFor();
      await said(result(), 'mistaken').getByRole('link', { name: 'mistaken' }).click();
      await page.getByRole('heading', { name: 'mistaken', level: 1 }).waitFor();
      await page.getByText('from session call-first').getByRole('link', { name: 'call-first' }).waitFor();
      await page.getByRole('button', { name: 'Delete fraudster' }).click();
      await dialog().getByText('that was only kept for this voiceprint').waitFor();
      await confirmByTyping(page, 'mistaken', 'Delete fraudster');
      await dialog().waitFor({ state: 'detached' });
      await open(`/sessions/${first.gkSessionId}`);
      await result().getByText('mistaken (deleted)').first().waitFor();
      expect(await page.getByText('Judged as genuine, but').count()).toBe(0);
      // So say the lists.
      await open('/sessions');
      await page.getByRole('row', { name: /call-first.*mistaken \(deleted\)/ }).waitFor();
    });

    const select = async (names: readonly string[]): Promise<void> => {
      await open('/sessions');
      for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await page.getByRole('button', { name: 'Record outcome' }).click();
    };

    it('is told as well where one outcome is recorded for several sessions, and nothing has to be typed', async () => {
      const [made, fraud] = [await phone('call-made'), await phone('call-fraud')];
      const owner = await makeFraudster(made, 'second');
      await recordOutcome(fraud, 'ENGAGEMENT_VERDICT_FRAUD');
      await select(['call-made', 'call-fraud']);
      const save = dialog().getByRole('button', { name: 'Record outcome' });
      // Nobody was erased, so nothing goes.
      await judge('Uncertain');
      await expect.poll(() => save.isEnabled()).toBe(true);
      expect(await typedWord().count()).toBe(0);
      await judge(GENUINE);
      await dialog().getByText('Voices of these engagements are enrolled').waitFor();
      await said(dialog(), 'second').getByText('is on watchlist ring and raises alarms').waitFor();
      expect(await typedWord().count()).toBe(0);
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await save.click();
      await toast('Outcome recorded for 2 sessions.');
      await open(`/sessions/${made.gkSessionId}`);
      await said(result(), 'second').waitFor();
      await api('DELETE', `/v1/fraudsters/${owner}?${scope()}`);
      await open(`/sessions/${made.gkSessionId}`);
      await result().getByText('second (deleted)').first().waitFor();
      expect(await page.getByText('Judged as genuine, but').count()).toBe(0);
    });

    it('says truly what goes and what stays of a customer who was erased, and asks for the word once', async () => {
      const zoe = await enrollOwner(console, 'person', 'zoe', 'bruno');
      const claimed = { claimedGkPersonId: { value: zoe.gkId } };
      const [made, beside] = [
        await phone('call-erased', { details: claimed, person: zoe }),
        // Nobody was claimed in this one.
        await phone('call-beside', { person: zoe }),
      ];
      const owner = await makeFraudster(made, 'third');
      await recordOutcome(beside, 'ENGAGEMENT_VERDICT_AUTHENTIC');
      const other = await makeFraudster(beside, 'fourth');
      await erase(zoe);
      // Nobody has said that it was genuine since the fraudster was made from it.
      await open(`/sessions/${beside.gkSessionId}`);
      await result().getByText('Genuine was recorded before the fraudster was found').waitFor();
      await result()
        .getByText('because a fraudster’s voiceprint was made from it. A person’s data')
        .waitFor();
      await open(`/sessions/${made.gkSessionId}`);
      await result().getByText('Kept because').waitFor();
      await result().getByText('The outcome Genuine deletes the recordings').waitFor();
      const begin = () => page.getByRole('button', { name: 'Record outcome' }).click();
      const goes = dialog().getByText(/This outcome deletes it at once/);
      const save = dialog().getByRole('button', { name: 'Record outcome' });
      await begin();
      await judge('Uncertain');
      expect([await goes.count(), await typedWord().count()]).toEqual([0, 0]);
      await judge(GENUINE);
      await goes.getByText(/or in a fraudster’s voiceprint stays/).waitFor();
      await said(dialog(), 'third').getByText('is on watchlist ring').waitFor();
      expect(await save.isDisabled()).toBe(true);
      expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
      await confirmByTyping(page, 'delete', 'Record outcome');
      await toast('Outcome recorded.');
      await result().getByText('Data erased').first().waitFor();
      await said(result(), 'third').getByText('is on watchlist ring and raises alarms').waitFor();
      expect(await result().getByText('Kept because').count()).toBe(0);
      const isKept = async ({ media }: Made): Promise<boolean> =>
        (await console.api('GET', `/v1/mediasegments/${media}?${scope()}`)).status === 200;
      expect(await isKept(made)).toBe(true);
      // What is gone is not asked for again.
      await begin();
      await judge(GENUINE);
      await said(dialog(), 'third').waitFor();
      expect([await goes.count(), await typedWord().count()]).toEqual([0, 0]);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await api('DELETE', `/v1/fraudsters/${owner}?${scope()}`);
      await expect.poll(() => isKept(made)).toBe(false);
      await open(`/sessions/${made.gkSessionId}`);
      expect(await page.getByText('Judged as genuine, but').count()).toBe(0);

      // Of several, those in which something goes are named.
      await select(['call-beside', 'call-made']);
      await judge(GENUINE);
      await goes.getByRole('link', { name: 'call-beside' }).waitFor();
      expect(await goes.getByRole('link').count()).toBe(1);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      // In the list, also where nobody was claimed.
      await select(['call-beside']);
      await judge(GENUINE);
      await goes.waitFor();
      await said(dialog(), 'fourth').waitFor();
      expect(await save.isDisabled()).toBe(true);
      await confirmByTyping(page, 'delete', 'Record outcome');
      await toast('Outcome recorded for 1 session.');
      await expect
        .poll(async () => {
          await open(`/sessions/${beside.gkSessionId}`);
          return result().getByText('Data erased').count();
        })
        .toBeGreaterThan(0);
      await said(result(), 'fourth').waitFor();
      expect(await isKept(beside)).toBe(true);
      await api('DELETE', `/v1/fraudsters/${other}?${scope()}`);
      await expect.poll(() => isKept(beside)).toBe(false);

      // The audit trail names nobody, and says why.
      await open('/sessions?tab=audit&kind=RECORD_TYPE_PERSON_EVENT');
      await page
        .getByRole('row', { name: /Person added.*a person whose data was erased/ })
        .first()
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

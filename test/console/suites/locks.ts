// What an analyst reads of calls that a lock turned away, of prints that lock themselves, and of matches that no attack check has heard.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../axe.js';
import type { ConsoleTest } from '../support.js';
import { filterByCaveat, openedPart, relatedCalls, shownSession } from '../session-page.js';
import {
  aliveForChecks,
  enrollOwner,
  giveFile,
  moveTo,
  openSession,
  sendCall,
  sendVoice,
  type Owner,
} from '../voices.js';
import { countingWire } from '../wire.js';
import type { Suite } from './setting.js';

/** So many mismatches in a row lock a print. */
const MISMATCHES_MAX = 5;

export const locks: Suite = (setting) =>
  describe('locks and what is left unchecked', () => {
    let console: ConsoleTest;
    let page: Page;
    let bruno: Owner;
    beforeAll(async () => {
      console = await setting().console.inTenant('locks');
      page = await setting().console.signedIn();
      bruno = await enrollOwner(console, 'person', 'bruno-77', 'bruno', {
        firstName: 'Bruno',
        lastName: 'Albers',
      });
    });

    const verify = async (sessionId: string, voice: 'bruno' | 'dora', times: number): Promise<number> => {
      const context = await openSession(console, 'SESSION_TYPE_IVR', { sessionId });
      let status = 0;
      for (let take = 0; take < times; take++) {
        const gkMediaSegmentId = await sendVoice(console, context, voice, 4);
        const path = `/v1/voiceprints/${bruno.profile}/verification`;
        ({ status } = await console.api('POST', path, { context, gkMediaSegmentId }));
      }
      return status;
    };
    const openCall = async (sessionId: string): Promise<void> => {
      await moveTo(page, console.at('/sessions'));
      await page.getByRole('link', { name: sessionId }).click();
      await shownSession(page, sessionId);
    };
    const result = () => page.getByRole('region', { name: 'Result' });

    it('says that a match was not checked for attacks, and lets it be made up for', async () => {
      expect(await verify('call-match', 'bruno', 1)).toBe(200);
      // In the list, too, and among those that nobody has looked at.
      const unchecked = async (): Promise<void> => {
        await moveTo(page, console.at('/sessions?found=ATTACK_CHECK_MISSING'));
      };
      await unchecked();
      const row = page.getByRole('row').filter({ hasText: 'call-match' });
      await row.getByText('Verified', { exact: true }).waitFor();
      await row.getByText('Not checked for attacks', { exact: true }).waitFor();
      expect(await row.locator('.badge[data-tone=good]').count()).toBe(0);
      await moveTo(page, console.at('/'));
      await row.getByText('Not checked for attacks', { exact: true }).waitFor();
      await openCall('call-match');
      await result()
        .getByText(/^Not checked for attacks \(.*Nobody knows whether a live person spoke/)
        .waitFor();
      await page.getByRole('heading', { name: 'Bruno Albers', level: 1 }).waitFor();
      await result().getByText('Do not rely on the voice alone.').waitFor();
      expect(await result().locator('.badge[data-tone=good]').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      // The recommended step.
      await result().getByRole('button', { name: 'Check for attacks' }).click();
      await page.locator('.toast').getByText('Checked for attacks.').waitFor();
      // The voices of the tests come out of a computer. The page says so from now on, whoever opens it.
      const synthetic = page.getByRole('group', { name: 'Checked for synthetic speech' });
      for (const again of [false, true]) {
        if (again) await openCall('call-match');
        await synthetic.getByText('Fraud risk', { exact: true }).waitFor();
        await synthetic.getByText('checked later', { exact: true }).waitFor();
        // And where: beside the player, as what was found in the call itself.
        await page
          .getByText(/^Synthetic speech: \d/)
          .first()
          .waitFor();
        await result()
          .getByText(/^synthetic speech, /)
          .waitFor();
        await result().getByText('Do not rely on the result').waitFor();
        expect(await accessibilityFaults(page)).toEqual([]);
      }
      expect(await page.getByRole('button', { name: 'Check for attacks' }).count()).toBe(0);
      await unchecked();
      await page.getByText('No matching sessions').waitFor();
    });

    /** Attack checks that find nothing, although the voices of the tests come out of a computer. */
    const calm = async (): Promise<string> => {
      const context = { gkScopeId: { value: console.gkScopeId } };
      const content = JSON.stringify({ attackChecks: { riskHigh: 999, reliabilityMin: 0 } });
      const made = await console.api('POST', '/v1/configsets', {
        ...{ context, configsetId: 'calm', type: 'CONFIGSET_TYPE_OPERATIONAL' },
        rawContent: Buffer.from(content).toString('base64'),
      });
      const path = `/v1/configsets/revisions/${made.body.gkConfigsetRevisionId.value}:activate`;
      expect((await console.api('PUT', path, { context })).status).toBe(200);
      return 'calm';
    };

    it('says that agent and caller were heard as one, and that the person claimed was not compared', async () => {
      const configsetId = await calm();
      const attacks = { syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} };
      const claimed = { claimedGkPersonId: { value: bruno.gkId } };
      const asked = async (context: object, gkMediaSegmentId: object, more: object = {}) =>
        console.api('POST', '/v1/audios/spoofing', {
          ...{ context: { ...context, configsetId }, gkMediaSegmentId, ...attacks, ...more },
        });
      // The agent is the one who is enrolled.
      const mixed = await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-mixed', ...claimed });
      const call = await sendCall(console, mixed, 'bruno', 'dora');
      const all = { channelSelector: { channel: 0 } };
      const verification = `/v1/voiceprints/${bruno.profile}/verification`;
      const body = { context: mixed, gkMediaSegmentId: call, ...all };
      expect((await console.api('POST', verification, body)).status).toBe(200);
      expect((await asked(mixed, call, all)).status).toBe(200);
      const alone = await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-unasked', ...claimed });
      expect((await asked(alone, await sendVoice(console, alone, 'dora', 4))).status).toBe(200);
      await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-silent', ...claimed });

      for (const [session, mark] of [
        ['call-mixed', "Caller's channel not checked alone"],
        ['call-unasked', 'Claimed person not confirmed'],
      ] as const) {
        await moveTo(page, console.at('/sessions'));
        await filterByCaveat(page, 'Incomplete');
        const row = page.getByRole('row').filter({ hasText: session });
        await row.getByText(mark).waitFor();
        await openCall(session);
        await result().getByText(mark, { exact: true }).waitFor();
        expect(await result().locator('.badge[data-tone=good]').count()).toBe(0);
        expect(await accessibilityFaults(page)).toEqual([]);
      }
      await moveTo(page, console.at('/sessions'));
      const unasked = page.getByRole('row').filter({ hasText: 'call-unasked' });
      await unasked.getByText('claimed, not compared').waitFor();
    });

    it('shows whom the voice was compared with beside whom the caller claimed, and never to carry on', async () => {
      const configsetId = await calm();
      const carla = await enrollOwner(console, 'person', 'carla-12', 'dora');
      const heard = async (sessionId: string, more: object, attacks: object): Promise<void> => {
        const context = await openSession(console, 'SESSION_TYPE_IVR', { sessionId, ...more });
        const gkMediaSegmentId = await sendVoice(console, context, 'bruno', 4);
        const path = `/v1/voiceprints/${bruno.profile}/verification`;
        expect((await console.api('POST', path, { context, gkMediaSegmentId })).status).toBe(200);
        const asked = { context: { ...context, configsetId }, gkMediaSegmentId, ...attacks };
        expect((await console.api('POST', '/v1/audios/spoofing', asked)).status).toBe(200);
      };
      const synthetic = { syntheticSpeechDetectionParameters: {} };
      const both = { ...synthetic, channelPlaybackDetectionParameters: {} };
      await heard('call-other', { claimedGkPersonId: { value: carla.gkId } }, both);
      const row = page.getByRole('row').filter({ hasText: 'call-other' });
      for (const at of ['/sessions', '/sessions?found=OTHER_PERSON', '/']) {
        await moveTo(page, console.at(at));
        await row.getByText('Another person', { exact: true }).waitFor();
        await row.getByText('bruno-77', { exact: true }).waitFor();
        expect(await row.innerText()).toMatch(/carla-12 claimed, not compared/);
      }
      await openCall('call-other');
      await page.getByRole('heading', { name: 'Bruno Albers', level: 1 }).waitFor();
      await result().getByText('Another person', { exact: true }).waitFor();
      await expect
        .poll(() => result().innerText())
        .toMatch(/bruno-77 Bruno Albers, matches[^]*carla-12,? claimed, not compared/);
      expect(await result().locator('.badge[data-tone=good]').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);

      // The one claimed was compared as well, and is not it.
      const context = await openSession(console, 'SESSION_TYPE_IVR', {
        ...{ sessionId: 'call-posing', claimedGkPersonId: { value: carla.gkId } },
      });
      const gkMediaSegmentId = await sendVoice(console, context, 'bruno', 4);
      for (const { profile } of [carla, bruno]) {
        const path = `/v1/voiceprints/${profile}/verification`;
        expect((await console.api('POST', path, { context, gkMediaSegmentId })).status).toBe(200);
      }
      await moveTo(page, console.at('/sessions'));
      const posing = page.getByRole('row').filter({ hasText: 'call-posing' });
      expect(await posing.innerText()).toMatch(
        /bruno-77[^]*Albers, matches[^]*carla-12 claimed, does not match/,
      );
      await openCall('call-posing');
      await expect
        .poll(() => result().innerText())
        .toMatch(/bruno-77 Bruno Albers, matches[^]*carla-12,? claimed, does not match/);
      expect(await accessibilityFaults(page)).toEqual([]);

      // In the next session of a call that was verified as one, another is claimed, and nothing is compared.
      const first = await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-first' });
      const said = { context: first, gkMediaSegmentId: await sendVoice(console, first, 'bruno', 4) };
      const verification = `/v1/voiceprints/${bruno.profile}/verification`;
      expect((await console.api('POST', verification, said)).status).toBe(200);
      const { gkSessionId: _first, ...engaged } = first;
      const next = await console.api('PUT', '/v1/sessions/start', {
        ...{ context: engaged, sessionType: 'SESSION_TYPE_IVR' },
        details: { sessionId: 'call-next', claimedGkPersonId: { value: carla.gkId } },
      });
      const ended = { context: { ...engaged, gkSessionId: next.body.gkSessionId } };
      expect((await console.api('PUT', '/v1/sessions/stop', ended)).status).toBe(200);
      for (const at of ['/sessions', '/sessions?found=INHERITED', '/']) {
        await moveTo(page, console.at(at));
        const after = page.getByRole('row').filter({ hasText: 'call-next' });
        await after.getByText('Verified in an earlier session', { exact: true }).waitFor();
        await after.getByText('Another person', { exact: true }).waitFor();
        await after.getByText('Not checked for attacks', { exact: true }).waitFor();
        expect(await after.innerText()).toMatch(/carla-12[^]*bruno-77 matches, in an earlier session/);
      }
      await openCall('call-next');
      await result().getByText('The decision comes from another session').waitFor();
      await result().getByText('bruno-77').waitFor();
      expect(await result().locator('.badge[data-tone=good]').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);

      // One kind of attack was looked for, and the other was not.
      await heard('call-half', {}, synthetic);
      await moveTo(page, console.at('/sessions?found=ATTACK_CHECK_MISSING'));
      const half = page.getByRole('row').filter({ hasText: 'call-half' });
      await half.getByText('Not checked for attacks').waitFor();
      expect(await row.count()).toBe(0);
      await openCall('call-half');
      await result().getByText('(Playback)').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await result().getByRole('button', { name: 'Check for attacks' }).click();
      await result().getByText('(Playback)').waitFor({ state: 'detached' });
    });

    it('needs few words and few requests for a plain verified call', async () => {
      const configsetId = await calm();
      const plain = await enrollOwner(console, 'person', 'emil-5', 'emil', { firstName: 'Emil' });
      const claimed = { claimedGkPersonId: { value: plain.gkId }, ani: '+493055500' };
      for (const sessionId of ['call-before', 'call-plain']) {
        const context = await openSession(console, 'SESSION_TYPE_IVR', { sessionId, ...claimed });
        const gkMediaSegmentId = await sendVoice(console, context, 'emil', 4);
        const path = `/v1/voiceprints/${plain.profile}/verification`;
        expect((await console.api('POST', path, { context, gkMediaSegmentId })).status).toBe(200);
        const attacks = { syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} };
        const asked = { context: { ...context, configsetId }, gkMediaSegmentId, ...attacks };
        expect((await console.api('POST', '/v1/audios/spoofing', asked)).status).toBe(200);
        expect((await console.api('PUT', '/v1/sessions/stop', { context })).status).toBe(200);
      }
      await openCall('call-plain');
      const wire = await countingWire(page);
      await page.reload();
      await page.getByRole('heading', { name: 'Emil', level: 1 }).waitFor();
      await result().locator('.badge[data-tone=good]').getByText('Verified', { exact: true }).waitFor();
      await page.getByRole('img', { name: /^Waveform of/ }).waitFor();
      await relatedCalls(page)
        .getByRole('row', { name: /emil-5, same number.*call-before/ })
        .waitFor();
      await page.waitForLoadState('networkidle');
      expect(wire().requests).toBeGreaterThan(10);
      expect(wire().requests).toBeLessThanOrEqual(20);
      const words = (await page.locator('main').innerText()).split(/\s+/).filter(Boolean);
      expect(words.length).toBeLessThanOrEqual(170);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('says of a clean match that was judged as fraud that it was, and tells nobody to carry on', async () => {
      const context = await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-judged' });
      const gkMediaSegmentId = await sendVoice(console, context, 'bruno', 4);
      const path = `/v1/voiceprints/${bruno.profile}/verification`;
      expect((await console.api('POST', path, { context, gkMediaSegmentId })).status).toBe(200);
      const attacks = { syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} };
      const asked = { context: { ...context, configsetId: 'calm' }, gkMediaSegmentId, ...attacks };
      expect((await console.api('POST', '/v1/audios/spoofing', asked)).status).toBe(200);
      await openCall('call-judged');
      await result().locator('.badge[data-tone=good]').getByText('Verified', { exact: true }).waitFor();
      const { gkEngagementId } = context as Record<string, { value: string }>;
      const outcome = `/v1/x/engagements/${gkEngagementId?.value}/outcome`;
      const verdict = 'ENGAGEMENT_VERDICT_FRAUD';
      expect((await console.api('PUT', outcome, { context, verdict })).status).toBe(200);
      await result().getByText('Outcome disagrees').waitFor();
      expect(await result().locator('.badge[data-tone=good]').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('shows the lock that a print sets itself, in the session, in the list of persons and in the lab', async () => {
      expect(await verify('call-guessing', 'dora', MISMATCHES_MAX)).toBe(200);
      await openCall('call-guessing');
      await (await openedPart(page, 'Timeline')).getByText('Voiceprint locked automatically').waitFor();
      await moveTo(page, console.at('/people'));
      const row = page.getByRole('row').filter({ hasText: 'bruno-77' });
      await row.getByText('locked', { exact: true }).waitFor();
      await moveTo(page, console.at('/voice?person=bruno-77'));
      await page.getByText('This voiceprint is locked').waitFor();
      await page.getByText('Too many failed verifications in a row. Verification is refused').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    });

    it('shows who was turned away, and never calls such a session clear', async () => {
      expect(await verify('call-refused', 'dora', 1)).toBe(403);
      await moveTo(page, console.at('/sessions'));
      const row = page.getByRole('row').filter({ hasText: 'call-refused' });
      await row.getByText('Refused', { exact: true }).waitFor();
      await row.getByText('Bruno Albers').waitFor();
      await openCall('call-refused');
      await result().getByText('The voiceprint is locked, so the voice was not compared.').waitFor();
      await result().getByText('Refused', { exact: true }).waitFor();
      expect(await result().getByText('Uncertain', { exact: true }).count()).toBe(0);
      const check = await openedPart(page, 'Voice compared with the voiceprint');
      await check.getByText('Refused, because the voiceprint is locked').waitFor();
      // The caller can be heard, although nothing was compared.
      await page.getByRole('button', { name: 'Play What was heard' }).waitFor();
      await (await openedPart(page, 'Timeline')).getByText('Refused', { exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // Neither does AnalyzeAudio pass over it in silence.
      const context = await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-analyzed' });
      const analyzed = await console.api('POST', '/v1/voiceprints/audio-analysis', {
        context,
        gkMediaSegmentId: await sendVoice(console, context, 'dora', 4),
        gkVoiceprintProfileIds: { uniqueIds: [{ value: bruno.profile }] },
      });
      expect(analyzed.status).toBe(200);
      await openCall('call-analyzed');
      await result().getByText('The voiceprint is locked, so the voice was not compared.').waitFor();
      await result().getByText('Bruno Albers').waitFor();
      // In the lab the attack checks find what they find; the session does not get better by it.
      await moveTo(page, console.at('/voice?person=bruno-77'));
      await giveFile(page, 'bruno', 5);
      await page.getByText(/bruno-5\.wav: That did not work/).waitFor();
      await moveTo(page, console.at('/sessions?show=trials'));
      const trial = page.getByRole('row').filter({ hasText: 'Trial' });
      await trial.getByText('Refused', { exact: true }).waitFor();
      expect(await trial.getByText('No risk found').count()).toBe(0);
      await moveTo(page, console.at(`/people/persons/${bruno.gkId}`));
      const history = page.getByRole('region', { name: 'Recent sessions' });
      await history.getByRole('link', { name: 'call-refused' }).waitFor();
    });

    it('says how many of a watchlist were not compared, in the lab and on the page of the session', async () => {
      const words = '1 of 2 fraudsters was not compared: no usable voiceprint.';
      const clear = 'The voice is not that of a known fraudster';
      const carl = await enrollOwner(console, 'fraudster', 'case-118', 'carl');
      const context = await openSession(console, 'SESSION_TYPE_IVR', { sessionId: 'call-half-compared' });
      const post = async (path: string, body: object) => {
        const answer = await console.api('POST', path, { context, ...body });
        expect(answer.status).toBe(200);
        return answer.body;
      };
      const { gkWatchlistId } = await post('/v1/watchlists', { watchlistId: 'half-known' });
      const { gkFraudsterId } = await post('/v1/fraudsters', { fraudsterId: 'not-heard-yet' });
      for (const member of [gkFraudsterId, { value: carl.gkId }])
        await post(`/v1/watchlists/${gkWatchlistId.value}/fraudsters`, { gkFraudsterId: member });
      await post('/v1/voiceprints/known-fraudsters-detection', {
        gkMediaSegmentId: await sendVoice(console, context, 'dora', 4),
        watchlist: { uniqueId: gkWatchlistId },
      });
      await openCall('call-half-compared');
      const check = await openedPart(page, 'Voice checked against a watchlist');
      await check.getByText(clear).waitFor();
      await check.getByText(words).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await aliveForChecks(page);
      await moveTo(page, console.at('/voice?tab=watchlist'));
      await giveFile(page, 'dora', 4);
      const match = page.getByRole('region', { name: 'Voice match' });
      await match.getByText(words).waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// A fraudster's voiceprint is deleted, for example to enroll better audio, and the fraudster stays: past findings do not change, and
// neither does what an erasure keeps because of them. Storage remembers whose print it was, so this is tried on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forEachStore, jobPatience, Platform, utterance, type RequestContext } from '../support.js';
import { withFacts } from '../../support/assessment-facts.js';

interface Print {
  profile: string;
  owner: string;
}

await forEachStore((store) => {
  let platform: Platform;
  let desk: RequestContext;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    desk = await platform.open();
  });
  afterAll(() => platform?.stop());

  const scope = () => `context.gkScopeId.value=${platform.gkScopeId}`;
  const pageOf = async ({ gkSessionId }: RequestContext): Promise<any> =>
    withFacts(
      (await platform.server.rest('GET', `/v1/x/sessions/${gkSessionId?.value}/timeline?${scope()}`)).body,
    );
  const found = async (query: string): Promise<any[]> =>
    (await platform.server.rest('GET', `/v1/x/sessions?${scope()}&pageSize=100&${query}`)).body.sessions ??
    [];
  const rowOf = async ({ gkSessionId }: RequestContext, query = ''): Promise<any> =>
    withFacts((await found(query)).find(({ details }) => details.gkSessionId.value === gkSessionId?.value));
  const remove = async (path: string): Promise<void> => {
    const { status, body } = await platform.server.rest('DELETE', `${path}?${platform.query(desk)}`);
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const isThere = async (media: string): Promise<boolean> =>
    (await platform.server.rest('GET', `/v1/mediasegments/${media}?${platform.query(desk)}`)).status === 200;

  const detect = async (context: RequestContext, media: string, { profile }: Print): Promise<void> => {
    const asked = {
      ...{ context, gkMediaSegmentId: { value: media } },
      gkVoiceprintProfileIds: { uniqueIds: [{ value: profile }] },
    };
    const { body } = await platform.post('/v1/voiceprints/known-fraudsters-detection', asked);
    expect(body.result.decision, JSON.stringify(body)).toBe('DECISION_FRAUD');
  };

  /** Somebody with the voice of the fraudster says that they are the person. */
  async function callAs(
    person: Print,
    { number, recognizes, isOver }: { number: number; recognizes?: Print; isOver?: boolean },
  ): Promise<{ call: RequestContext; media: string }> {
    const call = await platform.open();
    const details = { claimedGkPersonId: { value: person.owner }, ani: `+1555010${number}` };
    const body = { context: call, details, fieldMask: 'claimedGkPersonId,ani' };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body })).status).toBe(200);
    const media = await platform.upload(call, utterance('fritz', number));
    const asked = { context: call, gkMediaSegmentId: { value: media } };
    expect((await platform.post(`/v1/voiceprints/${person.profile}/verification`, asked)).status).toBe(200);
    if (recognizes) await detect(call, media, recognizes);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: call } });
    if (isOver) await platform.server.rest('PUT', '/v1/engagements/stop', { body: { context: call } });
    return { call, media };
  }

  it(
    'names the fraudster in every past finding, without the print, with another, and without the fraudster',
    { tags: 'slow' },
    async () => {
      const person = await platform.printOf('fritz', 'person', 'claimed');
      const mallory = await platform.printOf('fritz', 'fraudster', 'mallory');
      const { call: recognized } = await callAs(person, { number: 4, recognizes: mallory });
      const { call: later, media } = await callAs(person, { number: 5 });
      await detect(await platform.open(), media, mallory);
      const { gkEngagementId } = recognized;
      const started = await platform.post('/v1/sessions/start', {
        context: { gkScopeId: desk.gkScopeId, configsetId: platform.configsetId, gkEngagementId },
        sessionType: 2,
      });
      const inherited = { ...recognized, gkSessionId: started.body.gkSessionId };
      await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: inherited } });

      const named = { gkFraudsterId: { value: mallory.owner }, fraudsterId: 'mallory' };
      const expectNamed = async (when: string): Promise<void> => {
        for (const told of [await rowOf(recognized), await pageOf(recognized)])
          expect(told.fraudsters, when).toMatchObject([named]);
        for (const told of [await rowOf(inherited), await pageOf(inherited)])
          expect(told.inherited.fraudsters, when).toMatchObject([named]);
        expect((await rowOf(later, 'caveat=SESSION_CAVEAT_FOUND_LATER'))?.foundLater, when).toMatchObject([
          { fraudster: named },
        ]);
        expect((await pageOf(later)).laterChecks, when).toMatchObject([{ fraudster: named }]);
        for (const query of ['query=mallory', `gkFraudsterId.value=${mallory.owner}`])
          for (const call of [recognized, later])
            expect(await rowOf(call, query), when + query).toBeDefined();
      };
      const hitIn = async (call: RequestContext): Promise<any> => {
        const { events, laterChecks = [] } = await pageOf(call);
        const all = [...events, ...laterChecks.map(({ event }: any) => event)];
        return all.find(({ decision }) => decision === 'DECISION_FRAUD').attributes;
      };
      const isDeletedIn = async (call: RequestContext): Promise<boolean[]> => {
        const { fraudsters = [], laterChecks = [] } = await pageOf(call);
        const all = [...fraudsters, ...laterChecks.map(({ fraudster }: any) => fraudster)];
        return all.map(({ isDeleted }) => isDeleted ?? false);
      };
      await expectNamed('before');

      await remove(`/v1/voiceprints/profiles/${mallory.profile}`);
      await expectNamed('without the print');
      for (const call of [recognized, later]) {
        // The fraudster has a page to lead to.
        expect(await isDeletedIn(call)).toEqual([false]);
        expect(await hitIn(call)).toMatchObject({ fraudsterId: 'mallory', gkFraudsterId: mallory.owner });
      }
      const { body: trail } = await platform.server.rest(
        'GET',
        `/v1/x/audit/records?${scope()}&pageSize=100`,
      );
      expect(trail.records).toContainEqual(
        expect.objectContaining({ operation: 'DetectKnownFraudsters', objectName: 'mallory' }),
      );

      const again = await platform.createProfile(desk, 'fraudster', 'mallory');
      await platform.enroll(desk, again, utterance('fritz', 1));
      await expectNamed('with another print');
      expect(await rowOf(recognized)).toMatchObject({ fraudsters: [named] });

      await remove(`/v1/fraudsters/${mallory.owner}`);
      await expectNamed('without the fraudster');
      for (const call of [recognized, later]) expect(await isDeletedIn(call)).toEqual([true]);
    },
  );

  it('keeps sessions of an erased person that are evidence, whatever another call turns out to be', async () => {
    const person = await platform.printOf('emil', 'person', 'erased');
    const trudy = await platform.printOf('fritz', 'fraudster', 'trudy');
    // An engagement that is not over waits for its end.
    const foundLater = await callAs(person, { number: 4, isOver: true });
    const recognized = await callAs(person, { number: 5, recognizes: trudy });
    await detect(await platform.open(), foundLater.media, trudy);
    const erasure = async (): Promise<any> =>
      (await platform.server.rest('GET', `/v1/x/persons/${person.owner}/erasure?${scope()}`)).body;
    const untilErased = () =>
      expect
        .poll(async () => {
          const { erasedTime, isRunning = false } = await erasure();
          return erasedTime !== undefined && !isRunning;
        }, jobPatience)
        .toBe(true);
    await remove(`/v1/persons/${person.owner}/personal-data`);
    await untilErased();
    expect(await erasure()).toMatchObject({ keptWithFraudsterCount: 2 });

    await remove(`/v1/voiceprints/profiles/${trudy.profile}`);
    await untilErased();
    const judged = { context: recognized.call, gkEngagementId: recognized.call.gkEngagementId };
    const verdict = { ...judged, verdict: 'ENGAGEMENT_VERDICT_AUTHENTIC' };
    expect((await platform.server.rest('PUT', '/v1/engagements/verdict', { body: verdict })).status).toBe(
      200,
    );
    await expect.poll(() => pageOf(recognized.call), jobPatience).toMatchObject({ isErased: true });
    await untilErased();
    await expect.poll(() => isThere(recognized.media), jobPatience).toBe(false);

    expect(await isThere(foundLater.media)).toBe(true);
    const page = await pageOf(foundLater.call);
    expect(page).not.toHaveProperty('isErased');
    expect(page).toMatchObject({
      ...{ isClaimErased: true, isKeptWithFraudster: true, session: { ani: '+15550104' } },
      laterChecks: [{ fraudster: { fraudsterId: 'trudy' } }],
    });
    expect(await rowOf(foundLater.call)).toMatchObject({
      foundLater: [{ fraudster: { fraudsterId: 'trudy' } }],
    });
    expect(await erasure()).toMatchObject({ keptWithFraudsterCount: 1 });
  });
});

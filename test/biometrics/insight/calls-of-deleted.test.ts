/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Calls go on naming a fraudster who was deleted, and are found by the name: where they were recognized, where they were found later, and
// where the decision comes from an earlier session of the same call.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Platform, forEachStore, utterance, type RequestContext } from '../support.js';
import { withFacts } from '../../support/assessment-facts.js';

await forEachStore((store) => {
  let platform: Platform;
  let mallory: { profile: string; owner: string };
  const calls: Record<'recognized' | 'inherited' | 'later' | 'listed', RequestContext> = {} as never;

  const stop = (context: RequestContext) =>
    platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
  const detect = async (context: RequestContext, gkMediaSegmentId: { value: string }) => {
    const asked = { context, gkMediaSegmentId, gkVoiceprintProfileIds: print(mallory) };
    const { body } = await platform.post('/v1/voiceprints/known-fraudsters-detection', asked);
    expect(body.result.decision, JSON.stringify(body)).toBe('DECISION_FRAUD');
  };
  const print = ({ profile }: { profile: string }) => ({ uniqueIds: [{ value: profile }] });

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    mallory = await platform.printOf('fritz', 'fraudster', 'fx-mallory');
    calls.recognized = await platform.open();
    await detect(calls.recognized, { value: await platform.upload(calls.recognized, utterance('fritz', 4)) });
    await stop(calls.recognized);
    const { gkScopeId, configsetId, gkEngagementId } = calls.recognized;
    const { body } = await platform.post('/v1/sessions/start', {
      context: { gkScopeId, configsetId, gkEngagementId },
      sessionType: 2,
    });
    calls.inherited = { ...calls.recognized, gkSessionId: body.gkSessionId };
    await stop(calls.inherited);
    // An analyst finds it afterwards.
    calls.later = await platform.open();
    const media = { value: await platform.upload(calls.later, utterance('fritz', 5)) };
    await stop(calls.later);
    await detect(await platform.open(), media);
    calls.listed = await platform.open();
    const heard = await platform.process(calls.listed, utterance('fritz', 4), { isForEnrollment: true });
    const added = await platform.post('/v1/x/voice-search/fraudsters', {
      context: await platform.open(),
      gkFraudsterId: { value: mallory.owner },
      gkProcessedAudioIds: [heard.gkProcessedAudioId],
    });
    expect(added.status, JSON.stringify(added.body)).toBe(200);
  });
  afterAll(() => platform?.stop());

  const scope = () => `context.gkScopeId.value=${platform.gkScopeId}`;
  const found = async (query: string): Promise<any[]> =>
    (await platform.server.rest('GET', `/v1/x/sessions?${scope()}&pageSize=100&${query}`)).body.sessions ??
    [];
  const idsIn = (rows: any[]): string[] => rows.map(({ details }) => details.gkSessionId.value).sort();
  const rowOf = async ({ gkSessionId }: RequestContext): Promise<any> =>
    withFacts((await found('')).find(({ details }) => details.gkSessionId.value === gkSessionId?.value));
  const pageOf = async ({ gkSessionId }: RequestContext): Promise<any> =>
    withFacts(
      (await platform.server.rest('GET', `/v1/x/sessions/${gkSessionId?.value}/timeline?${scope()}`)).body,
    );
  const named = { fraudsterId: 'fx-mallory' };

  /** What lists and pages say, in the same words before and after. */
  async function expectNamed(): Promise<void> {
    for (const told of [await rowOf(calls.recognized), await pageOf(calls.recognized)])
      expect(told.fraudsters).toMatchObject([named]);
    for (const told of [await rowOf(calls.inherited), await pageOf(calls.inherited)])
      expect(told.inherited.fraudsters).toMatchObject([named]);
    expect((await rowOf(calls.later)).foundLater).toMatchObject([{ fraudster: named }]);
    expect((await pageOf(calls.later)).laterChecks).toMatchObject([{ fraudster: named }]);
    expect((await rowOf(calls.listed)).enrolledLater).toMatchObject([named]);
  }

  it('names the fraudster everywhere, and is found by the name and the ID, before and after', async () => {
    await expectNamed();
    const queries = ['query=fx-mallory', 'query=FX-MALLORY', `gkFraudsterId.value=${mallory.owner}`];
    const before = await Promise.all(queries.map(async (query) => idsIn(await found(query))));
    const calling = Object.values(calls).map(({ gkSessionId }) => gkSessionId?.value);
    for (const ids of before.slice(0, 2)) expect(ids).toEqual(expect.arrayContaining(calling));

    const desk = await platform.open();
    const path = `/v1/fraudsters/${mallory.owner}?${platform.query(desk)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    await expectNamed();
    // The print is gone, so that the check itself says whom it has found.
    const [check] = (await pageOf(calls.later)).laterChecks;
    expect(check.event.attributes).toMatchObject(named);
    // Enrolling was work at a desk, and told of nobody any more.
    const isCall = (gkSessionId: string) => calling.includes(gkSessionId);
    for (const [at, query] of queries.entries())
      expect(idsIn(await found(query)).filter(isCall), query).toEqual(before[at]?.filter(isCall));
    expect(await found('query=fx-nobody')).toEqual([]);
  });
});

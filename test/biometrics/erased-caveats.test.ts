/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// What was not checked or not compared in a call still stands beside its decision after the person was erased, in lists and in filters.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker, id } from './asking.js';
import { forEachStore, Platform, utterance, type RequestContext } from './support.js';
import { withFacts } from '../support/assessment-facts.js';

const activity = asker(Activity);

await forEachStore((store) => {
  let platform: Platform;
  let reader: RequestContext;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    reader = await platform.open();
  });
  afterAll(() => platform?.stop());

  async function rowOf(call: RequestContext, more: object = {}): Promise<any> {
    const { body } = await activity(platform, 'REST', 'ListSessions', { page_size: 500, ...more }, reader);
    const rows = (body['sessions'] ?? []) as any[];
    return withFacts(rows.find(({ details }) => details.gkSessionId.value === call.gkSessionId?.value));
  }

  async function callOf(profile: string, alsoChecks: (call: RequestContext, media: object) => Promise<any>) {
    const call = await platform.open('calm');
    const gkMediaSegmentId = id(await platform.upload(call, utterance('carl', 4)));
    const path = `/v1/voiceprints/${profile}/verification`;
    expect((await platform.post(path, { context: call, gkMediaSegmentId })).status).toBe(200);
    expect((await alsoChecks(call, { gkMediaSegmentId })).status).toBe(200);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: call } });
    return call;
  }

  it('keeps which attack was not looked for, and that a watchlist was not compared', async () => {
    await platform.configure('calm', { attackChecks: { riskHigh: 999, reliabilityMin: 0 } });
    const { profile, owner } = await platform.printOf('carl', 'person', 'carl');
    const { body } = await platform.post('/v1/watchlists', { context: reader, watchlistId: 'empty' });
    const watchlist = { uniqueId: (body as any).gkWatchlistId };
    const half = await callOf(profile, (context, media) =>
      platform.post('/v1/audios/spoofing', { context, ...media, syntheticSpeechDetectionParameters: {} }),
    );
    const unlisted = await callOf(profile, (context, media) =>
      platform.post('/v1/voiceprints/known-fraudsters-detection', { context, ...media, watchlist }),
    );
    const told = async () => [
      (await rowOf(half))?.assessment.unresolvedChecks,
      (await rowOf(unlisted))?.withoutWatchlist,
      (await rowOf(half, { caveat: ['SESSION_CAVEAT_ATTACK_CHECK_MISSING'] })) !== undefined,
      (await rowOf(unlisted, { caveat: ['SESSION_CAVEAT_LIST_NOT_FULLY_COMPARED'] })) !== undefined,
    ];
    const caveats = [['CHANNEL_PLAYBACK'], true, true, true];
    expect(await told()).toEqual(caveats);
    const path = `/v1/persons/${owner}/personal-data?${platform.query(reader)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    for (const call of [half, unlisted])
      await expect.poll(async () => (await rowOf(call))?.isErased).toBe(true);
    expect(await told()).toEqual(caveats);
  });
});

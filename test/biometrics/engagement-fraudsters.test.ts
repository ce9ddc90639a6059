/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// An outcome holds for a whole engagement: the page of each session, and the list, name the known fraudsters who were recognized in any of its
// sessions, in the call or later, until the outcome genuine takes that back. On both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker, id } from './asking.js';
import { forEachStore, Platform, utterance, type RequestContext, type VoiceName } from './support.js';

const activity = asker(Activity);
const GENUINE = 'ENGAGEMENT_VERDICT_AUTHENTIC';

interface Made {
  context: RequestContext;
  media: string;
}

await forEachStore((store) => {
  let platform: Platform;
  let reader: RequestContext;
  let watchlist: { uniqueId: { value: string } };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    reader = await platform.open();
    const { body } = await platform.post('/v1/watchlists', { context: reader, watchlistId: 'ring' });
    watchlist = { uniqueId: body.gkWatchlistId };
  });
  afterAll(() => platform?.stop());

  async function list(voice: VoiceName, name: string): Promise<{ owner: string; profile: string }> {
    const known = await platform.printOf(voice, 'fraudster', name);
    const asked = { context: reader, gkFraudsterId: id(known.owner) };
    await platform.post(`/v1/watchlists/${watchlist.uniqueId.value}/fraudsters`, asked);
    return known;
  }

  async function call(voice: VoiceName, within?: Made): Promise<Made> {
    const scope = { gkScopeId: reader.gkScopeId, configsetId: platform.configsetId };
    const { body } = await platform.post('/v1/sessions/start', {
      context: { ...scope, ...(within && { gkEngagementId: within.context.gkEngagementId }) },
      sessionType: 2,
    });
    const context = { ...scope, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
    return { context, media: await platform.upload(context, utterance(voice, 4)) };
  }

  async function detect(context: RequestContext, { media }: Made): Promise<string> {
    const asked = { context, gkMediaSegmentId: id(media), watchlist };
    const { body } = await platform.post('/v1/voiceprints/known-fraudsters-detection', asked);
    return body.result.decision;
  }

  const judge = async ({ context }: Made, verdict: string): Promise<void> => {
    const body = { context, gkEngagementId: context.gkEngagementId, verdict };
    expect((await platform.server.rest('PUT', '/v1/engagements/verdict', { body })).status).toBe(200);
  };

  /** Names and sessions, as the page says them; the list says the same. */
  async function recognized({ context: { gkSessionId } }: Made): Promise<object> {
    const path = `/v1/x/sessions/${gkSessionId?.value}/timeline`;
    const page = await platform.server.rest('GET', `${path}?context.gkScopeId.value=${platform.gkScopeId}`);
    const asked = { gk_session_ids: [gkSessionId?.value], with_outcome_effects: true };
    const { body } = await activity(platform, 'REST', 'ListSessions', asked, reader);
    const { engagementFraudsters = [] } = page.body;
    expect((body['sessions'] as any[])[0].engagementFraudsters ?? []).toEqual(engagementFraudsters);
    return Object.fromEntries(
      engagementFraudsters.map(({ fraudster, gkSessionIds }: any) => [
        `${fraudster?.fraudsterId ?? 'somebody'}${fraudster?.isDeleted ? ' (deleted)' : ''}`,
        gkSessionIds,
      ]),
    );
  }

  it('names who was recognized in another session of the engagement, until it is judged as genuine', async () => {
    await list('carl', 'carl');
    const first = await call('emil');
    const second = await call('carl', first);
    const elsewhere = await call('carl');
    expect(await detect(first.context, first)).toBe('DECISION_NO_RISK_DETECTED');
    for (const one of [first, second]) expect(await recognized(one)).toEqual({});
    expect(await detect(second.context, second)).toBe('DECISION_FRAUD');
    const carl = { carl: [second.context.gkSessionId] };
    for (const one of [first, second]) expect(await recognized(one)).toEqual(carl);
    expect(await recognized(elsewhere)).toEqual({});
    await judge(first, 'ENGAGEMENT_VERDICT_UNCERTAIN');
    expect(await recognized(first)).toEqual(carl);
    await judge(first, GENUINE);
    for (const one of [first, second]) expect(await recognized(one)).toEqual({});
    // A check afterwards raises the alarm again.
    expect(await detect(await platform.open(), second)).toBe('DECISION_FRAUD');
    for (const one of [first, second]) expect(await recognized(one)).toEqual(carl);
    await judge(second, GENUINE);
    expect(await recognized(first)).toEqual({});
    // Who is judged as a fraudster after all was recognized all along.
    await judge(second, 'ENGAGEMENT_VERDICT_FRAUD');
    expect(await recognized(first)).toEqual(carl);
  });

  it('names each once, who was recognized later and who was deleted since', async () => {
    const dora = await list('dora', 'dora');
    const first = await call('dora');
    const second = await call('dora', first);
    expect(await detect(second.context, second)).toBe('DECISION_FRAUD');
    expect(await detect(await platform.open(), first)).toBe('DECISION_FRAUD');
    const both = [first, second].map(({ context }) => context.gkSessionId);
    expect(await recognized(first)).toEqual({ dora: expect.arrayContaining(both) });
    const remove = async (path: string): Promise<void> => {
      const { status } = await platform.server.rest('DELETE', `${path}?${platform.query(reader)}`);
      expect(status).toBe(200);
    };
    await remove(`/v1/voiceprints/profiles/${dora.profile}`);
    expect(await recognized(first)).toEqual({ dora: expect.arrayContaining(both) });
    await remove(`/v1/fraudsters/${dora.owner}`);
    expect(await recognized(first)).toEqual({ 'dora (deleted)': expect.arrayContaining(both) });
  });
});

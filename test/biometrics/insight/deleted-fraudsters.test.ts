// A call names whom it recognized, and by which list, also after both were deleted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Platform, forEachStore, utterance } from '../support.js';

await forEachStore((store) => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
  }, 300_000);
  afterAll(() => platform?.stop());

  it('names a fraudster and a watchlist that are gone, on the page and in the list', async () => {
    const desk = await platform.open();
    const { profile, owner } = await platform.printOf('fritz', 'fraudster', 'mallory');
    const { body } = await platform.post('/v1/watchlists', { context: desk, watchlistId: 'ring' });
    const list = String(body.gkWatchlistId.value);
    const member = { context: desk, gkFraudsterId: { value: owner } };
    expect((await platform.post(`/v1/watchlists/${list}/fraudsters`, member)).status).toBe(200);
    const call = await platform.open();
    const heard = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      context: call,
      gkMediaSegmentId: { value: await platform.upload(call, utterance('fritz', 5)) },
      watchlist: { uniqueId: { value: list } },
    });
    expect(heard.body.result.decision).toBe('DECISION_FRAUD');
    for (const path of [`/v1/fraudsters/${owner}`, `/v1/watchlists/${list}`])
      expect((await platform.server.rest('DELETE', `${path}?${platform.query(desk)}`)).status).toBe(200);

    const scope = `context.gkScopeId.value=${platform.gkScopeId}`;
    const id = call.gkSessionId?.value;
    const fraudsters = [{ gkFraudsterId: { value: owner }, fraudsterId: 'mallory' }];
    const { body: page } = await platform.server.rest('GET', `/v1/x/sessions/${id}/timeline?${scope}`);
    expect(page).toMatchObject({ fraudsters });
    expect(page.events).toContainEqual(
      expect.objectContaining({
        gkVoiceprintProfileId: { value: profile },
        attributes: expect.objectContaining({ fraudsterId: 'mallory', watchlistId: 'ring' }) as object,
      }),
    );
    const { body: all } = await platform.server.rest('GET', `/v1/x/sessions?${scope}`);
    const rows = (all.sessions as { details: { gkSessionId: { value: string } } }[]).filter(
      ({ details }) => details.gkSessionId.value === id,
    );
    expect(rows).toMatchObject([{ fraudsters }]);
  });
});

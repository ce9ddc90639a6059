// A revision that is put to use leaves shadow mode, and does not come back to it when another one takes its place again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Platform, forEachStore } from '../support.js';

await forEachStore((store) => {
  describe('activating a revision in shadow mode', () => {
    let platform: Platform;
    beforeAll(async () => {
      platform = await Platform.start({ config: await store.settings() });
    }, 300_000);
    afterAll(() => platform?.stop());

    it('ends its shadow run', async () => {
      const { configsetId } = platform;
      const context = { gkScopeId: { value: platform.gkScopeId } };
      const path = `/v1/x/accuracy/shadow/${configsetId}`;
      const report = async () =>
        (await platform.server.rest('GET', `${path}?${platform.query(context)}`)).body;
      const made = await platform.post('/v1/configsets', {
        context,
        configsetId,
        type: 'CONFIGSET_TYPE_OPERATIONAL',
        rawContent: Buffer.from('{"authentication":{"riskLow":250}}').toString('base64'),
      });
      const { gkConfigsetRevisionId } = made.body;
      const before = (await report()).gkActiveRevisionId;
      await platform.server.rest('PUT', path, { body: { context, gkConfigsetRevisionId } });
      expect((await report()).gkShadowRevisionId).toEqual(gkConfigsetRevisionId);

      const activate = async ({ value }: { value: string }) => {
        const revision = `/v1/configsets/revisions/${value}:activate`;
        expect((await platform.server.rest('PUT', revision, { body: { context } })).status).toBe(200);
      };
      await activate(gkConfigsetRevisionId);
      const during = await report();
      expect(during).toMatchObject({ gkActiveRevisionId: gkConfigsetRevisionId, until: expect.any(String) });
      expect(during.gkShadowRevisionId).toBeUndefined();

      await activate(before);
      const after = await report();
      expect(after).toMatchObject({
        gkActiveRevisionId: before,
        gkComparedRevisionId: gkConfigsetRevisionId,
      });
      expect(after.gkShadowRevisionId).toBeUndefined();
      // Another one that runs goes on.
      await platform.server.rest('PUT', path, { body: { context, gkConfigsetRevisionId } });
      const third = await platform.post('/v1/configsets', {
        context,
        configsetId,
        type: 'CONFIGSET_TYPE_OPERATIONAL',
        rawContent: Buffer.from('{"authentication":{"riskLow":260}}').toString('base64'),
      });
      await activate(third.body.gkConfigsetRevisionId);
      expect((await report()).gkShadowRevisionId).toEqual(gkConfigsetRevisionId);
    });
  });
});

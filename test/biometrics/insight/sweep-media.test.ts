// What the sweep deletes and what it leaves alone, on a real store.
import { describe, expect, it } from 'vitest';
import { ConfigsetCache } from '../../../src/biometrics/configsets/cache.js';
import type { MediaBlobs } from '../../../src/biometrics/media/deps.js';
import type { MediaSegment } from '../../../src/biometrics/model/media.js';
import { SignedUrls } from '../../../src/biometrics/media/signed-urls.js';
import { sweepMedia, type SweepDeps } from '../../../src/biometrics/media/sweep-media.js';
import { mediaRetention } from '../../../src/compose/retention.js';
import { configWith } from '../../../src/config.js';
import { systemIds } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { fileBlobs } from '../../../src/storage/blobs/file-blobs.js';
import { forEachDatabase } from '../../support/database.js';
import { temporaryFolder, testStorage } from '../../support/storage.js';

const DAY_MS = 24 * 3600_000;
const GK_SCOPE_ID = 'scope-1';

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

await forEachDatabase(({ open }) => {
  async function prepare() {
    const storage = await testStorage(await open());
    const { database, keyring, clock, audit } = storage;
    const files = fileBlobs({
      root: temporaryFolder(),
      clock,
      sealerOf: (key) => keyring.forTenant(database.db, key),
    });
    const blobs: MediaBlobs = {
      put: (tenantKey, blobId, source, options) => files.put({ tenantKey, blobId }, source, options),
      read: (tenantKey, blobId) => files.read({ tenantKey, blobId }),
      exists: (tenantKey, blobId) => files.exists({ tenantKey, blobId }),
      delete: (tenantKey, blobId) => files.delete({ tenantKey, blobId }),
    };
    const store = createBiometricsStore(database, keyring, audit);
    const deps: SweepDeps = {
      clock,
      ids: systemIds,
      store,
      tenants: { isUsable: async () => true },
      configsetCache: new ConfigsetCache(),
      jobs: { wake: () => {} },
      blobs,
      urls: new SignedUrls(new Uint8Array(32), clock, () => 'http://localhost'),
      leftOvers: files,
      mediaBytesMax: 1024 * 1024,
      ...mediaRetention({ config: configWith({ 'retention.mediaDays': 60 }) }),
    };
    const add = async (id: string, ageDays: number, legalHold = false): Promise<void> => {
      await blobs.put(GK_SCOPE_ID, `blob-${id}`, once(id), { maxBytes: 100 });
      const at = clock.now() - ageDays * DAY_MS;
      const media: MediaSegment = {
        gkMediaSegmentId: id,
        gkScopeId: GK_SCOPE_ID,
        gkEngagementId: 'e',
        gkSessionId: 's',
        container: 'WAV',
        callParties: [],
        blob: { blobId: `blob-${id}`, bytes: id.length, sha256: '' },
        uploadExpiresAtMs: at,
        legalHold,
        customData: {},
        createdAtMs: at,
        modifiedAtMs: at,
      };
      await store.transaction((tx) => tx.media.insert(media));
    };
    const enroll = (media: string) =>
      store.transaction((tx) =>
        tx.enrollment.insert({
          gkVoiceprintProfileId: 'print',
          gkProcessedAudioId: `audio-${media}`,
          gkMediaSegmentId: media,
          usedForTrain: true,
          addedAtMs: clock.now(),
          gkEngagementId: 'e',
        }),
      );
    return { deps, add, enroll, files, audit, clock };
  }

  describe('the media sweep', () => {
    it('deletes what is past its retention and leaves held, enrolled and young media alone', async () => {
      const { deps, add, enroll, files, audit } = await prepare();
      await add('old', 61);
      await add('young', 59);
      await add('held', 400, true);
      await add('enrolled', 400);
      await enroll('enrolled');
      expect((await sweepMedia(deps)).expired).toBe(1);
      for (const id of ['young', 'held', 'enrolled']) {
        expect(await deps.store.read.media.find(GK_SCOPE_ID, id), id).toBeDefined();
        expect(await files.exists({ tenantKey: GK_SCOPE_ID, blobId: `blob-${id}` }), id).toBe(true);
      }
      expect(await deps.store.read.media.find(GK_SCOPE_ID, 'old')).toBeUndefined();
      expect(await files.exists({ tenantKey: GK_SCOPE_ID, blobId: 'blob-old' })).toBe(false);
      const records = await audit.search({ chain: GK_SCOPE_ID, text: 'ExpireMediaSegment', limit: 10 });
      expect(records.map(({ record }) => record.subjectIds)).toEqual([['old']]);
      expect((await sweepMedia(deps)).expired).toBe(0);
    });

    it('removes bytes that nothing refers to, once they are a day old', async () => {
      const { deps, add, files, clock } = await prepare();
      await add('used', 1);
      await deps.blobs.put(GK_SCOPE_ID, 'orphan', once('left over'), { maxBytes: 100 });
      await deps.blobs.put(GK_SCOPE_ID, 'report-job-1-1', once('report of a job that is gone'), {
        maxBytes: 100,
      });
      expect((await sweepMedia(deps)).orphans).toBe(0);
      // Files have the time of the machine, not of the test's clock.
      clock.advance(Date.now() - clock.now() + 2 * DAY_MS);
      expect((await sweepMedia({ ...deps, retentionMs: 36_500 * DAY_MS })).orphans).toBe(2);
      expect(await files.exists({ tenantKey: GK_SCOPE_ID, blobId: 'blob-used' })).toBe(true);
      expect(await files.exists({ tenantKey: GK_SCOPE_ID, blobId: 'orphan' })).toBe(false);
    });
  });
});

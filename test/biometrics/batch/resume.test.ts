// A server that starts with a batch that was cut off: others are served before it has ended, however little its lines wait for.
import { expect, it, onTestFinished } from 'vitest';
import type { KeptBatch } from '../../../src/biometrics/batch/start-batch.js';
import { newJob } from '../../../src/biometrics/model/jobs.js';
import { systemClock } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { openStorage } from '../../../src/storage/open-storage.js';
import { temporaryFolder } from '../../support/storage.js';
import { Platform } from '../support.js';

const LINES = 1500;

it('serves before a batch that was cut off has ended', async () => {
  const home = temporaryFolder();
  const before = await Platform.start({ config: { home } });
  await before.stop();
  await cutOff(home, before);

  const platform = await Platform.restarted(before, { config: { home } });
  onTestFinished(() => platform.stop());
  const batch = async (): Promise<Record<string, unknown>> => {
    const path = `/v1/batches/cut-off?context.gk_scope_id.value=${platform.gkScopeId}`;
    return (await platform.server.rest('GET', path)).body.batch;
  };
  expect((await platform.server.rest('GET', '/readyz')).status).toBe(200);
  expect((await batch())['state']).not.toBe('BATCH_STATE_COMPLETED');
  const state = async (): Promise<unknown> => (await batch())['state'];
  await expect.poll(state, { timeout: 110_000 }).toBe('BATCH_STATE_COMPLETED');
  expect(await batch()).toMatchObject({ lines: LINES, refused: LINES });
});

/** As it is left by a server that was killed while it worked on it. */
async function cutOff(home: string, { gkScopeId, configsetId }: Platform): Promise<void> {
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
  const settings: KeptBatch = {
    operation: 'ENROLL',
    configsetId,
    tag: 'calls',
    existing: 'SKIP',
    fraudCheck: 'NONE',
    gkWatchlistId: '',
    allHaveConsented: false,
    dryRun: false,
    description: '',
    issuer: '',
  };
  const lines = Array.from({ length: LINES }, (_, index) => ({
    line: index + 1,
    requestId: '',
    ownerId: `p${index}`,
    consent: false,
    recordings: [{ file: 'a.wav' }],
  }));
  const nowMs = systemClock.now();
  const job = newJob({ gkJobId: 'cut-off', gkScopeId, kind: 'BATCH', requestedBy: '' }, settings, nowMs);
  await store.transaction(async (tx) => {
    await tx.jobs.insert({ ...job, state: 'STARTED', attempts: 1, leaseUntilMs: nowMs + 60_000 });
    await tx.batches.insert(gkScopeId, 'cut-off', lines);
  });
  await storage.close();
}

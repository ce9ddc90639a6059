/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// A server that starts with a batch that was cut off: others are served before it has ended, however little its lines wait for.
import { expect, it, onTestFinished } from 'vitest';
import type { KeptBatch } from '../../../src/biometrics/model/batches.js';
import { newJob } from '../../../src/biometrics/model/jobs.js';
import { systemClock } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { openStorage } from '../../../src/storage/open-storage.js';
import { temporaryFolder } from '../../support/storage.js';
import { Platform } from '../support.js';

const LINES = 1500;

it('serves before a batch that was cut off has ended, and forgets one that was only half stored', async () => {
  const home = temporaryFolder();
  const before = await Platform.start({ config: { home } });
  await before.stop();
  await cutOff(home, before);

  const platform = await Platform.restarted(before, { config: { home } });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= platform.stop());
  onTestFinished(stop);
  const get = async (path: string): Promise<Record<string, any>> => {
    const query = `context.gk_scope_id.value=${platform.gkScopeId}`;
    return (await platform.server.rest('GET', `${path}?${query}`)).body;
  };
  const state = async (): Promise<unknown> => (await get('/v1/batches/cut-off'))['batch'].state;
  expect((await platform.server.rest('GET', '/readyz')).status).toBe(200);
  expect(await state()).not.toBe('BATCH_STATE_COMPLETED');
  await expect.poll(state, { timeout: 110_000 }).toBe('BATCH_STATE_COMPLETED');
  expect((await get('/v1/batches'))['batches']).toMatchObject([
    { gkJobId: 'cut-off', lines: LINES, refused: LINES },
  ]);
  await stop();
  // Jobs are done oldest first.
  const { storage, store } = await stored(home);
  expect([...(await store.read.batches.counts(['cut-off', 'half-stored'])).keys()]).toEqual(['cut-off']);
  await storage.close();
});

async function stored(home: string) {
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  return { storage, store: createBiometricsStore(storage.database, storage.keyring, storage.audit) };
}

/** As it is left by a server that was killed while it worked on it. */
async function cutOff(home: string, { gkScopeId, configsetId }: Platform): Promise<void> {
  const { storage, store } = await stored(home);
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
  const job = { gkScopeId, kind: 'BATCH', requestedBy: '' } as const;
  const begun = newJob({ ...job, gkJobId: 'cut-off' }, settings, nowMs);
  const half = newJob({ ...job, gkJobId: 'half-stored' }, { ...settings, isIncomplete: true }, nowMs - 1000);
  await store.transaction(async (tx) => {
    await tx.jobs.insert({ ...begun, state: 'STARTED', attempts: 1, leaseUntilMs: nowMs + 60_000 });
    await tx.jobs.insert({ ...half, leaseUntilMs: nowMs - 1 });
    for (const { gkJobId } of [begun, half]) await tx.batches.insert(gkScopeId, gkJobId, lines);
  });
  await storage.close();
}

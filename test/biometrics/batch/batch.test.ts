/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Batches from outside: what each line ends in, that a line changes all or nothing, and what may be read.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Batches } from '../../../src/gen/voxgate/batch/v1/batch_pb.js';
import { testCaller } from '../../support/server.js';
import { Platform, forEachStore, utterance } from '../support.js';

await forEachStore((store) => {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-batch-'));
  let platform: Platform;
  let context: any;

  beforeAll(async () => {
    for (const voice of ['anna', 'bruno'] as const) {
      mkdirSync(join(folder, voice));
      for (const index of [1, 2, 3, 4])
        writeFileSync(join(folder, voice, `${index}.wav`), utterance(voice, index));
    }
    writeFileSync(join(folder, 'noise.wav'), 'this is not audio');
    symlinkSync('/etc/hostname', join(folder, 'link.wav'));
    platform = await Platform.start({
      config: { 'batch.folder': folder, ...(await store.settings()) },
      callers: { elsewhere: { ...testCaller, subject: 'other-client', tenants: ['another-tenant'] } },
    });
    context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const scoped = (path: string): string => `${path}?context.gk_scope_id.value=${platform.gkScopeId}`;
  const rest = async (path: string): Promise<any> => (await platform.server.rest('GET', scoped(path))).body;
  const files = (voice: string, ...numbers: number[]): string =>
    numbers.map((n) => `${voice}/${n}.wav`).join('|');

  /** Starts a batch, waits for its end, and gives its results by line. */
  async function run(
    kind: 'enroll' | 'register' | 'check',
    manifest: string,
    more: object = {},
  ): Promise<any[]> {
    const started = await platform.post(`/v1/batches:${kind}`, { context, manifest, tag: 'calls', ...more });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    const { gkJobId, lines } = started.body;
    await expect
      .poll(async () => (await rest(`/v1/batches/${gkJobId}`)).batch.state, { timeout: 60_000 })
      .toBe('BATCH_STATE_COMPLETED');
    const { results } = await rest(`/v1/batches/${gkJobId}/results`);
    expect(results.map(({ line }: any) => line)).toEqual(Array.from({ length: lines }, (_, n) => n + 1));
    return results;
  }
  const ends = (results: any[]): string[] =>
    results.map(({ outcome, reason }) => `${outcome.slice(13)} ${reason}`);
  const idOf = async (personId: string): Promise<number> =>
    (await platform.server.rest('GET', scoped(`/v1/persons/${personId}/gkid`))).status;

  it('enrolls whom the manifest names, and says why not', async () => {
    const manifest = [
      'speaker_id,consent,files',
      `anna,yes,${files('anna', 1, 2, 3)}`,
      `bruno,no,${files('bruno', 1, 2, 3)}`,
      'nobody,yes,nowhere.wav',
      'noise,yes,noise.wav',
      'outside,yes,../../etc/hostname',
      'link,yes,link.wav',
    ].join('\n');
    expect(ends(await run('enroll', manifest, { dryRun: true }))).toEqual([
      'WOULD_BE_DONE ENROLLED',
      'REFUSED NO_CONSENT',
      'FAILED RECORDING_NOT_FOUND',
      'WOULD_BE_DONE ENROLLED',
      'REFUSED RECORDING_NOT_ALLOWED',
      'REFUSED RECORDING_NOT_ALLOWED',
    ]);
    expect(await idOf('anna')).toBe(404);
    const results = await run('enroll', manifest);
    expect(ends(results)).toEqual([
      'DONE ENROLLED',
      'REFUSED NO_CONSENT',
      'FAILED RECORDING_NOT_FOUND',
      'FAILED MISSING_MODEL',
      'REFUSED RECORDING_NOT_ALLOWED',
      'REFUSED RECORDING_NOT_ALLOWED',
    ]);
    // Nothing of a line that failed stays.
    expect([await idOf('anna'), await idOf('bruno'), await idOf('noise')]).toEqual([200, 404, 404]);
    const session = await platform.open();
    const verified: any = await platform.verify(
      session,
      results[0].gkVoiceprintProfileId,
      utterance('anna', 4),
    );
    expect(JSON.stringify(verified)).toContain('AUTHENTIC');
  });

  it('skips whom it knows, or makes their print anew and keeps the old one where that fails', async () => {
    const again = `speaker_id,consent,files\nanna,yes,${files('anna', 1, 2, 3)}`;
    const [known] = await run('enroll', again);
    expect(ends([known])).toEqual(['SKIPPED ALREADY_ENROLLED']);
    const [replaced] = await run('enroll', again, { existing: 'EXISTING_ACTION_REPLACE' });
    expect(ends([replaced])).toEqual(['DONE ENROLLED']);
    expect(replaced.gkVoiceprintProfileId).not.toBe(known.gkVoiceprintProfileId);
    const worse = 'speaker_id,consent,file\nanna,yes,noise.wav';
    expect(ends(await run('enroll', worse, { existing: 'EXISTING_ACTION_REPLACE' }))).toEqual([
      'FAILED MISSING_MODEL',
    ]);
    expect((await run('enroll', again))[0].gkVoiceprintProfileId).toBe(replaced.gkVoiceprintProfileId);
  });

  it('registers fraudsters on a watchlist, and refuses to enroll them', async () => {
    const session = await platform.open();
    const made = await platform.post('/v1/watchlists', { context: session, watchlistId: 'batch' });
    const gkWatchlistId = made.body.gkWatchlistId;
    const manifest = JSON.stringify({
      fraudster_id: 'b',
      recordings: [1, 2, 3].map((n) => ({ file: `bruno/${n}.wav` })),
    });
    expect(ends(await run('register', manifest, { gkWatchlistId }))).toEqual(['DONE REGISTERED']);
    const person = `speaker_id,files\nbruno,${files('bruno', 2, 3, 4)}`;
    const asked = { gkWatchlistId, allHaveConsented: true };
    const refused = await run('enroll', person, { ...asked, fraudCheck: 'FRAUD_CHECK_REFUSE' });
    expect(ends(refused)).toEqual(['REFUSED FRAUDSTER_INDICATION']);
    expect(await idOf('bruno')).toBe(404);
    const [told] = await run('enroll', person, { ...asked, fraudCheck: 'FRAUD_CHECK_IGNORE' });
    expect([told.outcome, told.decision]).toEqual(['LINE_OUTCOME_DONE', 'FRAUD']);
  });

  it('verifies and analyzes', async () => {
    const manifest = [
      'speaker_id,file',
      'anna,anna/4.wav',
      'anna,bruno/4.wav',
      'stranger,anna/4.wav',
      ',anna/4.wav',
    ];
    const results = await run('check', manifest.join('\n'));
    expect(results.map(({ decision, reason }) => decision ?? reason).slice(0, 3)).toEqual([
      'AUTHENTIC',
      'NO_MATCH',
      'NOT_ENROLLED',
    ]);
    expect(results[3]).toMatchObject({ outcome: 'LINE_OUTCOME_DONE', decision: expect.any(String) });
  });

  it('is refused as a whole where the manifest says nothing about consent, and closed to other tenants', async () => {
    const manifest = 'speaker_id,file\nanna,anna/1.wav';
    const { status, body } = await platform.post('/v1/batches:enroll', { context, manifest, tag: 'calls' });
    expect([status, body.status.fieldViolations[0].message]).toEqual([
      400,
      expect.stringContaining('line 1: says nothing about consent'),
    ]);
    const body2 = { context, manifest, tag: 'calls', allHaveConsented: true };
    const foreign = await platform.server.rest('POST', '/v1/batches:enroll', {
      body: body2,
      token: 'elsewhere',
    });
    expect(foreign.status).toBe(403);
    const client = platform.server.grpc(Batches);
    const unknown = await client.getBatch({ context: { gkScopeId: context.gkScopeId }, gkJobId: 'x' });
    expect(unknown.status?.statusCode).not.toBe(0);
  });

  it('can be cancelled, and lists what there was', async () => {
    const lines = Array.from({ length: 3000 }, () => 'anna,anna/4.wav');
    const started = await platform.post('/v1/batches:check', {
      context,
      manifest: ['speaker_id,file', ...lines].join('\n'),
      tag: 'calls',
      description: 'many',
    });
    const { gkJobId } = started.body;
    const cancelled = await platform.post(`/v1/batches/${gkJobId}:cancel`, { context });
    expect(cancelled.body.batch).toMatchObject({
      state: 'BATCH_STATE_CANCELLED',
      lines: 3000,
      description: 'many',
    });
    const { batches } = await rest('/v1/batches');
    expect(batches.map((batch: any) => batch.gkJobId)).toContain(gkJobId);
    expect(batches.length).toBeGreaterThan(5);
  });
});

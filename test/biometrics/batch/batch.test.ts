/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Batches from outside: what each line ends in, that a line changes all or nothing, and what may be read.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Batches } from '../../../src/gen/voxgate/batch/v1/batch_pb.js';
import { startS3, type S3Server } from '../../support/s3/server.js';
import { wavFile } from '../../support/sounds.js';
import { testCaller } from '../../support/server.js';
import { Platform, forEachStore, jobPatience, utterance } from '../support.js';

await forEachStore((store) => {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-batch-'));
  let platform: Platform;
  let context: any;
  let s3: S3Server;

  beforeAll(async () => {
    for (const voice of ['anna', 'bruno'] as const) {
      mkdirSync(join(folder, voice));
      for (const index of [1, 2, 3, 4])
        writeFileSync(join(folder, voice, `${index}.wav`), utterance(voice, index));
    }
    writeFileSync(join(folder, 'noise.wav'), 'this is not audio');
    writeFileSync(join(folder, 'empty.wav'), '');
    mkdirSync(join(folder, 'carl'));
    writeFileSync(join(folder, 'carl', '1.wav'), utterance('carl', 1));
    symlinkSync('/etc/hostname', join(folder, 'link.wav'));
    writeFileSync(join(folder, 'huge.wav'), '');
    truncateSync(join(folder, 'huge.wav'), 2 * 1024 * 1024);
    s3 = await startS3('calls');
    platform = await Platform.start({
      config: {
        'batch.folder': folder,
        'batch.s3Prefixes': 's3://other/x, s3://calls/of/{tenant}',
        'media.s3.endpoint': s3.endpoint,
        'media.s3.accessKeyId': s3.credentials.accessKeyId,
        'media.s3.secretAccessKey': s3.credentials.secretAccessKey,
        'limits.mediaBytes': 1024 * 1024,
        ...(await store.settings()),
      },
      callers: { elsewhere: { ...testCaller, subject: 'other-client', tenants: ['another-tenant'] } },
    });
    context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
  });
  afterAll(async () => {
    await platform.stop();
    await s3.stop();
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
      .poll(async () => (await rest(`/v1/batches/${gkJobId}`)).batch.state, jobPatience)
      .toBe('BATCH_STATE_COMPLETED');
    const { results } = await rest(`/v1/batches/${gkJobId}/results`);
    // The header of CSV is the first line; JSON has none.
    const first = /^[[{]/.test(manifest) ? 1 : 2;
    expect(results.map(({ line }: any) => line)).toEqual(Array.from({ length: lines }, (_, n) => n + first));
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
      'huge,yes,huge.wav',
    ].join('\n');
    expect(ends(await run('enroll', manifest, { dryRun: true }))).toEqual([
      'WOULD_BE_DONE ENROLLED',
      'REFUSED NO_CONSENT',
      'FAILED RECORDING_NOT_FOUND',
      'FAILED RECORDING_NOT_AUDIO',
      'REFUSED RECORDING_NOT_ALLOWED',
      'REFUSED RECORDING_NOT_ALLOWED',
      'FAILED RECORDING_TOO_LARGE',
    ]);
    expect(await idOf('anna')).toBe(404);
    const results = await run('enroll', manifest);
    expect(ends(results)).toEqual([
      'DONE ENROLLED',
      'REFUSED NO_CONSENT',
      'FAILED RECORDING_NOT_FOUND',
      'FAILED RECORDING_NOT_AUDIO',
      'REFUSED RECORDING_NOT_ALLOWED',
      'REFUSED RECORDING_NOT_ALLOWED',
      'FAILED RECORDING_TOO_LARGE',
    ]);
    // Nothing of a line that failed stays.
    expect([await idOf('anna'), await idOf('bruno'), await idOf('noise')]).toEqual([200, 404, 404]);
    const session = await platform.open();
    const { sessions } = await rest('/v1/x/sessions');
    const own = sessions.find((each: any) => each.details.gkSessionId.value === results[0].gkSessionId);
    expect(own.claimedPersonId).toBe('anna');
    const verified: any = await platform.verify(
      session,
      results[0].gkVoiceprintProfileId,
      utterance('anna', 4),
    );
    expect(JSON.stringify(verified)).toContain('AUTHENTIC');
  });

  it('makes one print of all lines about one speaker, each with its result', async () => {
    const manifest = [
      'request_id,speaker_id,consent,file',
      'r1,bea,yes,bruno/1.wav',
      'r2,cid,yes,carl/1.wav',
      'r3,bea,yes,bruno/2.wav',
      'r4,cid,no,carl/1.wav',
      'r5,bea,yes,bruno/3.wav',
    ].join('\n');
    const dry = await run('enroll', manifest, { dryRun: true });
    const ended = (outcome: string) => [
      outcome,
      'REFUSED NO_CONSENT',
      outcome,
      'REFUSED NO_CONSENT',
      outcome,
    ];
    expect(ends(dry)).toEqual(ended('WOULD_BE_DONE ENROLLED'));
    const results = await run('enroll', manifest);
    expect(ends(results)).toEqual(ended('DONE ENROLLED'));
    expect(results[4]).toMatchObject({
      requestId: 'r5',
      ownerId: 'bea',
      message: '3 of 3 recordings were used; not checked for attacks; together with line 2',
      checksNotMade: ['FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'],
      gkVoiceprintProfileId: results[0].gkVoiceprintProfileId,
    });
    expect([await idOf('bea'), await idOf('cid')]).toEqual([200, 404]);
  });

  it('says in a dry run what can be seen without listening, and after it what was missing', async () => {
    const manifest = [
      'speaker_id,consent,files',
      `some,yes,${files('carl', 1, 1)}|empty.wav|noise.wav`,
      'none,yes,empty.wav|noise.wav',
    ].join('\n');
    const [some, none] = await run('enroll', manifest, { dryRun: true });
    expect(some).toMatchObject({
      outcome: 'LINE_OUTCOME_WOULD_BE_DONE',
      reason: 'TOO_FEW_RECORDINGS',
      message:
        '4 recordings; 1 of them listed twice; is empty: empty.wav; ' +
        'is not audio in a format that can be read: noise.wav; probably too few: a print needs 3',
    });
    expect(none).toMatchObject({ outcome: 'LINE_OUTCOME_FAILED', reason: 'RECORDING_EMPTY' });
    const [short, empty] = await run('enroll', manifest.replace(`${files('carl', 1)}|`, ''));
    expect(short).toMatchObject({
      outcome: 'LINE_OUTCOME_FAILED',
      reason: 'NOT_READY_TO_TRAIN',
      message: expect.stringMatching(
        /^1 of at least 3 recordings with [\d.]+ of at least 6.0 seconds of speech$/,
      ),
    });
    expect(ends([empty])).toEqual(['FAILED RECORDING_EMPTY']);
  });

  it('reads from S3 below what is allowed, a whole folder of it too, and nowhere else', async () => {
    const put = (name: string, body: Uint8Array) =>
      s3.objects.set(name, { body: Buffer.from(body), etag: `"${name}"`, modifiedAtMs: 1, metadata: {} });
    const own = `of/${platform.gkScopeId}`;
    for (const index of [1, 2, 3]) put(`${own}/dora/${index}.wav`, utterance('dora', index));
    put('of/others/1.wav', utterance('dora', 1));
    put(`${own}/huge.wav`, new Uint8Array(2 * 1024 * 1024));
    const manifest = [
      'speaker_id,consent,s3_uri',
      `dora,yes,s3://calls/${own}/dora/`,
      `missing,yes,s3://calls/${own}/4.wav`,
      `huge,yes,s3://calls/${own}/huge.wav`,
      'others,yes,s3://calls/of/others/1.wav',
      `dots,yes,s3://calls/${own}/../others/1.wav`,
    ].join('\n');
    // What is not allowed there may be a copy in the folder, and is not.
    expect(ends(await run('enroll', manifest))).toEqual([
      'DONE ENROLLED',
      'FAILED RECORDING_NOT_FOUND',
      'FAILED RECORDING_TOO_LARGE',
      'FAILED RECORDING_NOT_FOUND',
      'FAILED RECORDING_NOT_FOUND',
    ]);
    expect(s3.requests.filter((request) => request.includes('others'))).toEqual([]);
  });

  it('counts results by reason, and finds those that are sought', async () => {
    const manifest = ['speaker_id,consent,file', 'no-1,no,x.wav', 'no-2,no,x.wav', 'gone,yes,x.wav'].join(
      '\n',
    );
    const started = await platform.post('/v1/batches:enroll', { context, manifest, tag: 'calls' });
    const { gkJobId } = started.body;
    const batch = async () => (await rest(`/v1/batches/${gkJobId}`)).batch;
    await expect.poll(async () => (await batch()).state, jobPatience).toBe('BATCH_STATE_COMPLETED');
    const reasons = [
      { outcome: 'LINE_OUTCOME_FAILED', reason: 'RECORDING_NOT_FOUND', lines: 1 },
      { outcome: 'LINE_OUTCOME_REFUSED', reason: 'NO_CONSENT', lines: 2 },
    ];
    expect((await batch()).reasons).toEqual(reasons);
    const { batches } = await rest('/v1/batches');
    expect(batches.find((each: any) => each.gkJobId === gkJobId)).toEqual(await batch());
    const sought = async (query: string): Promise<number[]> => {
      const path = `${scoped(`/v1/batches/${gkJobId}/results`)}&${query}`;
      const { body } = await platform.server.rest('GET', path);
      return (body.results ?? []).map(({ line }: any) => line);
    };
    expect(await sought('outcome=LINE_OUTCOME_REFUSED')).toEqual([2, 3]);
    expect(await sought('outcome=LINE_OUTCOME_REFUSED&after_line=2')).toEqual([3]);
    expect(await sought('reason=RECORDING_NOT_FOUND')).toEqual([4]);
    expect(await sought('outcome=LINE_OUTCOME_DONE')).toEqual([]);
  });

  it('leaves room for others while lines end that wait for nothing', async () => {
    const lines = Array.from({ length: 1500 }, (_, n) => `p${n},no,a.wav`);
    const manifest = ['speaker_id,consent,file', ...lines].join('\n');
    const started = await platform.post('/v1/batches:enroll', { context, manifest, tag: 'calls' });
    const batch = async () => (await rest(`/v1/batches/${started.body.gkJobId}`)).batch;
    expect((await batch()).state).not.toBe('BATCH_STATE_COMPLETED');
    await expect.poll(async () => (await batch()).state, { timeout: 110_000 }).toBe('BATCH_STATE_COMPLETED');
    expect(await batch()).toMatchObject({ lines: 1500, refused: 1500 });
  });

  it('takes recordings that are still to be uploaded in a dry run only', async () => {
    const manifest = '{"speaker_id":"eva","consent":true,"recordings":[{"upload":"eva/1.wav"}]}';
    expect(ends(await run('enroll', manifest, { dryRun: true }))).toEqual([
      'WOULD_BE_DONE TOO_FEW_RECORDINGS',
    ]);
    const refused = await platform.post('/v1/batches:enroll', { context, manifest, tag: 'calls' });
    expect([refused.status, refused.body.status.fieldViolations[0].message]).toEqual([
      400,
      expect.stringContaining('line 1: has a recording that has not been uploaded yet'),
    ]);
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
      'FAILED RECORDING_NOT_AUDIO',
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
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, searchForNewFraudsters: true } });
    expect(ends(await run('register', manifest, { gkWatchlistId }))).toEqual(['DONE REGISTERED']);
    const looked = await platform.server.rest(
      'GET',
      `/v1/x/voice-search/searches?${platform.query(session)}`,
    );
    expect(looked.body.searches).toMatchObject([{ fraudsterId: 'b' }]);
    const [twice] = await run('register', `fraudster_id,files\nb2,${files('bruno', 2, 3, 4)}`, {
      gkWatchlistId,
    });
    expect(twice).toMatchObject({
      reason: 'REGISTERED',
      fraudsterId: 'b',
      message: '3 of 3 recordings were used; this voice is already on the watchlist, under another name',
    });
    const gone = `/v1/fraudsters/${twice.gkOwnerId}?${platform.query(session)}`;
    expect((await platform.server.rest('DELETE', gone)).status).toBe(200);
    const person = `speaker_id,files\nbruno,${files('bruno', 2, 3, 4)}`;
    const asked = { gkWatchlistId, allHaveConsented: true };
    const refused = await run('enroll', person, { ...asked, fraudCheck: 'FRAUD_CHECK_REFUSE' });
    expect(ends(refused)).toEqual(['REFUSED FRAUDSTER_INDICATION']);
    expect(refused[0]).toMatchObject({ decision: 'FRAUD', gkFraudsterId: expect.any(String) });
    const [heard] = await run('check', 'file\nbruno/4.wav', { gkWatchlistId });
    expect(heard).toMatchObject({ decision: 'FRAUD', gkFraudsterId: refused[0].gkFraudsterId });
    // Who has a print already is put on another watchlist all the same, once.
    const second = await platform.post('/v1/watchlists', { context: session, watchlistId: 'batch-2' });
    const onSecond = { gkWatchlistId: second.body.gkWatchlistId };
    const [foreseen] = await run('register', manifest, { ...onSecond, dryRun: true });
    expect(ends([foreseen])).toEqual(['WOULD_BE_DONE ADDED_TO_WATCHLIST']);
    const [added] = await run('register', manifest, onSecond);
    expect(ends([added])).toEqual(['DONE ADDED_TO_WATCHLIST']);
    expect(added.gkOwnerId).toBe(refused[0].gkFraudsterId);
    expect(ends(await run('register', manifest, onSecond))).toEqual(['SKIPPED ALREADY_ENROLLED']);
    const [found] = await run('check', 'file\nbruno/4.wav', onSecond);
    expect(found).toMatchObject({ decision: 'FRAUD', gkFraudsterId: added.gkOwnerId });
    expect(await idOf('bruno')).toBe(404);
    const [told] = await run('enroll', person, { ...asked, fraudCheck: 'FRAUD_CHECK_IGNORE' });
    expect([told.outcome, told.decision]).toEqual(['LINE_OUTCOME_DONE', 'FRAUD']);
  });

  const sessionOf = async ({ gkSessionId }: any): Promise<any> => {
    const { sessions } = await rest('/v1/x/sessions');
    return sessions.find(({ details }: any) => details.gkSessionId.value === gkSessionId);
  };

  it('compares with whom a line names, and checks every line for attacks', async () => {
    const manifest = [
      'speaker_id,file',
      'anna,anna/4.wav',
      'anna,bruno/4.wav',
      'stranger,anna/4.wav',
      ',anna/4.wav',
    ];
    const results = await run('check', manifest.join('\n'));
    expect(ends(results)).toEqual([
      'DONE SYNTHETIC_SPEECH_DETECTED',
      expect.stringMatching(/^DONE (SYNTHETIC_SPEECH_DETECTED|VOICEPRINT_NO_MATCH)$/),
      'DONE SYNTHETIC_SPEECH_DETECTED',
      'DONE SYNTHETIC_SPEECH_DETECTED',
    ]);
    const figures = {
      risk: expect.any(Number),
      reliability: expect.any(Number),
      netSpeech: expect.any(String),
      syntheticSpeechRisk: expect.any(Number),
      found: ['SYNTHETIC_SPEECH'],
      checksNotMade: ['FRAUD_DETECTION'],
      recordings: ['anna/4.wav'],
      decision: 'FRAUD',
    };
    // The voice of these files is made by a machine: that it matches says nothing for it.
    expect(results[0]).toMatchObject({
      ...figures,
      biometricScore: expect.any(Number),
      message: 'synthetic speech was found; the voice is that of the person',
    });
    expect(results[3]).toMatchObject({ ...figures, message: 'synthetic speech was found' });
    expect(results[0].biometricScore).toBeGreaterThan(results[1].biometricScore);
    // The line says what its session says, and the session is over.
    for (const result of results) {
      const { details } = await sessionOf(result);
      expect(details.riskInfo.decision).toBe(`DECISION_${result.decision}`);
      expect(details.isActive ?? false).toBe(false);
    }
  });

  it('leaves attack checks out where that is asked, and says so in each line', async () => {
    const without = { withoutAttackChecks: true };
    const [line] = await run('check', 'speaker_id,file\nanna,anna/4.wav', without);
    expect(line).toMatchObject({
      decision: 'AUTHENTIC',
      reason: 'VOICEPRINT_MATCH',
      message: 'not checked for attacks',
      checksNotMade: ['FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'],
    });
    const asked = { context, manifest: 'file\nanna/4.wav', tag: 'calls', ...without };
    const refused = await platform.post('/v1/batches:check', asked);
    expect([refused.status, refused.body.status.fieldViolations[0].message]).toEqual([
      400,
      'line 2: names no person; without attack checks or a watchlist there is nothing to check',
    ]);
    // The only print is meant where no tag is named.
    const [untagged] = await run('check', 'speaker_id,file\nanna,anna/4.wav', { ...without, tag: '' });
    const { gkVoiceprintProfileId } = line;
    expect(untagged).toMatchObject({ decision: 'AUTHENTIC', gkVoiceprintProfileId });
    await run('enroll', `speaker_id,consent,files\nanna,yes,${files('anna', 1, 2, 3)}`, { tag: 'app' });
    expect(await run('check', 'speaker_id,file\nanna,anna/4.wav', { tag: '' })).toMatchObject([
      {
        outcome: 'LINE_OUTCOME_REFUSED',
        reason: 'TAG_NEEDED',
        message: expect.stringMatching(/: app, calls$/),
      },
    ]);
  });

  it('finds a known fraudster also where the line names somebody', async () => {
    const session = await platform.open();
    const made = await platform.post('/v1/watchlists', { context: session, watchlistId: 'known' });
    const { gkWatchlistId } = made.body;
    const manifest = `fraudster_id,files\nF-anna,${files('anna', 1, 2, 3)}`;
    expect(ends(await run('register', manifest, { gkWatchlistId }))).toEqual(['DONE REGISTERED']);
    const asked = { gkWatchlistId, withoutAttackChecks: true };
    const [line] = await run('check', 'speaker_id,file\nanna,anna/4.wav', asked);
    expect(line).toMatchObject({
      decision: 'FRAUD',
      reason: 'FRAUDSTER_INDICATION',
      found: ['FRAUD_DETECTION'],
      fraudsterId: 'F-anna',
      message:
        'the voice of a known fraudster was found; the voice is that of the person; not checked for attacks',
    });
    expect((await sessionOf(line)).details.riskInfo.decision).toBe('DECISION_FRAUD');
  });

  it('does not lock the print of whom others are taken for', async () => {
    const lines = Array.from({ length: 6 }, () => 'anna,bruno/4.wav').join('\n');
    const results = await run('check', `speaker_id,file\n${lines}\nanna,anna/4.wav`, {
      withoutAttackChecks: true,
    });
    expect(results.map(({ decision }) => decision)).toEqual([...Array(6).fill('NO_MATCH'), 'AUTHENTIC']);
    const verified = await platform.verify(
      await platform.open(),
      results[0].gkVoiceprintProfileId,
      utterance('anna', 4),
    );
    expect(JSON.stringify(verified)).toContain('AUTHENTIC');
    // Nor does a lock stop a recording of the past.
    const { gkVoiceprintProfileId } = results[0];
    const lock = `/v1/voiceprints/profiles/${gkVoiceprintProfileId}/attributes/lock`;
    const body = { context: await platform.open(), reason: 'asked for' };
    expect((await platform.server.rest('PUT', lock, { body })).status).toBe(200);
    const [locked] = await run('check', 'speaker_id,file\nanna,anna/4.wav', { withoutAttackChecks: true });
    expect(locked).toMatchObject({ decision: 'AUTHENTIC', reason: 'VOICEPRINT_MATCH' });
  });

  it('decides nothing in a dry run of a check, and says which files are no recordings', async () => {
    const manifest = [
      'speaker_id,file',
      'anna,bruno/4.wav',
      ',anna/4.wav',
      'anna,empty.wav',
      ',noise.wav',
      'anna,nowhere.wav',
    ].join('\n');
    const results = await run('check', manifest, { dryRun: true });
    expect(ends(results)).toEqual([
      'WOULD_BE_DONE WOULD_BE_COMPARED',
      'WOULD_BE_DONE WOULD_BE_ANALYZED',
      'FAILED RECORDING_EMPTY',
      'FAILED RECORDING_NOT_AUDIO',
      'FAILED RECORDING_NOT_FOUND',
    ]);
    for (const result of results) expect(result).not.toHaveProperty('decision');
    expect(results[0]).toMatchObject({ message: '1 recordings', recordings: ['bruno/4.wav'] });
  });

  it('leaves no session open, and no name of a field where a channel is missing', async () => {
    const [one, other] = [0.01, 0.02].map((level) => new Float32Array(16_000).fill(level));
    writeFileSync(join(folder, 'stereo.wav'), wavFile([one!, other!], 16_000));
    const checks = 'file,channel\nstereo.wav,\nstereo.wav,2\nanna/4.wav,';
    const [mixed, second, mono] = await run('check', checks, { dryRun: true });
    const together =
      'both channels are heard together: name one if agent and caller are on separate channels';
    expect(mixed.message).toBe(`1 recordings; ${together}`);
    expect(mixed).not.toHaveProperty('channels');
    expect(second).toMatchObject({ message: '1 recordings', recordings: ['stereo.wav'], channels: [2] });
    expect(mono.message).toBe('1 recordings');
    const [heard, chosen] = await run('check', checks);
    expect(heard.message).toContain(together);
    expect(chosen.message ?? '').not.toContain('together');
    expect(chosen.channels).toEqual([2]);
    const [absent, noise] = await run('check', 'file,channel\nstereo.wav,3\nnoise.wav,');
    expect(absent).toMatchObject({
      outcome: 'LINE_OUTCOME_FAILED',
      reason: 'NO_SUCH_CHANNEL',
      message: 'the recording has no channel 3',
      gkSessionId: expect.any(String),
    });
    expect(ends([noise])).toEqual(['FAILED RECORDING_NOT_AUDIO']);
    const path = `${scoped('/v1/x/sessions')}&is_active=true&page_size=200`;
    const { body } = await platform.server.rest('GET', path);
    const open = (body.sessions ?? []).filter(
      ({ details }: any) => details.sessionType === 'SESSION_TYPE_OFFLINE_MEDIA_PROCESSING',
    );
    expect(open).toEqual([]);
  });

  it('is refused as a whole where the manifest says nothing about consent, and closed to other tenants', async () => {
    const manifest = 'speaker_id,file\nanna,anna/1.wav';
    const { status, body } = await platform.post('/v1/batches:enroll', { context, manifest, tag: 'calls' });
    expect([status, body.status.fieldViolations[0].message]).toEqual([
      400,
      expect.stringContaining('line 2: says nothing about consent'),
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

  it('enrolls nobody any more once it is canceled', async () => {
    const nameOf = (n: number): string => `late-${n}`;
    const lines = Array.from({ length: 100 }, (_, n) => `${nameOf(n)},yes,${files('anna', 1, 2, 3)}`);
    const manifest = ['speaker_id,consent,files', ...lines].join('\n');
    const { body } = await platform.post('/v1/batches:enroll', { context, manifest, tag: 'calls' });
    const batch = async () => (await rest(`/v1/batches/${body.gkJobId}`)).batch;
    await expect.poll(async () => (await batch()).done ?? 0).toBeGreaterThan(0);
    const canceled = (await platform.post(`/v1/batches/${body.gkJobId}:cancel`, { context })).body.batch;
    // Batches are done one after another: the lines that were under way are over when the next one ends.
    await run('check', 'speaker_id,file\nanna,anna/4.wav');
    expect(await batch()).toEqual(canceled);
    const { results } = await rest(`/v1/batches/${body.gkJobId}/results`);
    const enrolled = results.filter(({ reason }: any) => reason === 'ENROLLED').length;
    expect(canceled).toMatchObject({ state: 'BATCH_STATE_CANCELLED', done: enrolled });
    expect(new Set(ends(results))).toEqual(new Set(['DONE ENROLLED', 'SKIPPED CANCELLED']));
    // What was begun for lines that were being worked on is over, says so, and is found by its line.
    const { body: left } = await platform.server.rest('GET', `${scoped('/v1/x/sessions')}&page_size=500`);
    const begun = results.filter(({ reason, gkSessionId }: any) => reason === 'CANCELLED' && gkSessionId);
    for (const { gkSessionId } of begun) {
      const own = left.sessions.find(({ details }: any) => details.gkSessionId.value === gkSessionId);
      expect(own).toMatchObject({
        assessment: { headline: 'SESSION_HEADLINE_UPLOAD' },
        details: { wasAbandon: true },
      });
      expect(own.details.isActive ?? false).toBe(false);
      const { events, gkJobIds } = await rest(`/v1/x/sessions/${gkSessionId}/timeline`);
      expect(gkJobIds).toEqual([body.gkJobId]);
      const given = events.find(({ operation }: any) => operation === 'UpdateSession');
      expect(given.attributes.gkJobId).toBe(body.gkJobId);
    }
    const ofLines = new Set(results.map(({ gkSessionId }: any) => gkSessionId));
    const abandoned = left.sessions.filter(({ details }: any) => details.wasAbandon);
    for (const { details } of abandoned) expect(ofLines).toContain(details.gkSessionId.value);
    const found = await Promise.all(results.map(({ ownerId }: any) => idOf(ownerId)));
    expect(found).toEqual(results.map(({ reason }: any) => (reason === 'ENROLLED' ? 200 : 404)));
    const query = new URLSearchParams({
      'context.gkScopeId.value': platform.gkScopeId,
      recordType: 'RECORD_TYPE_JOBS_EVENT',
    });
    const audited = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
    const records = audited.body.records.map((record: any) => JSON.parse(record.recordAsJson));
    const end = records.find(
      ({ operation, subjectIds }: any) => operation === 'EndBatch' && subjectIds.includes(body.gkJobId),
    );
    expect(end.detail).toEqual({ lines: 100, DONE: enrolled, SKIPPED: 100 - enrolled });
  });

  it('can be canceled, and lists what there was', async () => {
    // More than other bodies may have (limits.bodyBytes): years of recordings come in one manifest.
    const requestId = 'r'.repeat(1500);
    const lines = Array.from({ length: 3000 }, () => `${requestId},anna,anna/4.wav`);
    const started = await platform.post('/v1/batches:check', {
      context,
      manifest: ['request_id,speaker_id,file', ...lines].join('\n'),
      tag: 'calls',
      description: 'many',
    });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    const { gkJobId } = started.body;
    const canceled = await platform.post(`/v1/batches/${gkJobId}:cancel`, { context });
    expect(canceled.body.batch).toMatchObject({
      state: 'BATCH_STATE_CANCELLED',
      lines: 3000,
      description: 'many',
    });
    const { done = 0, skipped = 0, refused = 0, failed = 0 } = canceled.body.batch;
    expect(done + skipped + refused + failed).toBe(3000);
    const { batches } = await rest('/v1/batches');
    expect(batches.map((batch: any) => batch.gkJobId)).toContain(gkJobId);
    expect(batches.length).toBeGreaterThan(5);
  });
});

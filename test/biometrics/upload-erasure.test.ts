// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Recordings of many people are uploaded in one session, and lines of batches say whose each of them is. Erasing one of these people takes
// what is theirs, and nothing of anybody else: also not of those whom nobody knows, and of whom no line says anything. By turns on both databases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker, id } from './asking.js';
import {
  forEachStore,
  jobPatience,
  Platform,
  utterance,
  type RequestContext,
  type VoiceName,
} from './support.js';
import { withFacts } from '../support/assessment-facts.js';

const FORGOTTEN = 'the personal data of this person was deleted';
const forgotten = { locale: 'en-US', message: FORGOTTEN, messageResourceId: 'PERSON_FORGOTTEN' };
const activity = asker(Activity);
const OFFLINE = 'SESSION_TYPE_OFFLINE_MEDIA_PROCESSING';
/** As the command line does it, and as any client may. */
const sessionTypes = [OFFLINE, 'SESSION_TYPE_IVR'];

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-uploads-'));
  let platform: Platform;
  let watchlist: { value: string };
  let reader: RequestContext;

  beforeAll(async () => {
    platform = await Platform.start({ config: { ...(await store.settings()), home } });
    reader = await platform.open();
    const { owner } = await platform.printOf('fritz', 'fraudster', 'mallory');
    const { body } = await platform.post('/v1/watchlists', { context: reader, watchlistId: 'ring' });
    watchlist = body.gkWatchlistId;
    const members = `/v1/watchlists/${watchlist.value}/fraudsters`;
    const added = await platform.post(members, { context: reader, gkFraudsterId: id(owner) });
    expect(added.status).toBe(200);
  });
  afterAll(async () => {
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const get = async (path: string): Promise<any> =>
    (await platform.server.rest('GET', `${path}?context.gk_scope_id.value=${platform.gkScopeId}`)).body;

  async function start(sessionType: string, details: object = {}): Promise<RequestContext> {
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const { body } = await platform.post('/v1/sessions/start', { context, sessionType, details });
    return { ...context, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
  }

  const resultsOf = async (gkJobId: string): Promise<any[]> =>
    (await get(`/v1/batches/${gkJobId}/results`)).results;

  const check = (lines: readonly string[]): Promise<string> =>
    done('check', ['speaker_id,media', ...lines], { withoutAttackChecks: true, gkWatchlistId: watchlist });

  async function done(kind: 'check' | 'enroll', manifest: readonly string[], more: object): Promise<string> {
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const asked = { context, manifest: manifest.join('\n'), ...more };
    const { status, body } = await platform.post(`/v1/batches:${kind}`, asked);
    expect(status, JSON.stringify(body)).toBe(200);
    const state = async (): Promise<string> => (await get(`/v1/batches/${body.gkJobId}`)).batch.state;
    await expect.poll(state, jobPatience).toBe('BATCH_STATE_COMPLETED');
    return body.gkJobId;
  }

  async function erase(gkPersonId: string): Promise<any> {
    const path = `/v1/persons/${gkPersonId}/personal-data?${platform.query(reader)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    const query = `context.gkScopeId.value=${platform.gkScopeId}&recordType=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT&pageSize=100`;
    const proof = async (): Promise<any> => {
      const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
      const details = (body.records ?? []).map(({ recordAsJson }: any) => JSON.parse(recordAsJson).detail);
      return details.find((detail: any) => detail.gkPersonId === gkPersonId);
    };
    await expect.poll(proof, jobPatience).toBeDefined();
    return proof();
  }

  const isThere = async (media: string): Promise<boolean> =>
    (await platform.server.rest('GET', `/v1/mediasegments/${media}?${platform.query(reader)}`)).status ===
    200;

  /** What is told of a session: its row in the list, and its page. */
  async function toldOf(gkSessionId: string): Promise<any> {
    const { body: listed } = await activity(platform, 'REST', 'ListSessions', { page_size: 500 }, reader);
    const row = (listed['sessions'] as any[]).find(
      ({ details }) => details.gkSessionId.value === gkSessionId,
    );
    const asked = { gk_session_id: id(gkSessionId) };
    const { body: page } = await activity(platform, 'REST', 'GetSessionTimeline', asked, reader);
    const { status: _answered, ...told } = page;
    return { row: withFacts(row), page: withFacts(told) };
  }

  const upload = (context: RequestContext, voice: VoiceName, index: number): Promise<string> =>
    platform.upload(context, utterance(voice, index));

  it('leaves lines and recordings of those whom nobody knows, uploaded beside those of the person', async () => {
    for (const sessionType of sessionTypes) {
      const name = `carl of ${sessionType}`;
      const { owner } = await platform.printOf('carl', 'person', name);
      const uploads = await start(sessionType);
      const theirs = [await upload(uploads, 'carl', 4), await upload(uploads, 'carl', 5)];
      const others = [
        await upload(uploads, 'fritz', 4),
        await upload(uploads, 'fritz', 5),
        await upload(uploads, 'dora', 4),
        // No line ever heard this one.
        await upload(uploads, 'dora', 5),
      ];
      const lines = [`${name},${theirs[0]}`, `zoe,${others[0]}`, `,${others[1]}`, `yan,${others[2]}`];
      const jobs = [await check(lines), await check([`${name},${theirs[1]}`, `zoe,${others[0]}`])];
      const before = await Promise.all(jobs.map(resultsOf));
      expect(before[0]?.map(({ decision }) => decision)).toEqual([
        'AUTHENTIC',
        'FRAUD',
        'FRAUD',
        'UNCERTAIN',
      ]);
      const ofOthers = before.flatMap((results) => results.filter(({ ownerId }) => ownerId !== name));
      const told = await Promise.all(ofOthers.map(({ gkSessionId }) => toldOf(gkSessionId)));
      expect(told[0].row).toMatchObject({ fraudsters: [{ fraudsterId: 'mallory' }] });
      const uploaded = await toldOf(uploads.gkSessionId?.value ?? '');

      expect(await erase(owner), sessionType).toMatchObject({
        media: 5,
        batchLines: 2,
        // Of the enrollment, and of the two lines.
        sessions: 3,
        engagements: 3,
        keptForOthers: 0,
      });
      for (const media of theirs) expect(await isThere(media)).toBe(false);
      for (const media of others) expect(await isThere(media), sessionType).toBe(true);
      const after = await Promise.all(jobs.map(resultsOf));
      for (const [first, ...rest] of after) {
        expect(first).toMatchObject({ message: FORGOTTEN });
        expect(first.ownerId ?? '').toBe('');
        expect(rest.length).toBeGreaterThan(0);
      }
      expect(after.flatMap(([, ...rest]) => rest)).toEqual(ofOthers);
      expect(await Promise.all(ofOthers.map(({ gkSessionId }) => toldOf(gkSessionId)))).toEqual(told);
      const left = await toldOf(uploads.gkSessionId?.value ?? '');
      expect(left.row).toEqual(uploaded.row);
      expect(left.row).not.toHaveProperty('isErased');
    }
  });

  it('leaves an upload in which the person was only asked for, and takes one that holds nothing else', async () => {
    const { owner } = await platform.printOf('emil', 'person', 'asked-for');
    const [shared, own] = [await start(OFFLINE), await start(OFFLINE)];
    // Another voice: nobody is recognized, and nobody else is known.
    const theirs = [await upload(shared, 'bruno', 4), await upload(own, 'emil', 4)];
    const other = await upload(shared, 'dora', 4);
    const jobs = [
      await check([`asked-for,${theirs[0]}`, `,${other}`]),
      await check([`asked-for,${theirs[1]}`]),
    ];
    const [, ofOther] = await resultsOf(jobs[0] ?? '');
    expect(await erase(owner)).toMatchObject({ media: 5, batchLines: 2, sessions: 4, engagements: 4 });
    for (const media of theirs) expect(await isThere(media)).toBe(false);
    expect(await isThere(other)).toBe(true);
    expect((await resultsOf(jobs[0] ?? ''))[1]).toEqual(ofOther);
    expect((await toldOf(shared.gkSessionId?.value ?? '')).row).not.toHaveProperty('isErased');
    expect((await toldOf(own.gkSessionId?.value ?? '')).row).toMatchObject({ isErased: true });
  });

  it('leaves what was uploaded to enroll somebody else, who did not come about', async () => {
    for (const sessionType of sessionTypes) {
      const uploads = await start(sessionType);
      const theirs = [];
      for (const index of [1, 2, 3]) theirs.push(await upload(uploads, 'anna', index));
      const tooLittle = await upload(uploads, 'bruno', 1);
      const name = `enrolled by ${sessionType}`;
      const manifest = [
        { speaker_id: name, consent: 'yes', recordings: theirs.map((media) => ({ media })) },
        { speaker_id: 'nobody', consent: 'yes', recordings: [{ media: tooLittle }] },
      ].map((line) => JSON.stringify(line));
      const gkJobId = await done('enroll', manifest, { tag: 'main' });
      const [enrolled, failed] = await resultsOf(gkJobId);
      expect(enrolled).toMatchObject({ outcome: 'LINE_OUTCOME_DONE' });
      expect(failed).toMatchObject({ outcome: 'LINE_OUTCOME_FAILED', ownerId: 'nobody' });
      expect(await erase(enrolled.gkOwnerId), sessionType).toMatchObject({ media: 3, batchLines: 1 });
      expect(await isThere(tooLittle), sessionType).toBe(true);
      expect((await resultsOf(gkJobId))[1]).toEqual(failed);
    }
  });

  it('still takes the rest of a call in which nobody else was heard', async () => {
    const { profile, owner } = await platform.printOf('carl', 'person', 'in-a-call');
    const call = await start(OFFLINE);
    await platform.verify(call, profile, utterance('carl', 4));
    const beside = await upload(call, 'dora', 4);
    expect(await erase(owner)).toMatchObject({ media: 5, engagements: 2 });
    expect(await isThere(beside)).toBe(false);
  });

  it('keeps the caveats of sessions with the person', async () => {
    await platform.configure('calm', { attackChecks: { riskHigh: 999, reliabilityMin: 0 } });
    const { profile, owner } = await platform.printOf('carl', 'person', 'marked');
    const uploads = await start(OFFLINE);
    const media = [await upload(uploads, 'carl', 4), await upload(uploads, 'carl', 5)];
    const job = await check(media.map((each) => `marked,${each}`));
    const [unchecked, checked] = (await resultsOf(job)).map(({ gkSessionId }) => gkSessionId as string);
    // Two recordings in one session, of which one is checked for attacks.
    const call = await platform.open();
    const [first, second] = [await upload(call, 'carl', 4), await upload(call, 'carl', 5)];
    const looksFor = { syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} };
    const spoofing = (context: RequestContext, gkMediaSegmentId = ''): Promise<unknown> =>
      platform.post('/v1/audios/spoofing', { context, gkMediaSegmentId: id(gkMediaSegmentId), ...looksFor });
    for (const gkMediaSegmentId of [first, second])
      await platform.post(`/v1/voiceprints/${profile}/verification`, {
        context: call,
        gkMediaSegmentId: id(gkMediaSegmentId),
      });
    await spoofing({ ...call, configsetId: 'calm' }, first);
    await spoofing(await platform.open('calm'), media[1]);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: call } });
    const half = call.gkSessionId?.value ?? '';
    const ids = [unchecked ?? '', checked ?? '', half];
    const marksOf = async () =>
      Promise.all(
        ids.map(async (each) => {
          const { row, page } = await toldOf(each);
          expect(page.withoutAttackChecks).toBe(row.withoutAttackChecks);
          return [row.withoutAttackChecks === true, row.isErased === true];
        }),
      );
    const listed = async (): Promise<boolean[]> => {
      const asked = { page_size: 500, caveat: ['SESSION_CAVEAT_ATTACK_CHECK_MISSING'] };
      const { body } = await activity(platform, 'REST', 'ListSessions', asked, reader);
      const found = ((body['sessions'] ?? []) as any[]).map(({ details }) => details.gkSessionId.value);
      return ids.map((each) => found.includes(each));
    };
    expect([await marksOf(), await listed()]).toEqual([
      [
        [true, false],
        [false, false],
        [true, false],
      ],
      [true, false, true],
    ]);
    await erase(owner);
    expect([await marksOf(), await listed()]).toEqual([
      [
        [true, true],
        [false, true],
        [true, true],
      ],
      [true, false, true],
    ]);
  });

  it('keeps the recording of a line that was judged as fraud, for as long as it is', async () => {
    const { owner } = await platform.printOf('carl', 'person', 'judged');
    const uploads = await start(OFFLINE);
    const [plain, evidence] = [await upload(uploads, 'carl', 4), await upload(uploads, 'carl', 5)];
    const job = await check([plain, evidence].map((media) => `judged,${media}`));
    const line = (await resultsOf(job))[1];
    const { gkSessionId } = line;
    const before = await toldOf(gkSessionId);
    const { value: gkEngagementId } = before.row.details.gkEngagementId;
    const judge = async (verdict: string, expectedTime?: string): Promise<void> => {
      const body = { context: { gkScopeId: reader.gkScopeId }, verdict, expectedTime };
      const path = `/v1/x/engagements/${gkEngagementId}/outcome`;
      expect((await platform.server.rest('PUT', path, { body })).status).toBe(200);
    };
    const checkOf = ({ page }: any): any =>
      page.events.find(({ score, gkMediaSegmentId }: any) => score && gkMediaSegmentId?.value === evidence);
    expect(checkOf(before)).toBeDefined();
    await judge('ENGAGEMENT_VERDICT_FRAUD');
    const path = `/v1/x/persons/${owner}/erasure?context.gkScopeId.value=${platform.gkScopeId}`;
    const { status: _answered, ...told } = (await platform.server.rest('GET', path)).body;
    expect(told).toEqual({ recordingCount: 4, keptAsFraudCount: 1, keptSessionCount: 1 });

    expect(await erase(owner)).toMatchObject({ media: 4, keptAsFraud: 1 });
    expect([await isThere(plain), await isThere(evidence)]).toEqual([false, true]);
    const after = await toldOf(gkSessionId);
    expect(after.page).toMatchObject({ isKeptAsFraud: true });
    expect(after.row.decision).toEqual(before.row.decision);
    expect(checkOf(after)).toEqual(checkOf(before));
    // Line and session say the same: all of it, but for the name.
    const { ownerId: _name, gkOwnerId: _owner, gkVoiceprintProfileId: _print, ...rest } = line;
    const lines = await resultsOf(job);
    const { assessment } = after.row;
    expect(lines[1]).toEqual({ ...rest, message: FORGOTTEN, said: [forgotten], assessment });
    expect(lines[0]).not.toHaveProperty('gkSessionId');

    await judge('ENGAGEMENT_VERDICT_AUTHENTIC', after.page.engagement.verdictInfo.verdictTimestamp);
    // Nobody has to ask again.
    await expect.poll(() => isThere(evidence), jobPatience).toBe(false);
    const wiped = async (): Promise<any> => (await resultsOf(job))[1];
    await expect.poll(wiped, jobPatience).not.toHaveProperty('gkSessionId');
    expect(await wiped()).toMatchObject({ message: FORGOTTEN });
  });

  it('keeps what is on legal hold in an upload through an erasure, until the hold is lifted', async () => {
    const { owner } = await platform.printOf('carl', 'person', 'held');
    const uploads = await start(OFFLINE);
    const [recognized, unlike, free, stranger] = [
      await upload(uploads, 'carl', 4),
      // Nobody is recognized.
      await upload(uploads, 'dora', 4),
      await upload(uploads, 'carl', 5),
      await upload(uploads, 'bruno', 4),
    ];
    const hold = async (media: string, legalHold: boolean): Promise<void> => {
      const body = { context: reader, details: { legalHold }, fieldMask: 'legalHold' };
      expect((await platform.server.rest('PATCH', `/v1/mediasegments/${media}`, { body })).status).toBe(200);
    };
    const kept = [recognized, unlike, stranger];
    for (const media of kept) await hold(media, true);
    const job = await check([`held,${recognized}`, `held,${unlike}`, `held,${free}`, `zoe,${stranger}`]);
    const before = await resultsOf(job);
    const path = `/v1/x/persons/${owner}/erasure?context.gkScopeId.value=${platform.gkScopeId}`;
    const told = async (): Promise<any> => {
      const { status: _answered, ...counts } = (await platform.server.rest('GET', path)).body;
      return counts;
    };
    expect(await told()).toEqual({ recordingCount: 4, keptOnLegalHoldCount: 2 });

    expect(await erase(owner)).toMatchObject({ media: 4, keptOnLegalHold: 2, keptForOthers: 0 });
    expect(await told()).toMatchObject({ keptOnLegalHoldCount: 2, erasedTime: expect.any(String) });
    for (const media of kept) expect(await isThere(media)).toBe(true);
    expect(await isThere(free)).toBe(false);
    const rows = await Promise.all(before.map(({ gkSessionId }) => toldOf(gkSessionId)));
    // Lines claim whom they name: of those only the recording is kept, and line and session agree.
    expect(rows.map(({ row }) => row.isErased === true)).toEqual([true, true, true, false]);
    const lines = await resultsOf(job);
    expect(lines.map(({ gkSessionId }) => gkSessionId !== undefined)).toEqual([false, false, false, true]);
    expect(lines[3]).toEqual(before[3]);
    expect(JSON.stringify(lines.slice(0, 3))).not.toContain('held');
    // Erased once more, nothing changes.
    await erase(owner);
    for (const media of kept) expect(await isThere(media)).toBe(true);

    // Each goes for itself, and only what was the person's.
    await hold(recognized, false);
    await expect.poll(() => isThere(recognized), jobPatience).toBe(false);
    expect(await isThere(unlike)).toBe(true);
    await hold(unlike, false);
    await expect.poll(() => isThere(unlike), jobPatience).toBe(false);
    await hold(stranger, false);
    await expect.poll(async () => (await told()).isRunning ?? false, jobPatience).toBe(false);
    expect(await told()).toEqual({ erasedTime: expect.any(String) });
    expect(await isThere(stranger)).toBe(true);
    expect((await resultsOf(job))[3]).toEqual(before[3]);
  });

  it('keeps a line in which a fraudster was recognized, as it keeps its session, without the name', async () => {
    const { owner } = await platform.printOf('fritz', 'person', 'fritz-as-customer');
    const uploads = await start(OFFLINE);
    const media = await upload(uploads, 'fritz', 4);
    const job = await check([`fritz-as-customer,${media}`]);
    const [before] = await resultsOf(job);
    expect(before).toMatchObject({ decision: 'FRAUD', ownerId: 'fritz-as-customer', gkOwnerId: owner });
    expect(await erase(owner)).toMatchObject({ keptWithFraudster: 1, batchLines: 1 });
    const [after] = await resultsOf(job);
    const { ownerId: _name, gkOwnerId: _owner, gkVoiceprintProfileId: _print, ...rest } = before;
    expect(after).toMatchObject({ gkFraudsterId: expect.any(String), gkSessionId: expect.any(String) });
    const { row, page } = await toldOf(after.gkSessionId);
    const { assessment } = row;
    expect(after).toEqual({ ...rest, message: FORGOTTEN, said: [forgotten], assessment });
    expect(row).toMatchObject({ fraudsters: [{ fraudsterId: 'mallory' }] });
    expect(row).not.toHaveProperty('isErased');
    expect(page).toMatchObject({ gkJobIds: [job] });
    expect(JSON.stringify([row, page, after])).not.toContain('fritz-as-customer');
    expect(JSON.stringify([row, after])).not.toContain(owner);
    expect(await isThere(media)).toBe(true);
  });
});

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// A check of a recording belongs to every session that has heard it, wherever the recording lies: what is found after them shows in the
// sessions of batch lines whose recordings were uploaded before. On both databases, over both transports.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { VoiceSearch } from '../../../src/gen/voxgate/biosec/v1/voice_search_pb.js';
import { asker, id, transports } from '../asking.js';
import type { Json } from '../requests.js';
import { Platform, forEachStore, jobPatience, utterance, type RequestContext } from '../support.js';
import { withFacts } from '../../support/assessment-facts.js';

const activity = asker(Activity);
const voiceSearch = asker(VoiceSearch);

const named = (fraudsterId: string, check: object = { check: 'FRAUD_DETECTION' }) => ({
  ...check,
  fraudster: expect.objectContaining({ fraudsterId }),
});

await forEachStore((store) => {
  let platform: Platform;
  let anna: { profile: string; owner: string };
  /** In which it was uploaded, and nothing is decided. */
  let uploads: RequestContext;
  let reader: RequestContext;
  let media: { value: string };
  /** Sessions of batch lines, none of which was checked for attacks. */
  let lines: string[];
  /** Their batches. */
  const jobs: string[] = [];

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('alarming', { attackChecks: { riskHigh: 1, reliabilityMin: 0 } });
    await platform.configure('calm', { attackChecks: { riskHigh: 999, reliabilityMin: 0 } });
    await platform.configure('unsure', { attackChecks: { reliabilityMin: 100 } });
    anna = await platform.printOf('anna');
    reader = await platform.open();
    uploads = await platform.open();
    media = { value: await platform.upload(uploads, utterance('anna', 4)) };
  });
  afterAll(() => platform.stop());

  /** A batch of one line; answers its session. */
  async function line(personId = 'anna'): Promise<string> {
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    // Of somebody whom nobody knows there is nothing else to check.
    const isKnown = personId !== 'zoe';
    const { status, body } = await platform.post('/v1/batches:check', {
      ...{ context, manifest: `media,person_id\n${media.value},${personId}`, withoutAttackChecks: isKnown },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const read = async (path: string): Promise<any> =>
      (await platform.server.rest('GET', `${path}?context.gk_scope_id.value=${platform.gkScopeId}`)).body;
    await expect
      .poll(async () => (await read(`/v1/batches/${body.gkJobId}`)).batch.state, jobPatience)
      .toBe('BATCH_STATE_COMPLETED');
    jobs.push(body.gkJobId);
    const [result] = (await read(`/v1/batches/${body.gkJobId}/results`)).results;
    const decision = personId === 'anna' ? 'AUTHENTIC' : 'NO_MATCH';
    const message = expect.stringContaining('not checked for attacks');
    if (isKnown) expect(result).toMatchObject({ decision, message });
    return result.gkSessionId;
  }

  /** A session of somebody who works in the console. */
  async function analystContext(): Promise<RequestContext> {
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const asked = { context, sessionType: 'SESSION_TYPE_FRAUD_ANALYST' };
    const { body } = await platform.post('/v1/sessions/start', asked);
    return { ...context, gkEngagementId: body.gkEngagementId, gkSessionId: body.gkSessionId };
  }

  /** As somebody checks it on the page of a session, in one of their own. */
  async function check(configsetId: string): Promise<RequestContext> {
    const context = await platform.open(configsetId);
    const answer = await platform.post('/v1/audios/spoofing', {
      ...{ context, gkMediaSegmentId: media },
      ...{ syntheticSpeechDetectionParameters: {}, channelPlaybackDetectionParameters: {} },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return context;
  }

  const list = async (request: Json, transport: (typeof transports)[number] = 'REST'): Promise<any[]> => {
    const { body, code } = await activity(
      platform,
      transport,
      'ListSessions',
      { page_size: 500, ...request },
      reader,
    );
    expect(code, JSON.stringify(body)).toBe('OK');
    return ((body['sessions'] ?? []) as any[]).map(withFacts);
  };
  const among = async (gkIds: readonly string[], request: Json, transport?: 'gRPC' | 'REST') => {
    const found = await list(request, transport);
    return gkIds.map((gkId) => found.find(({ details }) => details.gkSessionId.value === gkId));
  };
  const laterIn = async (gkId: string, transport: (typeof transports)[number] = 'REST'): Promise<any[]> => {
    const asked = { gk_session_id: id(gkId) };
    const { body } = await activity(platform, transport, 'GetSessionTimeline', asked, reader);
    return (body['laterChecks'] ?? []) as any[];
  };

  /** The second line has compared the same recording after the first. */
  const isAttackCheck = ({ event }: any): boolean => event.operation === 'DetectAudioSpoofing';

  it('takes what was uploaded for a batch for no call as soon as its lines have heard it', async () => {
    const gkId = uploads.gkSessionId?.value ?? '';
    const call = await platform.open();
    await platform.verify(call, anna.profile, utterance('anna', 5));
    const kept = await platform.open();
    const heardLater = await platform.upload(kept, utterance('bruno', 4));
    const answer = await platform.post('/v1/audios/spoofing', {
      context: await analystContext(),
      gkMediaSegmentId: { value: heardLater },
      syntheticSpeechDetectionParameters: {},
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const others = [call, kept].map(({ gkSessionId }) => gkSessionId?.value ?? '');
    // Nobody has heard it yet: it may be a call that waits.
    expect(await among([gkId], { without_uploads: true })).toMatchObject([{ details: {} }]);
    lines = [await line(), await line()];
    for (const transport of transports) {
      const all = await among([gkId, ...others, ...lines], {}, transport);
      expect(all.map((entry) => entry?.isUpload)).toEqual([true, ...Array(4).fill(undefined)]);
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_PERSON']) {
        const asked = { without_uploads: true, order };
        const calls = await among([gkId, ...others, ...lines], asked, transport);
        expect(calls.map((entry) => entry !== undefined)).toEqual([false, true, true, true, true]);
      }
      const asked = { gk_session_id: id(gkId) };
      const { body } = await activity(platform, transport, 'GetSessionTimeline', asked, uploads);
      expect(withFacts(body)).toMatchObject({ isUpload: true, gkJobIds: jobs });
      const ofLine = { gk_session_id: id(lines[1] ?? '') };
      const { body: told } = await activity(platform, transport, 'GetSessionTimeline', ofLine, uploads);
      expect(told['gkJobIds']).toEqual([jobs[1]]);
      expect(told).not.toHaveProperty('isUpload');
    }
  });

  it('is listed by the IDs of sessions, in one page, and nothing else', async () => {
    for (const transport of transports) {
      const asked = { gk_session_ids: [...lines, lines[0], 'unknown'], caveat: ['SESSION_CAVEAT_CUT_OFF'] };
      const found = await list(asked, transport);
      expect(found.map(({ details }) => details.gkSessionId.value).sort()).toEqual([...lines].sort());
      const all = await among(lines, {}, transport);
      for (const entry of found) expect(all).toContainEqual(entry);
      const many = { gk_session_ids: Array.from({ length: 101 }, (_, at) => String(at)) };
      const { code, body } = await activity(platform, transport, 'ListSessions', many, reader);
      expect([code, JSON.stringify(body)]).toEqual([
        'INVALID_REQUEST',
        expect.stringContaining('must have at most 100 entries'),
      ]);
    }
  });

  it('takes the mark away from both sessions that heard it, once a check can tell', async () => {
    const unchecked = { caveat: ['SESSION_CAVEAT_ATTACK_CHECK_MISSING'] };
    const marked = { withoutAttackChecks: true };
    for (const transport of transports)
      expect(await among(lines, unchecked, transport)).toMatchObject([marked, marked]);
    const unsure = await check('unsure');
    for (const transport of transports) {
      // Somebody looked, and could not tell.
      const unresolvedChecks = ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'];
      const unknown = { assessment: { unresolvedChecks } };
      expect(await among(lines, unchecked, transport)).toEqual([undefined, undefined]);
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_PERSON'])
        expect(
          await among(lines, { caveat: ['SESSION_CAVEAT_ATTACK_CHECK_UNRESOLVED'], order }, transport),
        ).toMatchObject([unknown, unknown]);
      for (const gkId of lines)
        expect((await laterIn(gkId, transport)).filter(isAttackCheck)).toMatchObject([
          {
            event: { attributes: { factor: 'SYNTHETIC_SPEECH' }, gkMediaSegmentId: media },
            gkSessionId: unsure.gkSessionId,
          },
          { event: { attributes: { factor: 'CHANNEL_PLAYBACK' } }, gkSessionId: unsure.gkSessionId },
        ]);
    }
    await check('calm');
    for (const transport of transports) {
      expect(await among(lines, unchecked, transport)).toEqual([undefined, undefined]);
      for (const entry of await among(lines, {}, transport)) {
        expect(entry).toMatchObject({ details: { riskInfo: { decision: 'DECISION_AUTHENTIC' } } });
        expect(entry).not.toHaveProperty('withoutAttackChecks');
        expect(entry?.assessment).not.toHaveProperty('unresolvedChecks');
        expect(entry).not.toHaveProperty('foundLater');
      }
    }
  });

  it('tells both of an attack that was found since, and none that heard it afterwards', async () => {
    const alarmed = await check('alarming');
    const after = await line();
    const found = [{ check: 'SYNTHETIC_SPEECH' }, { check: 'CHANNEL_PLAYBACK' }];
    for (const transport of transports) {
      for (const more of [
        {},
        { caveat: ['SESSION_CAVEAT_FOUND_LATER'] },
        { caveat: ['SESSION_CAVEAT_FOUND_LATER'], order: 'LIST_ORDER_PERSON' },
      ])
        expect(await among(lines, more, transport)).toMatchObject([
          { foundLater: found },
          { foundLater: found },
        ]);
      expect(await among([after], { caveat: ['SESSION_CAVEAT_FOUND_LATER'] }, transport)).toEqual([
        undefined,
      ]);
      expect(await among([after], {}, transport)).toMatchObject([{ withoutAttackChecks: true }]);
      expect(await laterIn(after, transport)).toEqual([]);
    }
    // Found a second time it is no news where it was found first.
    await check('alarming');
    const [desk] = await among([alarmed.gkSessionId?.value ?? ''], {});
    expect(desk).not.toHaveProperty('foundLater');
    expect((await among([after], {}))[0]).toMatchObject({ foundLater: found });
    expect((await among([after], {}))[0]).not.toHaveProperty('withoutAttackChecks');
  });

  it('counts both among the calls of a fraudster who is found in the recording', async () => {
    const { owner } = await platform.printOf('anna', 'fraudster', 'X-1');
    const context = await platform.open();
    const { body } = await platform.post('/v1/watchlists', { context, watchlistId: 'ring' });
    const { gkWatchlistId } = body;
    const members = `/v1/watchlists/${gkWatchlistId.value}/fraudsters`;
    expect((await platform.post(members, { context, gkFraudsterId: id(owner) })).status).toBe(200);
    const asked = { gkMediaSegmentId: media, watchlist: { uniqueId: gkWatchlistId } };
    const answer = await platform.post('/v1/voiceprints/known-fraudsters-detection', { context, ...asked });
    expect(answer.body.result.decision).toBe('DECISION_FRAUD');
    const ofFraudster = { gk_fraudster_id: id(owner) };
    for (const transport of transports) {
      for (const more of [ofFraudster, { query: 'X-1' }, { caveat: ['SESSION_CAVEAT_FOUND_LATER'] }])
        expect(await among([uploads.gkSessionId?.value ?? ''], more, transport)).toEqual([undefined]);
      for (const more of [ofFraudster, { ...ofFraudster, order: 'LIST_ORDER_PERSON' }, { query: 'X-1' }])
        for (const entry of await among(lines, more, transport))
          expect(entry?.foundLater).toContainEqual(
            expect.objectContaining({ fraudster: expect.objectContaining({ fraudsterId: 'X-1' }) }),
          );
    }
  });

  it('tells all who heard it whose print was made from it', async () => {
    const context = await platform.open();
    const [first = '', second = ''] = lines;
    const asked = { gk_session_id: id(second) };
    const { body } = await activity(platform, 'REST', 'GetSessionTimeline', asked, context);
    const heard = (body['events'] as any[]).find((event) => event.gkProcessedAudioId).gkProcessedAudioId;
    const list = await platform.post('/v1/watchlists', { context, watchlistId: 'from calls' });
    const made = await platform.post('/v1/x/voice-search/fraudsters', {
      ...{ context: await analystContext(), fraudsterId: 'X-2', tag: 'main' },
      ...{ gkWatchlistId: list.body.gkWatchlistId, gkProcessedAudioIds: [heard] },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const upload = uploads.gkSessionId?.value ?? '';
    const madeFrom = await among([first, second, upload], { caveat: ['SESSION_CAVEAT_FOUND_LATER'] });
    expect(madeFrom.map((entry) => entry?.enrolledLater?.[0].fraudsterId)).toEqual(['X-2', 'X-2', undefined]);
  });

  it('is found in a search as the call of each who heard it, and tells them all', async () => {
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    await platform.printOf('bruno', 'person', 'bruno');
    const posing = await line('bruno');
    // Nobody is known by that name, which only the line of the batch has.
    const unknown = await line('zoe');
    const heardBy = [...lines, posing];
    const upload = uploads.gkSessionId?.value ?? '';
    const { profile, owner } = await platform.printOf('anna', 'fraudster', 'X-3');
    const namesOf = (calls: any[]) =>
      heardBy.map((gkId) => calls.find(({ gkSessionId }) => gkSessionId.value === gkId)?.personId);
    const found = { foundLater: expect.arrayContaining([{ ...named('X-3'), time: expect.any(String) }]) };
    for (const transport of transports) {
      const search = { gk_voiceprint_profile_id: id(profile) };
      const { body, code } = await voiceSearch(platform, transport, 'FindCalls', search, reader);
      expect(code, JSON.stringify(body)).toBe('OK');
      const calls = (body['calls'] as any[]).map(({ call }) => call);
      expect(namesOf(calls)).toEqual(['anna', 'anna', 'bruno']);
      const asZoe = calls.find(({ gkSessionId }) => gkSessionId.value === unknown);
      expect([asZoe?.personId, asZoe?.gkPersonId]).toEqual(['zoe', undefined]);
      const ids = calls.map(({ gkSessionId }) => gkSessionId.value);
      expect(ids).not.toContain(upload);
      expect(new Set(ids).size).toBe(ids.length);
      for (const more of [
        { caveat: ['SESSION_CAVEAT_FOUND_LATER'] },
        { gk_fraudster_id: id(owner) },
        { query: 'X-3' },
      ])
        for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_PERSON'])
          expect(await among([...heardBy, upload], { ...more, order }, transport)).toMatchObject([
            ...heardBy.map(() => found),
            undefined,
          ]);
      expect(await among(lines, { gk_person_id: id(anna.owner) }, transport)).toMatchObject([found, found]);
      for (const gkId of heardBy)
        expect(await laterIn(gkId, transport)).toContainEqual(
          expect.objectContaining({
            event: expect.objectContaining({ operation: 'FindCalls' }),
            ...named('X-3', {}),
          }),
        );
      const voices = await voiceSearch(platform, transport, 'FindRecurringVoices', {}, reader);
      const told = (voices.body['voices'] as any[]).filter(({ calls: own }) => namesOf(own).some(Boolean));
      expect(told).toMatchObject([{ identities: 2 }]);
      expect(namesOf(told[0].calls)).toEqual(['anna', 'anna', 'bruno']);
    }
  });

  it('is told of a search that ran by itself by all whom that has found', async () => {
    const basis = { hasLegalBasis: true, days: 7 };
    await platform.configure('SCOPE', { voiceSearch: { ...basis, searchForNewFraudsters: true } });
    const { owner } = await platform.printOf('anna', 'fraudster', 'X-4');
    const context = await platform.open();
    const { body } = await platform.post('/v1/watchlists', { context, watchlistId: 'searched' });
    const members = `/v1/watchlists/${body.gkWatchlistId.value}/fraudsters`;
    expect((await platform.post(members, { context, gkFraudsterId: id(owner) })).status).toBe(200);
    const search = async (): Promise<any> => {
      const answer = await voiceSearch(platform, 'REST', 'ListSearches', {}, reader);
      return (answer.body['searches'] as any[]).find(({ fraudsterId }) => fraudsterId === 'X-4');
    };
    await expect.poll(async () => (await search()).state, jobPatience).toBe('SEARCH_STATE_COMPLETED');
    const after = await line();
    const { gkJobId, found } = await search();
    const answer = await voiceSearch(platform, 'gRPC', 'GetSearch', { gk_job_id: gkJobId }, reader);
    const calls = (answer.body['calls'] as any[]).map(({ call }) => call.gkSessionId.value);
    expect(calls).toEqual(expect.arrayContaining(lines));
    // Who heard it since was not found.
    expect(calls).not.toContain(after);
    expect(calls).toHaveLength(found);
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: false } });
  });

  it('stays as evidence when the person is erased, and tells only whose print was made from it once it was judged as genuine', async () => {
    const path = `/v1/persons/${anna.owner}/personal-data?${platform.query(await platform.open())}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    const nameOf = async (): Promise<unknown[]> =>
      (await among(lines, {})).map((entry) => entry?.claimedPersonId ?? '');
    await expect.poll(nameOf).toEqual(lines.map(() => ''));
    for (const entry of await among(lines, {})) {
      expect(entry).not.toHaveProperty('isErased');
      expect(entry?.foundLater).toContainEqual(
        expect.objectContaining({ fraudster: expect.objectContaining({ fraudsterId: 'X-1' }) }),
      );
      const { gkEngagementId } = entry?.details ?? {};
      const judged = { context: { ...reader, gkEngagementId }, verdict: 'ENGAGEMENT_VERDICT_AUTHENTIC' };
      const { status } = await platform.server.rest('PUT', '/v1/engagements/verdict', { body: judged });
      expect(status).toBe(200);
    }
    const made = { event: { operation: 'AddVoiceToWatchlist' }, fraudster: { fraudsterId: 'X-2' } };
    for (const gkId of lines) await expect.poll(() => laterIn(gkId)).toMatchObject([made]);
    for (const entry of await among(lines, {})) {
      expect(entry).toMatchObject({ isErased: true });
      expect(entry).not.toHaveProperty('foundLater');
    }
  });
});

// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Before and after the outcome genuine: whose print the voice of an engagement is in, however it came there, on which watchlists that fraudster is,
// and whether the outcome deletes what was kept of somebody who was erased. The page of a session and the list say the same. On both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { Directory } from '../../src/gen/voxgate/biosec/v1/directory_pb.js';
import { VoiceSearch } from '../../src/gen/voxgate/biosec/v1/voice_search_pb.js';
import { asker, id } from './asking.js';
import { forEachStore, Platform, utterance, type RequestContext, type VoiceName } from './support.js';
import { withFacts } from '../support/assessment-facts.js';

const activity = asker(Activity);
const directory = asker(Directory);
const voiceSearch = asker(VoiceSearch);
const GENUINE = 'ENGAGEMENT_VERDICT_AUTHENTIC';

interface Made {
  call: RequestContext;
  media: string;
  audio: string;
}

await forEachStore((store) => {
  let platform: Platform;
  let reader: RequestContext;
  let ring: { value: string };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    reader = await platform.open();
    const { body } = await platform.post('/v1/watchlists', { context: reader, watchlistId: 'ring' });
    ring = body.gkWatchlistId;
  });
  afterAll(() => platform?.stop());

  /** A call; `within` an engagement that is there, and of somebody who is claimed or only compared. */
  async function call(
    voice: VoiceName,
    of: { within?: RequestContext; claimed?: string; compared?: string; number?: number } = {},
  ): Promise<Made> {
    const { within, claimed, compared, number = 4 } = of;
    const scope = { gkScopeId: reader.gkScopeId, configsetId: platform.configsetId };
    const { body } = await platform.post('/v1/sessions/start', {
      context: { ...scope, ...(within && { gkEngagementId: within.gkEngagementId }) },
      sessionType: 2,
      ...(claimed && { details: { claimedGkPersonId: id(claimed) } }),
    });
    const context = { ...scope, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
    const media = await platform.upload(context, utterance(voice, number));
    const path = compared ? `/v1/voiceprints/${compared}/verification` : '/v1/audios/process';
    const heard = await platform.post(path, { context, gkMediaSegmentId: id(media) });
    expect(heard.status, JSON.stringify(heard.body)).toBe(200);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
    return { call: context, media, audio: heard.body.result.gkProcessedAudioId.value };
  }

  async function add({ audio }: Made, as: object): Promise<string> {
    const asked = { gk_processed_audio_ids: [id(audio)], whole_recordings: true, tag: 'main', ...as };
    const desk = await platform.open();
    const { code, body } = await voiceSearch(platform, 'REST', 'AddVoiceToWatchlist', asked, desk);
    expect(code, JSON.stringify(body)).toBe('OK');
    return (body['gkFraudsterId'] as { value: string }).value;
  }
  const asNew = (name: string) => ({ gk_watchlist_id: ring, fraudster_id: name });

  async function enrollByHand({ audio }: Made, name: string): Promise<{ owner: string; profile: string }> {
    const desk = await platform.open();
    const owner = await platform.createOwner(desk, 'fraudster', name);
    const profile = await platform.createProfile(desk, 'fraudster', name);
    const asked = { context: desk, gkProcessedAudioId: id(audio) };
    const { status, body } = await platform.post(`/v1/voiceprints/${profile}/enrollment`, asked);
    expect(status, JSON.stringify(body)).toBe(200);
    return { owner, profile };
  }

  const get = async (path: string, more = ''): Promise<any> =>
    (await platform.server.rest('GET', `${path}?context.gkScopeId.value=${platform.gkScopeId}${more}`)).body;
  const pageOf = async ({ call: of }: Made): Promise<any> =>
    withFacts(await get(`/v1/x/sessions/${of.gkSessionId?.value}/timeline`));
  const rowOf = async ({ call: of }: Made, withEffects = true): Promise<any> => {
    const asked = { gk_session_ids: [of.gkSessionId?.value], with_outcome_effects: withEffects };
    const { body } = await activity(platform, 'REST', 'ListSessions', asked, reader);
    return withFacts((body['sessions'] as any[])[0]);
  };
  /** What the page says of an outcome; the list says the same. */
  async function effectsOf(made: Made): Promise<object> {
    const [page, row] = [await pageOf(made), await rowOf(made)].map(
      ({ enrolledAs = [], isKeptAsFraud = false, isKeptWithFraudster = false }) => ({
        enrolledAs: enrolledAs.map(({ fraudster, watchlists = [], hasOtherRecordings }: any) =>
          [
            fraudster.fraudsterId,
            ...watchlists.map(({ watchlistId }: any) => `on ${watchlistId}`),
            ...(hasOtherRecordings ? ['known from others'] : []),
          ].join(' '),
        ),
        isKeptAsFraud,
        isKeptWithFraudster,
      }),
    );
    expect(row).toEqual(page);
    return page as object;
  }
  /** Whose print was made from it afterwards: the page says the same as the list. */
  async function madeFrom(made: Made): Promise<object[] | undefined> {
    const [page, row] = [await pageOf(made), await rowOf(made, false)];
    expect(page.enrolledLater).toEqual(row.enrolledLater);
    return row.enrolledLater;
  }
  const nothing = { enrolledAs: [], isKeptAsFraud: false, isKeptWithFraudster: false };

  const judge = async ({ call: context }: Made, verdict: string): Promise<void> => {
    const body = { context, gkEngagementId: context.gkEngagementId, verdict };
    expect((await platform.server.rest('PUT', '/v1/engagements/verdict', { body })).status).toBe(200);
  };
  const remove = async (path: string): Promise<void> => {
    const { status, body } = await platform.server.rest('DELETE', `${path}?${platform.query(reader)}`);
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const isOver = async (gkPersonId: string): Promise<boolean> => {
    const { erasedTime, isRunning } = await get(`/v1/x/persons/${gkPersonId}/erasure`);
    return Boolean(erasedTime) && !isRunning;
  };
  async function erase(gkPersonId: string): Promise<void> {
    await remove(`/v1/persons/${gkPersonId}/personal-data`);
    await expect.poll(() => isOver(gkPersonId)).toBe(true);
  }

  it('names fraudsters made from any session of the engagement, in whichever way, and where they are listed', async () => {
    const first = await call('dora', { number: 5 });
    const second = await call('dora', { within: first.call });
    expect(await effectsOf(first)).toEqual(nothing);
    const listed = await add(second, asNew('from the second'));
    const byHand = await enrollByHand(first, 'by hand');
    const known = await platform.printOf('dora', 'fraudster', 'known');
    await add(first, { gk_fraudster_id: id(known.owner) });
    const enrolledAs = ['from the second on ring', 'by hand', 'known known from others'];
    for (const made of [first, second]) expect(await effectsOf(made)).toEqual({ ...nothing, enrolledAs });
    // Another engagement of the same voice.
    expect(await effectsOf(await call('dora', { number: 3 }))).toEqual(nothing);

    await remove(`/v1/fraudsters/${listed}`);
    const segment = `/v1/voiceprints/profiles/${byHand.profile}/enrollment-segments/${first.audio}`;
    const taken = await platform.server.rest('DELETE', `${segment}?${platform.query(reader)}`);
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
    expect(await effectsOf(second)).toEqual({ ...nothing, enrolledAs: ['known known from others'] });
  });

  it('works out what an outcome would do only for those who ask', async () => {
    const made = await call('dora');
    await add(made, asNew('asked for'));
    expect(await rowOf(made)).toMatchObject({ enrolledAs: [{ fraudster: { fraudsterId: 'asked for' } }] });
    expect(await rowOf(made, false)).not.toHaveProperty('enrolledAs');
  });

  it('lists a call that was enrolled by hand as one that a fraudster was made from, as long as it is in the print', async () => {
    const made = await call('emil', { number: 5 });
    const enrolled = await enrollByHand(made, 'over the API');
    const isListed = async (asked: object): Promise<boolean> => {
      const { body } = await activity(platform, 'REST', 'ListSessions', { page_size: 500, ...asked }, reader);
      const rows = (body['sessions'] ?? []) as any[];
      return rows.some(({ details }) => details.gkSessionId.value === made.call.gkSessionId?.value);
    };
    const filters = [{ caveat: ['SESSION_CAVEAT_FOUND_LATER'] }, { gk_fraudster_id: id(enrolled.owner) }];
    expect(await madeFrom(made)).toMatchObject([{ fraudsterId: 'over the API' }]);
    for (const asked of filters) expect(await isListed(asked)).toBe(true);
    const [as] = (await pageOf(made)).enrolledAs;
    expect(as).toMatchObject({ gkSessionIds: [made.call.gkSessionId], isUntrained: true });
    // And from the print to the call.
    const prints = async (asked: Record<string, any>): Promise<any> =>
      (await directory(platform, 'REST', 'ListVoiceprintProfiles', asked, reader)).body;
    const ofOwner = { gk_owner_id: id(enrolled.owner) };
    const recordings = [{ gkProcessedAudioId: id(made.audio), gkSessionId: made.call.gkSessionId }];
    expect((await prints({ ...ofOwner, with_recordings: true })).profiles).toMatchObject([{ recordings }]);
    for (const asked of [ofOwner, { with_recordings: true }])
      expect(JSON.stringify(await prints(asked))).not.toContain('recordings');
    await remove(`/v1/voiceprints/profiles/${enrolled.profile}/enrollment-segments/${made.audio}`);
    expect(await madeFrom(made)).toBeUndefined();
    for (const asked of filters) expect(await isListed(asked)).toBe(false);
  });

  it('makes nobody afterwards from the session in which they were enrolled, with whichever print', async () => {
    const name = 'enrolled at once';
    const desk = await platform.open();
    const owner = await platform.createOwner(desk, 'fraudster', name);
    const hear = async (number: number): Promise<Made> => {
      const heard = await platform.process(desk, utterance('emil', number), { isForEnrollment: true });
      return { call: desk, media: '', audio: heard.gkProcessedAudioId.value };
    };
    const enroll = async (context: RequestContext, { audio }: Made, tag: string): Promise<void> => {
      const profile = await platform.createProfile(context, 'fraudster', name, tag);
      const asked = { context, gkProcessedAudioId: id(audio) };
      const { status, body } = await platform.post(`/v1/voiceprints/${profile}/enrollment`, asked);
      expect(status, JSON.stringify(body)).toBe(200);
    };
    const isFound = async (): Promise<boolean> => {
      const asked = { gk_fraudster_id: id(owner), page_size: 500 };
      return 'sessions' in (await activity(platform, 'REST', 'ListSessions', asked, reader)).body;
    };
    const made = await hear(5);
    await enroll(desk, made, 'main');
    await enroll(await platform.open(), made, 'second');
    expect(await madeFrom(made)).toBeUndefined();
    expect(await isFound()).toBe(false);
    // But for whoever is put on a watchlist from it.
    await add(await hear(4), { gk_fraudster_id: id(owner), gk_watchlist_id: ring });
    expect(await madeFrom(made)).toMatchObject([{ fraudsterId: name }]);
    expect(await isFound()).toBe(true);
  });

  it('says which sessions of an engagement are kept for what, and what makes each of them go', async () => {
    const rita = await platform.printOf('dora', 'person', 'rita');
    const first = await call('dora', { claimed: rita.owner, compared: rita.profile });
    const second = await call('dora', {
      ...{ within: first.call, claimed: rita.owner, compared: rita.profile, number: 5 },
    });
    const [firstId, secondId] = [first.call.gkSessionId, second.call.gkSessionId];
    const owner = await add(first, asNew('made from the first'));
    await judge(first, GENUINE);
    const detected = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      context: await platform.open(),
      gkMediaSegmentId: id(second.media),
      watchlist: { uniqueId: ring },
    });
    expect(detected.body.result.decision, JSON.stringify(detected.body)).toBe('DECISION_FRAUD');
    await erase(rita.owner);
    const isThere = async ({ media }: Made): Promise<boolean> => {
      const path = `/v1/mediasegments/${media}?${platform.query(reader)}`;
      return (await platform.server.rest('GET', path)).status === 200;
    };
    for (const made of [first, second])
      expect(await pageOf(made)).toMatchObject({
        isKeptWithFraudster: true,
        keptWithFraudsterSessionIds: [secondId],
        enrolledAs: [{ fraudster: { fraudsterId: 'made from the first' }, gkSessionIds: [firstId] }],
      });
    // The recording of the first is kept for the print alone.
    await remove(`/v1/fraudsters/${owner}`);
    await expect.poll(() => isThere(first)).toBe(false);
    await expect.poll(() => isOver(rita.owner)).toBe(true);
    expect(await isThere(second)).toBe(true);
    await judge(second, GENUINE);
    await expect.poll(() => isThere(second)).toBe(false);
    expect(await effectsOf(second)).toEqual(nothing);
  });

  it('asks for no confirmation again once the call is judged as genuine, and goes on naming the fraudster', async () => {
    const nora = await platform.printOf('bruno', 'person', 'nora');
    const made = await call('dora', { claimed: nora.owner, compared: nora.profile });
    await add(made, asNew('by mistake'));
    const enrolledAs = ['by mistake on ring'];
    expect(await effectsOf(made)).toEqual({ ...nothing, enrolledAs });
    await erase(nora.owner);
    expect(await effectsOf(made)).toEqual({ ...nothing, enrolledAs, isKeptWithFraudster: true });
    await judge(made, GENUINE);
    await expect.poll(() => rowOf(made)).toMatchObject({ isErased: true });
    await expect.poll(() => isOver(nora.owner)).toBe(true);
    expect(await effectsOf(made)).toEqual({ ...nothing, enrolledAs });
  });

  it('says it as well where nobody was claimed, and of an engagement with the outcome fraud only where somebody was erased', async () => {
    const olga = await platform.printOf('bruno', 'person', 'olga');
    const made = await call('emil', { compared: olga.profile });
    const beside = await call('emil', { within: made.call, compared: olga.profile, number: 5 });
    // What a check has heard has to be processed first.
    const asked = { context: await platform.open(), gkMediaSegmentId: id(made.media) };
    const { gkProcessedAudioId } = (await platform.post('/v1/audios/process', asked)).body.result;
    const enrolled = await enrollByHand({ ...made, audio: gkProcessedAudioId.value }, 'olga’s caller');
    const enrolledAs = ['olga’s caller'];
    await judge(made, 'ENGAGEMENT_VERDICT_FRAUD');
    expect(await effectsOf(made)).toEqual({ ...nothing, enrolledAs });
    await erase(olga.owner);
    for (const one of [made, beside])
      expect(await effectsOf(one)).toEqual({ ...nothing, enrolledAs, isKeptAsFraud: true });
    await judge(made, 'ENGAGEMENT_VERDICT_UNCERTAIN');
    await expect.poll(() => isOver(olga.owner)).toBe(true);
    for (const one of [made, beside])
      expect(await effectsOf(one)).toEqual({ ...nothing, enrolledAs, isKeptWithFraudster: true });
    await judge(beside, GENUINE);
    await expect.poll(() => isOver(olga.owner)).toBe(true);
    for (const one of [made, beside]) expect(await effectsOf(one)).toEqual({ ...nothing, enrolledAs });
    await remove(`/v1/fraudsters/${enrolled.owner}`);
    expect(await effectsOf(made)).toEqual(nothing);
  });

  it('says of fraudsters in lists that they were deleted, and of records that their person was erased', async () => {
    const quinn = await platform.printOf('bruno', 'person', 'quinn');
    const known = await platform.printOf('carl', 'fraudster', 'gone by now');
    const context = { context: reader, gkFraudsterId: id(known.owner) };
    await platform.post(`/v1/watchlists/${ring.value}/fraudsters`, context);
    const made = await call('carl', { compared: quinn.profile });
    const detected = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      context: await platform.open(),
      gkMediaSegmentId: id(made.media),
      watchlist: { uniqueId: ring },
    });
    expect(detected.body.result.decision, JSON.stringify(detected.body)).toBe('DECISION_FRAUD');
    await add(made, { gk_fraudster_id: id(known.owner) });
    const fraudster = { gkFraudsterId: id(known.owner), fraudsterId: 'gone by now' };
    expect(await rowOf(made)).toMatchObject({ foundLater: [{ fraudster }], enrolledLater: [fraudster] });
    expect(JSON.stringify(await rowOf(made))).not.toContain('isDeleted');
    await remove(`/v1/fraudsters/${known.owner}`);
    const gone = { ...fraudster, isDeleted: true };
    expect(await rowOf(made)).toMatchObject({ foundLater: [{ fraudster: gone }], enrolledLater: [gone] });
    expect(await madeFrom(made)).toMatchObject([gone]);

    const records = async (): Promise<any[]> => (await get('/v1/x/audit/records', '&pageSize=1000')).records;
    const about = async (): Promise<any[]> =>
      (await records()).filter(({ recordAsJson }) =>
        [quinn.owner, quinn.profile].includes(JSON.parse(recordAsJson).subjectIds?.[0]),
      );
    expect((await about()).map(({ objectName }) => objectName)).toContain('quinn');
    expect((await about()).filter(({ isObjectErased }) => isObjectErased)).toEqual([]);
    await erase(quinn.owner);
    const erased = await about();
    expect(erased.length).toBeGreaterThan(3);
    for (const record of erased) {
      expect(record).toMatchObject({ isObjectErased: true });
      expect(record).not.toHaveProperty('objectName');
    }
  });

  it('finds a call of an engagement that was erased no more, though its recording is kept for a print', async () => {
    await platform.configure('SCOPE', {
      voiceSearch: { hasLegalBasis: true, days: 7, searchForNewFraudsters: true },
    });
    const paul = await platform.printOf('bruno', 'person', 'paul');
    const made = await call('dora', { claimed: paul.owner, compared: paul.profile });
    await add(made, asNew('paul’s caller'));
    const searcher = await platform.printOf('dora', 'fraudster', 'searched for');
    const found = async (): Promise<string[]> => {
      const asked = { gk_voiceprint_profile_id: id(searcher.profile) };
      const { body } = await voiceSearch(platform, 'REST', 'FindCalls', asked, reader);
      return ((body['calls'] ?? []) as any[]).map((one) => one.call.gkSessionId.value);
    };
    const gkSessionId = made.call.gkSessionId?.value;
    expect(await found()).toContain(gkSessionId);
    await platform.post(`/v1/watchlists/${ring.value}/fraudsters`, {
      context: reader,
      gkFraudsterId: id(searcher.owner),
    });
    const ended = async (): Promise<any> => {
      const { searches = [] } = await get('/v1/x/voice-search/searches');
      return searches.find(
        ({ fraudsterId, state }: any) => fraudsterId === 'searched for' && state === 'SEARCH_STATE_COMPLETED',
      );
    };
    await expect.poll(ended).toBeDefined();
    const search = `/v1/x/voice-search/searches/${(await ended()).gkJobId}`;
    expect(JSON.stringify(await get(search))).toContain(gkSessionId);
    await judge(made, GENUINE);
    await erase(paul.owner);
    await expect.poll(() => rowOf(made)).toMatchObject({ isErased: true });
    const { status } = await platform.server.rest(
      'GET',
      `/v1/mediasegments/${made.media}?${platform.query(reader)}`,
    );
    expect(status).toBe(200);
    expect(await found()).not.toContain(gkSessionId);
    const kept = await get(search);
    expect(JSON.stringify(kept)).not.toContain(gkSessionId);
    // Nor is it kept how alike it was.
    expect(kept.search.found ?? 0).toBe((kept.calls ?? []).length);
    const { body: recurring } = await voiceSearch(platform, 'REST', 'FindRecurringVoices', {}, reader);
    expect(JSON.stringify(recurring)).not.toContain(gkSessionId);
    const { body: listed } = await activity(
      platform,
      'REST',
      'ListSessions',
      { gk_fraudster_id: id(searcher.owner), page_size: 500 },
      reader,
    );
    expect(JSON.stringify(listed)).not.toContain(gkSessionId);
    // Who was searched for is named as elsewhere.
    await remove(`/v1/fraudsters/${searcher.owner}`);
    const named = { fraudsterId: 'searched for', isDeleted: true };
    expect((await get(search)).search).toMatchObject(named);
    expect((await get('/v1/x/voice-search/searches')).searches).toContainEqual(
      expect.objectContaining(named),
    );
  });

  it('names the watchlist in the records of a check that recognized nobody, and the fraudster only in those of a hit', async () => {
    const context = { context: await platform.open() };
    const { body } = await platform.post('/v1/watchlists', { ...context, watchlistId: 'one voice' });
    const known = await platform.printOf('carl', 'fraudster', 'the only one');
    await platform.post(`/v1/watchlists/${body.gkWatchlistId.value}/fraudsters`, {
      ...context,
      gkFraudsterId: id(known.owner),
    });
    const objectOf = async (voice: VoiceName): Promise<string> => {
      const { call: of, media } = await call(voice);
      const desk = { ...of, ...(await platform.open()) };
      const asked = { gkMediaSegmentId: id(media), watchlist: { uniqueId: body.gkWatchlistId } };
      await platform.post('/v1/voiceprints/known-fraudsters-detection', { context: desk, ...asked });
      const { records } = await get('/v1/x/audit/records', `&gkSessionId.value=${desk.gkSessionId?.value}`);
      return records.find(({ operation }: any) => operation === 'DetectKnownFraudsters').objectName;
    };
    expect(await objectOf('carl')).toBe('the only one');
    expect(await objectOf('anna')).toBe('one voice');
  });
});

// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// The caller of a call that claims somebody was put on a watchlist: whoever did so has said that it was a fraudster. When the person who was
// claimed is erased, the call is evidence, as if a known fraudster had been recognized in it. By turns on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { VoiceSearch } from '../../src/gen/voxgate/biosec/v1/voice_search_pb.js';
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

const activity = asker(Activity);
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
  let watchlist: { value: string };

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    reader = await platform.open();
    const { body } = await platform.post('/v1/watchlists', { context: reader, watchlistId: 'ring' });
    watchlist = body.gkWatchlistId;
  });
  afterAll(() => platform?.stop());

  const get = async (path: string): Promise<any> => {
    const query = `context.gkScopeId.value=${platform.gkScopeId}`;
    const { status: _status, ...told } = (await platform.server.rest('GET', `${path}?${query}`)).body;
    return told;
  };
  const erasureOf = (gkPersonId: string): Promise<any> => get(`/v1/x/persons/${gkPersonId}/erasure`);

  /** Somebody claims to be the person, and is not; `uploaded`: the recording lies in another session, as for a batch. */
  async function impostor(
    voice: VoiceName,
    { owner, profile }: { owner: string; profile: string },
    {
      number = 4,
      uploaded,
      isCompared = true,
    }: { number?: number; uploaded?: RequestContext; isCompared?: boolean } = {},
  ): Promise<Made> {
    const call = await platform.open();
    const details = { claimedGkPersonId: id(owner), ani: '+15550100' };
    const body = { context: call, details, fieldMask: 'claimedGkPersonId,ani' };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body })).status).toBe(200);
    const media = await platform.upload(uploaded ?? call, utterance(voice, number));
    const asked = { context: call, gkMediaSegmentId: id(media) };
    const path = isCompared ? `/v1/voiceprints/${profile}/verification` : '/v1/audios/process';
    const { body: answer } = await platform.post(path, asked);
    if (isCompared) expect(answer.result.decision).toBe('DECISION_NO_MATCH');
    const noted = { caseNumber: { value: 'C-99' }, note: { value: 'asked for a transfer' } };
    const caseOf = `/v1/x/engagements/${call.gkEngagementId?.value}/case`;
    const changed = { context: { gkScopeId: call.gkScopeId }, ...noted };
    expect((await platform.server.rest('PATCH', caseOf, { body: changed })).status).toBe(200);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: call } });
    return { call, media, audio: answer.result.gkProcessedAudioId.value };
  }

  /** As the pages of a session, of a batch and of voice-search do it. */
  async function add(made: readonly Made[], as: object): Promise<{ owner: string; profile: string }> {
    const context = await platform.open();
    const asked = {
      ...{ gk_processed_audio_ids: made.map(({ audio }) => id(audio)), whole_recordings: true },
      ...as,
    };
    const { code, body } = await voiceSearch(platform, 'REST', 'AddVoiceToWatchlist', asked, context);
    expect(code, JSON.stringify(body)).toBe('OK');
    const { gkFraudsterId, gkVoiceprintProfileId } = body as Record<string, { value: string }>;
    return { owner: gkFraudsterId?.value ?? '', profile: gkVoiceprintProfileId?.value ?? '' };
  }
  const asNew = (name: string) => ({ gk_watchlist_id: watchlist, fraudster_id: name, tag: 'main' });

  const rowOf = async ({ call }: Made, more: object = {}): Promise<any> => {
    const asked = { page_size: 500, ...more };
    const { body } = await activity(platform, 'REST', 'ListSessions', asked, reader);
    const rows = (body['sessions'] ?? []) as any[];
    return withFacts(rows.find(({ details }) => details.gkSessionId.value === call.gkSessionId?.value));
  };
  const pageOf = async ({ call }: Made): Promise<any> =>
    withFacts(await get(`/v1/x/sessions/${call.gkSessionId?.value}/timeline`));
  const isThere = async ({ media }: Made): Promise<boolean> =>
    (await platform.server.rest('GET', `/v1/mediasegments/${media}?${platform.query(reader)}`)).status ===
    200;
  const judge = async ({ call }: Made, verdict: string): Promise<void> => {
    const body = { context: call, gkEngagementId: call.gkEngagementId, verdict };
    expect((await platform.server.rest('PUT', '/v1/engagements/verdict', { body })).status).toBe(200);
  };
  const deleteFraudster = async (gkFraudsterId: string): Promise<void> => {
    const path = `/v1/fraudsters/${gkFraudsterId}?${platform.query(reader)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
  };

  async function erase(gkPersonId: string): Promise<void> {
    const path = `/v1/persons/${gkPersonId}/personal-data?${platform.query(reader)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    const isOver = async (): Promise<boolean> => {
      const { erasedTime, isRunning } = await erasureOf(gkPersonId);
      return Boolean(erasedTime) && !isRunning;
    };
    await expect.poll(isOver, jobPatience).toBe(true);
  }

  /** The call is all there, but for the person who was claimed. */
  async function expectEvidence(made: Made, { owner, profile }: { owner: string; profile: string }) {
    expect(await isThere(made)).toBe(true);
    const row = await rowOf(made);
    expect(row).not.toHaveProperty('isErased');
    expect(row).toMatchObject({ isClaimErased: true, caseNumber: 'C-99', details: { ani: '+15550100' } });
    // It was decided, and how alike the two voices were goes with the person.
    const riskInfo = { decision: 'DECISION_NO_MATCH', decisionReason: 'DECISION_REASON_NO_MATCH' };
    expect(row.details.riskInfo).toEqual(riskInfo);
    expect(row.claimedResult).toBe('NO_MATCH');
    const page = await pageOf(made);
    for (const told of [row, page]) {
      expect(JSON.stringify(told)).not.toContain(owner);
      expect(JSON.stringify(told)).not.toContain(profile);
    }
    expect(page).toMatchObject({ isKeptWithFraudster: true, isClaimErased: true, claimedResult: 'NO_MATCH' });
    expect(page.session.riskInfo).toEqual(riskInfo);
    expect(await rowOf(made, { query: 'C-99' })).toBeDefined();
    expect(await rowOf(made, { query: '+15550100' })).toBeDefined();
  }
  const expectEmptied = async (made: Made): Promise<void> => {
    await expect.poll(() => rowOf(made), jobPatience).toMatchObject({ isErased: true });
    expect(await rowOf(made)).not.toHaveProperty('caseNumber');
  };

  /** Nothing else is told of it. */
  async function expectListed(
    made: Made,
    { as, by, erased }: { as: string; by: string; erased: { owner: string; profile: string } },
  ): Promise<void> {
    const fraudster = { gkFraudsterId: id(by), fraudsterId: as };
    for (const asked of [{}, { caveat: ['SESSION_CAVEAT_FOUND_LATER'] }, { gk_fraudster_id: id(by) }])
      expect(await rowOf(made, asked)).toMatchObject({ isErased: true, enrolledLater: [fraudster] });
    const page = await pageOf(made);
    expect(page.laterChecks).toMatchObject([{ event: { operation: 'AddVoiceToWatchlist' }, fraudster }]);
    for (const gone of [erased.owner, erased.profile, made.media])
      expect(JSON.stringify(page.laterChecks)).not.toContain(gone);
  }
  const expectNotListed = async (made: Made): Promise<void> => {
    expect(await rowOf(made)).not.toHaveProperty('enrolledLater');
    expect(await pageOf(made)).not.toHaveProperty('laterChecks');
  };

  it('keeps the case of an impostor who was put on a watchlist, until the call is judged as genuine', async () => {
    const hugo = await platform.printOf('bruno', 'person', 'hugo');
    const made = await impostor('dora', hugo);
    // Nobody has said anything of this one.
    const other = await impostor('emil', hugo);
    const listed = await add([made], asNew('fx-two'));
    // Three that he was enrolled with.
    // The note may name him, and stays.
    const texts = { keptTextCount: 1, keptTextSessionIds: [made.call.gkSessionId] };
    expect(await erasureOf(hugo.owner)).toEqual({ recordingCount: 4, keptWithFraudsterCount: 1, ...texts });

    await erase(hugo.owner);
    await expectEvidence(made, hugo);
    expect(await rowOf(made)).toMatchObject({ enrolledLater: [{ fraudsterId: 'fx-two' }] });
    expect(await rowOf(made, { caveat: ['SESSION_CAVEAT_FOUND_LATER'] })).toBeDefined();
    expect(await rowOf(made, { gk_fraudster_id: id(listed.owner) })).toBeDefined();
    expect(await erasureOf(hugo.owner)).toMatchObject({ keptWithFraudsterCount: 1, ...texts });
    expect(await isThere(other)).toBe(false);
    await expectEmptied(other);

    // A deletion takes nobody's word back.
    await deleteFraudster(listed.owner);
    await expect.poll(async () => (await erasureOf(hugo.owner)).isRunning ?? false, jobPatience).toBe(false);
    await expectEvidence(made, hugo);
    expect(await rowOf(made)).toMatchObject({ enrolledLater: [{ fraudsterId: 'fx-two' }] });

    await judge(made, GENUINE);
    await expectEmptied(made);
    await expect.poll(() => isThere(made), jobPatience).toBe(false);
    expect(await erasureOf(hugo.owner)).not.toHaveProperty('keptTextCount');
  });

  it('keeps it as well where the voice was added to a fraudster who is there', async () => {
    const ines = await platform.printOf('bruno', 'person', 'ines');
    const known = await platform.printOf('fritz', 'fraudster', 'known');
    const [made, beside] = [
      await impostor('fritz', ines),
      await impostor('fritz', ines, { number: 5 }),
    ] as const;
    await add([made, beside], { gk_fraudster_id: id(known.owner) });
    expect(await erasureOf(ines.owner)).toMatchObject({ recordingCount: 3, keptWithFraudsterCount: 2 });
    await erase(ines.owner);
    for (const one of [made, beside]) await expectEvidence(one, ines);

    // The call is the person's after all; the recording stays while a voiceprint needs it, and no longer.
    await judge(made, GENUINE);
    await expectEmptied(made);
    await expect.poll(async () => (await erasureOf(ines.owner)).isRunning ?? false, jobPatience).toBe(false);
    expect(await isThere(made)).toBe(true);
    // Whoever was judged as genuine is on a watchlist still: the session leads there, and from there to it.
    await expectListed(made, { as: 'known', by: known.owner, erased: ines });
    await deleteFraudster(known.owner);
    await expect.poll(() => isThere(made), jobPatience).toBe(false);
    await expectNotListed(made);
    await expect.poll(async () => (await erasureOf(ines.owner)).isRunning ?? false, jobPatience).toBe(false);
    await expectEvidence(beside, ines);
  });

  it('leads to the fraudster also where the call was judged as genuine before the erasure', async () => {
    const lena = await platform.printOf('bruno', 'person', 'lena');
    const made = await impostor('dora', lena);
    const listed = await add([made], asNew('by mistake'));
    await judge(made, GENUINE);
    expect(await rowOf(made)).toMatchObject({ enrolledLater: [{ fraudsterId: 'by mistake' }] });
    await erase(lena.owner);
    await expectEmptied(made);
    expect(await isThere(made)).toBe(true);
    await expectListed(made, { as: 'by mistake', by: listed.owner, erased: lena });
    await deleteFraudster(listed.owner);
    await expect.poll(() => isThere(made), jobPatience).toBe(false);
    await expectNotListed(made);
  });

  it('keeps a case in which nobody was compared, and says so before an outcome deletes it', async () => {
    const mara = await platform.printOf('bruno', 'person', 'mara');
    const made = await impostor('emil', mara, { isCompared: false });
    const listed = await add([made], asNew('never compared'));
    const open = { claimedResult: 'NOT_COMPARED' };
    expect(await rowOf(made)).toMatchObject(open);
    await erase(mara.owner);
    expect(await isThere(made)).toBe(true);
    expect(await rowOf(made)).toMatchObject({ isClaimErased: true, caseNumber: 'C-99', ...open });
    expect(await pageOf(made)).toMatchObject({ isKeptWithFraudster: true, ...open });
    await judge(made, GENUINE);
    await expectEmptied(made);
    await expectListed(made, { as: 'never compared', by: listed.owner, erased: mara });
  });

  it('says of a kept case what is true of its checks, also once everybody who was compared is erased', async () => {
    const [nora, otto] = [
      await platform.printOf('bruno', 'person', 'nora'),
      await platform.printOf('anna', 'person', 'otto'),
    ];
    // Somebody claims to be nora; in one call the voice is compared with hers, in the other with another's.
    const own = await impostor('dora', nora);
    const other = await impostor('emil', { owner: nora.owner, profile: otto.profile });
    await add([own], asNew('compared with nora'));
    await add([other], asNew('compared with otto'));
    const told = async () => {
      const rows = [await rowOf(own), await rowOf(other)];
      return rows.map(({ claimedResult, hasOtherPerson = false, withoutClaimed = false }) => ({
        ...{ claimedResult, hasOtherPerson, withoutClaimed },
      }));
    };
    const before = await told();
    expect(before).toEqual([
      { claimedResult: 'NO_MATCH', hasOtherPerson: false, withoutClaimed: false },
      { claimedResult: 'NOT_COMPARED', hasOtherPerson: true, withoutClaimed: false },
    ]);
    for (const { owner } of [nora, otto]) {
      await erase(owner);
      expect(await told()).toEqual(before);
    }
  });

  it('keeps it where the recording was uploaded before, and where it was enrolled by hand', async () => {
    const jonas = await platform.printOf('bruno', 'person', 'jonas');
    const line = await impostor('dora', jonas, { uploaded: await platform.open() });
    await add([line], asNew('from a batch'));
    const enrolled = await impostor('carl', jonas);
    const desk = await platform.open();
    await platform.createOwner(desk, 'fraudster', 'by hand');
    const profile = await platform.createProfile(desk, 'fraudster', 'by hand');
    const processing = { context: desk, gkProcessedAudioId: id(enrolled.audio) };
    const { gkProcessedAudioId } = (await platform.post('/v1/audios/process', processing)).body.result;
    const asked = { context: desk, gkProcessedAudioId };
    const { status, body } = await platform.post(`/v1/voiceprints/${profile}/enrollment`, asked);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await erasureOf(jonas.owner)).toMatchObject({ keptWithFraudsterCount: 2 });
    await erase(jonas.owner);
    for (const made of [line, enrolled]) {
      expect(await isThere(made)).toBe(true);
      const row = await rowOf(made);
      expect(row).toMatchObject({ isClaimErased: true, caseNumber: 'C-99', details: { ani: '+15550100' } });
      // What another outcome would delete is told also where the recording lies elsewhere.
      expect(await pageOf(made)).toMatchObject({ isKeptWithFraudster: true });
    }
  });

  it('counts what was said last: genuine before the watchlist, and the watchlist after an erasure', async () => {
    const kurt = await platform.printOf('bruno', 'person', 'kurt');
    const [again, later] = [await impostor('dora', kurt), await impostor('emil', kurt)] as const;
    await judge(again, GENUINE);
    await add([again], asNew('after all'));
    // Kept for the outcome, and on a watchlist when that is changed.
    await judge(later, 'ENGAGEMENT_VERDICT_FRAUD');
    await erase(kurt.owner);
    await add([later], asNew('later'));
    await judge(later, 'ENGAGEMENT_VERDICT_UNCERTAIN');
    await expect.poll(async () => (await erasureOf(kurt.owner)).isRunning ?? false, jobPatience).toBe(false);
    for (const made of [again, later]) await expectEvidence(made, kurt);
    await judge(later, GENUINE);
    await expectEmptied(later);
  });
});

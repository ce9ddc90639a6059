// Looking back: a voice is found in stored calls, a voice that calls under several names is noticed, and becomes a watchlist entry
// in one step; only with a legal basis, and never what was erased. Over both transports, on both databases.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rolePermissions } from '../../src/auth/roles.js';
import { VoiceSearch } from '../../src/gen/voxgate/biosec/v1/voice_search_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { bearer, startWith, STOP, visit } from '../live/line.js';
import { callSamples, muLaw } from '../live/support.js';
import { asker, id, resultOf, transports } from './asking.js';
import type { Outcome, Transport } from './calls.js';
import type { Json } from './requests.js';
import { databaseOf } from './state.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';
import type { VoiceName } from '../support/fixtures.js';
import { testCaller } from '../support/server.js';
import { wavFile } from '../support/sounds.js';

/** A person whose only role is that of a fraud analyst. */
const analyst = {
  ...testCaller,
  userId: 'u',
  scopes: ['platform-api'],
  rights: { everywhere: rolePermissions['fraud-analyst'], byTenant: new Map<string, ReadonlySet<string>>() },
};

/** Who may change config sets, and does not answer for what is done with stored calls. */
const developer = {
  ...analyst,
  rights: { everywhere: rolePermissions.developer, byTenant: new Map<string, ReadonlySet<string>>() },
};

interface Listed {
  details: { gkSessionId: { value: string } };
}

const ask = { voiceSearch: asker(VoiceSearch), processor: asker(VoiceprintsProcessor) };

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-voice-search-'));
  let config: Record<string, unknown>;
  let platform: Platform;
  let context: RequestContext;
  let watchlist: { value: string };
  /** Sessions by who called and whom they claimed to be. */
  const sessions: Record<string, string> = {};
  const people: Record<string, string> = {};

  const voiceSearch = (transport: Transport, name: string, request: Json = {}) =>
    ask.voiceSearch(platform, transport, name, request, context);

  /** A call in which somebody claims to be a person. */
  async function call(voice: VoiceName, sentence: number, claim: string): Promise<string> {
    const person = (people[claim] ??= await platform.createOwner(context, 'person', claim));
    const scope = { gkScopeId: context.gkScopeId, configsetId: platform.configsetId };
    const { body } = await platform.post('/v1/sessions/start', {
      context: scope,
      sessionType: 2,
      details: { claimedGkPersonId: id(person) },
    });
    const own = { ...scope, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
    const audio = await platform.process(own, utterance(voice, sentence));
    sessions[`${voice} as ${claim}`] = body.gkSessionId.value;
    return audio.gkProcessedAudioId.value as string;
  }

  const callsIn = ({ body }: Pick<Outcome, 'body'>) =>
    ((body['calls'] ?? []) as { call: { gkSessionId: { value: string }; personId: string } }[]).map(
      (found) => found.call.gkSessionId.value,
    );

  beforeAll(async () => {
    config = { home, ...(await store.settings()) };
    platform = await Platform.start({ config, callers: { analyst, developer } });
    context = await platform.open();
    watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'seen' })).body.gkWatchlistId;
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it.each(transports)('is refused without a legal basis over %s', async (transport) => {
    for (const [name, request] of [
      ['FindCalls', { gk_voiceprint_profile_id: id('x') }],
      ['FindRecurringVoices', {}],
    ] as const) {
      const refused = await voiceSearch(transport, name, request);
      expect(refused.code).toBe('PERMISSION_DENIED');
      expect(JSON.stringify(refused.body)).toContain('VOICE_SEARCH_NOT_ALLOWED');
    }
  });

  it('whoever may only change config sets does not open the stored calls to new uses', async () => {
    const bank = await Platform.on(platform.server, `uses-${store.dialect}`);
    const own = { gkScopeId: { value: bank.gkScopeId } };
    const activate = async (parameters: object, token?: string) => {
      const as = token === undefined ? {} : { token };
      const made = await bank.server.rest('POST', '/v1/configsets', {
        body: {
          context: own,
          configsetId: 'SCOPE',
          type: 'CONFIGSET_TYPE_OPERATIONAL',
          rawContent: Buffer.from(JSON.stringify(parameters)).toString('base64'),
        },
        ...as,
      });
      const path = `/v1/configsets/revisions/${made.body.gkConfigsetRevisionId.value}:activate`;
      return bank.server.rest('PUT', path, { body: { context: own }, ...as });
    };
    const searched = { voiceSearch: { hasLegalBasis: true } };
    const measured = { calibration: { useCallers: true } };
    for (const parameters of [searched, measured]) {
      const refused = await activate(parameters, 'developer');
      expect(refused.body.status).toMatchObject({
        statusCode: 'PERMISSION_DENIED',
        diagnosticDetails: [{ code: 'ROLE_NOT_SUFFICIENT' }],
      });
      const name = Object.entries(parameters).flatMap(([of, values]) =>
        Object.keys(values).map((key) => `${of}.${key}`),
      );
      expect(JSON.stringify(refused.body)).toContain(name.join());
    }
    expect((await activate({ locks: { mismatchesMax: 7 } }, 'developer')).status).toBe(200);
    expect((await activate({ ...searched, ...measured })).status).toBe(200);
    // What is open already stays so with other changes, and may be closed.
    expect((await activate({ ...searched, locks: { mismatchesMax: 8 } }, 'developer')).status).toBe(200);
    expect((await activate({}, 'developer')).status).toBe(200);
  });

  // As the console does it from the page of a session: nothing is searched, so this needs no legal basis.
  it('a fraud analyst makes a watchlist entry from checked recordings, or nothing at all', async () => {
    const bank = await Platform.on(platform.server, `bank-${store.dialect}`);
    const own = await bank.open();
    const asAnalyst = async (path: string, body: object) =>
      (await bank.server.rest('POST', path, { body: { context: own, ...body }, token: 'analyst' })).body;
    const list = await asAnalyst('/v1/watchlists', { watchlistId: 'ring' });
    const recordings: { value: string }[] = [];
    for (const sentence of [1, 2]) {
      const checked = await asAnalyst('/v1/voiceprints/known-fraudsters-detection', {
        gkMediaSegmentId: id(await bank.upload(own, utterance('fritz', sentence))),
        watchlist: { uniqueId: list.gkWatchlistId },
      });
      const timeline = await bank.server.rest(
        'GET',
        `/v1/x/sessions/${own.gkSessionId?.value}/timeline?${bank.query(own)}`,
        { token: 'analyst' },
      );
      const heard = timeline.body.events.findLast(
        (event: { operation: string }) => event.operation === 'DetectKnownFraudsters',
      );
      expect(checked.status.statusCode).toBe('OK');
      const again = await asAnalyst('/v1/audios/process', {
        gkProcessedAudioId: heard.gkProcessedAudioId,
        isForEnrollment: true,
      });
      recordings.push(again.result.gkProcessedAudioId);
    }
    const silence = await bank.process(own, wavFile([new Float32Array(8000 * 8)], 8000), {
      isForEnrollment: true,
    });
    const entry = { gkWatchlistId: list.gkWatchlistId, fraudsterId: 'case-1', tag: 'main' };
    const refused = await asAnalyst('/v1/x/voice-search/fraudsters', {
      ...entry,
      gkProcessedAudioIds: [silence.gkProcessedAudioId],
    });
    expect(refused.status).toMatchObject({
      statusCode: 'INVALID_REQUEST',
      diagnosticDetails: [{ code: 'NOT_READY_TO_TRAIN' }, { code: 'MISSING_MODEL' }],
    });
    const known = `/v1/fraudsters/case-1/gkid?${bank.query(own)}`;
    expect((await bank.server.rest('GET', known)).status).toBe(404);
    const made = await asAnalyst('/v1/x/voice-search/fraudsters', {
      ...entry,
      gkProcessedAudioIds: recordings,
    });
    expect(made).toMatchObject({ status: { statusCode: 'OK' }, segments: 2 });
    expect((await bank.server.rest('GET', known)).body.gkFraudsterId).toEqual(made.gkFraudsterId);
    expect(made.alreadyListed).toBeUndefined();

    // The same voice under another name: whoever asks for it is refused and told who it is; otherwise the answer says so.
    const [first, second] = recordings;
    const again = { ...entry, fraudsterId: 'case-2', gkProcessedAudioIds: [first, second] };
    const namesake = await asAnalyst('/v1/x/voice-search/fraudsters', { ...again, refuseListedVoice: true });
    expect(namesake.status).toMatchObject({
      statusCode: 'ALREADY_EXISTS',
      diagnosticDetails: [
        {
          code: 'VOICE_ALREADY_LISTED',
          extras: { fraudster_id: 'case-1', gk_fraudster_id: made.gkFraudsterId.value },
        },
      ],
    });
    expect((await bank.server.rest('GET', `/v1/fraudsters/case-2/gkid?${bank.query(own)}`)).status).toBe(404);
    const twin = await asAnalyst('/v1/x/voice-search/fraudsters', again);
    expect(twin).toMatchObject({
      status: { statusCode: 'OK' },
      alreadyListed: { fraudsterId: 'case-1', gkFraudsterId: made.gkFraudsterId },
    });
    // Another voice, and more recordings of whoever is there, are no news.
    const dora = await bank.process(own, utterance('dora', 1), { isForEnrollment: true });
    const other = await asAnalyst('/v1/x/voice-search/fraudsters', {
      ...entry,
      fraudsterId: 'case-3',
      gkProcessedAudioIds: [dora.gkProcessedAudioId],
      refuseListedVoice: true,
    });
    expect(other).toMatchObject({ status: { statusCode: 'OK' } });
    expect(other.alreadyListed).toBeUndefined();
  });

  it('the calls in which a fraudster was found are listed, also those that an analyst checked afterwards', async () => {
    const bank = await Platform.on(platform.server, `found-${store.dialect}`);
    const desk = await bank.open();
    await bank.createOwner(desk, 'fraudster', 'case-9');
    const print = await bank.createProfile(desk, 'fraudster', 'case-9');
    for (const sentence of [1, 2, 3]) await bank.enroll(desk, print, utterance('carl', sentence));
    expect((await bank.train(desk, print)).trainStatus).toBe('TRAIN_STATUS_TRAINED');
    const target = { gkVoiceprintProfileIds: { uniqueIds: [id(print)] } };
    const phone = async (voice: VoiceName, isChecked: boolean) => {
      const own = await bank.open();
      const gkMediaSegmentId = id(await bank.upload(own, utterance(voice, 4)));
      if (isChecked)
        await bank.post('/v1/voiceprints/known-fraudsters-detection', {
          context: own,
          gkMediaSegmentId,
          ...target,
        });
      return { own, gkMediaSegmentId };
    };
    const during = await phone('carl', true);
    const later = await phone('carl', false);
    const innocent = await phone('dora', true);
    const analysis = await bank.open();
    for (const { gkMediaSegmentId } of [later, innocent])
      await bank.post('/v1/voiceprints/known-fraudsters-detection', {
        context: analysis,
        gkMediaSegmentId,
        ...target,
      });
    const { body } = await bank.server.rest('GET', `/v1/fraudsters/case-9/gkid?${bank.query(desk)}`);
    const found = async (more = '') => {
      const query = `${bank.query(desk)}&gkFraudsterId.value=${body.gkFraudsterId.value}${more}`;
      const answer = await bank.server.rest('GET', `/v1/x/sessions?${query}`);
      return ((answer.body.sessions ?? []) as Listed[])
        .map(({ details }) => details.gkSessionId.value)
        .sort();
    };
    const sessions = [during.own, later.own, analysis].map(({ gkSessionId }) => gkSessionId?.value).sort();
    expect(await found()).toEqual(sessions);
    // In an order by what is in them, which comes from memory.
    expect(await found('&order=LIST_ORDER_NUMBER')).toEqual(sessions);
    expect(await found('&pageSize=2')).toHaveLength(2);
  });

  it('a call in which a voice was enrolled is found under the name of whom it was enrolled for', async () => {
    const bank = await Platform.on(platform.server, `enrolled-${store.dialect}`);
    await bank.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    const desk = await bank.open();
    await bank.createOwner(desk, 'person', 'victim');
    const print = await bank.createProfile(desk, 'person', 'victim');
    const enrolled = await bank.open();
    await bank.enroll(enrolled, print, utterance('fritz', 4));
    const known = await bank.printOf('fritz', 'fraudster', 'case-1');
    const found = await bank.post('/v1/x/voice-search/calls', {
      context: desk,
      gkVoiceprintProfileId: id(known.profile),
    });
    const calls = (found.body.calls ?? []) as { call: { gkSessionId: unknown; personId?: string } }[];
    expect(calls.map(({ call: { gkSessionId, personId } }) => [gkSessionId, personId])).toEqual([
      [enrolled.gkSessionId, 'victim'],
    ]);
  });

  it('what only a check has heard is processed for enrollment before it becomes part of a print', async () => {
    const bank = await Platform.on(platform.server, `checked-${store.dialect}`);
    const desk = await bank.open();
    const known = await bank.printOf('carl', 'fraudster', 'case-1');
    const call = await bank.open();
    const checked = await bank.post('/v1/voiceprints/known-fraudsters-detection', {
      context: call,
      gkMediaSegmentId: id(await bank.upload(call, utterance('fritz', 1))),
      gkVoiceprintProfileIds: { uniqueIds: [id(known.profile)] },
    });
    const heard = checked.body.result.audioDetails.gkProcessedAudioId;
    const list = await bank.post('/v1/watchlists', { context: desk, watchlistId: 'ring' });
    const made = await bank.post('/v1/x/voice-search/fraudsters', {
      context: desk,
      gkWatchlistId: list.body.gkWatchlistId,
      fraudsterId: 'case-2',
      tag: 'main',
      gkProcessedAudioIds: [heard],
    });
    expect(made.body).toMatchObject({ status: { statusCode: 'OK' }, segments: 1 });
    const print = made.body.gkVoiceprintProfileId.value as string;
    const { body } = await bank.server.rest(
      'GET',
      `/v1/voiceprints/profiles/${print}/enrollment-segments?${bank.query(desk)}`,
    );
    const [{ gkProcessedAudioId: enrolled }] = body.enrollmentSegmentsDetails;
    expect(enrolled).not.toEqual(heard);
    // Only the latter may be enrolled.
    const person = await bank
      .createOwner(desk, 'person', 'p')
      .then(() => bank.createProfile(desk, 'person', 'p'));
    const reasons = [];
    for (const gkProcessedAudioId of [heard, enrolled])
      reasons.push(
        (await bank.post(`/v1/voiceprints/${person}/enrollment`, { context: desk, gkProcessedAudioId })).body
          .result.reason,
      );
    expect(reasons).toEqual(['ENROLL_REASON_WRONG_PRINT_TYPE', 'ENROLL_REASON_ENROLL_OK']);
  });

  // As the console does it from the page of a session.
  it('recordings are heard whole for a watchlist entry; a refused one leaves nothing behind, and the call as old as it was', async () => {
    const bank = await Platform.on(platform.server, `whole-${store.dialect}`);
    await bank.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    const [first, desk] = [await bank.open(), await bank.open()];
    const heard = await bank.process(first, utterance('fritz', 1));
    const silence = await bank.process(first, wavFile([new Float32Array(8000 * 8)], 8000));
    const list = await bank.post('/v1/watchlists', { context: desk, watchlistId: 'ring' });
    const database = databaseOf(config);
    const { db } = database;
    const kept = async () => {
      const gkScopeId = bank.gkScopeId;
      const of = (table: 'processed_audios' | 'call_voices') =>
        db.selectFrom(table).select('gk_processed_audio_id').where('gk_scope_id', '=', gkScopeId).execute();
      return { audios: (await of('processed_audios')).length, voices: (await of('call_voices')).length };
    };
    const add = (gkProcessedAudioIds: object[], more: object = {}) =>
      bank.post('/v1/x/voice-search/fraudsters', {
        context: desk,
        gkWatchlistId: list.body.gkWatchlistId,
        fraudsterId: 'case-1',
        tag: 'main',
        gkProcessedAudioIds,
        wholeRecordings: true,
        ...more,
      });
    const before = await kept();
    for (const recording of [silence, silence]) {
      const { body } = await add([heard.gkProcessedAudioId, recording.gkProcessedAudioId]);
      const [{ code, extras }] = body.status.diagnosticDetails;
      expect([body.status.statusCode, extras.gk_processed_audio_id]).toEqual([
        'INVALID_REQUEST',
        recording.gkProcessedAudioId.value,
      ]);
      expect(code).toMatch(/^AUDIO_TOO_/);
    }
    // Too late to be refused before it is heard: in the transaction.
    expect(
      (await add([heard.gkProcessedAudioId], { fraudsterId: '', gkFraudsterId: id('nobody') })).status,
    ).toBe(404);
    expect(await kept()).toEqual(before);

    const made = await add([heard.gkProcessedAudioId]);
    expect(made.body).toMatchObject({ status: { statusCode: 'OK' }, segments: 1 });
    expect(await kept()).toEqual({ audios: before.audios + 1, voices: before.voices + 1 });
    const times = await db
      .selectFrom('call_voices')
      .select('created_at')
      .where('gk_scope_id', '=', bank.gkScopeId)
      .distinct()
      .execute();
    expect(times.length).toBe(1);
    // What was heard for one serves the next.
    const twin = await add([heard.gkProcessedAudioId], { fraudsterId: 'case-2' });
    expect(twin.body).toMatchObject({ status: { statusCode: 'OK' }, segments: 1 });
    expect((await kept()).audios).toBe(before.audios + 1);
    await database.close();
  });

  // As the console does it: the whole recording is processed again, in a session of the analyst's.
  it('a call whose caller was put on a watchlist is not found by that, and other calls of the voice are', async () => {
    const bank = await Platform.on(platform.server, `self-${store.dialect}`);
    await bank.configure('SCOPE', {
      voiceSearch: { hasLegalBasis: true, days: 7, searchForNewFraudsters: true },
    });
    const [first, second, desk] = [await bank.open(), await bank.open(), await bank.open()];
    const { gkProcessedAudioId } = await bank.process(first, utterance('fritz', 1));
    const other = await bank.process(second, utterance('fritz', 2));
    // Somebody tried it with the other call, and let it be: it is told by when that call began all the same.
    await bank.post('/v1/audios/process', {
      context: desk,
      gkProcessedAudioId: other.gkProcessedAudioId,
      isForEnrollment: true,
    });
    const list = await bank.post('/v1/watchlists', { context: desk, watchlistId: 'ring' });
    const again = await bank.post('/v1/audios/process', {
      context: desk,
      gkProcessedAudioId,
      isForEnrollment: true,
    });
    expect(again.body.result.gkProcessedAudioId).not.toEqual(gkProcessedAudioId);
    const made = await bank.post('/v1/x/voice-search/fraudsters', {
      context: desk,
      gkWatchlistId: list.body.gkWatchlistId,
      fraudsterId: 'case-1',
      tag: 'main',
      gkProcessedAudioIds: [again.body.result.gkProcessedAudioId],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { gkVoiceprintProfileId } = made.body;
    const found = await bank.post('/v1/x/voice-search/calls', { context: desk, gkVoiceprintProfileId });
    const others = [second.gkSessionId?.value];
    expect(callsIn(found)).toEqual(others);
    const pageOf = async (of: RequestContext) => {
      const path = `/v1/x/sessions/${of.gkSessionId?.value}/timeline?${bank.query(desk)}`;
      return (await bank.server.rest('GET', path)).body;
    };
    const page = await pageOf(second);
    expect(found.body.calls[0].call.time).toBe(page.session.creationTimestamp);
    // What was only examined is named with its recording.
    expect(page.events).toContainEqual(
      expect.objectContaining({
        operation: 'ProcessAudio',
        gkProcessedAudioId: other.gkProcessedAudioId,
        gkMediaSegmentId: found.body.calls[0].call.gkMediaSegmentId,
      }),
    );
    // Nor by the search that runs by itself.
    const listed = async () =>
      (await bank.server.rest('GET', `/v1/x/voice-search/searches?${bank.query(desk)}`)).body.searches ?? [];
    await expect
      .poll(async () => (await listed()).map(({ state }: { state: string }) => state))
      .toEqual(['SEARCH_STATE_COMPLETED']);
    const [{ gkJobId }] = await listed();
    const search = await bank.server.rest(
      'GET',
      `/v1/x/voice-search/searches/${gkJobId}?${bank.query(desk)}`,
    );
    expect(callsIn(search)).toEqual(others);
    expect(search.body.search.found).toBe(1);
    const searchesOf = async (of: RequestContext): Promise<string[]> => {
      const { laterChecks = [] } = await pageOf(of);
      return laterChecks.map(({ event }: { event: { operation: string } }) => event.operation);
    };
    expect([await searchesOf(first), await searchesOf(second)]).toEqual([
      ['AddVoiceToWatchlist'],
      ['FindCalls'],
    ]);
  });

  describe('with a legal basis', () => {
    let audios: string[];
    beforeAll(async () => {
      await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
      audios = [await call('carl', 1, 'mrs-a'), await call('carl', 2, 'mr-b'), await call('carl', 3, 'mr-c')];
      await call('anna', 1, 'anna');
      await call('anna', 2, 'anna');
      await call('dora', 1, 'dora');
      // Longer ago than the tenant looks back.
      const longAgo = await call('carl', 5, 'mr-d');
      const database = databaseOf(config);
      await database.db
        .updateTable('call_voices')
        .set({ created_at: Date.now() - 8 * 86_400_000 })
        .where('gk_processed_audio_id', '=', longAgo)
        .execute();
      await database.close();
    });

    it.each(transports)('a voice under three names is found, and nobody else, over %s', async (transport) => {
      const { code, body } = await voiceSearch(transport, 'FindRecurringVoices');
      expect(code).toBe('OK');
      expect(body['lookedAt']).toMatchObject({ searched: 6 });
      const voices = body['voices'] as { identities: number; calls: { personId: string }[] }[];
      expect(voices.map(({ identities }) => identities)).toEqual([3]);
      expect(voices[0]?.calls.map(({ personId }) => personId).sort()).toEqual(['mr-b', 'mr-c', 'mrs-a']);
      const more = await voiceSearch(transport, 'FindRecurringVoices', { identities_min: 4 });
      expect(more.body['voices'] ?? []).toEqual([]);
      const fewer = await voiceSearch(transport, 'FindRecurringVoices', { identities_min: -1 });
      expect([fewer.code, JSON.stringify(fewer.body)]).toEqual([
        'INVALID_REQUEST',
        expect.stringContaining('identities_min'),
      ]);
    });

    it('live calls are not covered, and the answer says how many there were', async () => {
      const { profile } = await platform.printOf('fritz', 'fraudster', 'fritz-live');
      const voices = { gkVoiceprintProfileId: { value: profile } };
      const of = (body: Json) => (body['lookedAt'] as { liveCalls?: number }).liveCalls ?? 0;
      const before = await voiceSearch('REST', 'FindCalls', voices);
      expect([before.code, of(before.body)]).toEqual(['OK', 0]);
      const start = startWith(await platform.open(), profile);
      const said = muLaw(await callSamples('fritz', [4, 5], 8000));
      await visit(platform, [start, said, STOP], bearer);
      for (const transport of transports) {
        expect(of((await voiceSearch(transport, 'FindCalls', voices)).body)).toBe(1);
        expect(of((await voiceSearch(transport, 'FindRecurringVoices')).body)).toBe(1);
      }
    });

    it.each(transports)('recordings of two voices make no fraudster over %s', async (transport) => {
      const mixed = [audios[0] ?? '', await call('emil', 1, `mixed-${transport}`)];
      const refused = await ask.voiceSearch(
        platform,
        transport,
        'AddVoiceToWatchlist',
        {
          gk_watchlist_id: watchlist,
          fraudster_id: `mixed-${transport}`,
          tag: 'main',
          gk_processed_audio_ids: mixed.map(id),
        },
        context,
      );
      expect(refused.code).toBe('INVALID_REQUEST');
      const known = `/v1/fraudsters/mixed-${transport}/gkid?${platform.query(context)}`;
      expect((await platform.server.rest('GET', known)).status).toBe(404);
    });

    it.each(transports)(
      'a voice becomes a watchlist entry, and its calls are found, over %s',
      async (transport) => {
        const made = await ask.voiceSearch(
          platform,
          transport,
          'AddVoiceToWatchlist',
          {
            gk_watchlist_id: watchlist,
            fraudster_id: `carl-${transport}`,
            tag: 'main',
            gk_processed_audio_ids: audios.slice(0, 2).map(id),
          },
          context,
        );
        expect(made).toMatchObject({ code: 'OK', body: { segments: 2 } });
        const detected = await ask.processor(
          platform,
          transport,
          'DetectKnownFraudsters',
          {
            gk_media_segment_id: id(await platform.upload(context, utterance('carl', 4))),
            watchlist: { unique_id: watchlist },
          },
          context,
        );
        expect(resultOf(detected)).toMatchObject({ decision: 'DECISION_FRAUD' });
        const found = await voiceSearch(transport, 'FindCalls', {
          gk_voiceprint_profile_id: made.body['gkVoiceprintProfileId'],
        });
        // What the print was made from is no discovery.
        expect(callsIn(found)).toContain(sessions['carl as mr-c']);
        expect(callsIn(found)).not.toContain(sessions['carl as mrs-a']);
        expect(callsIn(found)).not.toContain(sessions['anna as anna']);
        expect(callsIn(found)).not.toContain(sessions['carl as mr-d']);
      },
    );

    it.each(transports)(
      'recordings are added to a fraudster who is there, if it is the same voice, over %s',
      async (transport) => {
        const add = (asked: object) =>
          ask.voiceSearch(platform, transport, 'AddVoiceToWatchlist', { ...asked }, context);
        const made = await add({
          gk_watchlist_id: watchlist,
          fraudster_id: `known-${transport}`,
          tag: 'voice',
          gk_processed_audio_ids: audios.slice(0, 1).map(id),
        });
        const { gkFraudsterId, gkVoiceprintProfileId } = made.body as Record<string, { value: string }>;
        const stranger = await call('emil', 1, `stranger-${transport}`);
        const segments = async () =>
          (
            await platform.server.rest(
              'GET',
              `/v1/voiceprints/profiles/${gkVoiceprintProfileId?.value}/enrollment-segments?${platform.query(context)}`,
            )
          ).body.enrollmentSegmentsDetails.length;
        const before = await segments();
        // Of another voice, alone or beside the right one; already there; under a name besides.
        for (const [code, asked] of [
          ['INVALID_REQUEST', { gk_processed_audio_ids: [id(stranger)] }],
          ['INVALID_REQUEST', { gk_processed_audio_ids: [id(audios[1] ?? ''), id(stranger)] }],
          ['INVALID_REQUEST', { gk_processed_audio_ids: audios.slice(0, 1).map(id) }],
          [
            'INVALID_REQUEST',
            { fraudster_id: 'another', gk_processed_audio_ids: audios.slice(1, 2).map(id) },
          ],
        ] as const)
          expect([asked, (await add({ gk_fraudster_id: gkFraudsterId, ...asked })).code]).toEqual([
            asked,
            code,
          ]);
        const nobody = await add({
          gk_fraudster_id: id('nobody'),
          gk_processed_audio_ids: audios.slice(1, 2).map(id),
        });
        expect(nobody.code).toBe('NOT_FOUND');
        expect(await segments()).toBe(before);
        const added = await add({
          gk_fraudster_id: gkFraudsterId,
          gk_processed_audio_ids: audios.slice(1, 2).map(id),
        });
        expect(added).toMatchObject({
          code: 'OK',
          body: { gkVoiceprintProfileId, segments: 2 },
        });
        expect(await segments()).toBe(before + 1);
      },
    );

    describe('when a fraudster is added', () => {
      interface Search {
        gkJobId: string;
        fraudsterId: string;
        state: string;
        found?: number;
      }
      const searches = async (transport: Transport, fraudsterId: string): Promise<Search[]> => {
        const { body } = await voiceSearch(transport, 'ListSearches');
        return ((body['searches'] ?? []) as Search[]).filter((search) => search.fraudsterId === fraudsterId);
      };
      const ended = async (transport: Transport, fraudsterId: string, count = 1): Promise<Search[]> => {
        const states = async () => (await searches(transport, fraudsterId)).map(({ state }) => state);
        await expect.poll(states).toEqual(Array.from({ length: count }, () => 'SEARCH_STATE_COMPLETED'));
        return searches(transport, fraudsterId);
      };
      const addTo = (list: { value: string }, fraudster: string) =>
        platform.post(`/v1/watchlists/${list.value}/fraudsters`, { context, gkFraudsterId: id(fraudster) });
      const basis = { hasLegalBasis: true, days: 7 };

      it('nothing is searched unless the tenant wants that and may', async () => {
        const { owner } = await platform.printOf('carl', 'fraudster', 'carl-unwanted');
        await addTo(watchlist, owner);
        await platform.configure('SCOPE', { voiceSearch: { searchForNewFraudsters: true } });
        const other = (await platform.post('/v1/watchlists', { context, watchlistId: 'other' })).body;
        await addTo(other.gkWatchlistId, owner);
        await platform.configure('SCOPE', { voiceSearch: { ...basis, searchForNewFraudsters: true } });
        expect(await searches('REST', 'carl-unwanted')).toEqual([]);
      });

      it.each(transports)(
        'by the voice of some calls: its other calls are found, over %s',
        async (transport) => {
          const fraudsterId = `carl-by-${transport}`;
          await ask.voiceSearch(
            platform,
            transport,
            'AddVoiceToWatchlist',
            {
              gk_watchlist_id: watchlist,
              fraudster_id: fraudsterId,
              tag: 'main',
              gk_processed_audio_ids: audios.slice(0, 2).map(id),
            },
            context,
          );
          const [search] = await ended(transport, fraudsterId);
          const gkJobId = search?.gkJobId ?? '';
          const found = await voiceSearch(transport, 'GetSearch', { gk_job_id: gkJobId });
          expect(callsIn(found)).toContain(sessions['carl as mr-c']);
          expect(callsIn(found)).not.toContain(sessions['anna as anna']);
          expect(found.body['search']).toMatchObject({ fraudsterId, found: callsIn(found).length });
          const unknown = await voiceSearch(transport, 'GetSearch', { gk_job_id: 'unknown' });
          expect(unknown.code).toBe('NOT_FOUND');
          const events = await platform.server.rest(
            'GET',
            `/v1/events?${new URLSearchParams({ 'context.gk_scope_id.value': platform.gkScopeId, types: 'voxgate.v1.FindCalls', page_size: '1000' })}`,
          );
          const told = events.body.events.filter(
            ({ data }: { data: { detail?: { gkJobId?: string } } }) => data.detail?.gkJobId === gkJobId,
          );
          expect(told).toHaveLength(1);
        },
      );

      it('by a watchlist, once; and again when the print is trained with more', async () => {
        const { owner, profile } = await platform.printOf('carl', 'fraudster', 'carl-listed');
        expect(await searches('REST', 'carl-listed')).toEqual([]);
        await addTo(watchlist, owner);
        await ended('REST', 'carl-listed');
        await addTo(watchlist, owner);
        expect(await searches('REST', 'carl-listed')).toHaveLength(1);
        await platform.enroll(context, profile, utterance('carl', 4));
        await platform.train(context, profile);
        await ended('REST', 'carl-listed', 2);
      });

      it("a call that was erased since is told no more, and a search is nobody's without a legal basis", async () => {
        const [search] = await ended('REST', 'carl-listed', 2);
        const gkJobId = search?.gkJobId ?? '';
        const before = await voiceSearch('REST', 'GetSearch', { gk_job_id: gkJobId });
        expect(callsIn(before)).toContain(sessions['carl as mr-c']);
        // Otherwise it is evidence, and stays.
        const scope = `context.gkScopeId.value=${platform.gkScopeId}`;
        const call = `/v1/x/sessions/${sessions['carl as mr-c']}/timeline?${scope}`;
        const { gkEngagementId } = (await platform.server.rest('GET', call)).body.engagement;
        const judged = { context: { ...context, gkEngagementId }, verdict: 'ENGAGEMENT_VERDICT_AUTHENTIC' };
        const { status } = await platform.server.rest('PUT', '/v1/engagements/verdict', { body: judged });
        expect(status).toBe(200);
        const gone = people['mr-c'] ?? '';
        const asked = await platform.server.rest(
          'DELETE',
          `/v1/persons/${gone}/personal-data?${platform.query(context)}`,
        );
        expect(asked.status).toBe(200);
        await expect
          .poll(async () => callsIn(await voiceSearch('REST', 'GetSearch', { gk_job_id: gkJobId })), {
            timeout: 60_000,
          })
          .not.toContain(sessions['carl as mr-c']);
        // Nor is it kept how alike it was.
        const isCounted = async (): Promise<boolean> => {
          const found = await voiceSearch('REST', 'GetSearch', { gk_job_id: gkJobId });
          return (found.body['search'] as Search).found !== callsIn(found).length;
        };
        await expect.poll(isCounted).toBe(false);
        // A recording that is in a fraudster's print stays, and is nobody's call any more.
        const kept = people['mrs-a'] ?? '';
        await platform.server.rest('DELETE', `/v1/persons/${kept}/personal-data?${platform.query(context)}`);
        const asks: [string, Json][] = [
          ['GetSearch', { gk_job_id: gkJobId }],
          ['FindRecurringVoices', {}],
        ];
        for (const [name, request] of asks)
          await expect
            .poll(async () => JSON.stringify((await voiceSearch('REST', name, request)).body), {
              timeout: 60_000,
            })
            .not.toContain(kept);
        const left = await voiceSearch('REST', 'GetSearch', { gk_job_id: gkJobId });
        expect(callsIn(left)).toContain(sessions['carl as mrs-a']);
        await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: false } });
        for (const name of ['ListSearches', 'GetSearch'])
          expect(
            (await voiceSearch('gRPC', name, name === 'GetSearch' ? { gk_job_id: gkJobId } : {})).code,
          ).toBe('PERMISSION_DENIED');
      });
    });
  });
});

// A list of sessions tells where a match stands beside an attack check that could not tell whether a live person spoke. Over both
// transports, on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker, transports } from './asking.js';
import type { Json } from './requests.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

interface Entry {
  details: { gkSessionId: { value: string }; riskInfo: { decision: string } };
  assessment: { caveats?: string[]; unresolvedChecks?: string[] };
}

const UNRESOLVED = 'SESSION_CAVEAT_ATTACK_CHECK_UNRESOLVED';
const MISSING = 'SESSION_CAVEAT_ATTACK_CHECK_MISSING';
const MIXED = 'SESSION_CAVEAT_CONTRADICTION';
const UNLISTED = 'SESSION_CAVEAT_LIST_NOT_FULLY_COMPARED';
const ERASED = 'SESSION_CAVEAT_DATA_ERASED';

const activity = asker(Activity);

await forEachStore((store) => {
  let platform: Platform;
  let anna: { profile: string };

  beforeAll(async () => {
    platform = await Platform.start({
      config: await store.settings(),
      // No attack check is ever this sure.
      parameters: { attackChecks: { reliabilityMin: 100 } },
    });
    anna = await platform.printOf('anna');
  });
  afterAll(() => platform.stop());

  const upload = async (context: RequestContext, voice: number) => ({
    value: await platform.upload(context, utterance('anna', voice)),
  });
  const verify = async (context: RequestContext, gkMediaSegmentId: object) => {
    const path = `/v1/voiceprints/${anna.profile}/verification`;
    expect((await platform.post(path, { context, gkMediaSegmentId })).status).toBe(200);
  };
  const check = async (context: RequestContext, gkMediaSegmentId: object) => {
    const { body } = await platform.post('/v1/audios/spoofing', {
      context,
      gkMediaSegmentId,
      syntheticSpeechDetectionParameters: {},
      channelPlaybackDetectionParameters: {},
    });
    expect(body.syntheticSpeechDetectionResult.decision).toBe('DECISION_UNCERTAIN');
    expect(body.channelPlaybackDetectionResult.decision).toBe('DECISION_UNCERTAIN');
  };

  it('names the checks beside a match of the same recording, open or over, and nowhere else', async () => {
    const both = await platform.open();
    const said = await upload(both, 4);
    await verify(both, said);
    await check(both, said);
    const matched = await platform.open();
    const unchecked = await upload(matched, 4);
    await verify(matched, unchecked);
    // A check of another recording in the session says nothing of the match, and is open all the same.
    const apart = await platform.open();
    await verify(apart, await upload(apart, 4));
    await check(apart, await upload(apart, 5));
    const unmatched = await platform.open();
    await check(unmatched, await upload(unmatched, 4));

    // Somebody else speaks before the match, and less.
    const mixed = await platform.open();
    await platform.verify(mixed, anna.profile, utterance('emil', 5));
    await platform.verify(mixed, anna.profile, utterance('anna', 4), { ignoreCheckpoints: true });

    const told = async (transport: (typeof transports)[number], request: Json = {}) => {
      const { body, code } = await activity(platform, transport, 'ListSessions', request, both);
      expect(code, JSON.stringify(body)).toBe('OK');
      const entries = body['sessions'] as Entry[];
      return (context: RequestContext) => {
        const entry = entries.find(({ details }) => details.gkSessionId.value === context.gkSessionId?.value);
        return [entry?.details.riskInfo.decision, entry?.assessment.caveats];
      };
    };
    const open = ['DECISION_AUTHENTIC', [UNRESOLVED]];
    for (const transport of transports) {
      const of = await told(transport);
      expect(of(both)).toEqual(open);
      expect(of(matched)).toEqual(['DECISION_AUTHENTIC', [MISSING]]);
      expect(of(apart)).toEqual(['DECISION_AUTHENTIC', [MISSING, UNRESOLVED]]);
      // Nothing else was asked.
      expect(of(unmatched)).toEqual(['DECISION_UNCERTAIN', open[1]]);
      expect(of(mixed)).toEqual(['DECISION_AUTHENTIC', [MIXED, MISSING]]);
    }
    const stopped = await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: both } });
    expect(stopped.status).toBe(200);
    // Also where the list is read from memory.
    expect((await told('gRPC', { decision: ['DECISION_AUTHENTIC'] }))(both)).toEqual(open);

    // Whoever asks for them alone gets no others, in pages, by any order and with any other filter.
    const only = async (transport: (typeof transports)[number], request: Json = {}) => {
      const asked = { caveat: [UNRESOLVED], ...request };
      const { body } = await activity(platform, transport, 'ListSessions', asked, both);
      return ((body['sessions'] ?? []) as Entry[]).map(({ details }) => details.gkSessionId.value);
    };
    const ids = [apart.gkSessionId?.value, both.gkSessionId?.value];
    const uncertain = [unmatched.gkSessionId?.value];
    for (const transport of transports) {
      expect(await only(transport)).toEqual([...uncertain, ...ids]);
      expect(await only(transport, { pageSize: 1, order: 'LIST_ORDER_OLDEST_FIRST' })).toEqual(ids.slice(1));
      expect(await only(transport, { order: 'LIST_ORDER_PERSON' })).toEqual([...ids, ...uncertain]);
      expect(await only(transport, { order: 'LIST_ORDER_DECISION' })).toEqual([...uncertain, ...ids]);
      expect(await only(transport, { decision: ['DECISION_AUTHENTIC'] })).toEqual(ids);
      expect(await only(transport, { decision: ['DECISION_UNCERTAIN'] })).toEqual(uncertain);
      expect(await only(transport, { isActive: true })).toEqual([...uncertain, apart.gkSessionId?.value]);
    }
    const two = [mixed.gkSessionId?.value];
    for (const transport of transports) {
      expect(await only(transport, { caveat: [MIXED] })).toEqual(two);
      expect(await only(transport, { caveat: [MIXED], order: 'LIST_ORDER_PERSON' })).toEqual(two);
      expect(await only(transport, { caveat: [MIXED], decision: ['DECISION_AUTHENTIC'] })).toEqual(two);
      expect(await only(transport, { caveat: [MIXED], decision: ['DECISION_NO_MATCH'] })).toEqual([]);
      expect(await only(transport, { caveat: [MIXED, UNRESOLVED] })).toEqual([]);
    }

    // Matches of which nobody knows whether a live person spoke.
    const never = [mixed, apart, matched].map(({ gkSessionId }) => gkSessionId?.value);
    for (const transport of transports) {
      expect(await only(transport, { caveat: [MISSING] })).toEqual(never);
      expect(await only(transport, { caveat: [MISSING, MIXED] })).toEqual(two);
      const byDecision = { caveat: [MISSING], decision: ['DECISION_AUTHENTIC'] };
      expect(await only(transport, byDecision)).toEqual(never);
      expect(await only(transport, { caveat: [MISSING], decision: ['DECISION_NO_MATCH'] })).toEqual([]);
    }
    // Somebody looks since, and cannot tell either: that is what is known now, here and on the page of the session.
    await check(await platform.open(), unchecked);
    const known = [mixed, apart].map(({ gkSessionId }) => gkSessionId?.value);
    for (const transport of transports) {
      expect((await told(transport))(matched)).toEqual(open);
      expect(await only(transport, { caveat: [MISSING] })).toEqual(known);
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_DECISION'])
        expect(await only(transport, { order })).toContain(matched.gkSessionId?.value);
      const asked = { gk_session_id: matched.gkSessionId };
      const { body } = await activity(platform, transport, 'GetSessionTimeline', asked, both);
      const unresolvedChecks = ['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'];
      expect(body).toMatchObject({ assessment: { caveats: open[1], unresolvedChecks } });
    }
  });

  it('counts a voice that is no known fraudster as unchecked where nobody looked for attacks', async () => {
    const { owner } = await platform.printOf('emil', 'fraudster', 'emil');
    const context = await platform.open();
    const made = await platform.post('/v1/watchlists', { context, watchlistId: 'unchecked' });
    const { gkWatchlistId } = made.body;
    const member = { context, gkFraudsterId: { value: owner } };
    const added = await platform.post(`/v1/watchlists/${gkWatchlistId.value}/fraudsters`, member);
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    const clear = await platform.open();
    const said = await upload(clear, 4);
    const found = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      ...{ context: clear, gkMediaSegmentId: said, watchlist: { uniqueId: gkWatchlistId } },
    });
    expect(found.body.result.decision).toBe('DECISION_NO_RISK_DETECTED');
    const listed = async (request: Json) => {
      const { body } = await activity(platform, 'gRPC', 'ListSessions', request, clear);
      return ((body['sessions'] ?? []) as Entry[]).find(
        ({ details }) => details.gkSessionId.value === clear.gkSessionId?.value,
      );
    };
    expect(await listed({})).toMatchObject({ assessment: { caveats: [MISSING] } });
    expect(await listed({ caveat: [MISSING] })).toBeDefined();
    await check(await platform.open(), said);
    expect(await listed({})).toMatchObject({ assessment: { caveats: [UNRESOLVED] } });
    expect(await listed({ caveat: [MISSING] })).toBeUndefined();
    expect(await listed({ caveat: [UNRESOLVED] })).toBeDefined();
    expect(await listed({ caveat: [UNLISTED] })).toBeUndefined();
  });

  it('counts a voice that was compared with nobody as unchecked, until somebody looks for attacks', async () => {
    const context = await platform.open();
    const { body } = await platform.post('/v1/watchlists', { context, watchlistId: 'nobody yet' });
    const empty = { uniqueId: body.gkWatchlistId };
    const detect = async (own: RequestContext) => {
      const asked = { context: own, gkMediaSegmentId: await upload(own, 4), watchlist: empty };
      const found = await platform.post('/v1/voiceprints/known-fraudsters-detection', asked);
      expect(found.body.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_NO_SCORES',
      });
    };
    const [nobody, matched] = [await platform.open(), await platform.open()];
    await detect(nobody);
    await verify(matched, await upload(matched, 4));
    await detect(matched);
    const ids = [nobody, matched].map(({ gkSessionId }) => gkSessionId?.value);
    for (const transport of transports)
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_DECISION']) {
        const asked = { caveat: [MISSING], order };
        const { body: list } = await activity(platform, transport, 'ListSessions', asked, context);
        const found = (list['sessions'] as Entry[]).filter(({ details }) =>
          ids.includes(details.gkSessionId.value),
        );
        expect(found).toHaveLength(2);
      }
    for (const transport of transports)
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_DECISION']) {
        const asked = { caveat: [UNLISTED], order };
        const { body: list } = await activity(platform, transport, 'ListSessions', asked, context);
        const found = (list['sessions'] as Entry[]).map(({ details }) => details.gkSessionId.value);
        // Also of another recording than the one that matched.
        expect(found.sort()).toEqual(ids.toSorted());
      }
    const both = await platform.open();
    const heard = await upload(both, 4);
    await verify(both, heard);
    const asked = { context: both, gkMediaSegmentId: heard, watchlist: empty };
    await platform.post('/v1/voiceprints/known-fraudsters-detection', asked);
    for (const transport of transports) {
      const { body: list } = await activity(
        platform,
        transport,
        'ListSessions',
        { caveat: [UNLISTED] },
        context,
      );
      const [first] = list['sessions'] as Entry[];
      expect(first).toMatchObject({
        details: { gkSessionId: both.gkSessionId, riskInfo: { decision: 'DECISION_AUTHENTIC' } },
        assessment: { caveats: [MISSING, UNLISTED] },
      });
      const ofOne = { gk_session_id: both.gkSessionId };
      const { body: page } = await activity(platform, transport, 'GetSessionTimeline', ofOne, context);
      expect(page).toMatchObject({ assessment: { caveats: [MISSING, UNLISTED] } });
    }
  });

  it('counts checks that could not tell apart from those that found nothing', async () => {
    for (const transport of transports) {
      const { body } = await activity(platform, transport, 'GetActivityOverview', {}, await platform.open());
      const today = (body['buckets'] as Json[]).at(-1);
      expect(today).toMatchObject({ attackChecks: 10, undecidedAttackChecks: 10 });
      expect(today).not.toHaveProperty('attacks');
    }
  });

  it('says that the data of a session was erased, instead of that nothing was decided', async () => {
    const { profile, owner } = await platform.printOf('carl');
    const context = await platform.open();
    await platform.verify(context, profile, utterance('carl', 4));
    const path = `/v1/persons/${owner}/personal-data?${platform.query(await platform.open())}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    const gkSessionId = context.gkSessionId;
    const later = await platform.open();
    const erasedIn = async (transport: (typeof transports)[number]) => {
      const list = await activity(platform, transport, 'ListSessions', {}, later);
      const entry = (list.body['sessions'] as Entry[]).find(
        ({ details }) => details.gkSessionId.value === gkSessionId?.value,
      );
      const { body } = await activity(
        platform,
        transport,
        'GetSessionTimeline',
        { gk_session_id: gkSessionId },
        later,
      );
      const page = body as unknown as Entry;
      return [entry, page].map((one) => one?.assessment.caveats?.includes(ERASED));
    };
    for (const transport of transports) await expect.poll(() => erasedIn(transport)).toEqual([true, true]);
  });
});

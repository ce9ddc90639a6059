// What becomes known of a call after it is on the page of the call: checks of its recordings in other sessions, and searches that
// found it. For those who may know it, as long as whom it is about is there. Over both transports, on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rolePermissions } from '../../src/auth/roles.js';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { asker, id, transports } from './asking.js';
import type { Transport } from './calls.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';
import { testCaller } from '../support/server.js';
import { withFacts } from '../support/assessment-facts.js';

const withRole = (role: 'fraud-analyst' | 'operator') => ({
  ...testCaller,
  userId: role,
  scopes: ['platform-api'],
  rights: { everywhere: rolePermissions[role], byTenant: new Map<string, ReadonlySet<string>>() },
});

interface Later {
  event: Record<string, unknown> & { operation: string; gkMediaSegmentId?: { value: string } };
  gkSessionId?: { value: string };
  fraudster?: { fraudsterId: string };
  watchlistId?: string;
  listedOn?: unknown[];
}

interface Listed {
  details: { gkSessionId: { value: string } };
  foundLater?: { fraudster?: { gkFraudsterId: { value: string }; isDeleted?: boolean } }[];
  enrolledLater: { gkFraudsterId: { value: string } }[];
}

interface Entry {
  details: { gkSessionId: { value: string } };
  foundLater?: unknown[];
}

const activity = asker(Activity);

await forEachStore((store) => {
  let platform: Platform;
  let fritz: { profile: string; owner: string };
  let carl: { profile: string; owner: string };
  let watchlist: { value: string };
  /** Fritz says that he is Carl. */
  let call: RequestContext;
  let media: { value: string };

  async function fraudulentCall(): Promise<void> {
    call = await platform.open();
    media = { value: await platform.upload(call, utterance('fritz', 5)) };
    const path = `/v1/voiceprints/${carl.profile}/verification`;
    expect((await platform.post(path, { context: call, gkMediaSegmentId: media })).status).toBe(200);
    const stopped = await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context: call } });
    expect(stopped.status).toBe(200);
  }

  async function onList(name: string): Promise<{ profile: string; owner: string }> {
    const print = await platform.printOf('fritz', 'fraudster', name);
    const context = await platform.open();
    const added = await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, {
      context,
      gkFraudsterId: { value: print.owner },
    });
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    return print;
  }

  /** As an analyst asks it, in a session of their own. */
  async function checkLater(): Promise<RequestContext> {
    const desk = await platform.open();
    const checked = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      context: desk,
      gkMediaSegmentId: media,
      watchlist: { uniqueId: watchlist },
    });
    expect(checked.body.result.decision).toBe('DECISION_FRAUD');
    return desk;
  }

  const timeline = async (of: RequestContext, transport: Transport = 'REST') => {
    const asked = { gk_session_id: of.gkSessionId };
    const { body, code } = await activity(platform, transport, 'GetSessionTimeline', asked, of);
    expect(code, JSON.stringify(body)).toBe('OK');
    return body as { laterChecks?: Later[]; events: unknown[]; session: { riskInfo?: unknown } };
  };
  const laterFor = async (token: string): Promise<Later[]> => {
    const scope = platform.query({ gkScopeId: call.gkScopeId } as RequestContext);
    const path = `/v1/x/sessions/${call.gkSessionId?.value}/timeline?${scope}`;
    return (await platform.server.rest('GET', path, { token })).body.laterChecks ?? [];
  };

  beforeAll(async () => {
    platform = await Platform.start({
      config: await store.settings(),
      callers: { analyst: withRole('fraud-analyst'), operator: withRole('operator') },
    });
    const context = await platform.open();
    watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'ring' })).body.gkWatchlistId;
    carl = await platform.printOf('carl');
    fritz = await onList('case-1');
    await fraudulentCall();
  });
  afterAll(() => platform.stop());

  it('names who was found later, in which list and session, and leaves the decision as it was', async () => {
    const before = { gRPC: await timeline(call, 'gRPC'), REST: await timeline(call, 'REST') };
    expect(before.REST).not.toHaveProperty('laterChecks');
    const desk = await checkLater();
    for (const transport of transports) {
      const { laterChecks, events, session } = await timeline(call, transport);
      expect(laterChecks).toMatchObject([
        {
          event: {
            operation: 'DetectKnownFraudsters',
            decision: 'DECISION_FRAUD',
            reason: 'FRAUDSTER_INDICATION',
            gkMediaSegmentId: media,
            gkVoiceprintProfileId: id(fritz.profile),
            attributes: { factor: 'FRAUD_DETECTION' },
            member: { externalId: expect.any(String) },
          },
          gkSessionId: desk.gkSessionId,
          fraudster: { fraudsterId: 'case-1', gkFraudsterId: id(fritz.owner) },
          gkWatchlistId: watchlist,
          watchlistId: 'ring',
        },
      ]);
      expect(laterChecks?.[0]?.event).not.toHaveProperty('isFactor');
      expect([events, session.riskInfo]).toEqual([
        before[transport].events,
        before[transport].session.riskInfo,
      ]);
      // Where it was made it is no later check, and counts.
      const made = await timeline(desk, transport);
      expect(made).not.toHaveProperty('laterChecks');
      expect(made.events).toContainEqual(
        expect.objectContaining({ operation: 'DetectKnownFraudsters', isFactor: true }),
      );
    }
  });

  it('tells of attack checks with what they rest on, and names the list of AnalyzeAudio', async () => {
    const desk = await platform.open();
    const checked = await platform.post('/v1/voiceprints/audio-analysis', {
      context: desk,
      gkMediaSegmentId: media,
      watchlist: { uniqueId: watchlist },
      syntheticSpeechDetectionParameters: {},
    });
    expect(checked.status, JSON.stringify(checked.body)).toBe(200);
    const { laterChecks = [] } = await timeline(call);
    const own = laterChecks.filter(({ event }) => event.operation === 'AnalyzeAudio');
    expect(own).toMatchObject([
      { watchlistId: 'ring', fraudster: { fraudsterId: 'case-1' } },
      { event: { attributes: { factor: 'SYNTHETIC_SPEECH' }, evidence: { detector: expect.any(String) } } },
    ]);
    expect(own[1]).not.toHaveProperty('fraudster');
  });

  it('tells of a search only to those who may search, and only while there is a legal basis', async () => {
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    const searched = await platform.post('/v1/x/voice-search/calls', {
      context: await platform.open(),
      gkVoiceprintProfileId: id(fritz.profile),
    });
    expect(searched.body.calls).toHaveLength(1);
    const found = searched.body.calls[0].call;
    expect([found.gkSessionId, found.personId]).toEqual([call.gkSessionId, 'carl']);
    const searches = async (token: string) =>
      (await laterFor(token)).filter(({ event }) => event.operation === 'FindCalls');
    expect(await searches('analyst')).toMatchObject([
      {
        event: { decision: 'DECISION_FRAUD', attributes: { factor: 'FRAUD_DETECTION' } },
        fraudster: { fraudsterId: 'case-1' },
      },
    ]);
    expect(await searches('operator')).toEqual([]);
    // Who reads sessions reads what checks of their recordings found.
    expect((await laterFor('operator')).map(({ event }) => event.operation)).toContain(
      'DetectKnownFraudsters',
    );
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: false } });
    expect(await searches('analyst')).toEqual([]);
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
  });

  it('lists what was found later, also by a search, and names whom a search found to those who may search', async () => {
    const found = async (more: Record<string, unknown>, transport: Transport = 'REST') => {
      const { body, code } = await activity(platform, transport, 'ListSessions', more, call);
      expect(code, JSON.stringify(body)).toBe('OK');
      return ((body.sessions ?? []) as unknown[]).map(withFacts) as Entry[];
    };
    const foundFor = async (token: string, more = 'caveat=SESSION_CAVEAT_FOUND_LATER') => {
      const scope = platform.query({ gkScopeId: call.gkScopeId } as RequestContext);
      const { body } = await platform.server.rest('GET', `/v1/x/sessions?${scope}&${more}`, { token });
      return ((body.sessions ?? []) as Entry[]).map(({ details }) => details.gkSessionId.value).sort();
    };
    const foundIn = async (of: RequestContext, token: string): Promise<unknown> => {
      const asked = `${platform.query({ gkScopeId: call.gkScopeId } as RequestContext)}&gkSessionIds=${of.gkSessionId?.value}`;
      const { body } = await platform.server.rest('GET', `/v1/x/sessions?${asked}`, { token });
      return body.sessions[0].assessment.foundLater;
    };
    for (const transport of transports) {
      const [entry, ...others] = await found({ caveat: ['SESSION_CAVEAT_FOUND_LATER'] }, transport);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({
        details: { gkSessionId: call.gkSessionId },
        foundLater: [
          {
            check: 'FRAUD_DETECTION',
            fraudster: { fraudsterId: 'case-1', gkFraudsterId: id(fritz.owner) },
            time: expect.any(String),
          },
        ],
      });
      // In an order that comes from memory, and beside all others.
      expect(
        await found({ caveat: ['SESSION_CAVEAT_FOUND_LATER'], order: 'LIST_ORDER_PERSON' }, transport),
      ).toHaveLength(1);
      // Who looks for work finds it, too.
      const cases = await found({ case_state: ['CASE_STATE_OPEN'] }, transport);
      expect(cases.map(({ details }) => details.gkSessionId)).toContainEqual(call.gkSessionId);
      const all = await found({}, transport);
      expect(all.length).toBeGreaterThan(1);
      expect(all.filter(({ foundLater = [] }) => foundLater.length > 0)).toHaveLength(1);
    }
    // Nobody has checked this one.
    const other = await platform.open();
    await platform.process(other, utterance('fritz', 4));
    expect(await foundFor('analyst')).toEqual([call.gkSessionId?.value]);
    const searched = await platform.post('/v1/x/voice-search/calls', {
      context: await platform.open(),
      gkVoiceprintProfileId: id(fritz.profile),
    });
    expect(searched.body.calls).toHaveLength(2);
    const both = [call.gkSessionId?.value, other.gkSessionId?.value].sort();
    const ofFraudster = `gkFraudsterId.value=${fritz.owner}`;
    expect(await foundFor('analyst')).toEqual(both);
    expect(await foundFor('analyst', ofFraudster)).toEqual(expect.arrayContaining(both));
    expect(await foundFor('operator')).toEqual(both);
    expect(await foundIn(other, 'operator')).toEqual([
      { check: 'FRAUD_DETECTION', time: expect.any(String) },
    ]);
    expect(await foundFor('operator', ofFraudster)).not.toContain(other.gkSessionId?.value);
    // By the name, too; in whichever session it became known is found beside.
    expect(await foundFor('analyst', 'query=case-1')).toEqual(expect.arrayContaining(both));
    expect(await foundFor('operator', 'query=case-1')).toContain(call.gkSessionId?.value);
    expect(await foundFor('operator', 'query=case-1')).not.toContain(other.gkSessionId?.value);
    const { laterChecks = [] } = await timeline(other);
    expect(laterChecks).toMatchObject([
      { event: { operation: 'FindCalls' }, listedOn: [{ watchlistId: 'ring', gkWatchlistId: watchlist }] },
    ]);
    // What a call has found itself is no news, though a search finds it again.
    const known = await platform.open();
    const gkMediaSegmentId = { value: await platform.upload(known, utterance('fritz', 5)) };
    const recognized = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      ...{ context: known, gkMediaSegmentId, watchlist: { uniqueId: watchlist } },
    });
    expect(recognized.body.result.decision).toBe('DECISION_FRAUD');
    const again = await platform.post('/v1/x/voice-search/calls', {
      context: await platform.open(),
      gkVoiceprintProfileId: id(fritz.profile),
    });
    expect(again.body.calls.length).toBeGreaterThan(2);
    expect(await foundFor('analyst')).toEqual(both);
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: false } });
    expect(await foundFor('analyst')).toEqual(both);
    expect(await foundIn(other, 'analyst')).toEqual(await foundIn(other, 'operator'));
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
  });

  it('tells on the page of a call that its caller was put on a watchlist, by whom and as whom', async () => {
    const own = await platform.open();
    const heard = await platform.process(own, utterance('dora', 1), { isForEnrollment: true });
    const desk = await platform.open();
    const made = await platform.post('/v1/x/voice-search/fraudsters', {
      context: desk,
      gkWatchlistId: watchlist,
      fraudsterId: 'case-dora',
      tag: 'main',
      gkProcessedAudioIds: [heard.gkProcessedAudioId],
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    for (const transport of transports) {
      const { laterChecks } = await timeline(own, transport);
      expect(laterChecks).toMatchObject([
        {
          event: { operation: 'AddVoiceToWatchlist', member: { externalId: expect.any(String) } },
          fraudster: { fraudsterId: 'case-dora', gkFraudsterId: made.body.gkFraudsterId },
          gkWatchlistId: watchlist,
          watchlistId: 'ring',
          gkSessionId: desk.gkSessionId,
        },
      ]);
      // Somebody has decided it: no check has found it.
      expect(laterChecks?.[0]?.event).not.toHaveProperty('decision');
      // In an order that comes from memory, too.
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_PERSON']) {
        const sought = { caveat: ['SESSION_CAVEAT_FOUND_LATER'], order };
        const listed = await activity(platform, transport, 'ListSessions', sought, own);
        const entries = (listed.body['sessions'] as unknown[]).map(withFacts) as Listed[];
        const entry = entries.find(({ details }) => details.gkSessionId.value === own.gkSessionId?.value);
        expect(entry).toMatchObject({
          enrolledLater: [{ fraudsterId: 'case-dora', gkFraudsterId: made.body.gkFraudsterId }],
        });
      }
    }
    const ofFraudster = `gkFraudsterId.value=${made.body.gkFraudsterId.value}`;
    const { body } = await platform.server.rest(
      'GET',
      `/v1/x/sessions?${platform.query(own)}&${ofFraudster}`,
    );
    expect((body.sessions as Entry[]).map(({ details }) => details.gkSessionId)).toEqual([own.gkSessionId]);
  });

  it('still names a fraudster who was deleted since', async () => {
    const before = await laterFor('analyst');
    expect(before.filter(({ fraudster }) => fraudster)).not.toEqual([]);
    const scope = platform.query({ gkScopeId: call.gkScopeId } as RequestContext);
    const list = async (): Promise<Listed[]> => {
      const all = `/v1/x/sessions?${scope}&caveat=SESSION_CAVEAT_FOUND_LATER`;
      return ((await platform.server.rest('GET', all)).body.sessions ?? []).map(withFacts);
    };
    const made = async (): Promise<Listed[]> =>
      (await list()).filter(({ enrolledLater = [] }) => enrolledLater.length > 0);
    const [listed, ofDora] = [await list(), await made()];
    expect(listed.length).toBeGreaterThan(0);
    const goneOwner = fritz.owner;
    const gone = await platform.server.rest(
      'DELETE',
      `/v1/fraudsters/${goneOwner}?${platform.query(await platform.open())}`,
    );
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
    const left = await laterFor('analyst');
    const named = (checks: typeof left) => checks.flatMap(({ fraudster }) => fraudster?.fraudsterId ?? []);
    expect(named(left)).toEqual(named(before));
    expect(left.map(({ event }) => event.operation)).toEqual(before.map(({ event }) => event.operation));
    const findings = (entries: Listed[]) =>
      entries.map(({ details, foundLater }) => [details.gkSessionId.value, foundLater]);
    for (const { fraudster } of listed.flatMap(({ foundLater = [] }) => foundLater))
      if (fraudster?.gkFraudsterId.value === goneOwner) fraudster.isDeleted = true;
    expect(findings(await list())).toEqual(findings(listed));
    const dora = `/v1/fraudsters/${ofDora[0]?.enrolledLater[0]?.gkFraudsterId.value}`;
    const desk = await platform.open();
    expect((await platform.server.rest('DELETE', `${dora}?${platform.query(desk)}`)).status).toBe(200);
    expect(await made()).toMatchObject([{ enrolledLater: ofDora[0]?.enrolledLater }]);
    fritz = await onList('case-2');
    await checkLater();
    expect(named(await laterFor('analyst'))).toEqual([...named(before), 'case-2']);
  });

  it('is evidence when the person is erased whose call it was to be, until that is judged as genuine', async () => {
    const before = await laterFor('analyst');
    const path = `/v1/persons/${carl.owner}/personal-data?${platform.query(await platform.open())}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    const isErased = async (): Promise<unknown> =>
      (await platform.server.rest('GET', `/v1/persons/carl/gkid?${platform.query(call)}`)).status;
    await expect.poll(isErased).toBe(404);
    expect(await laterFor('analyst')).toEqual(before);
    const judged = { context: call, verdict: 'ENGAGEMENT_VERDICT_AUTHENTIC' };
    const { status } = await platform.server.rest('PUT', '/v1/engagements/verdict', { body: judged });
    expect(status).toBe(200);
    await expect.poll(() => laterFor('analyst')).toEqual([]);
  });
});

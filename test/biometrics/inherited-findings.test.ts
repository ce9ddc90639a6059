// What is found later in the session that decided an engagement is told of the sessions that took over its decision, in their entry of the
// list, on their page and by the filters: a finding makes no session look cleaner. Over both transports, on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rolePermissions } from '../../src/auth/roles.js';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { testCaller } from '../support/server.js';
import { asker, id, transports } from './asking.js';
import type { Transport } from './calls.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';
import { withFacts } from '../support/assessment-facts.js';

interface Findings {
  foundLater?: { check: string; fraudster?: { fraudsterId: string; isDeleted?: boolean } }[];
  enrolledLater?: { fraudsterId: string }[];
}

interface Entry extends Findings {
  details: { gkSessionId: { value: string } };
  withoutAttackChecks?: boolean;
  inherited?: Findings & { gkSessionId: { value: string } };
}

/** Two sessions of one engagement: the second has made no check. */
interface Call {
  first: RequestContext;
  second: RequestContext;
  media: { value: string };
  heard: object;
}

const activity = asker(Activity);
const orders = ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_PERSON'];

await forEachStore((store) => {
  let platform: Platform;
  let carl: { profile: string; owner: string };
  let fritz: { profile: string; owner: string };
  let watchlist: { value: string };

  const stop = async (context: RequestContext): Promise<void> => {
    expect((await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } })).status).toBe(200);
  };

  async function call(): Promise<Call> {
    const first = await platform.open();
    const { gkMediaSegmentId: media, ...heard } = await platform.process(first, utterance('fritz', 1), {
      isForEnrollment: true,
    });
    const verified = await platform.post(`/v1/voiceprints/${carl.profile}/verification`, {
      ...{ context: first, gkMediaSegmentId: media },
    });
    expect(verified.body.result.decision).toBe('DECISION_AUTHENTIC');
    await stop(first);
    const { gkSessionId: _first, ...engagement } = first;
    const { body } = await platform.post('/v1/sessions/start', { context: engagement, sessionType: 2 });
    const second = { ...engagement, gkSessionId: body.gkSessionId };
    await stop(second);
    return { first, second, media, heard };
  }

  const listed = async (
    request: Record<string, unknown>,
    transport: Transport = 'gRPC',
  ): Promise<Entry[]> => {
    const { body, code } = await activity(platform, transport, 'ListSessions', request, await desk());
    expect(code, JSON.stringify(body)).toBe('OK');
    return ((body['sessions'] ?? []) as unknown[]).map(withFacts) as Entry[];
  };
  const idsOf = (entries: readonly Entry[]): string[] =>
    entries.map(({ details }) => details.gkSessionId.value).toSorted();
  const both = ({ first, second }: Call): string[] =>
    [first, second].map(({ gkSessionId }) => gkSessionId?.value ?? '').toSorted();
  const entryOf = async ({ gkSessionId }: RequestContext, transport?: Transport): Promise<Entry> => {
    const [entry] = await listed({ gk_session_ids: [gkSessionId?.value] }, transport);
    if (!entry) throw new Error('not listed');
    return entry;
  };
  const pageOf = async (of: RequestContext, transport: Transport): Promise<Pick<Entry, 'inherited'>> => {
    const asked = { gk_session_id: of.gkSessionId };
    return withFacts((await activity(platform, transport, 'GetSessionTimeline', asked, of)).body) as Entry;
  };

  /** An analyst's session. */
  const desk = (): Promise<RequestContext> => platform.open();

  beforeAll(async () => {
    platform = await Platform.start({
      config: await store.settings(),
      callers: {
        operator: {
          ...{ ...testCaller, userId: 'operator', scopes: ['platform-api'] },
          rights: { everywhere: rolePermissions.operator, byTenant: new Map<string, ReadonlySet<string>>() },
        },
      },
    });
    await platform.configure('alarmed', { attackChecks: { riskHigh: 1, reliabilityMin: 0 } });
    carl = await platform.printOf('fritz', 'person', 'carl');
    fritz = await platform.printOf('fritz', 'fraudster', 'case-1');
    const context = await desk();
    watchlist = (await platform.post('/v1/watchlists', { context, watchlistId: 'ring' })).body.gkWatchlistId;
    const added = { context, gkFraudsterId: id(fritz.owner) };
    expect((await platform.post(`/v1/watchlists/${watchlist.value}/fraudsters`, added)).status).toBe(200);
  });
  afterAll(() => platform?.stop());

  it('tells of an attack, instead of a warning that nobody had looked for one', async () => {
    const made = await call();
    expect(await entryOf(made.second)).toMatchObject({ inherited: {}, withoutAttackChecks: true });
    const checked = await platform.post('/v1/audios/spoofing', {
      context: { ...(await desk()), configsetId: 'alarmed' },
      ...{ gkMediaSegmentId: made.media, syntheticSpeechDetectionParameters: {} },
    });
    expect(checked.status, JSON.stringify(checked.body)).toBe(200);
    for (const transport of transports) {
      const { foundLater } = await entryOf(made.first, transport);
      expect(foundLater).toMatchObject([{ check: 'SYNTHETIC_SPEECH', time: expect.any(String) }]);
      const inherited = { gkSessionId: made.first.gkSessionId, foundLater };
      expect(await entryOf(made.second, transport)).toMatchObject({ inherited });
      expect(await pageOf(made.second, transport)).toMatchObject({ inherited });
      for (const order of orders)
        expect(idsOf(await listed({ caveat: ['SESSION_CAVEAT_FOUND_LATER'], order }, transport))).toEqual(
          both(made),
        );
    }
    const { foundLater: own } = await entryOf(made.second);
    expect(own).toBeUndefined();
  });

  it('tells of a fraudster, by name, also after the fraudster was deleted, and finds it by the name', async () => {
    const made = await call();
    const before = idsOf(await listed({ caveat: ['SESSION_CAVEAT_FOUND_LATER'] }));
    const checked = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      ...{ context: await desk(), gkMediaSegmentId: made.media, watchlist: { uniqueId: watchlist } },
    });
    expect(checked.body.result.decision).toBe('DECISION_FRAUD');
    const found = { check: 'FRAUD_DETECTION', fraudster: { fraudsterId: 'case-1' } };
    const expected = [...before, ...both(made)].toSorted();
    const compare = async (): Promise<void> => {
      for (const transport of transports) {
        expect(await entryOf(made.second, transport)).toMatchObject({ inherited: { foundLater: [found] } });
        expect(await pageOf(made.second, transport)).toMatchObject({ inherited: { foundLater: [found] } });
      }
      for (const order of orders)
        expect(idsOf(await listed({ caveat: ['SESSION_CAVEAT_FOUND_LATER'], order }))).toEqual(expected);
      expect(idsOf(await listed({ query: 'case-1' }))).toEqual(expect.arrayContaining(both(made)));
    };
    await compare();
    const gone = `/v1/fraudsters/${fritz.owner}?${platform.query(await desk())}`;
    expect((await platform.server.rest('DELETE', gone)).status).toBe(200);
    await compare();
    expect((await entryOf(made.second)).inherited?.foundLater).toMatchObject([
      { fraudster: { isDeleted: true } },
    ]);
  });

  it('tells of a fraudster who was enrolled from it', async () => {
    const made = await call();
    const { heard } = made;
    const added = await platform.post('/v1/x/voice-search/fraudsters', {
      ...{ context: await desk(), gkWatchlistId: watchlist, fraudsterId: 'case-2', tag: 'main' },
      gkProcessedAudioIds: [(heard as { gkProcessedAudioId: object }).gkProcessedAudioId],
    });
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    const enrolledLater = [{ fraudsterId: 'case-2' }];
    for (const transport of transports) {
      expect(await entryOf(made.second, transport)).toMatchObject({ inherited: { enrolledLater } });
      expect(await pageOf(made.second, transport)).toMatchObject({ inherited: { enrolledLater } });
      for (const order of orders)
        expect(idsOf(await listed({ caveat: ['SESSION_CAVEAT_FOUND_LATER'], order }, transport))).toEqual(
          expect.arrayContaining(both(made)),
        );
    }
    expect(idsOf(await listed({ query: 'case-2' }))).toEqual(expect.arrayContaining(both(made)));
  });

  it('tells everywhere that a search has found somebody, and whom to those who may search', async () => {
    const made = await call();
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    fritz = await platform.printOf('fritz', 'fraudster', 'case-3');
    const searched = await platform.post('/v1/x/voice-search/calls', {
      ...{ context: await desk(), gkVoiceprintProfileId: id(fritz.profile) },
    });
    expect(searched.status, JSON.stringify(searched.body)).toBe(200);
    expect((await entryOf(made.second)).inherited?.foundLater).toMatchObject([
      { fraudster: { fraudsterId: 'case-3' } },
    ]);
    const foundFor = async (token?: string): Promise<string[]> => {
      const scope = platform.query({ gkScopeId: made.first.gkScopeId } as RequestContext);
      const path = `/v1/x/sessions?${scope}&caveat=SESSION_CAVEAT_FOUND_LATER`;
      const { body } = await platform.server.rest('GET', path, { ...(token && { token }) });
      return idsOf((body.sessions ?? []) as Entry[]);
    };
    expect(await foundFor()).toEqual(expect.arrayContaining(both(made)));
    expect(await foundFor('operator')).toEqual(expect.arrayContaining(both(made)));
    for (const { gkSessionId } of [made.first, made.second]) {
      const [entry] = await listed({ gk_session_ids: [gkSessionId?.value] });
      const { headline, tone, caveats } = (
        entry as unknown as { assessment: Record<'headline' | 'tone', string> & { caveats: string[] } }
      ).assessment;
      expect([tone, caveats]).toEqual([
        'SESSION_TONE_NEUTRAL',
        expect.arrayContaining(['SESSION_CAVEAT_FOUND_LATER']),
      ]);
      const path = `/v1/sessions/decision?${platform.query({ ...made.first, gkSessionId } as RequestContext)}`;
      const { body } = await platform.server.rest('GET', path);
      const extras = {
        headline: headline.replace('SESSION_HEADLINE_', ''),
        tone: tone.replace('SESSION_TONE_', ''),
        caveats: caveats.map((one) => one.replace('SESSION_CAVEAT_', '')).join(','),
      };
      expect(body.status.diagnosticDetails).toContainEqual({
        code: 'SESSION_ASSESSMENT',
        extras: expect.objectContaining(extras),
      });
    }
  });

  it('sends with the event of a search what each call means in which it found the fraudster', async () => {
    const made = await call();
    await platform.configure('SCOPE', { voiceSearch: { hasLegalBasis: true, days: 7 } });
    const { profile } = await platform.printOf('fritz', 'fraudster', 'case-4');
    const searched = { context: await desk(), gkVoiceprintProfileId: id(profile) };
    expect((await platform.post('/v1/x/voice-search/calls', searched)).status).toBe(200);
    const asked = `context.gk_scope_id.value=${platform.gkScopeId}&page_size=1000&types=voxgate.v1.FindCalls`;
    const { body } = await platform.server.rest('GET', `/v1/events?${asked}`);
    const { foundIn } = body.events.at(-1).data;
    expect(foundIn).toContainEqual({
      gkSessionId: made.first.gkSessionId?.value,
      assessment: expect.objectContaining({
        headline: 'SESSION_HEADLINE_AUTHENTIC',
        caveats: expect.arrayContaining(['SESSION_CAVEAT_FOUND_LATER']),
      }),
    });
    expect(JSON.stringify(foundIn)).not.toContain('case-4');
  });

  it('finds no session of the engagement that has decided for itself', async () => {
    const { first, media } = await call();
    const { gkSessionId: _first, ...engagement } = first;
    const { body } = await platform.post('/v1/sessions/start', { context: engagement, sessionType: 2 });
    const own = { ...engagement, gkSessionId: body.gkSessionId };
    const gkMediaSegmentId = { value: await platform.upload(own, utterance('fritz', 4)) };
    await platform.post(`/v1/voiceprints/${carl.profile}/verification`, { context: own, gkMediaSegmentId });
    await stop(own);
    await platform.post('/v1/audios/spoofing', {
      context: { ...(await desk()), configsetId: 'alarmed' },
      ...{ gkMediaSegmentId: media, syntheticSpeechDetectionParameters: {} },
    });
    const found = idsOf(await listed({ caveat: ['SESSION_CAVEAT_FOUND_LATER'] }));
    expect(found).toContain(first.gkSessionId?.value);
    expect(found).not.toContain(own.gkSessionId?.value);
  });
});

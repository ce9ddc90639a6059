// Attempts that a lock turns away, and locks that a print sets itself: whoever investigates finds both, with the reason.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const MISMATCHES_MAX = 2;

await forEachStore((store) => {
  let platform: Platform;
  let carl: { profile: string; owner: string };
  let others: string[] | undefined;

  beforeAll(async () => {
    platform = await Platform.start({
      config: await store.settings(),
      parameters: { locks: { mismatchesMax: MISMATCHES_MAX } },
    });
    carl = await platform.printOf('carl');
  });
  afterAll(() => platform.stop());

  const get = async (path: string, more: Record<string, string> = {}) => {
    const scope = { gkScopeId: { value: platform.gkScopeId } } as RequestContext;
    const answer = await platform.server.rest('GET', `${path}?${platform.query(scope, more)}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const timelineOf = (context: RequestContext) =>
    get(`/v1/x/sessions/${context.gkSessionId?.value}/timeline`);
  const entryOf = async (context: RequestContext, filter: Record<string, string> = {}) => {
    const { sessions = [] } = await get('/v1/x/sessions', filter);
    return sessions.find(
      (entry: { details: { gkSessionId: { value: string } } }) =>
        entry.details.gkSessionId.value === context.gkSessionId?.value,
    );
  };
  const overview = async () => {
    const { buckets } = await get('/v1/x/activity');
    const sum = (name: string): number =>
      buckets.reduce((all: number, bucket: Record<string, number>) => all + (bucket[name] ?? 0), 0);
    return { verifications: sum('verifications'), refused: sum('refused'), checks: sum('checks') };
  };
  const personEntry = async () =>
    (await get('/v1/x/persons', { query: 'carl' })).persons.find(
      (entry: { details: { personId: string } }) => entry.details.personId === 'carl',
    );

  it('records the lock that a print sets itself: in the session, in the trail, as an event and in the list of persons', async () => {
    expect(await personEntry()).not.toHaveProperty('lockedProfileCount');
    const call = await platform.open();
    for (const _ of Array.from({ length: MISMATCHES_MAX }))
      expect((await platform.verify(call, carl.profile, utterance('dora', 4))).status).toBe(200);
    const { events } = await timelineOf(call);
    const locks = events.filter(({ operation }: { operation: string }) => operation === 'AutomaticLock');
    expect(locks).toEqual([
      expect.objectContaining({
        recordType: 'RECORD_TYPE_VOICEPRINT_EVENT',
        gkVoiceprintProfileId: { value: carl.profile },
        attributes: {
          lockReason: 'CONSECUTIVE_MISMATCHES',
          mismatchCounter: String(MISMATCHES_MAX),
          autoUnlockAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      }),
    ]);
    const { records } = await get('/v1/x/audit/records', { query: 'AutomaticLock' });
    expect(records).toEqual([
      expect.objectContaining({
        operation: 'AutomaticLock',
        objectName: 'carl',
        context: expect.objectContaining({ gkSessionId: call.gkSessionId }),
      }),
    ]);
    const { events: told } = await get('/v1/events', { types: 'voxgate.v1.AutomaticLock' });
    expect(told).toHaveLength(1);
    expect(await personEntry()).toMatchObject({ trainedProfileCount: 1, lockedProfileCount: 1 });
  });

  it('records an attempt that the lock turns away, over both transports, with the recording that was brought', async () => {
    const call = await platform.open();
    const before = await overview();
    const media = { value: await platform.upload(call, utterance('dora', 5)) };
    const path = `/v1/voiceprints/${carl.profile}/verification`;
    const refused = await platform.post(path, { context: call, gkMediaSegmentId: media });
    expect(refused.status).toBe(403);
    expect(refused.body.status.diagnosticDetails).toMatchObject([{ code: 'PROFILE_LOCKED' }]);
    const again = await platform.server.grpc(VoiceprintsProcessor).verify({
      context: call,
      gkVoiceprintProfileId: { value: carl.profile },
      // Of nobody: what a caller makes up is not kept.
      audio: { case: 'gkProcessedAudioId', value: { value: '00000000-0000-4000-8000-000000000000' } },
    });
    expect(again.status?.diagnosticDetails).toMatchObject([{ code: 'PROFILE_LOCKED' }]);

    const { events, persons } = await timelineOf(call);
    const attempts = events.filter(({ operation }: { operation: string }) => operation === 'Verify');
    expect(attempts).toEqual([
      expect.objectContaining({
        decision: 'DECISION_UNCERTAIN',
        reason: 'PROFILE_LOCKED',
        summary: 'Verify: refused (profile locked)',
        gkVoiceprintProfileId: { value: carl.profile },
        gkMediaSegmentId: media,
        isFactor: true,
        attributes: expect.objectContaining({
          lockReason: 'CONSECUTIVE_MISMATCHES',
          autoUnlockAt: expect.any(String),
        }),
      }),
      expect.objectContaining({ reason: 'PROFILE_LOCKED' }),
    ]);
    for (const absent of ['score', 'risk', 'reliability']) expect(attempts[0]).not.toHaveProperty(absent);
    expect(attempts[1]).not.toHaveProperty('gkMediaSegmentId');
    expect(attempts[1]).not.toHaveProperty('gkProcessedAudioId');
    expect(persons).toMatchObject([{ personId: 'carl', role: 'SESSION_PERSON_ROLE_VERIFIED' }]);
    // The person's history, a search for the person, and the trail.
    for (const filter of [{ 'gkPersonId.value': carl.owner }, { query: 'carl' }])
      expect(await entryOf(call, filter)).toMatchObject({ refusedCount: 2, factorCount: 2 });
    const { records } = await get('/v1/x/audit/records', {
      query: 'PROFILE_LOCKED',
      'gkSessionId.value': call.gkSessionId?.value ?? '',
    });
    expect(records.map(({ objectName }: { objectName: string }) => objectName)).toEqual(['carl', 'carl']);
    const { events: told } = await get('/v1/events', { types: 'voxgate.v1.Verify' });
    expect(told.at(-1).data.detail).toMatchObject({ reason: 'PROFILE_LOCKED' });
    // It is counted by itself: no rate of matches suffers from it.
    expect(await overview()).toEqual({ ...before, refused: before.refused + 2 });
  });

  it.each([
    ['AnalyzeAudio', '/v1/voiceprints/audio-analysis'],
    ['Identify', '/v1/voiceprints/identification'],
  ])(
    '%s says that it left a locked print out, and remembers whom it turned away',
    async (operation, path) => {
      const call = await platform.open();
      const before = await overview();
      const ask = (prints: readonly string[]) => async () => {
        const gkMediaSegmentId = { value: await platform.upload(call, utterance('carl', 5)) };
        const gkVoiceprintProfileIds = { uniqueIds: prints.map((value) => ({ value })) };
        return (await platform.post(path, { context: call, gkMediaSegmentId, gkVoiceprintProfileIds })).body;
      };
      const alone = await ask([carl.profile])();
      expect(alone.result).toMatchObject({
        decision: 'DECISION_UNCERTAIN',
        reason: 'DECISION_REASON_NO_SCORES',
      });
      const told = {
        code: 'PROFILE_LOCKED',
        extras: {
          gk_voiceprint_profile_id: carl.profile,
          auto_unlock_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      };
      expect(alone.status).toMatchObject({ statusCode: 'OK', diagnosticDetails: [told] });
      const { events, persons } = await timelineOf(call);
      expect(events.filter((event: { operation: string }) => event.operation === operation)).toMatchObject([
        {
          decision: 'DECISION_UNCERTAIN',
          reason: 'PROFILE_LOCKED',
          gkVoiceprintProfileId: { value: carl.profile },
          attributes: { lockedPrints: JSON.stringify([carl.profile]) },
        },
      ]);
      expect(persons).toMatchObject([{ personId: 'carl', role: 'SESSION_PERSON_ROLE_VERIFIED' }]);
      expect(await entryOf(call)).toMatchObject({ refusedCount: 1 });
      expect(await overview()).toEqual({ ...before, refused: before.refused + 1 });
      // Beside others it is left out, and named all the same.
      const [other = ''] = (others ??= [(await platform.printOf('anna')).profile]);
      const several = await ask([carl.profile, other])();
      expect(several.result.decision).toBe('DECISION_NO_MATCH');
      expect(several.status.diagnosticDetails).toMatchObject([told]);
      expect(await entryOf(call)).toMatchObject({ refusedCount: 1, factorCount: 2 });
    },
  );

  it('never calls a session clear in which the caller was turned away', async () => {
    const call = await platform.open();
    const gkMediaSegmentId = { value: await platform.upload(call, utterance('carl', 5)) };
    const refused = await platform.post(`/v1/voiceprints/${carl.profile}/verification`, {
      context: call,
      gkMediaSegmentId,
    });
    expect(refused.status).toBe(403);
    const checked = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
      context: call,
      gkMediaSegmentId,
      gkVoiceprintProfileIds: {
        uniqueIds: [{ value: (await platform.printOf('emil', 'fraudster')).profile }],
      },
    });
    expect(checked.body.result.decision).toBe('DECISION_NO_RISK_DETECTED');
    expect(await platform.decision(call)).toMatchObject({
      decision: 'DECISION_UNCERTAIN',
      decisionReason: 'DECISION_REASON_NO_AVAILABLE_SCORES',
    });
  });
});

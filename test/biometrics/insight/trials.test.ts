// What is tried out is no call: it is marked, found and left out of rates. And the calls of a known fraudster are found by them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Platform, forEachStore, utterance, type RequestContext } from '../support.js';

await forEachStore((store) => {
  let platform: Platform;
  let scope: RequestContext;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    scope = { gkScopeId: { value: platform.gkScopeId } } as RequestContext;
  });
  afterAll(() => platform.stop());

  const get = async (path: string, more: Record<string, string> = {}) => {
    const answer = await platform.server.rest('GET', `${path}?${platform.query(scope, more)}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const counts = async (): Promise<Record<string, number>> => {
    const { buckets } = await get('/v1/x/activity');
    const names = [
      'verifications',
      'matches',
      'watchlistChecks',
      'fraudsters',
      'enrollments',
      'checks',
      'trials',
    ];
    const sum = (name: string): number =>
      buckets.reduce((all: number, bucket: Record<string, number>) => all + Number(bucket[name] ?? 0), 0);
    return Object.fromEntries(names.map((name) => [name, sum(name)]));
  };
  const openTrial = async (): Promise<RequestContext> => {
    const context = { ...scope, configsetId: platform.configsetId };
    const { body } = await platform.post('/v1/sessions/start', { context, sessionType: 2, isTest: true });
    return { ...context, gkSessionId: body.gkSessionId, gkEngagementId: body.gkEngagementId };
  };
  const idsOf = (sessions: { details: { gkSessionId: { value: string } } }[] = []): string[] =>
    sessions.map(({ details }) => details.gkSessionId.value);

  it('leaves trials out of every rate, and lists them apart', async () => {
    const anna = await platform.printOf('anna');
    const call = await platform.open();
    await platform.verify(call, anna.profile, utterance('anna', 4));
    const before = await counts();
    const trial = await openTrial();
    await platform.verify(trial, anna.profile, utterance('anna', 5));
    expect(await counts()).toEqual({ ...before, trials: (before['trials'] ?? 0) + 1 });
    const trials = await get('/v1/x/sessions', { isTest: 'true' });
    expect(idsOf(trials.sessions)).toEqual([trial.gkSessionId?.value]);
    const calls = idsOf((await get('/v1/x/sessions', { isTest: 'false' })).sessions);
    expect(calls).toContain(call.gkSessionId?.value);
    expect(calls).not.toContain(trial.gkSessionId?.value);
  });

  it('counts an enrollment in a session for trying things out as a trial', async () => {
    const trial = await openTrial();
    await platform.createOwner(trial, 'person', 'tried-out');
    const profile = await platform.createProfile(trial, 'person', 'tried-out');
    const before = await counts();
    const { gkProcessedAudioId } = await platform.process(trial, utterance('dora', 1), {
      isForEnrollment: true,
    });
    const { body } = await platform.post(`/v1/voiceprints/${profile}/enrollment`, {
      context: trial,
      gkProcessedAudioId,
    });
    expect(body.result?.enrolled, JSON.stringify(body)).toBe(true);
    expect(await counts()).toEqual({ ...before, trials: (before['trials'] ?? 0) + 1 });
  });

  it('counts no check of the recording of a trial, whoever makes it in whatever session', async () => {
    const { profile } = await platform.printOf('emil', 'fraudster', 'case-7');
    const check = async (context: RequestContext, audio: object): Promise<string> => {
      const { body } = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
        context,
        ...audio,
        gkVoiceprintProfileIds: { uniqueIds: [{ value: profile }] },
      });
      expect(body.result?.decision, JSON.stringify(body)).toBe('DECISION_FRAUD');
      return body.result.audioDetails.gkProcessedAudioId.value as string;
    };
    const trial = await openTrial();
    const media = await platform.upload(trial, utterance('emil', 4));
    const processed = await check(trial, { gkMediaSegmentId: { value: media } });
    const call = await platform.open();
    const heard = await platform.upload(call, utterance('emil', 5));
    const analyst = await platform.open();
    const before = await counts();
    // Heard again, and as it was heard then; with a call's recording in the same session, which does count.
    const again = await check(analyst, { gkMediaSegmentId: { value: media } });
    await check(analyst, { gkProcessedAudioId: { value: processed } });
    await check(await platform.open(), { gkProcessedAudioId: { value: again } });
    const plus = (name: string, more: number): number => (before[name] ?? 0) + more;
    expect(await counts()).toEqual({ ...before, trials: plus('trials', 3) });
    await check(analyst, { gkMediaSegmentId: { value: heard } });
    expect(await counts()).toEqual({
      ...before,
      trials: plus('trials', 3),
      checks: plus('checks', 1),
      watchlistChecks: plus('watchlistChecks', 1),
      fraudsters: plus('fraudsters', 1),
    });
  });

  it('finds the calls in which a known fraudster was recognized, by the fraudster and by the name', async () => {
    const emil = await platform.printOf('emil', 'fraudster', 'case-9');
    const check = async (voice: 'emil' | 'dora'): Promise<string> => {
      const context = await platform.open();
      const { body } = await platform.post('/v1/voiceprints/known-fraudsters-detection', {
        context,
        gkMediaSegmentId: { value: await platform.upload(context, utterance(voice, 4)) },
        gkVoiceprintProfileIds: { uniqueIds: [{ value: emil.profile }] },
      });
      expect(body.result.decision).toBe(voice === 'emil' ? 'DECISION_FRAUD' : 'DECISION_NO_RISK_DETECTED');
      return context.gkSessionId?.value ?? '';
    };
    const hit = await check('emil');
    await check('dora');
    const named = [{ gkFraudsterId: { value: emil.owner }, fraudsterId: 'case-9' }];
    const recognized = await get('/v1/x/sessions', { 'gkFraudsterId.value': emil.owner });
    expect(idsOf(recognized.sessions)).toEqual([hit]);
    expect(recognized.sessions[0].fraudsters).toMatchObject(named);
    // Whoever looks for the name also finds where the voice was enrolled.
    const { sessions } = await get('/v1/x/sessions', { query: 'case-9' });
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({ details: { gkSessionId: { value: hit } }, fraudsters: named });
    expect(sessions[1]).toMatchObject({ enrolledFraudsters: named });
    const { fraudsters } = await get(`/v1/x/sessions/${hit}/timeline`);
    expect(fraudsters).toMatchObject([{ fraudsterId: 'case-9' }]);
  });
});

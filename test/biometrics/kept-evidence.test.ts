// What an erasure keeps is told before it, after it, and in the session that is kept. By turns on both databases.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forEachStore, jobPatience, Platform, utterance, type RequestContext } from './support.js';
import { withFacts } from '../support/assessment-facts.js';

await forEachStore((store) => {
  let platform: Platform;
  beforeAll(async () => (platform = await Platform.start({ config: await store.settings() })));
  afterAll(() => platform?.stop());

  const get = (path: string) =>
    platform.server.rest('GET', `${path}?context.gkScopeId.value=${platform.gkScopeId}`);
  const erasureOf = async (gkPersonId: string) => {
    const { status: _status, ...told } = (await get(`/v1/x/persons/${gkPersonId}/erasure`)).body;
    return told;
  };
  const timelineOf = async ({ gkSessionId }: RequestContext) =>
    withFacts((await get(`/v1/x/sessions/${gkSessionId?.value}/timeline`)).body);
  const recordsOf = async (type: string): Promise<Record<string, unknown>[]> => {
    const query = `context.gkScopeId.value=${platform.gkScopeId}&recordType=${type}&pageSize=100`;
    const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${query}`);
    return (body.records as { recordAsJson: string }[]).map(
      ({ recordAsJson }) => (JSON.parse(recordAsJson) as { detail: Record<string, unknown> }).detail,
    );
  };
  const callOf = async (gkPersonId: string, sentence: number): Promise<[RequestContext, string]> => {
    const context = await platform.open();
    const body = { context, details: { claimedGkPersonId: { value: gkPersonId } } };
    const claimed = await platform.server.rest('PATCH', '/v1/sessions/details', {
      body: { ...body, fieldMask: 'claimedGkPersonId' },
    });
    expect(claimed.status).toBe(200);
    return [context, await platform.upload(context, utterance('anna', sentence))];
  };
  const judge = async (context: RequestContext, verdict: string, expectedTime?: string) => {
    const path = `/v1/x/engagements/${context.gkEngagementId?.value}/outcome`;
    const body = { context: { gkScopeId: context.gkScopeId }, verdict, expectedTime };
    expect((await platform.server.rest('PUT', path, { body })).status).toBe(200);
  };

  it('counts what goes and what stays, before and after, and says so in the session', async () => {
    const desk = await platform.open();
    const maria = await platform.createOwner(desk, 'person', 'maria');
    const [fraud] = await callOf(maria, 1);
    await judge(fraud, 'ENGAGEMENT_VERDICT_FRAUD');
    const [held, onHold] = await callOf(maria, 2);
    const hold = await platform.server.rest('PATCH', `/v1/mediasegments/${onHold}`, {
      body: { context: held, details: { legalHold: true }, fieldMask: 'legalHold' },
    });
    expect(hold.status).toBe(200);
    const [plain] = await callOf(maria, 3);
    const kept = { keptAsFraudCount: 1, keptOnLegalHoldCount: 1, keptSessionCount: 1 };
    expect(await erasureOf(maria)).toEqual({ ...kept, recordingCount: 1 });
    expect(await timelineOf(fraud)).not.toHaveProperty('isKeptAsFraud');

    const path = `/v1/persons/${maria}/personal-data?${platform.query(desk)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    await expect
      .poll(() => erasureOf(maria), jobPatience)
      .toEqual({ ...kept, erasedTime: expect.any(String) as string });
    const session = await timelineOf(fraud);
    // The claim stays with it, of nobody who could be named.
    expect(session).toMatchObject({ isKeptAsFraud: true, isClaimErased: true });
    expect(session).not.toHaveProperty('isErased');
    expect(await timelineOf(held)).toMatchObject({ isErased: true, heldRecordingCount: 1 });
    const gone = await timelineOf(plain);
    expect(gone).toMatchObject({ isErased: true });
    expect(gone).not.toHaveProperty('heldRecordingCount');

    // No evidence any more.
    const { verdictTimestamp } = session.engagement.verdictInfo;
    await judge(fraud, 'ENGAGEMENT_VERDICT_AUTHENTIC', verdictTimestamp);
    expect(await timelineOf(fraud)).not.toHaveProperty('isKeptAsFraud');
    await expect.poll(() => timelineOf(fraud), jobPatience).toMatchObject({ isErased: true });
    const { keptOnLegalHoldCount } = kept;
    await expect
      .poll(() => erasureOf(maria), jobPatience)
      .toEqual({ keptOnLegalHoldCount, erasedTime: expect.any(String) as string });
    expect(await recordsOf('RECORD_TYPE_ENGAGEMENT_EVENT')).toContainEqual(
      expect.objectContaining({ verdict: 'AUTHENTIC', verdictBefore: 'FRAUD', erasedPersons: 1 }),
    );
    const late = { gkPersonId: maria, media: 1, sessions: 1, keptAsFraud: 0 };
    expect(await recordsOf('RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT')).toContainEqual(
      expect.objectContaining(late),
    );

    // Nor is anything held any more.
    const release = await platform.server.rest('PATCH', `/v1/mediasegments/${onHold}`, {
      body: { context: desk, details: { legalHold: false }, fieldMask: 'legalHold' },
    });
    expect(release.status).toBe(200);
    await expect.poll(async () => (await erasureOf(maria)).isRunning ?? false, jobPatience).toBe(false);
    expect(await erasureOf(maria)).toEqual({ erasedTime: expect.any(String) as string });
    const media = await platform.server.rest('GET', `/v1/mediasegments/${onHold}?${platform.query(desk)}`);
    expect(media.status).toBe(404);
  });

  it('empties a call without recording, too, when its outcome is fraud no longer', async () => {
    const desk = await platform.open();
    const nora = await platform.createOwner(desk, 'person', 'nora');
    const call = await platform.open();
    const body = { context: call, details: { claimedGkPersonId: { value: nora }, ani: '+15550177' } };
    const claimed = await platform.server.rest('PATCH', '/v1/sessions/details', {
      body: { ...body, fieldMask: 'claimedGkPersonId,ani' },
    });
    expect(claimed.status).toBe(200);
    await judge(call, 'ENGAGEMENT_VERDICT_FRAUD');
    const path = `/v1/persons/${nora}/personal-data?${platform.query(desk)}`;
    expect((await platform.server.rest('DELETE', path)).status).toBe(200);
    await expect.poll(async () => (await erasureOf(nora)).erasedTime, jobPatience).toBeDefined();
    await expect.poll(async () => (await erasureOf(nora)).isRunning ?? false, jobPatience).toBe(false);
    const kept = await timelineOf(call);
    expect(kept).toMatchObject({ isKeptAsFraud: true });
    await judge(call, 'ENGAGEMENT_VERDICT_UNCERTAIN', kept.engagement.verdictInfo.verdictTimestamp);
    await expect.poll(() => timelineOf(call), jobPatience).toMatchObject({ isErased: true });
    expect(JSON.stringify(await timelineOf(call))).not.toContain('+15550177');
  });

  it('knows nobody who never was, and nobody of another tenant', async () => {
    expect((await get('/v1/x/persons/00000000-0000-4000-8000-000000000000/erasure')).status).toBe(404);
  });
});

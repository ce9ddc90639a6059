// Two analysts write down something about one call: nobody overwrites what they have not read, and is told who was first.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngagementVerdict } from '../../../src/gen/vendor/biosec/v1/common_pb.js';
import { Activity, CaseState } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { StatusCode } from '../../../src/gen/vendor/rpc/status_pb.js';
import type { RestAnswer } from '../../support/server.js';
import { Platform, forEachStore, type RequestContext } from '../support.js';

await forEachStore((store) => {
  let platform: Platform;
  let context: RequestContext;
  let path: string;
  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    context = await platform.open();
    path = `/v1/x/engagements/${context.gkEngagementId?.value ?? ''}`;
  });
  afterAll(() => platform?.stop());

  const scope = () => ({ gkScopeId: { value: platform.gkScopeId } });
  const change = (body: object) =>
    platform.server.rest('PATCH', `${path}/case`, { body: { context: scope(), ...body } });
  const engagement = async () =>
    (await platform.server.rest('GET', `/v1/engagements/details?${platform.query(context)}`)).body.details;
  const fieldsOf = ({ body }: RestAnswer): string[] =>
    (body.status.fieldViolations ?? []).map(({ field }: { field: string }) => field.split('.').at(-1));
  const codesOf = ({ body }: RestAnswer): string[] =>
    (body.status.diagnosticDetails ?? []).map(({ code }: { code: string }) => code);

  it('a note and a case number of two people stay, and the rest of the custom data too', async () => {
    await platform.server.rest('PATCH', '/v1/engagements/details', {
      body: { context, details: { customData: { queue: 'vip', empty: '' } }, fieldMask: 'customData' },
    });
    expect((await change({ note: { value: 'asked for a card' } })).status).toBe(200);
    expect((await change({ caseNumber: { value: 'F-1' } })).status).toBe(200);
    expect((await engagement()).customData).toMatchObject({
      queue: 'vip',
      note: 'asked for a card',
      caseNumber: 'F-1',
    });
  });

  it('the same text is not written over what was not read', async () => {
    const refused = await change({
      note: { value: 'mine', expected: '' },
      caseNumber: { value: 'F-2', expected: 'F-1' },
    });
    expect([refused.status, fieldsOf(refused), codesOf(refused)]).toEqual([
      409,
      ['note'],
      ['CHANGED_MEANWHILE'],
    ]);
    // Nothing of it was saved.
    expect((await engagement()).customData).toMatchObject({ note: 'asked for a card', caseNumber: 'F-1' });
    // The same words are no conflict, and a retry succeeds.
    for (let tries = 0; tries < 2; tries++)
      expect((await change({ note: { value: 'mine', expected: 'asked for a card' } })).status).toBe(200);
    expect((await change({ note: { value: '', expected: 'mine' } })).status).toBe(200);
    expect((await engagement()).customData.note).toBeUndefined();
    const long = await change({ note: { value: 'x'.repeat(257) } });
    expect([long.status, fieldsOf(long)]).toEqual([400, ['note']]);
  });

  it('a case has somebody, is found by them, and is closed by its outcome', async () => {
    const client = platform.server.grpc(Activity);
    const user = (username: string, displayName: string, role: string) =>
      platform.server.rest('POST', '/v1/management/users', { body: { username, displayName, role } });
    for (const made of [
      await user('ada', 'Ada', 'USER_ROLE_AUDITOR'),
      await user('kim', 'Kim', 'USER_ROLE_MEMBER'),
    ])
      expect(made.status).toBe(200);
    const cases = async (asked: object): Promise<unknown[]> => {
      const { sessions, status } = await client.listSessions({ context: scope(), ...asked });
      expect(status?.fieldViolations ?? []).toEqual([]);
      return sessions.map(({ caseState, assignedTo }) => [CaseState[caseState], assignedTo?.label]);
    };
    const open = [CaseState.OPEN, CaseState.IN_PROGRESS];
    expect(await cases({ caseState: open })).toEqual([['OPEN', undefined]]);
    // Kim cannot reach the tenant.
    for (const value of ['nobody-here', 'kim']) {
      const refused = await change({ assignedTo: { value } });
      expect([refused.status, fieldsOf(refused)]).toEqual([400, ['assigned_to']]);
    }
    expect((await change({ assignedTo: { value: 'Ada' } })).status).toBe(200);
    expect(await cases({ caseState: open, assignedTo: 'ada' })).toEqual([['IN_PROGRESS', 'Ada']]);
    expect(await cases({ caseState: [CaseState.OPEN] })).toEqual([]);
    expect(await cases({ assignedTo: 'nobody-here' })).toEqual([]);
    // Whoever has not seen that somebody has it does not take it away.
    const late = await change({ assignedTo: { value: '' } });
    expect([late.status, fieldsOf(late)]).toEqual([409, ['assigned_to']]);
    const timeline = await client.getSessionTimeline({ context: scope(), gkSessionId: context.gkSessionId });
    expect([CaseState[timeline.caseState], timeline.assignedTo?.label]).toEqual(['IN_PROGRESS', 'Ada']);
    const { body } = await platform.server.rest('GET', `/v1/x/audit/records?${platform.query(scope())}`);
    expect(JSON.stringify(body)).toContain('\\"caseOwner\\":\\"ADDED\\"');
  });

  it('an outcome is not replaced by whoever has not read it', async () => {
    const client = platform.server.grpc(Activity);
    const record = (verdict: EngagementVerdict, expectedTime?: { seconds: bigint; nanos: number }) =>
      client.recordOutcome({
        context: scope(),
        gkEngagementId: context.gkEngagementId,
        verdict,
        description: 'heard it',
        ...(expectedTime && { expectedTime }),
      });
    const first = await record(EngagementVerdict.FRAUD);
    expect(first.status?.fieldViolations ?? []).toEqual([]);
    const second = await record(EngagementVerdict.AUTHENTIC);
    expect(second.status).toMatchObject({ statusCode: StatusCode.INVALID_REQUEST, httpTransCode: 409 });
    expect(second.status?.fieldViolations[0]?.field).toMatch(/\.verdict$/);
    expect(second.status?.diagnosticDetails[0]?.code).toBe('CHANGED_MEANWHILE');
    const { verdictInfo } = await engagement();
    expect(verdictInfo.verdict).toBe('ENGAGEMENT_VERDICT_FRAUD');
    const replaced = await platform.server.rest('PUT', `${path}/outcome`, {
      body: {
        context: scope(),
        verdict: 'ENGAGEMENT_VERDICT_AUTHENTIC',
        expectedTime: verdictInfo.verdictTimestamp,
      },
    });
    expect(replaced.status).toBe(200);
    expect((await engagement()).verdictInfo.verdict).toBe('ENGAGEMENT_VERDICT_AUTHENTIC');
    const closed = await client.listSessions({ context: scope(), caseState: [CaseState.CLOSED] });
    expect(closed.sessions.map(({ caseState }) => caseState)).toEqual([CaseState.CLOSED]);
    const empty = await platform.server.rest('PUT', `${path}/outcome`, { body: { context: scope() } });
    expect([empty.status, fieldsOf(empty)]).toEqual([400, ['verdict']]);
  });
});

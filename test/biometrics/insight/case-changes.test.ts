// Two analysts write down something about one call: nobody overwrites what they have not read, and is told who was first.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EngagementVerdict } from '../../../src/gen/vendor/biosec/v1/common_pb.js';
import { Activity } from '../../../src/gen/voxgate/biosec/v1/activity_pb.js';
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
    const empty = await platform.server.rest('PUT', `${path}/outcome`, { body: { context: scope() } });
    expect([empty.status, fieldsOf(empty)]).toEqual([400, ['verdict']]);
  });
});

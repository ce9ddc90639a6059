// Persons who are one person under two names: the tenant's own word, used wherever strangers are counted, and gone with either person.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Accuracy } from '../../../src/gen/voxgate/biosec/v1/accuracy_pb.js';
import { Platform, forEachStore } from '../support.js';

await forEachStore((store) => {
  let platform: Platform;
  const owners: Record<string, string> = {};

  beforeAll(async () => {
    platform = await Platform.start({ config: await store.settings() });
    for (const voice of ['anna', 'bruno', 'carl'] as const)
      owners[voice] = (await platform.printOf(voice)).owner;
  });
  afterAll(() => platform?.stop());

  const scope = () => ({ gkScopeId: { value: platform.gkScopeId } });
  const inScope = () => `context.gkScopeId.value=${platform.gkScopeId}`;
  const pair = (one: string, other: string) => ({
    gkPersonId: { value: owners[one] ?? one },
    gkOtherPersonId: { value: owners[other] ?? other },
  });
  const mark = (one: string, other: string) =>
    platform.post('/v1/x/accuracy/same-persons', { context: scope(), ...pair(one, other) });
  const unmark = (one: string, other: string) =>
    platform.server.rest(
      'DELETE',
      `/v1/x/accuracy/same-persons/${owners[one] ?? ''}/${owners[other] ?? ''}?${inScope()}`,
    );
  const marked = async (): Promise<string[]> => {
    const { pairs } = await platform.server.grpc(Accuracy).listSamePersons({ context: scope() });
    return pairs.map(({ personId, otherPersonId }) => [personId, otherPersonId].sort().join(' '));
  };
  const speakers = async (): Promise<unknown[]> => {
    const { body } = await platform.post('/v1/x/accuracy/scores', { context: scope() });
    return [body.report.speakers, body.report.nontargetTrials];
  };
  const told = async (operation: string): Promise<number> => {
    const { body } = await platform.server.rest(
      'GET',
      `/v1/x/audit/records?${inScope()}&query=${operation}&pageSize=100`,
    );
    return (body.records ?? []).filter((record: { operation: string }) => record.operation === operation)
      .length;
  };

  it('count as one for everybody, until that is taken back', async () => {
    expect(await speakers()).toEqual([3, 18]);
    expect((await mark('anna', 'bruno')).status).toBe(200);
    // Once, in either order, and by a retry.
    await platform.server.grpc(Accuracy).markSamePerson({ context: scope(), ...pair('bruno', 'anna') });
    expect(await marked()).toEqual(['anna bruno']);
    expect(await speakers()).toEqual([2, 12]);
    const client = platform.server.grpc(Accuracy);
    const suggested = await client.suggestThreshold({ context: scope(), targetFalseAcceptRate: 0.1 });
    expect([suggested.speakers, suggested.nontargetTrials]).toEqual([2, 12]);
    const { pairs } = await client.listSamePersons({ context: scope() });
    expect(pairs[0]?.createTime?.seconds).toBeGreaterThan(0n);
    expect(pairs[0]?.member?.memberId.value).toBeTruthy();
    expect(await told('MarkSamePerson')).toBe(1);
    // Also by way of a third.
    await mark('carl', 'bruno');
    expect((await speakers())[0]).toBe(1);
    for (let tries = 0; tries < 2; tries++) expect((await unmark('bruno', 'carl')).status).toBe(200);
    expect(await told('UnmarkSamePerson')).toBe(1);
    expect(await speakers()).toEqual([2, 12]);
    await client.unmarkSamePerson({ context: scope(), ...pair('bruno', 'anna') });
    expect(await speakers()).toEqual([3, 18]);
  });

  it('are two persons of this tenant', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const other = await Platform.on(platform.server, `other-${store.dialect}`);
    const stranger = await other.createOwner(await other.open(), 'person', 'stranger');
    const faults: [string, string, number, string][] = [
      ['anna', 'anna', 400, 'gk_other_person_id'],
      ['anna', nobody, 404, 'gk_other_person_id'],
      [stranger, 'anna', 404, 'gk_person_id'],
    ];
    for (const [one, another, status, field] of faults) {
      const refused = await mark(one, another);
      expect(refused.status).toBe(status);
      expect(refused.body.status.fieldViolations[0].field).toMatch(new RegExp(`\\.${field}$`));
    }
    const empty = await platform.post('/v1/x/accuracy/same-persons', { context: scope() });
    expect(empty.status).toBe(400);
    const missing = empty.body.status.fieldViolations.map(({ field }: { field: string }) => field);
    expect(missing.map((field: string) => field.split('.').at(-1)).sort()).toEqual([
      'gk_other_person_id',
      'gk_person_id',
    ]);
    expect(await marked()).toEqual([]);
  });

  it('are forgotten with either of them, whether deleted or erased', async () => {
    await mark('anna', 'bruno');
    await mark('carl', 'anna');
    expect((await marked()).sort()).toEqual(['anna bruno', 'anna carl']);
    const context = await platform.open();
    const gone = await platform.server.rest(
      'DELETE',
      `/v1/persons/${owners['bruno'] ?? ''}?${platform.query(context)}`,
    );
    expect(gone.status).toBe(200);
    expect(await marked()).toEqual(['anna carl']);
    const erased = await platform.server.rest(
      'DELETE',
      `/v1/persons/${owners['anna'] ?? ''}/personal-data?${platform.query(await platform.open())}`,
    );
    expect(erased.status).toBe(200);
    await expect.poll(marked).toEqual([]);
  });
});

// Two people change one tenant, one webhook or one config set: nobody undoes what they have not read.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Accuracy } from '../../../src/gen/voxgate/biosec/v1/accuracy_pb.js';
import { TenantsManager } from '../../../src/gen/voxgate/management/v1/tenants_pb.js';
import type { RestAnswer } from '../../support/server.js';
import { Platform, forEachStore } from '../support.js';
import { webhookSettings } from '../webhooks.js';

await forEachStore((store) => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.start({ config: { ...(await store.settings()), ...webhookSettings } });
  });
  afterAll(() => platform?.stop());

  const rest = (method: string, path: string, body?: object): Promise<RestAnswer> =>
    platform.server.rest(method, path, body ? { body } : {});
  const context = () => ({ gkScopeId: { value: platform.gkScopeId } });
  const refusalOf = ({ status, body }: RestAnswer): unknown[] => [
    status,
    (body.status.fieldViolations ?? []).map(({ field }: { field: string }) =>
      field.replace(/^.*Request\./, ''),
    ),
    (body.status.diagnosticDetails ?? []).map(({ code }: { code: string }) => code),
  ];

  it('a tenant that is marked for deletion, whose end both transports tell', async () => {
    const made = await rest('POST', '/v1/scopes', {
      scopeId: 'short-lived',
      scopeProfile: 'SCOPE_PROFILE_DEFAULT',
      expectedPersonsNumber: 1,
    });
    const gkScopeId: string = made.body.gkScopeId.value;
    const told = async () => {
      const { body } = await rest('GET', '/v1/management/tenant-deletions');
      const overGrpc = await platform.server.grpc(TenantsManager).listTenantDeletions({});
      expect([body.waitingDays, overGrpc.waitingDays]).toEqual([30, 30]);
      const found = overGrpc.tenants.find((each) => each.gkScopeId === gkScopeId);
      const rested = body.tenants.find((each: { gkScopeId: string }) => each.gkScopeId === gkScopeId);
      expect(rested.isImmediate ?? false).toBe(found?.isImmediate);
      expect('deleteTime' in rested).toBe(found?.deleteTime !== undefined);
      return [found?.isImmediate, found?.deleteTime !== undefined];
    };
    expect(await told()).toEqual([true, false]);
    await rest('PUT', `/v1/scopes/${gkScopeId}/state`, { scopeState: 'SCOPE_STATE_ACTIVE' });
    expect(await told()).toEqual([false, false]);
    await rest('PUT', `/v1/scopes/${gkScopeId}/attributes/deleted`, {});
    expect(await told()).toEqual([false, true]);
  });

  it('a tenant', async () => {
    const path = `/v1/management/tenants/${platform.gkScopeId}`;
    const details = async () =>
      (await rest('GET', `/v1/scopes/${platform.gkScopeId}`)).body.details as Record<string, string>;
    const { scopeId = '' } = await details();
    const expected = { scopeId, customerName: '', description: '' };
    const put = (change: object, read: object | null = expected) =>
      rest('PUT', path, { tenant: { ...expected, ...change }, ...(read && { expected: read }) });
    const [renamed, other] = [`${scopeId}-a`, `${scopeId}-b`];
    expect((await put({ scopeId: renamed, description: 'calls' })).body.tenant).toMatchObject({
      scopeId: renamed,
    });
    // Both are in one step, and what another has changed stays.
    expect((await put({ customerName: 'Bank' })).status).toBe(200);
    expect(await details()).toMatchObject({ scopeId: renamed, customerName: 'Bank', description: 'calls' });
    expect(refusalOf(await put({ scopeId: other, customerName: 'Bank' }))).toEqual([
      409,
      ['tenant.scope_id'],
      ['CHANGED_MEANWHILE'],
    ]);
    expect(await details()).toMatchObject({ scopeId: renamed });
    expect(refusalOf(await put({ description: 'x'.repeat(3000), scopeId: '' }, null))).toEqual([
      400,
      ['tenant.scope_id', 'tenant.description'],
      [],
    ]);
    const taken = `taken-${scopeId}`;
    await rest('POST', '/v1/scopes', {
      scopeId: taken,
      scopeProfile: 'SCOPE_PROFILE_DEFAULT',
      expectedPersonsNumber: 1,
    });
    expect(refusalOf(await put({ scopeId: taken }, null)).slice(0, 2)).toEqual([409, ['tenant.scope_id']]);
    expect((await rest('PUT', path, {})).status).toBe(400);
    // As it was read by now: everything is replaced.
    expect((await put({ scopeId }, null)).body.tenant).toEqual({ scopeId });
    const trail = await rest('GET', `/v1/x/audit/records?context.gk_scope_id.value=${platform.gkScopeId}`);
    const operations = (trail.body.records as { operation: string }[]).map(({ operation }) => operation);
    expect(operations.filter((name) => name === 'RenameScope')).toHaveLength(2);
    expect(operations.filter((name) => name === 'UpdateScopeDetails')).toHaveLength(3);
  });

  it('a webhook', async () => {
    const url = 'http://127.0.0.1:9/in';
    const made = await rest('POST', '/v1/webhooks', { context: context(), url });
    const read = made.body.webhook as { webhookId: string };
    const put = (change: object, expected: object = read) =>
      rest('PUT', `/v1/webhooks/${read.webhookId}`, {
        context: context(),
        ...{ url, description: '', types: [], enabled: true },
        ...change,
        expected,
      });
    expect((await put({ description: 'SIEM' })).status).toBe(200);
    const off = await put({ enabled: false });
    expect(off.body.webhook).toMatchObject({ description: 'SIEM', url });
    expect(off.body.webhook.enabled ?? false).toBe(false);
    expect(refusalOf(await put({ description: 'CRM', enabled: false }))).toEqual([
      409,
      ['description'],
      ['CHANGED_MEANWHILE'],
    ]);
    expect((await put({ description: 'CRM' }, {})).status).toBe(409);
  });

  it('a config set', async () => {
    const accuracy = platform.server.grpc(Accuracy);
    const create = async (days: number, configsetId = 'shared'): Promise<{ value: string }> => {
      const made = await rest('POST', '/v1/configsets', {
        context: context(),
        configsetId,
        type: 'CONFIGSET_TYPE_OPERATIONAL',
        rawContent: Buffer.from(JSON.stringify({ voiceSearch: { days } })).toString('base64'),
      });
      return made.body.gkConfigsetRevisionId as { value: string };
    };
    const replace = async (gkConfigsetRevisionId: { value: string }, expected?: { value: string }) => {
      const { status } = await accuracy.replaceActiveRevision({
        context: context(),
        gkConfigsetRevisionId,
        ...(expected && { expectedGkConfigsetRevisionId: expected }),
      });
      return [status?.httpTransCode, ...(status?.diagnosticDetails ?? []).map(({ code }) => code)];
    };
    const [first, mine, theirs] = [await create(10), await create(20), await create(30)];
    expect(await replace(first)).toEqual([0]);
    // There is one by now, and then another.
    expect(await replace(mine)).toEqual([409, 'CHANGED_MEANWHILE']);
    expect(await replace(theirs, first)).toEqual([0]);
    expect(await replace(mine, first)).toEqual([409, 'CHANGED_MEANWHILE']);
    // A retry of what was done is no conflict.
    expect(await replace(theirs, first)).toEqual([0]);
    expect(await replace(mine, theirs)).toEqual([0]);
    // Before a tenant has settings of its own, those of the program are what is read.
    const query = `context.gk_scope_id.value=${platform.gkScopeId}&expectedFormat=CONFIGSET_FORMAT_ALL_BYTES`;
    const shipped = (await rest('GET', `/v1/configsets/SCOPE?${query}`)).body.details.gkConfigsetRevisionId;
    const [own, another] = [await create(10, 'SCOPE'), await create(20, 'SCOPE')];
    expect(await replace(own, shipped)).toEqual([0]);
    expect(await replace(another, shipped)).toEqual([409, 'CHANGED_MEANWHILE']);
    expect(await replace(another, own)).toEqual([0]);
    const answer = await rest('POST', `/v1/x/accuracy/revisions/${first.value}/activate`, {
      context: context(),
      expectedGkConfigsetRevisionId: theirs,
    });
    expect(refusalOf(answer)).toEqual([409, ['expected_gk_configset_revision_id'], ['CHANGED_MEANWHILE']]);
  });
});

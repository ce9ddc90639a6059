// The contact center model's store on both databases.
import { expect, it } from 'vitest';
import type { EngagementDeps } from '../../src/engagement-api/deps.js';
import {
  deleteAgentGroup,
  upsertAgentGroup,
  upsertHours,
} from '../../src/engagement-api/manage-agent-groups.js';
import { listAgents, setAgentState, upsertAgent } from '../../src/engagement-api/manage-agents.js';
import {
  deleteSite,
  listSites,
  upsertBusinessUnit,
  upsertSite,
} from '../../src/engagement-api/manage-sites.js';
import { engagementStore } from '../../src/storage/engagement/engagement-store.js';
import type { Database } from '../../src/storage/database.js';
import type { Call } from '../../src/platform.js';
import { forEachDatabase } from '../support/database.js';
import { testCall, testStorage } from '../support/storage.js';

const call = testCall();
const site = { siteId: 'main', name: 'Main', timeZone: 'Europe/Berlin' };
const unit = { siteId: 'main', businessUnitId: '7', name: 'Cards' };
const group = {
  siteId: 'main',
  agentGroupId: 'cards',
  businessUnitId: '7',
  name: 'Cards',
  queueCapacity: 5,
  queueLength: 1,
};
const hours = {
  siteId: 'main',
  hoursId: 'week',
  agentGroupId: 'cards',
  timeZone: '',
  spans: [{ weekday: 1 as const, startMinute: 540, endMinute: 1020 }],
  exceptions: [{ date: '2024-12-25', closed: true as const }],
};
const agent = {
  siteId: 'main',
  agentId: 'ada',
  name: 'Ada',
  agentGroupIds: ['cards'],
  state: 'available' as const,
  slots: 3,
  slotsUsed: 1,
  attributes: { language: 'de' },
};

async function filled(database: Database): Promise<EngagementDeps & { operations(): Promise<string[]> }> {
  const { audit, clock } = await testStorage(database);
  const deps = {
    store: engagementStore({ database, audit }),
    clock,
    tenantExists: async (tenantId: string) => tenantId === 'one',
  };
  await upsertSite(deps, call, site);
  await upsertBusinessUnit(deps, call, unit);
  await upsertAgentGroup(deps, call, group);
  await upsertHours(deps, call, hours);
  await upsertAgent(deps, call, agent);
  const operations = async () =>
    (await audit.read({ chain: 'system', afterSeq: 0, limit: 100 })).map((record) => record.operation);
  return { ...deps, operations };
}

await forEachDatabase(({ open }) => {
  it('keeps the model as it was set, replaces it, and tells the audit trail', async () => {
    const deps = await filled(await open());
    const { read } = deps.store;
    expect(await read.sites()).toEqual([site]);
    expect(await read.businessUnits('main')).toEqual([unit]);
    expect(await read.agentGroup('main', 'cards')).toEqual(group);
    // Hours without a zone take that of their site.
    expect(await read.hours('main')).toEqual([{ ...hours, timeZone: 'Europe/Berlin' }]);
    expect(await read.agent('main', 'ada')).toEqual(agent);
    await upsertAgentGroup(deps, call, { ...group, queueLength: 4 });
    expect(await read.agentGroups('main')).toEqual([{ ...group, queueLength: 4 }]);
    expect(await setAgentState(deps, call, { siteId: 'main', agentId: 'ada', state: 'busy' })).toEqual({
      ...agent,
      state: 'busy',
    });
    expect(await deps.operations()).toEqual([
      'engagement.site.put',
      'engagement.business-unit.put',
      'engagement.agent-group.put',
      'engagement.hours.put',
      'engagement.agent.put',
      'engagement.agent-group.put',
    ]);
  });

  it('takes hours and memberships away with their group', async () => {
    const deps = await filled(await open());
    await deleteAgentGroup(deps, call, { siteId: 'main', agentGroupId: 'cards' });
    expect(await deps.store.read.hours('main')).toEqual([]);
    expect(await deps.store.read.agent('main', 'ada')).toEqual({ ...agent, agentGroupIds: [] });
  });

  it('takes everything away with its site, and nothing of another', async () => {
    const deps = await filled(await open());
    await upsertSite(deps, call, { ...site, siteId: 'other' });
    await upsertBusinessUnit(deps, call, { ...unit, siteId: 'other' });
    await deleteSite(deps, call, { siteId: 'main' });
    const { read } = deps.store;
    expect(await read.sites()).toEqual([{ ...site, siteId: 'other' }]);
    expect([
      await read.businessUnits('main'),
      await read.agentGroups('main'),
      await read.hours('main'),
      await read.agents('main'),
    ]).toEqual([[], [], [], []]);
    expect(await read.businessUnits('other')).toHaveLength(1);
    await expect(deleteSite(deps, call, { siteId: 'main' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps a site that belongs to a tenant from operators of others', async () => {
    const deps = await filled(await open());
    const operatorOf = (tenantId: string): Call => {
      const rights = {
        everywhere: new Set<string>(),
        byTenant: new Map([[tenantId, new Set(['agents.state'])]]),
      };
      return testCall({ tenants: [tenantId], rights });
    };
    const report = (by: Call) => setAgentState(deps, by, { siteId: 'main', agentId: 'ada', state: 'busy' });
    await report(operatorOf('two'));
    expect(await listSites(deps, operatorOf('two'))).toHaveLength(1);

    await expect(upsertSite(deps, call, { ...site, tenantId: 'nobody' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      fields: [expect.objectContaining({ field: 'site.gk_scope_id' })],
    });
    await upsertSite(deps, call, { ...site, tenantId: 'one' });
    expect(await listSites(deps, operatorOf('one'))).toEqual([{ ...site, tenantId: 'one' }]);
    expect((await report(operatorOf('one'))).state).toBe('busy');
    expect(await listSites(deps, operatorOf('two'))).toEqual([]);
    const notThere = { code: 'NOT_FOUND' };
    await expect(report(operatorOf('two'))).rejects.toMatchObject(notThere);
    await expect(listAgents(deps, operatorOf('two'), { siteId: 'main' })).rejects.toMatchObject(notThere);

    await upsertSite(deps, call, site);
    await report(operatorOf('two'));
  });

  it('refuses what does not fit together', async () => {
    const deps = await filled(await open());
    const wrong = (field: string) => ({
      code: 'INVALID_REQUEST',
      fields: [expect.objectContaining({ field })],
    });
    await expect(upsertSite(deps, call, { ...site, timeZone: 'Mars/Base' })).rejects.toMatchObject(
      wrong('site.time_zone'),
    );
    await expect(upsertBusinessUnit(deps, call, { ...unit, businessUnitId: 'x' })).rejects.toMatchObject(
      wrong('business_unit.business_unit_id'),
    );
    await expect(upsertAgentGroup(deps, call, { ...group, businessUnitId: '8' })).rejects.toMatchObject(
      wrong('agent_group.business_unit_id'),
    );
    await expect(upsertHours(deps, call, { ...hours, agentGroupId: 'none' })).rejects.toMatchObject(
      wrong('hours.agent_group_id'),
    );
    await expect(
      upsertHours(deps, call, { ...hours, spans: [{ weekday: 1, startMinute: 1440, endMinute: 1 }] }),
    ).rejects.toMatchObject(wrong('hours.spans[0].start_minute'));
    await expect(
      upsertAgent(deps, call, { ...agent, agentGroupIds: ['cards', 'none'] }),
    ).rejects.toMatchObject(wrong('agent.agent_group_ids[1]'));
    await expect(upsertAgent(deps, call, { ...agent, attributes: { 'a,b': 'c' } })).rejects.toMatchObject(
      wrong('agent.attributes'),
    );
    await expect(upsertBusinessUnit(deps, call, { ...unit, siteId: 'nowhere' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(upsertSite(deps, testCall({ tenants: ['one'] }), site)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
}, 'both quick');

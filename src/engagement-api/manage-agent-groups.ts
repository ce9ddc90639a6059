// Groups of agents with their queue, and hours of operation of a site or of a group, set by administrators.
import { changedNames, mergedChange } from '../audit/merge-change.js';
import { invalidFields, notFound, refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import { changeSite, readSite, type EngagementDeps } from './deps.js';
import {
  digitsFault,
  placeIdFault,
  lengthFault,
  nameFault,
  noSuch,
  rangeFault,
  timeZoneFault,
  type Fault,
} from './fields.js';
import { isDate } from './local-time.js';
import type { AgentGroup, HoursOfOperation, Span } from './model.js';
import { say } from '../words/server/say.js';

const QUEUE_MAX = 1_000_000;
const SPANS_MAX = 100;
const EXCEPTIONS_MAX = 1000;

export async function upsertAgentGroup(
  deps: EngagementDeps,
  call: Call,
  wanted: AgentGroup,
  read?: AgentGroup,
): Promise<AgentGroup> {
  const { siteId, agentGroupId } = wanted;
  refuseFaults([
    placeIdFault('agent_group.site_id', siteId),
    placeIdFault('agent_group.agent_group_id', agentGroupId),
    digitsFault('agent_group.business_unit_id', wanted.businessUnitId),
    nameFault('agent_group.name', wanted.name),
    rangeFault('agent_group.queue_capacity', wanted.queueCapacity, 0, QUEUE_MAX),
    rangeFault('agent_group.queue_length', wanted.queueLength, 0, QUEUE_MAX),
  ]);
  return changeSite(deps, call, siteId, async ({ tx, audit }) => {
    const stored = await tx.agentGroup(siteId, agentGroupId);
    const group = mergedChange('agent_group', { wanted, read, stored });
    const { businessUnitId } = group;
    if (!(await tx.businessUnit(siteId, businessUnitId))) {
      throw invalidFields([noSuch('agent_group.business_unit_id', 'business unit of this site')]);
    }
    await tx.putAgentGroup(group);
    await audit('engagement.agent-group.put', {
      siteId,
      agentGroupId,
      businessUnitId,
      queueCapacity: group.queueCapacity,
      changed: changedNames(stored, group),
    });
    return group;
  });
}

export function listAgentGroups(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string },
): Promise<AgentGroup[]> {
  return readSite(deps, call, input.siteId, () => deps.store.read.agentGroups(input.siteId));
}

/** Its hours go with it; agents stay and lose the membership. */
export async function deleteAgentGroup(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string; agentGroupId: string },
): Promise<void> {
  const { siteId, agentGroupId } = input;
  await changeSite(deps, call, siteId, async ({ tx, audit }) => {
    if (!(await tx.deleteAgentGroup(siteId, agentGroupId))) throw notFound('agent group', 'agent_group_id');
    for (const hours of await tx.hours(siteId)) {
      if (hours.agentGroupId === agentGroupId) await tx.deleteHours(siteId, hours.hoursId);
    }
    for (const agent of await tx.agents(siteId)) {
      if (!agent.agentGroupIds.includes(agentGroupId)) continue;
      await tx.putAgent({ ...agent, agentGroupIds: agent.agentGroupIds.filter((id) => id !== agentGroupId) });
    }
    await audit('engagement.agent-group.delete', { siteId, agentGroupId });
  });
}

/** An empty time zone takes that of the site. */
export async function upsertHours(
  deps: EngagementDeps,
  call: Call,
  input: HoursOfOperation,
  read?: HoursOfOperation,
): Promise<HoursOfOperation> {
  const { siteId, hoursId } = input;
  refuseFaults([
    placeIdFault('hours.site_id', siteId),
    placeIdFault('hours.hours_id', hoursId),
    input.timeZone === '' ? undefined : timeZoneFault('hours.time_zone', input.timeZone),
    lengthFault('hours.spans', input.spans.length, SPANS_MAX),
    lengthFault('hours.exceptions', input.exceptions.length, EXCEPTIONS_MAX),
    ...input.spans.flatMap((span, index) => [
      rangeFault(`hours.spans[${index}].weekday`, span.weekday, 1, 7),
      ...spanFaults(`hours.spans[${index}]`, span),
    ]),
    ...input.exceptions.flatMap((each, index): Fault[] => [
      isDate(each.date)
        ? undefined
        : {
            field: `hours.exceptions[${index}].date`,
            violation: 'INVALID_FORMAT',
            ...say('NOT_A_DATE'),
          },
      ...(each.closed ? [] : spanFaults(`hours.exceptions[${index}]`, each)),
    ]),
  ]);
  return changeSite(deps, call, siteId, async ({ tx, audit }) => {
    const stored = (await tx.hours(siteId)).find((each) => each.hoursId === hoursId);
    const merged = mergedChange('hours', { wanted: input, read, stored });
    const { agentGroupId } = merged;
    if (agentGroupId !== undefined && !(await tx.agentGroup(siteId, agentGroupId))) {
      throw invalidFields([noSuch('hours.agent_group_id', 'agent group of this site')]);
    }
    const site = await tx.site(siteId);
    const hours = { ...merged, timeZone: merged.timeZone || (site?.timeZone ?? 'UTC') };
    await tx.putHours(hours);
    const changed = changedNames(stored, hours);
    await audit('engagement.hours.put', {
      siteId,
      hoursId,
      agentGroupId,
      timeZone: hours.timeZone,
      changed,
    });
    return hours;
  });
}

export function listHours(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string },
): Promise<HoursOfOperation[]> {
  return readSite(deps, call, input.siteId, () => deps.store.read.hours(input.siteId));
}

export async function deleteHours(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string; hoursId: string },
): Promise<void> {
  const { siteId, hoursId } = input;
  await changeSite(deps, call, siteId, async ({ tx, audit }) => {
    if (!(await tx.deleteHours(siteId, hoursId))) throw notFound('hours of operation', 'hours_id');
    await audit('engagement.hours.delete', { siteId, hoursId });
  });
}

function spanFaults(field: string, span: Span): Fault[] {
  return [
    rangeFault(`${field}.start_minute`, span.startMinute, 0, 1439),
    rangeFault(`${field}.end_minute`, span.endMinute, 1, 1440),
  ];
}

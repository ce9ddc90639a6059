// Translations of the contact center model between the contract and the domain.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  Agent as DomainAgent,
  AgentGroup as DomainGroup,
  BusinessUnit as DomainUnit,
  AgentState as State,
  AvailabilityStatus as Status,
  DateException,
  HoursOfOperation as DomainHours,
  Site as DomainSite,
  Weekday as DomainWeekday,
} from '../../../engagement-api/model.js';
import { invalidFields, missingField } from '../../../errors.js';
import {
  AgentState,
  AvailabilityStatus,
  type Agent,
  type AgentGroup,
  type AgentSchema,
  type BusinessUnit,
  type HoursOfOperation,
  type HoursOfOperationSchema,
  type Site,
  type SiteSchema,
} from '../../../gen/voxgate/management/v1/engagement_pb.js';

export function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalidFields([missingField(field)]);
  return value;
}

export function toSite({ siteId, name, timeZone, gkScopeId }: Site): DomainSite {
  return { siteId, name, timeZone: timeZone || 'UTC', tenantId: gkScopeId === '' ? undefined : gkScopeId };
}

export function toUnit({ siteId, businessUnitId, name }: BusinessUnit): DomainUnit {
  return { siteId, businessUnitId, name };
}

export function toGroup(group: AgentGroup): DomainGroup {
  const { siteId, agentGroupId, businessUnitId, name, queueCapacity, queueLength } = group;
  return { siteId, agentGroupId, businessUnitId, name, queueCapacity, queueLength };
}

export function fromSite({ tenantId, ...site }: DomainSite): MessageInitShape<typeof SiteSchema> {
  return { ...site, ...(tenantId === undefined ? {} : { gkScopeId: tenantId }) };
}

export function toHours(hours: HoursOfOperation): DomainHours {
  const { siteId, hoursId, agentGroupId, timeZone } = hours;
  return {
    siteId,
    hoursId,
    agentGroupId: agentGroupId === '' ? undefined : agentGroupId,
    timeZone,
    // The contract counts weekdays as the domain does; a day that is missing is refused there by its range.
    spans: hours.spans.map(({ weekday, startMinute, endMinute }) => ({
      weekday: weekday as number as DomainWeekday,
      startMinute,
      endMinute,
    })),
    exceptions: hours.exceptions.map(({ date, closed, startMinute, endMinute }): DateException =>
      closed ? { date, closed: true } : { date, closed: false, startMinute, endMinute },
    ),
  };
}

export function fromHours(hours: DomainHours): MessageInitShape<typeof HoursOfOperationSchema> {
  const { siteId, hoursId, timeZone } = hours;
  return {
    siteId,
    hoursId,
    agentGroupId: hours.agentGroupId ?? '',
    timeZone,
    spans: hours.spans.map(({ weekday, startMinute, endMinute }) => ({
      weekday: weekday as number,
      startMinute,
      endMinute,
    })),
    exceptions: hours.exceptions.map((each) => ({ ...each })),
  };
}

export function toAgent(agent: Agent): DomainAgent {
  const { siteId, agentId, name, agentGroupIds, slots, slotsUsed, attributes } = agent;
  // Whoever adds an agent need not say that nobody has logged in yet.
  const state = agent.state === AgentState.UNSPECIFIED ? 'offline' : toAgentState('agent.state', agent.state);
  return { siteId, agentId, name, agentGroupIds, state, slots, slotsUsed, attributes: { ...attributes } };
}

export function fromAgent(agent: DomainAgent): MessageInitShape<typeof AgentSchema> {
  const { siteId, agentId, name, slots, slotsUsed } = agent;
  const state = { offline: AgentState.OFFLINE, available: AgentState.AVAILABLE, busy: AgentState.BUSY }[
    agent.state
  ];
  return {
    siteId,
    agentId,
    name,
    agentGroupIds: [...agent.agentGroupIds],
    state,
    slots,
    slotsUsed,
    attributes: { ...agent.attributes },
  };
}

export function toAgentState(field: string, state: AgentState): State {
  switch (state) {
    case AgentState.OFFLINE:
      return 'offline';
    case AgentState.AVAILABLE:
      return 'available';
    case AgentState.BUSY:
      return 'busy';
    case AgentState.UNSPECIFIED:
    default:
      throw invalidFields([missingField(field)]);
  }
}

export function fromStatus(status: Status): AvailabilityStatus {
  return {
    online: AvailabilityStatus.ONLINE,
    busy: AvailabilityStatus.BUSY,
    offline: AvailabilityStatus.OFFLINE,
  }[status];
}

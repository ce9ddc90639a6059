// The availability rule, as a pure function of the model and the question
// (docs/reference/engagement-api.md#availability).
import { isOpen } from './hours.js';
import type { Agent, AgentGroup, Availability, AvailabilityStatus, HoursOfOperation } from './model.js';

export interface AvailabilityQuestion {
  /** Groups that were asked about: the one named, or all of the business unit. */
  groups: readonly AgentGroup[];
  /** Hours of the whole site and of its groups. */
  hours: readonly HoursOfOperation[];
  /** Agents of the site. */
  agents: readonly Agent[];
  /** Longest queue that still counts as available; as long as the queue's capacity when absent. */
  queueThreshold: number | undefined;
  /** An agent must have all of them. */
  attributes: Readonly<Record<string, string>>;
  atMs: number;
}

export function judgeAvailability(question: AvailabilityQuestion): Availability {
  const { groups, hours, atMs, queueThreshold } = question;
  const agents = question.agents.filter((agent) => hasAll(agent, question.attributes));
  const open = groups.filter((group) => isGroupOpen(hours, group.agentGroupId, atMs));
  const loggedIn = membersOf(agents, groups).filter((agent) => agent.state !== 'offline');
  const active = loggedIn.filter((agent) => agent.state === 'available');
  // Only those who work for a group that is open now can take the conversation.
  const takers = membersOf(active, open);
  const freeSlots = sum(takers.map((agent) => Math.max(0, agent.slots - agent.slotsUsed)));
  const queueFree = open.some(
    (group) =>
      group.queueLength < group.queueCapacity &&
      (queueThreshold === undefined || group.queueLength <= queueThreshold) &&
      // A queue that nobody works on is no place to wait.
      membersOf(loggedIn, [group]).length > 0,
  );
  const isInHop = groups.length === 0 ? isGroupOpen(hours, undefined, atMs) : open.length > 0;
  return {
    isAvailable: isInHop && (freeSlots > 0 || queueFree),
    isInHop,
    status: statusOf(loggedIn.length, active.length),
    agentsLoggedIn: loggedIn.length,
    agentsActive: active.length,
    freeSlots,
    queueLength: sum(groups.map((group) => group.queueLength)),
  };
}

/** A group's own hours go before those of the site; without any it is always open. */
function isGroupOpen(
  hours: readonly HoursOfOperation[],
  agentGroupId: string | undefined,
  atMs: number,
): boolean {
  const own = hours.filter((each) => agentGroupId !== undefined && each.agentGroupId === agentGroupId);
  const inForce = own.length > 0 ? own : hours.filter((each) => each.agentGroupId === undefined);
  return inForce.length === 0 || inForce.some((each) => isOpen(each, atMs));
}

function statusOf(loggedIn: number, active: number): AvailabilityStatus {
  if (active > 0) return 'online';
  return loggedIn > 0 ? 'busy' : 'offline';
}

function membersOf(agents: readonly Agent[], groups: readonly AgentGroup[]): Agent[] {
  const ids = new Set(groups.map((group) => group.agentGroupId));
  return agents.filter((agent) => agent.agentGroupIds.some((id) => ids.has(id)));
}

function hasAll(agent: Agent, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => agent.attributes[name] === value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

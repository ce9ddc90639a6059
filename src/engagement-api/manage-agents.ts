// Agents: who they are, and what they are doing. The state comes from a desktop or a router many times an hour, so it
// is kept out of the audit trail; who may work where is in it.
import { changedNames, mergedChange } from '../audit/merge-change.js';
import { invalidFields, notFound, refuseFaults, type FieldFault } from '../errors.js';
import type { Call } from '../platform.js';
import { changeAgentState, changeSite, readSite, type EngagementDeps } from './deps.js';
import { placeIdFault, lengthFault, nameFault, noSuch, rangeFault } from './fields.js';
import type { Agent, AgentState } from './model.js';
import { say } from '../words/server/say.js';

const SLOTS_MAX = 1000;
const GROUPS_MAX = 100;
const ATTRIBUTES_MAX = 32;
const ATTRIBUTE_LENGTH_MAX = 128;
const AGENTS_PER_SITE_MAX = 10_000;

/** `read`: as the caller had read it; absent: everything is replaced. */
export async function upsertAgent(
  deps: EngagementDeps,
  call: Call,
  wanted: Agent,
  read?: Agent,
): Promise<Agent> {
  const { siteId, agentId, slots, slotsUsed, attributes } = wanted;
  const names = Object.keys(attributes);
  refuseFaults([
    placeIdFault('agent.site_id', siteId),
    placeIdFault('agent.agent_id', agentId),
    nameFault('agent.name', wanted.name),
    rangeFault('agent.slots', slots, 0, SLOTS_MAX),
    rangeFault('agent.slots_used', slotsUsed, 0, SLOTS_MAX),
    slotsFault('agent.slots_used', slotsUsed, slots),
    lengthFault('agent.agent_group_ids', wanted.agentGroupIds.length, GROUPS_MAX),
    lengthFault('agent.attributes', names.length, ATTRIBUTES_MAX),
    names.every((name) => isAttribute(name) && isAttribute(attributes[name] ?? ''))
      ? undefined
      : {
          field: 'agent.attributes',
          violation: 'INVALID_FORMAT',
          ...say('NOT_SKILLS'),
        },
  ]);
  return changeSite(deps, call, siteId, async ({ tx, audit }) => {
    const before = await tx.agent(siteId, agentId);
    const agent = mergedChange('agent', { wanted, read, stored: before });
    const { agentGroupIds } = agent;
    refuseFaults([slotsFault('agent.slots_used', agent.slotsUsed, agent.slots)]);
    const known = new Set((await tx.agentGroups(siteId)).map((group) => group.agentGroupId));
    const unknown = agentGroupIds.findIndex((id) => !known.has(id));
    if (unknown >= 0)
      throw invalidFields([noSuch(`agent.agent_group_ids[${unknown}]`, 'agent group of this site')]);
    const present = await tx.agents(siteId);
    if (present.length >= AGENTS_PER_SITE_MAX && !present.some((each) => each.agentId === agentId)) {
      throw invalidFields([
        {
          field: 'agent.agent_id',
          violation: 'OUT_OF_RANGE',
          ...say('TOO_MANY_AGENTS_ON_SITE', { max: AGENTS_PER_SITE_MAX }),
        },
      ]);
    }
    const stored = { ...agent, agentGroupIds: [...new Set(agentGroupIds)] };
    await tx.putAgent(stored);
    await audit('engagement.agent.put', {
      siteId,
      agentId,
      agentGroupIds: stored.agentGroupIds,
      slots: stored.slots,
      changed: changedNames(before, stored),
    });
    return stored;
  });
}

/** Nobody has more calls than places for them. */
function slotsFault(field: string, slotsUsed: number, slots: number): FieldFault | undefined {
  if (slotsUsed <= slots || slots > SLOTS_MAX) return undefined;
  return { field, violation: 'OUT_OF_RANGE', ...say('ABOVE_SLOTS', { slots }) };
}

interface AgentStateInput {
  siteId: string;
  agentId: string;
  state: AgentState;
  /** Left as it is when absent. */
  slotsUsed?: number;
}

export async function setAgentState(
  deps: EngagementDeps,
  call: Call,
  input: AgentStateInput,
): Promise<Agent> {
  const { siteId, agentId, state, slotsUsed } = input;
  refuseFaults([slotsUsed === undefined ? undefined : rangeFault('slots_used', slotsUsed, 0, SLOTS_MAX)]);
  return changeAgentState(deps, call, siteId, async ({ tx }) => {
    const before = await tx.agent(siteId, agentId);
    if (!before) throw notFound('agent', 'agent_id');
    if (slotsUsed !== undefined) refuseFaults([slotsFault('slots_used', slotsUsed, before.slots)]);
    const agent = { ...before, state, slotsUsed: slotsUsed ?? before.slotsUsed };
    await tx.putAgent(agent);
    return agent;
  });
}

export function listAgents(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string; agentGroupId?: string },
): Promise<Agent[]> {
  const { siteId, agentGroupId } = input;
  return readSite(deps, call, siteId, async () => {
    const agents = await deps.store.read.agents(siteId);
    return agentGroupId === undefined
      ? agents
      : agents.filter((agent) => agent.agentGroupIds.includes(agentGroupId));
  });
}

export async function deleteAgent(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string; agentId: string },
): Promise<void> {
  const { siteId, agentId } = input;
  await changeSite(deps, call, siteId, async ({ tx, audit }) => {
    if (!(await tx.deleteAgent(siteId, agentId))) throw notFound('agent', 'agent_id');
    await audit('engagement.agent.delete', { siteId, agentId });
  });
}

/** Without the separators of `agentAttributes`, or no question could ever name it. */
function isAttribute(text: string): boolean {
  return (
    text.trim() === text &&
    text !== '' &&
    text.length <= ATTRIBUTE_LENGTH_MAX &&
    !/[,;\u0000-\u001f]/.test(text)
  );
}

// Answers the availability question for the engagement API and for the preview of the management API: finds what was
// asked about, then judges. Wrong parameters are named by their names in the query.
import { invalidFields, missingField, refuseFaults } from '../errors.js';
import { judgeAvailability } from './availability.js';
import type { EngagementDeps } from './deps.js';
import { noSuch } from './fields.js';
import type { Availability } from './model.js';

export interface AvailabilityInput {
  siteId: string;
  businessUnitId: string;
  agentGroupId?: string;
  queueThreshold?: number;
  attributes?: Readonly<Record<string, string>>;
  /** Now when absent. */
  atMs?: number;
}

/** How the caller's dialect names the parameters, for faults. */
interface ParameterNames {
  siteId: string;
  businessUnitId: string;
  agentGroupId: string;
}

export async function getAvailability(
  deps: EngagementDeps,
  input: AvailabilityInput,
  names: ParameterNames,
): Promise<Availability> {
  const {
    siteId,
    businessUnitId,
    agentGroupId,
    queueThreshold,
    attributes = {},
    atMs = deps.clock.now(),
  } = input;
  const { read } = deps.store;
  refuseFaults([
    siteId === '' ? missingField(names.siteId) : undefined,
    businessUnitId === '' ? missingField(names.businessUnitId) : undefined,
  ]);
  if (!(await read.site(siteId))) throw invalidFields([noSuch(names.siteId, 'site')]);
  if (!(await read.businessUnit(siteId, businessUnitId))) {
    throw invalidFields([noSuch(names.businessUnitId, 'business unit of this site')]);
  }
  const ofUnit = (await read.agentGroups(siteId)).filter((group) => group.businessUnitId === businessUnitId);
  const groups =
    agentGroupId === undefined ? ofUnit : ofUnit.filter((group) => group.agentGroupId === agentGroupId);
  if (agentGroupId !== undefined && groups.length === 0) {
    throw invalidFields([noSuch(names.agentGroupId, 'agent group of this business unit')]);
  }
  const hours = await read.hours(siteId);
  const agents = await read.agents(siteId);
  return judgeAvailability({ groups, hours, agents, queueThreshold, attributes, atMs });
}

const ATTRIBUTES_LENGTH_MAX = 4096;
const ATTRIBUTES_MAX = 32;

/** `name,value;name,value`; undefined when the text is something else. */
export function parseAgentAttributes(text: string): Record<string, string> | undefined {
  if (text.length > ATTRIBUTES_LENGTH_MAX) return undefined;
  const found = new Map<string, string>();
  for (const pair of text.split(';')) {
    if (pair.trim() === '') continue;
    const comma = pair.indexOf(',');
    const name = pair.slice(0, comma).trim();
    const value = pair.slice(comma + 1).trim();
    if (comma < 0 || name === '' || value === '' || found.has(name) || found.size >= ATTRIBUTES_MAX)
      return undefined;
    found.set(name, value);
  }
  return Object.fromEntries(found);
}

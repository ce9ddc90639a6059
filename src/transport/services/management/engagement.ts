// EngagementManager: clients of the engagement API over the token service, and the contact center model over its
// own domain.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { deleteClient } from '../../../auth/clients/delete-client.js';
import { lockClient, unlockClient } from '../../../auth/clients/lock-client.js';
import { getClient, listEngagementClients } from '../../../auth/clients/read-clients.js';
import { regenerateSecret } from '../../../auth/clients/regenerate-secret.js';
import { updateClient } from '../../../auth/clients/update-client.js';
import { registerEngagementClient } from '../../../auth/clients/register-engagement-client.js';
import type { Client } from '../../../auth/model.js';
import { requireOverview } from '../../../auth/permissions.js';
import type { EngagementDeps } from '../../../engagement-api/deps.js';
import { getAvailability, parseAgentAttributes } from '../../../engagement-api/get-availability.js';
import {
  deleteAgentGroup,
  deleteHours,
  listAgentGroups,
  listHours,
  upsertAgentGroup,
  upsertHours,
} from '../../../engagement-api/manage-agent-groups.js';
import {
  deleteAgent,
  listAgents,
  setAgentState,
  upsertAgent,
} from '../../../engagement-api/manage-agents.js';
import {
  deleteBusinessUnit,
  deleteSite,
  listBusinessUnits,
  listSites,
  siteExistsIn,
  upsertBusinessUnit,
  upsertSite,
} from '../../../engagement-api/manage-sites.js';
import { invalidFields, notFound } from '../../../errors.js';
import {
  EngagementManager,
  type EngagementClientSchema,
} from '../../../gen/voxgate/management/v1/engagement_pb.js';
import type { Call } from '../../../platform.js';
import { bindService, type Handlers, type ServiceBinding } from '../../service.js';
import type { ManagementDeps } from './clients.js';
import {
  fromAgent,
  fromHours,
  fromSite,
  fromStatus,
  toAgent,
  toAgentState,
  toGroup,
  toHours,
  toSite,
  toUnit,
  required,
} from './engagement-model.js';
import {
  changedFields,
  inContractNames,
  managementAccess,
  msOf,
  requireFields,
  requireFieldsOf,
  time,
  timeField,
} from './shared.js';
import { say } from '../../../words/server/say.js';

type EngagementManagementDeps = ManagementDeps & {
  engagement: EngagementDeps;
  /** Runs a change of this thing; where it is refused because of another one, the refusal names who made that. */
  naming<T>(operation: string, ids: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T>;
};
type All = Handlers<typeof EngagementManager>;

export function engagementService(deps: EngagementManagementDeps): ServiceBinding {
  return bindService(EngagementManager, managementAccess, {
    ...clientHandlers(deps),
    ...placeHandlers(deps),
    ...agentHandlers(deps),
  });
}

/** What the audit record of a change has, too. */
const idsOf = <K extends string>(
  thing: { siteId: string } & Readonly<Record<K, string>>,
  name: K,
): Readonly<Record<string, string>> => ({ siteId: thing.siteId, [name]: thing[name] });

function clientHandlers(
  deps: EngagementManagementDeps,
): Pick<
  All,
  | 'registerEngagementClient'
  | 'listEngagementClients'
  | 'getEngagementClient'
  | 'lockEngagementClient'
  | 'unlockEngagementClient'
  | 'updateEngagementClient'
  | 'regenerateEngagementClientSecret'
  | 'deleteEngagementClient'
> {
  const { auth } = deps;
  return {
    registerEngagementClient: async (call, { name, sites, scopes }) => {
      requireFields({ name, sites });
      const input = {
        name,
        sites,
        siteExists: siteExistsIn(deps.engagement),
        ...(scopes.length === 0 ? {} : { scopes }),
      };
      const { client, secret } = await registerEngagementClient(auth, call, input);
      return { client: clientInit(client, undefined), clientSecret: secret };
    },
    listEngagementClients: async (call) => {
      const clients = await listEngagementClients(auth, call);
      const lastUsed = await deps.lastTokenAtMs(clients.map(({ clientId }) => clientId));
      return { clients: clients.map((client) => clientInit(client, lastUsed.get(client.clientId))) };
    },
    getEngagementClient: async (call, { clientId }) => {
      const client = await findClient(deps, call, clientId);
      return { client: clientInit(client, (await deps.lastTokenAtMs([clientId])).get(clientId)) };
    },
    lockEngagementClient: async (call, { clientId, reason }) => {
      await findClient(deps, call, clientId);
      return { client: clientInit(await lockClient(auth, call, { clientId, reason }), undefined) };
    },
    unlockEngagementClient: async (call, { clientId }) => {
      await findClient(deps, call, clientId);
      const { client, secret = '' } = await unlockClient(auth, call, { clientId });
      return { client: clientInit(client, undefined), clientSecret: secret };
    },
    updateEngagementClient: async (call, { clientId, sites, scopes, expected, fieldMask }) => {
      await requireFieldsOf({ client_id: clientId }, () => findClient(deps, call, clientId), {
        field_mask: fieldMask,
      });
      const changed = changedFields(fieldMask, ['sites', 'scopes']);
      const input = {
        clientId,
        siteExists: siteExistsIn(deps.engagement),
        ...(changed.has('sites') && { sites }),
        ...(changed.has('scopes') && { scopes }),
        ...(expected && { expected: { sites: expected.sites, scopes: expected.scopes } }),
      };
      const client = await deps.namingChangeOf(clientId, { sites: 'sites', scopes: 'scopes' }, () =>
        updateClient(auth, call, input),
      );
      return { client: clientInit(client, undefined) };
    },
    regenerateEngagementClientSecret: async (call, { clientId, overlapSeconds }) => {
      await findClient(deps, call, clientId);
      const { secret } = await inContractNames({ overlap: 'overlap_seconds' }, () =>
        regenerateSecret(auth, call, { clientId, overlapMs: overlapSeconds * 1000 }),
      );
      return { clientSecret: secret, client: clientInit(await findClient(deps, call, clientId), undefined) };
    },
    deleteEngagementClient: async (call, { clientId }) => {
      await findClient(deps, call, clientId);
      await deleteClient(auth, call, { clientId });
      return {};
    },
  };
}

async function findClient({ auth }: ManagementDeps, call: Call, clientId: string): Promise<Client> {
  requireFields({ client_id: clientId });
  const { client } = await getClient(auth, call, { clientId });
  if (client.kind !== 'engagement') throw notFound('client', 'client_id');
  return client;
}

function clientInit(
  client: Client,
  lastUsedMs: number | undefined,
): MessageInitShape<typeof EngagementClientSchema> {
  return {
    clientId: client.clientId,
    name: client.name,
    sites: [...client.sites],
    scopes: [...client.scopes],
    locked: client.locked,
    ...timeField('lastUsedTimestamp', lastUsedMs),
    creationTimestamp: time(client.createdAtMs),
    modificationTimestamp: time(client.updatedAtMs),
  };
}

function placeHandlers({
  engagement,
  naming,
}: EngagementManagementDeps): Pick<
  All,
  | 'upsertSite'
  | 'listSites'
  | 'deleteSite'
  | 'upsertBusinessUnit'
  | 'listBusinessUnits'
  | 'deleteBusinessUnit'
  | 'upsertAgentGroup'
  | 'listAgentGroups'
  | 'deleteAgentGroup'
  | 'upsertHoursOfOperation'
  | 'listHoursOfOperation'
  | 'deleteHoursOfOperation'
> {
  return {
    upsertSite: async (call, request) => {
      const site = toSite(required('site', request.site));
      const read = request.expected && toSite(request.expected);
      const stored = await naming('engagement.site.put', { siteId: site.siteId }, () =>
        upsertSite(engagement, call, site, read),
      );
      return { site: fromSite(stored) };
    },
    listSites: async (call) => ({ sites: (await listSites(engagement, call)).map(fromSite) }),
    deleteSite: async (call, { siteId }) => {
      requireFields({ site_id: siteId });
      await deleteSite(engagement, call, { siteId });
      return {};
    },
    upsertBusinessUnit: async (call, request) => {
      const unit = toUnit(required('business_unit', request.businessUnit));
      const read = request.expected && toUnit(request.expected);
      const store = () => upsertBusinessUnit(engagement, call, unit, read);
      return {
        businessUnit: await naming('engagement.business-unit.put', idsOf(unit, 'businessUnitId'), store),
      };
    },
    listBusinessUnits: async (call, { siteId }) => {
      requireFields({ site_id: siteId });
      return { businessUnits: await listBusinessUnits(engagement, call, { siteId }) };
    },
    deleteBusinessUnit: async (call, { siteId, businessUnitId }) => {
      requireFields({ site_id: siteId, business_unit_id: businessUnitId });
      await deleteBusinessUnit(engagement, call, { siteId, businessUnitId });
      return {};
    },
    upsertAgentGroup: async (call, request) => {
      const group = toGroup(required('agent_group', request.agentGroup));
      const read = request.expected && toGroup(request.expected);
      const store = () => upsertAgentGroup(engagement, call, group, read);
      return { agentGroup: await naming('engagement.agent-group.put', idsOf(group, 'agentGroupId'), store) };
    },
    listAgentGroups: async (call, { siteId }) => {
      requireFields({ site_id: siteId });
      return { agentGroups: await listAgentGroups(engagement, call, { siteId }) };
    },
    deleteAgentGroup: async (call, { siteId, agentGroupId }) => {
      requireFields({ site_id: siteId, agent_group_id: agentGroupId });
      await deleteAgentGroup(engagement, call, { siteId, agentGroupId });
      return {};
    },
    upsertHoursOfOperation: async (call, request) => {
      const hours = toHours(required('hours', request.hours));
      const read = request.expected && toHours(request.expected);
      const store = () => upsertHours(engagement, call, hours, read);
      return { hours: fromHours(await naming('engagement.hours.put', idsOf(hours, 'hoursId'), store)) };
    },
    listHoursOfOperation: async (call, { siteId }) => {
      requireFields({ site_id: siteId });
      return { hours: (await listHours(engagement, call, { siteId })).map(fromHours) };
    },
    deleteHoursOfOperation: async (call, { siteId, hoursId }) => {
      requireFields({ site_id: siteId, hours_id: hoursId });
      await deleteHours(engagement, call, { siteId, hoursId });
      return {};
    },
  };
}

const previewNames = {
  siteId: 'site_id',
  businessUnitId: 'business_unit_id',
  agentGroupId: 'agent_group_id',
};

function agentHandlers({
  engagement,
  naming,
}: EngagementManagementDeps): Pick<
  All,
  'upsertAgent' | 'setAgentState' | 'listAgents' | 'deleteAgent' | 'previewAvailability'
> {
  return {
    upsertAgent: async (call, request) => {
      const agent = toAgent(required('agent', request.agent));
      const read = request.expected && toAgent(request.expected);
      const store = () => upsertAgent(engagement, call, agent, read);
      return { agent: fromAgent(await naming('engagement.agent.put', idsOf(agent, 'agentId'), store)) };
    },
    setAgentState: async (call, { siteId, agentId, state, slotsUsed }) => {
      requireFields({ site_id: siteId, agent_id: agentId, state });
      const input = {
        siteId,
        agentId,
        state: toAgentState('state', state),
        ...(slotsUsed === undefined ? {} : { slotsUsed }),
      };
      return { agent: fromAgent(await setAgentState(engagement, call, input)) };
    },
    listAgents: async (call, { siteId, agentGroupId }) => {
      requireFields({ site_id: siteId });
      const agents = await listAgents(engagement, call, {
        siteId,
        ...(agentGroupId === '' ? {} : { agentGroupId }),
      });
      return { agents: agents.map(fromAgent) };
    },
    deleteAgent: async (call, { siteId, agentId }) => {
      requireFields({ site_id: siteId, agent_id: agentId });
      await deleteAgent(engagement, call, { siteId, agentId });
      return {};
    },
    previewAvailability: async (call, request) => {
      requireOverview(call);
      const { siteId, businessUnitId, agentGroupId, queueThreshold } = request;
      const attributes = parseAgentAttributes(request.agentAttributes);
      if (!attributes) {
        throw invalidFields([
          {
            field: 'agent_attributes',
            violation: 'INVALID_FORMAT',
            ...say('NOT_PAIRS'),
          },
        ]);
      }
      const atMs = msOf(request.at);
      const input = {
        siteId,
        businessUnitId,
        attributes,
        ...(agentGroupId === '' ? {} : { agentGroupId }),
        ...(queueThreshold === undefined ? {} : { queueThreshold }),
        ...(atMs === undefined ? {} : { atMs }),
      };
      const found = await getAvailability(engagement, input, previewNames);
      const { isAvailable, isInHop, agentsLoggedIn, agentsActive, freeSlots, queueLength } = found;
      return {
        isAvailable,
        isInHop,
        availability: fromStatus(found.status),
        agentsLoggedIn,
        agentsActive,
        freeSlots,
        queueLength,
      };
    },
  };
}

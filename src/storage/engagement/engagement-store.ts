// The contact center model in the database.
import type { AuditAppender } from '../../audit/ports.js';
import type {
  Agent,
  AgentGroup,
  AgentState,
  BusinessUnit,
  DateException,
  HoursOfOperation,
  Site,
  WeeklySpan,
} from '../../engagement-api/model.js';
import type { EngagementReader, EngagementStore, EngagementTransaction } from '../../engagement-api/ports.js';
import { fromJson, orNull, orUndefined, toJson } from '../columns.js';
import type { Database, Db, Tx } from '../database.js';
import type {
  EngagementAgentGroupsTable,
  EngagementAgentsTable,
  EngagementBusinessUnitsTable,
  EngagementHoursTable,
  EngagementSitesTable,
} from '../schema/engagement.js';

interface EngagementStoreDeps {
  database: Database;
  audit: { within(tx: Tx): AuditAppender };
}

const ofASite = [
  'engagement_business_units',
  'engagement_agent_groups',
  'engagement_hours',
  'engagement_agents',
] as const;

export function engagementStore({ database, audit }: EngagementStoreDeps): EngagementStore {
  return {
    read: reader(database.db),
    transaction: (work) => database.transaction((tx) => work(writer(tx, audit.within(tx)))),
  };
}

function reader(db: Db | Tx): EngagementReader {
  return {
    async site(siteId) {
      const row = await db
        .selectFrom('engagement_sites')
        .selectAll()
        .where('site_id', '=', siteId)
        .executeTakeFirst();
      return row && toSite(row);
    },
    async sites() {
      const rows = await db.selectFrom('engagement_sites').selectAll().execute();
      return sorted(rows.map(toSite), (site) => site.siteId);
    },
    async businessUnit(siteId, businessUnitId) {
      const query = db.selectFrom('engagement_business_units').selectAll().where('site_id', '=', siteId);
      const row = await query.where('business_unit_id', '=', businessUnitId).executeTakeFirst();
      return row && toBusinessUnit(row);
    },
    async businessUnits(siteId) {
      const rows = await db
        .selectFrom('engagement_business_units')
        .selectAll()
        .where('site_id', '=', siteId)
        .execute();
      return sorted(rows.map(toBusinessUnit), (unit) => unit.businessUnitId);
    },
    async agentGroup(siteId, agentGroupId) {
      const query = db.selectFrom('engagement_agent_groups').selectAll().where('site_id', '=', siteId);
      const row = await query.where('agent_group_id', '=', agentGroupId).executeTakeFirst();
      return row && toAgentGroup(row);
    },
    async agentGroups(siteId) {
      const rows = await db
        .selectFrom('engagement_agent_groups')
        .selectAll()
        .where('site_id', '=', siteId)
        .execute();
      return sorted(rows.map(toAgentGroup), (group) => group.agentGroupId);
    },
    async hours(siteId) {
      const rows = await db
        .selectFrom('engagement_hours')
        .selectAll()
        .where('site_id', '=', siteId)
        .execute();
      return sorted(rows.map(toHours), (hours) => hours.hoursId);
    },
    async agent(siteId, agentId) {
      const query = db.selectFrom('engagement_agents').selectAll().where('site_id', '=', siteId);
      const row = await query.where('agent_id', '=', agentId).executeTakeFirst();
      return row && toAgent(row);
    },
    async agents(siteId) {
      const rows = await db
        .selectFrom('engagement_agents')
        .selectAll()
        .where('site_id', '=', siteId)
        .execute();
      return sorted(rows.map(toAgent), (agent) => agent.agentId);
    },
  };
}

function writer(tx: Tx, audit: AuditAppender): EngagementTransaction {
  return { ...reader(tx), audit, ...siteWriter(tx), ...groupWriter(tx), ...agentWriter(tx) };
}

type Some<K extends keyof EngagementTransaction> = Pick<EngagementTransaction, K>;

function siteWriter(
  tx: Tx,
): Some<'lockSite' | 'putSite' | 'deleteSite' | 'putBusinessUnit' | 'deleteBusinessUnit'> {
  return {
    async lockSite(siteId) {
      const row = await tx
        .selectFrom('engagement_sites')
        .selectAll()
        .where('site_id', '=', siteId)
        .forUpdate()
        .executeTakeFirst();
      return row && toSite(row);
    },
    async putSite({ siteId, name, timeZone, tenantId }) {
      const rest = { name, time_zone: timeZone, tenant_id: orNull(tenantId) };
      await tx
        .insertInto('engagement_sites')
        .values({ site_id: siteId, ...rest })
        .onConflict((c) => c.column('site_id').doUpdateSet(rest))
        .execute();
    },
    async deleteSite(siteId) {
      for (const table of ofASite) await tx.deleteFrom(table).where('site_id', '=', siteId).execute();
      const result = await tx.deleteFrom('engagement_sites').where('site_id', '=', siteId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async putBusinessUnit({ siteId, businessUnitId, name }) {
      await tx
        .insertInto('engagement_business_units')
        .values({ site_id: siteId, business_unit_id: businessUnitId, name })
        .onConflict((c) => c.columns(['site_id', 'business_unit_id']).doUpdateSet({ name }))
        .execute();
    },
    async deleteBusinessUnit(siteId, businessUnitId) {
      const query = tx.deleteFrom('engagement_business_units').where('site_id', '=', siteId);
      const result = await query.where('business_unit_id', '=', businessUnitId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function groupWriter(tx: Tx): Some<'putAgentGroup' | 'deleteAgentGroup' | 'putHours' | 'deleteHours'> {
  return {
    async putAgentGroup(group) {
      const rest = {
        business_unit_id: group.businessUnitId,
        name: group.name,
        queue_capacity: group.queueCapacity,
        queue_length: group.queueLength,
      };
      await tx
        .insertInto('engagement_agent_groups')
        .values({ site_id: group.siteId, agent_group_id: group.agentGroupId, ...rest })
        .onConflict((c) => c.columns(['site_id', 'agent_group_id']).doUpdateSet(rest))
        .execute();
    },
    async deleteAgentGroup(siteId, agentGroupId) {
      const query = tx.deleteFrom('engagement_agent_groups').where('site_id', '=', siteId);
      const result = await query.where('agent_group_id', '=', agentGroupId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async putHours(hours) {
      const rest = {
        agent_group_id: orNull(hours.agentGroupId),
        time_zone: hours.timeZone,
        spans: toJson(hours.spans),
        exceptions: toJson(hours.exceptions),
      };
      await tx
        .insertInto('engagement_hours')
        .values({ site_id: hours.siteId, hours_id: hours.hoursId, ...rest })
        .onConflict((c) => c.columns(['site_id', 'hours_id']).doUpdateSet(rest))
        .execute();
    },
    async deleteHours(siteId, hoursId) {
      const query = tx.deleteFrom('engagement_hours').where('site_id', '=', siteId);
      const result = await query.where('hours_id', '=', hoursId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

function agentWriter(tx: Tx): Some<'putAgent' | 'deleteAgent'> {
  return {
    async putAgent(agent) {
      const rest = {
        name: agent.name,
        agent_group_ids: toJson(agent.agentGroupIds),
        state: agent.state,
        slots: agent.slots,
        slots_used: agent.slotsUsed,
        attributes: toJson(agent.attributes),
      };
      await tx
        .insertInto('engagement_agents')
        .values({ site_id: agent.siteId, agent_id: agent.agentId, ...rest })
        .onConflict((c) => c.columns(['site_id', 'agent_id']).doUpdateSet(rest))
        .execute();
    },
    async deleteAgent(siteId, agentId) {
      const query = tx.deleteFrom('engagement_agents').where('site_id', '=', siteId);
      const result = await query.where('agent_id', '=', agentId).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

/** Sorted here, so that both databases answer in the same order. */
function sorted<T>(rows: T[], key: (row: T) => string): T[] {
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function toSite(row: EngagementSitesTable): Site {
  const { site_id: siteId, name, time_zone: timeZone, tenant_id: tenantId } = row;
  return { siteId, name, timeZone, ...(tenantId === null ? {} : { tenantId }) };
}

function toBusinessUnit(row: EngagementBusinessUnitsTable): BusinessUnit {
  return { siteId: row.site_id, businessUnitId: row.business_unit_id, name: row.name };
}

function toAgentGroup(row: EngagementAgentGroupsTable): AgentGroup {
  return {
    siteId: row.site_id,
    agentGroupId: row.agent_group_id,
    businessUnitId: row.business_unit_id,
    name: row.name,
    queueCapacity: row.queue_capacity,
    queueLength: row.queue_length,
  };
}

function toHours(row: EngagementHoursTable): HoursOfOperation {
  return {
    siteId: row.site_id,
    hoursId: row.hours_id,
    agentGroupId: orUndefined(row.agent_group_id),
    timeZone: row.time_zone,
    spans: fromJson<WeeklySpan[]>(row.spans),
    exceptions: fromJson<DateException[]>(row.exceptions),
  };
}

function toAgent(row: EngagementAgentsTable): Agent {
  return {
    siteId: row.site_id,
    agentId: row.agent_id,
    name: row.name,
    agentGroupIds: fromJson<string[]>(row.agent_group_ids),
    state: row.state as AgentState,
    slots: row.slots,
    slotsUsed: row.slots_used,
    attributes: fromJson<Record<string, string>>(row.attributes),
  };
}

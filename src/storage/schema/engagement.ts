// Tables of the contact center model behind the engagement API.

export interface EngagementSitesTable {
  site_id: string;
  name: string;
  time_zone: string;
  tenant_id: string | null;
}

export interface EngagementBusinessUnitsTable {
  site_id: string;
  business_unit_id: string;
  name: string;
}

export interface EngagementAgentGroupsTable {
  site_id: string;
  agent_group_id: string;
  business_unit_id: string;
  name: string;
  queue_capacity: number;
  queue_length: number;
}

export interface EngagementHoursTable {
  site_id: string;
  hours_id: string;
  agent_group_id: string | null;
  time_zone: string;
  spans: string;
  exceptions: string;
}

export interface EngagementAgentsTable {
  site_id: string;
  agent_id: string;
  name: string;
  agent_group_ids: string;
  state: string;
  slots: number;
  slots_used: number;
  attributes: string;
}

export interface EngagementTables {
  engagement_sites: EngagementSitesTable;
  engagement_business_units: EngagementBusinessUnitsTable;
  engagement_agent_groups: EngagementAgentGroupsTable;
  engagement_hours: EngagementHoursTable;
  engagement_agents: EngagementAgentsTable;
}

// What the engagement API asks of its store.
import type { AuditAppender } from '../audit/ports.js';
import type { Agent, AgentGroup, BusinessUnit, HoursOfOperation, Site } from './model.js';

export interface EngagementReader {
  site(siteId: string): Promise<Site | undefined>;
  sites(): Promise<Site[]>;
  businessUnit(siteId: string, businessUnitId: string): Promise<BusinessUnit | undefined>;
  businessUnits(siteId: string): Promise<BusinessUnit[]>;
  agentGroup(siteId: string, agentGroupId: string): Promise<AgentGroup | undefined>;
  agentGroups(siteId: string): Promise<AgentGroup[]>;
  hours(siteId: string): Promise<HoursOfOperation[]>;
  agent(siteId: string, agentId: string): Promise<Agent | undefined>;
  agents(siteId: string): Promise<Agent[]>;
}

/** Puts create or replace; deletes answer whether there was something. */
export interface EngagementTransaction extends EngagementReader {
  audit: AuditAppender;
  /** Other changes of this site wait until the transaction ends. */
  lockSite(siteId: string): Promise<Site | undefined>;
  putSite(site: Site): Promise<void>;
  /** With everything that belongs to it. */
  deleteSite(siteId: string): Promise<boolean>;
  putBusinessUnit(unit: BusinessUnit): Promise<void>;
  deleteBusinessUnit(siteId: string, businessUnitId: string): Promise<boolean>;
  putAgentGroup(group: AgentGroup): Promise<void>;
  deleteAgentGroup(siteId: string, agentGroupId: string): Promise<boolean>;
  putHours(hours: HoursOfOperation): Promise<void>;
  deleteHours(siteId: string, hoursId: string): Promise<boolean>;
  putAgent(agent: Agent): Promise<void>;
  deleteAgent(siteId: string, agentId: string): Promise<boolean>;
}

export interface EngagementStore {
  read: EngagementReader;
  transaction<T>(work: (tx: EngagementTransaction) => Promise<T>): Promise<T>;
}

// The contact center behind the availability question: sites, their business units, groups of agents with a queue,
// hours of operation, and the agents. Set from outside; nothing here talks to an agent desktop.

export interface Site {
  siteId: string;
  name: string;
  /** IANA name, used by hours that give none. */
  timeZone: string;
  /** Whose operators look after it; absent: those of every tenant. */
  tenantId?: string | undefined;
}

export interface BusinessUnit {
  siteId: string;
  /** Digits: clients send it as a number. */
  businessUnitId: string;
  name: string;
}

export interface AgentGroup {
  siteId: string;
  agentGroupId: string;
  businessUnitId: string;
  name: string;
  /** Conversations that may wait; 0 means that there is no queue. */
  queueCapacity: number;
  queueLength: number;
}

/** 1 is Monday, 7 is Sunday (ISO 8601). */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Minutes after local midnight; an end at or before the start lies on the next day. */
export interface Span {
  startMinute: number;
  endMinute: number;
}

export interface WeeklySpan extends Span {
  weekday: Weekday;
}

/** Replaces the weekday's spans on one local date. */
export type DateException = { date: string; closed: true } | ({ date: string; closed: false } & Span);

export interface HoursOfOperation {
  siteId: string;
  hoursId: string;
  /** Absent: the whole site. */
  agentGroupId: string | undefined;
  timeZone: string;
  spans: readonly WeeklySpan[];
  exceptions: readonly DateException[];
}

/** offline: not logged in. available: takes conversations. busy: logged in, takes no new one. */
export type AgentState = 'offline' | 'available' | 'busy';

export interface Agent {
  siteId: string;
  agentId: string;
  name: string;
  agentGroupIds: readonly string[];
  state: AgentState;
  /** Conversations at once. */
  slots: number;
  slotsUsed: number;
  attributes: Readonly<Record<string, string>>;
}

export type AvailabilityStatus = 'online' | 'busy' | 'offline';

export interface Availability {
  /** An agent or a place in the queue is free, and it is within hours. */
  isAvailable: boolean;
  isInHop: boolean;
  status: AvailabilityStatus;
  agentsLoggedIn: number;
  agentsActive: number;
  freeSlots: number;
  queueLength: number;
}

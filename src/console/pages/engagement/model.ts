// The contact centre as the management API answers it, and how opening hours read and are written.
import { get } from '../../api/client.js';

export interface EngagementClient {
  clientId: string;
  name: string;
  sites?: string[];
  scopes?: string[];
  locked?: boolean;
  lastUsedTimestamp?: string;
  creationTimestamp?: string;
}

export interface Site {
  siteId: string;
  name?: string;
  timeZone?: string;
}

export interface BusinessUnit {
  siteId: string;
  businessUnitId: string;
  name?: string;
}

export interface AgentGroup {
  siteId: string;
  agentGroupId: string;
  businessUnitId: string;
  name?: string;
  queueCapacity?: number;
  queueLength?: number;
}

export type AgentState = 'AGENT_STATE_OFFLINE' | 'AGENT_STATE_AVAILABLE' | 'AGENT_STATE_BUSY';

export interface Agent {
  siteId: string;
  agentId: string;
  name?: string;
  agentGroupIds?: string[];
  state?: AgentState;
  slots?: number;
  slotsUsed?: number;
  attributes?: Record<string, string>;
}

export interface Span {
  weekday: string;
  startMinute?: number;
  endMinute?: number;
}

export interface Hours {
  siteId: string;
  hoursId: string;
  agentGroupId?: string;
  timeZone?: string;
  spans?: Span[];
  exceptions?: { date: string; closed?: boolean; startMinute?: number; endMinute?: number }[];
}

export interface Availability {
  isAvailable?: boolean;
  isInHop?: boolean;
  availability?: string;
  agentsLoggedIn?: number;
  agentsActive?: number;
  freeSlots?: number;
  queueLength?: number;
}

export const ENGAGEMENT = '/v1/management/engagement';
export const sitePath = (siteId: string): string => `${ENGAGEMENT}/sites/${encodeURIComponent(siteId)}`;
export const loadSites = async (signal: AbortSignal): Promise<Site[]> =>
  (await get<{ sites?: Site[] }>(`${ENGAGEMENT}/sites`, {}, signal)).sites ?? [];
export const unitLabel = ({ name, businessUnitId }: BusinessUnit): string =>
  name ? `${name} (${businessUnitId})` : businessUnitId;
export const engagementScopes = ['agentAvailability', 'engagement'];
export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'].map(
  (day) => `WEEKDAY_${day}`,
);
export const agentStates: readonly AgentState[] = [
  'AGENT_STATE_AVAILABLE',
  'AGENT_STATE_BUSY',
  'AGENT_STATE_OFFLINE',
];

/** 570 is 09:30; 1440 is 24:00. */
export function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

export function minuteOf(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const minute = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minute <= 1440 ? minute : undefined;
}

/** "09:00-12:00, 13:00-17:00" as spans; undefined where it cannot be read. */
export function readSpans(text: string): { startMinute: number; endMinute: number }[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const spans = parts.map((part) => {
    const [from = '', to = ''] = part.split('-');
    return { startMinute: minuteOf(from), endMinute: minuteOf(to) };
  });
  return spans.every((span) => span.startMinute !== undefined && span.endMinute !== undefined)
    ? (spans as { startMinute: number; endMinute: number }[])
    : undefined;
}

export function spanText(spans: readonly { startMinute?: number; endMinute?: number }[]): string {
  return spans
    .map(({ startMinute = 0, endMinute = 0 }) => `${clockText(startMinute)}-${clockText(endMinute)}`)
    .join(', ');
}

/** `2026-12-25` closed, `2026-12-24 09:00-12:00` open. One on each line; undefined where it cannot be read. */
export function readExceptions(text: string): Hours['exceptions'] | undefined {
  const found: NonNullable<Hours['exceptions']> = [];
  for (const line of text.split('\n').map((part) => part.trim())) {
    if (line === '') continue;
    const match = /^(\d{4}-\d{2}-\d{2})(?:\s+(.+))?$/.exec(line);
    if (!match?.[1]) return undefined;
    const rest = match[2] ?? 'closed';
    if (rest.toLowerCase() === 'closed') found.push({ date: match[1], closed: true });
    else {
      const spans = readSpans(rest);
      if (!spans) return undefined;
      for (const span of spans) found.push({ date: match[1], ...span });
    }
  }
  return found;
}

export function exceptionText(exceptions: Hours['exceptions'] = []): string {
  return exceptions
    .map((exception) =>
      exception.closed ? `${exception.date} closed` : `${exception.date} ${spanText([exception])}`,
    )
    .join('\n');
}

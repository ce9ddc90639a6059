// The contact center's data as the pages use it, and the text format of opening hours.
import type {
  AgentGroupJson,
  AgentJson,
  AgentStateJson,
  BusinessUnitJson,
  HoursOfOperationJson,
  OpeningExceptionJson,
  SiteJson,
  WeekdayJson,
} from '../../../gen/voxgate/management/v1/engagement_pb.js';
import { call } from '../../api/client.js';

export interface SiteModel {
  site: SiteJson & { siteId: string };
  units: BusinessUnitJson[];
  groups: AgentGroupJson[];
  agents: AgentJson[];
  hours: HoursOfOperationJson[];
}

/** The props of every section of a site's page. */
export interface SectionProps {
  model: SiteModel;
  reload: () => void;
}

export const loadSites = async (signal: AbortSignal): Promise<SiteJson[]> =>
  (await call('ListSites', {}, signal)).sites ?? [];

export const unitLabel = ({ name, businessUnitId = '' }: BusinessUnitJson): string =>
  name ? `${name} (${businessUnitId})` : businessUnitId;

export const groupLabel = ({ name, agentGroupId = '' }: AgentGroupJson): string => name || agentGroupId;

export const engagementScopes = ['agentAvailability', 'engagement'];

export const weekdays = [
  'WEEKDAY_MONDAY',
  'WEEKDAY_TUESDAY',
  'WEEKDAY_WEDNESDAY',
  'WEEKDAY_THURSDAY',
  'WEEKDAY_FRIDAY',
  'WEEKDAY_SATURDAY',
  'WEEKDAY_SUNDAY',
] as const satisfies readonly WeekdayJson[];

export const agentStates = [
  'AGENT_STATE_AVAILABLE',
  'AGENT_STATE_BUSY',
  'AGENT_STATE_OFFLINE',
] as const satisfies readonly AgentStateJson[];

/** 570 is 09:30; 1440 is 24:00. */
function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function minuteOf(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const minute = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minute <= 1440 ? minute : undefined;
}

interface MinuteSpan {
  startMinute: number;
  endMinute: number;
}

/** "09:00-12:00, 13:00-17:00" as spans; undefined if it cannot be read. */
export function readSpans(text: string): MinuteSpan[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const spans: MinuteSpan[] = [];
  for (const part of parts) {
    const [from = '', to = ''] = part.split('-');
    const [startMinute, endMinute] = [minuteOf(from), minuteOf(to)];
    if (startMinute === undefined || endMinute === undefined) return undefined;
    spans.push({ startMinute, endMinute });
  }
  return spans;
}

export function spanText(spans: readonly Partial<MinuteSpan>[]): string {
  return spans
    .map(({ startMinute = 0, endMinute = 0 }) => `${clockText(startMinute)}-${clockText(endMinute)}`)
    .join(', ');
}

const CLOSED = 'closed';

/** `2026-12-25` closed, `2026-12-24 09:00-12:00` open. One per line; undefined if it cannot be read. */
export function readExceptions(
  text: string,
  closedWord: string = CLOSED,
): OpeningExceptionJson[] | undefined {
  const found: OpeningExceptionJson[] = [];
  for (const line of text.split('\n').map((part) => part.trim())) {
    if (line === '') continue;
    const [, date, rest = CLOSED] = /^(\d{4}-\d{2}-\d{2})(?:\s+(.+))?$/.exec(line) ?? [];
    if (date === undefined) return undefined;
    if ([CLOSED, closedWord].includes(rest.toLowerCase())) {
      found.push({ date, closed: true });
      continue;
    }
    const spans = readSpans(rest);
    if (!spans) return undefined;
    for (const span of spans) found.push({ date, ...span });
  }
  return found;
}

export function exceptionText(
  exceptions: readonly OpeningExceptionJson[] = [],
  closedWord: string = CLOSED,
): string {
  return exceptions
    .map((exception) => `${exception.date ?? ''} ${exception.closed ? closedWord : spanText([exception])}`)
    .join('\n');
}

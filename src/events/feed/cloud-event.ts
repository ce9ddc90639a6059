// An event as others see it, made of the audit record of the change: the record is committed with the change, so an event exists
// if and only if its change was made. Identifiers and outcomes only; what a record holds of people is sealed and stays where it is.
import type { AuditRecord, JsonValue } from '../../audit/model.js';

/** CloudEvents 1.0. */
export interface CloudEvent {
  id: string;
  source: string;
  type: string;
  subject?: string;
  atMs: number;
  data: EventData;
}

interface EventData {
  operation: string;
  gkEngagementId?: string;
  gkSessionId?: string;
  /** The sessions in which a search found somebody. */
  foundIn?: readonly string[];
  requestId?: string;
  subjectIds: readonly string[];
  detail: Readonly<Record<string, string>>;
}

export const TYPE_PREFIX = 'voxgate.v1.';

export function eventOf(record: AuditRecord): CloudEvent {
  const { chain, seq, atMs, operation, context, detail } = record;
  // A check without a person has an empty one.
  const subjectIds = record.subjectIds.filter((id) => id !== '');
  const [subject] = subjectIds;
  return {
    id: eventIdOf(chain, seq),
    source: sourceOf(chain),
    type: TYPE_PREFIX + operation,
    ...(subject !== undefined && { subject }),
    atMs,
    data: {
      operation,
      ...(context.gkEngagementId && { gkEngagementId: context.gkEngagementId }),
      ...(context.gkSessionId && { gkSessionId: context.gkSessionId }),
      ...(operation === 'FindCalls' && { foundIn: textsIn(detail['sessions']) }),
      ...(context.requestId && { requestId: context.requestId }),
      subjectIds,
      detail: Object.fromEntries(
        Object.entries(detail).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, textOf(value)]],
        ),
      ),
    },
  };
}

const textsIn = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** A test event: it tells of no change and is in no feed. */
export function pingOf(
  gkScopeId: string,
  { id, webhookId, atMs }: { id: string; webhookId: string; atMs: number },
): CloudEvent {
  return {
    id: `ping.${id}`,
    source: sourceOf(gkScopeId),
    type: `${TYPE_PREFIX}ping`,
    subject: webhookId,
    atMs,
    data: { operation: 'ping', subjectIds: [webhookId], detail: {} },
  };
}

/** The same in every delivery, and unlike any other: records have one place in one tenant's trail. */
export const eventIdOf = (gkScopeId: string, seq: number): string => `${gkScopeId}.${seq}`;

const sourceOf = (gkScopeId: string): string => `/tenants/${gkScopeId}`;

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Whether a filter lets an event through; a trailing * stands for the rest of a name, and no filter for everything. */
export function isWanted(type: string, filter: readonly string[]): boolean {
  return (
    filter.length === 0 ||
    filter.some((wanted) => (wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted))
  );
}

// The events of a tenant by cursor. The records of a chain are numbered in the order of commit and without gaps, so a reader
// that comes back with the cursor misses none and sees none twice.
import type { AuditReader } from '../../audit/ports.js';
import { refuseFaults, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type TenantDeps } from '../tenant.js';
import { eventOf, isWanted, TYPE_PREFIX, type CloudEvent } from './cloud-event.js';
import { say } from '../../words/server/say.js';

export interface FeedDeps extends TenantDeps {
  audit: Pick<AuditReader, 'read' | 'head'>;
}

export interface FeedInput {
  gkScopeId: string;
  /** Empty: from `fromMs` on, or from the oldest event. */
  cursor: string;
  fromMs?: number;
  types: readonly string[];
  /** 0 takes the default. */
  pageSize: number;
}

export interface FeedPage {
  events: CloudEvent[];
  nextCursor: string;
  endOfEvents: boolean;
}

export const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1000;
const TYPES_MAX = 32;
const TYPE_LENGTH_MAX = 100;
/** Records that one call looks at: a filter that lets nothing through must not read a whole trail at once. */
const LOOKED_AT_MAX = 5000;
const READ_AT_ONCE = 1000;

export async function readFeed(deps: FeedDeps, call: Call, input: FeedInput): Promise<FeedPage> {
  const { gkScopeId, cursor, fromMs, types } = input;
  const place = placeOf(cursor);
  await openTenant(deps, call, gkScopeId, [
    ...typeFaults(types),
    pageSizeFault(input.pageSize),
    place === undefined
      ? { field: 'cursor', violation: 'INVALID_FORMAT', ...say('NOT_A_CURSOR', { list: 'feed' }) }
      : undefined,
  ]);
  const limit = input.pageSize || PAGE_SIZE_DEFAULT;
  const events: CloudEvent[] = [];
  let afterSeq = place ?? 0;
  const since = cursor === '' && fromMs !== undefined ? { fromMs } : {};
  // Read beforehand: everything up to here is either told now or older than wanted, and must not come back by the cursor.
  const knownSeq = 'fromMs' in since ? ((await deps.audit.head(gkScopeId))?.seq ?? 0) : 0;
  for (let looked = 0; looked < LOOKED_AT_MAX;) {
    const records = await deps.audit.read({
      chain: gkScopeId,
      afterSeq,
      ...since,
      limit: READ_AT_ONCE,
    });
    if (records.length === 0) await refuseBeyondEnd(deps, gkScopeId, afterSeq);
    for (const record of records) {
      if (events.length === limit) return { events, nextCursor: cursorOf(afterSeq), endOfEvents: false };
      afterSeq = record.seq;
      const event = eventOf(record);
      if (isWanted(event.type, types)) events.push(event);
    }
    looked += records.length;
    if (records.length < READ_AT_ONCE)
      return { events, nextCursor: cursorOf(Math.max(afterSeq, knownSeq)), endOfEvents: true };
  }
  return { events, nextCursor: cursorOf(afterSeq), endOfEvents: false };
}

/** A reader whose cursor lies past the end, as after a restore or on another server, would get nothing and not know why. */
async function refuseBeyondEnd(deps: FeedDeps, gkScopeId: string, afterSeq: number): Promise<void> {
  const newest = (await deps.audit.head(gkScopeId))?.seq ?? 0;
  if (afterSeq > newest)
    refuseFaults([
      {
        field: 'cursor',
        violation: 'OUT_OF_RANGE',
        ...say('PAST_NEWEST_EVENT'),
      },
    ]);
}

/** What every list of events asks of the size of its pages; 0 takes the default. */
export function pageSizeFault(pageSize: number): FieldFault | undefined {
  return pageSize < 0 || pageSize > PAGE_SIZE_MAX
    ? {
        field: 'page_size',
        violation: 'OUT_OF_RANGE',
        ...say('OUT_OF_RANGE', { min: 1, max: PAGE_SIZE_MAX }),
      }
    : undefined;
}

export function typeFaults(types: readonly string[]): (FieldFault | undefined)[] {
  return [
    types.length > TYPES_MAX
      ? { field: 'types', violation: 'TOO_LONG', ...say('TOO_MANY_ENTRIES', { max: TYPES_MAX }) }
      : undefined,
    ...types.map((type, index): FieldFault | undefined =>
      isTypePattern(type)
        ? undefined
        : {
            field: `types[${index}]`,
            violation: 'INVALID_FORMAT',
            ...say('NOT_AN_EVENT_TYPE'),
          },
    ),
  ];
}

/** Whether events can have such a type: a filter that nothing can pass is a slip. */
export function isTypePattern(type: string): boolean {
  if (!/^[A-Za-z0-9._-]*\*?$/.test(type) || type === '' || type.length > TYPE_LENGTH_MAX) return false;
  const beginning = type.replace(/\*$/, '');
  return beginning === type
    ? type.startsWith(TYPE_PREFIX)
    : beginning.startsWith(TYPE_PREFIX) || TYPE_PREFIX.startsWith(beginning);
}

export const cursorOf = (seq: number): string => `f${seq.toString(36)}`;

function placeOf(cursor: string): number | undefined {
  if (cursor === '') return 0;
  const [, digits] = /^f([0-9a-z]{1,10})$/.exec(cursor) ?? [];
  const seq = digits === undefined ? NaN : parseInt(digits, 36);
  return Number.isSafeInteger(seq) ? seq : undefined;
}

// Reads the events of an application by time window. The cursor is the place of the last event handed out, so a
// reader that comes back with it misses none and sees none twice, whatever was written in between.
import { refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import type { StoredEvent } from './model.js';
import { listFaults, outOfRange, pageLimit, visibleAppId, type EventsDeps } from './reading.js';
import { say } from '../words/server/say.js';

interface ListEventsInput {
  fromMs?: number;
  toMs?: number;
  types?: readonly string[];
  /** 0 takes the default. */
  pageSize: number;
  cursor: string;
  /** For tooling users; a runtime token sees its own application only. */
  appId: string;
}

interface EventPage {
  events: StoredEvent[];
  nextCursor: string;
  endOfEvents: boolean;
}

const TYPES_MAX = 16;

export async function listEvents(deps: EventsDeps, call: Call, input: ListEventsInput): Promise<EventPage> {
  const { fromMs, toMs, types = [], pageSize, cursor } = input;
  const afterSeq = parseCursor(cursor);
  refuseFaults([
    ...listFaults(input),
    types.length > TYPES_MAX ? outOfRange('types', say('TOO_MANY_ENTRIES', { max: TYPES_MAX })) : undefined,
    afterSeq === undefined
      ? { field: 'cursor', violation: 'INVALID_FORMAT', ...say('NOT_A_CURSOR', { list: 'log' }) }
      : undefined,
  ]);
  const appId = await visibleAppId(deps, call, input.appId);
  const limit = pageLimit(pageSize);
  const found = await deps.store.read({
    ...(appId === undefined ? {} : { appId }),
    ...(types.length === 0 ? {} : { types }),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    afterSeq: afterSeq ?? 0,
    limit: limit + 1,
  });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return {
    events,
    nextCursor: last ? formatCursor(last.seq) : cursor === '' ? formatCursor(0) : cursor,
    endOfEvents: found.length <= limit,
  };
}

function formatCursor(seq: number): string {
  return `e${seq.toString(36)}`;
}

function parseCursor(text: string): number | undefined {
  if (text === '') return 0;
  const match = /^e([0-9a-z]{1,10})$/.exec(text);
  const seq = match?.[1] === undefined ? NaN : parseInt(match[1], 36);
  return Number.isSafeInteger(seq) ? seq : undefined;
}

// Pages of long lists: their size, the position where a page ends, and pages of lists that must be searched row by row because
// the text to search is sealed in the rows.
import { AppError, invalidFields } from '../../errors.js';
import { folded } from '../rules/fold-text.js';
import type { ListOrder, Page, ValueOrder } from '../ports/page.js';
import { say } from '../../words/server/say.js';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;

/**
 * Keyset over (created_at, id), or over the own ID, which is unique, in the order in which people look it up:
 * stable while rows come and go, unlike an offset.
 */
export interface Position {
  createdAtMs: number;
  id: string;
  /** For rows that have one. */
  identifier?: string;
  /** The sort key of the identifier. */
  key?: string;
}

const byIdentifier = (order: ListOrder | undefined): boolean => order?.startsWith('identifier') === true;

/** No identifier contains it. */
const BETWEEN = '\0';

export function encodePosition(position: Position, order?: ListOrder): string {
  const { createdAtMs, id, identifier = '', key = folded(identifier) } = position;
  const text = byIdentifier(order) ? `@${key}${BETWEEN}${identifier}` : `${createdAtMs}:${id}`;
  return Buffer.from(text).toString('base64url');
}

export function decodePosition(token: string, order?: ListOrder): Position {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  if (byIdentifier(order) && text.startsWith('@')) {
    const [key = '', identifier = key] = text.slice(1).split(BETWEEN);
    return { createdAtMs: 0, id: '', identifier, key };
  }
  const [createdAtMs, id] = text.split(/:(.*)/s);
  if (byIdentifier(order) || !id || !Number.isSafeInteger(Number(createdAtMs))) {
    throw new AppError('INVALID_REQUEST', 'page_token: this token belongs to another list', {
      fields: [{ field: 'page_token', violation: 'INVALID_FORMAT', ...say('NOT_OF_THIS_LIST') }],
    });
  }
  return { createdAtMs: Number(createdAtMs), id };
}

/** Negative if the first comes before the second; the same order as the store's. */
export function compareIn(order: ListOrder = 'newest'): (a: Position, b: Position) => number {
  const byText = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);
  const byTime = (a: Position, b: Position) => a.createdAtMs - b.createdAtMs;
  switch (order) {
    case 'newest':
      return (a, b) => byTime(b, a) || byText(a.id, b.id);
    case 'oldest':
      return (a, b) => byTime(a, b) || byText(a.id, b.id);
    case 'identifier':
      return (a, b) => byText(a.key, b.key) || byText(a.identifier, b.identifier);
    case 'identifier-reversed':
      return (a, b) => byText(b.key, a.key) || byText(b.identifier, a.identifier);
  }
}

const storeOrders: readonly string[] = ['newest', 'oldest', 'identifier', 'identifier-reversed'];

/** A request's page: zero and absent mean the default, larger values are cut to the maximum. */
export function pageOf(request: {
  pageSize?: number;
  pageToken?: string;
  order?: ListOrder | ValueOrder;
}): Page {
  const { pageSize = 0, pageToken } = request;
  const order = storeOrderOf(request.order);
  if (pageSize < 0) {
    throw invalidFields([
      {
        field: 'page_size',
        violation: 'OUT_OF_RANGE',
        ...say('NEGATIVE'),
        value: String(pageSize),
      },
    ]);
  }
  if (pageToken) decodePosition(pageToken, order);
  return {
    limit: Math.min(pageSize || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
    ...(pageToken && { after: pageToken }),
    ...(order && { order }),
  };
}

function storeOrderOf(order: ListOrder | ValueOrder | undefined): ListOrder | undefined {
  if (order === undefined || storeOrders.includes(order)) return order as ListOrder | undefined;
  throw invalidFields([
    {
      field: 'order',
      violation: 'OUT_OF_RANGE',
      ...say('ORDER_OF_SESSIONS_ONLY'),
    },
  ]);
}

export interface Found<T> {
  items: T[];
  next?: string;
  /** How many match in the whole list; only if they were counted. */
  total?: number;
}

const CHUNK_ROWS = 500;

type Read<T> = (page: Page) => Promise<{ items: T[]; next?: string }>;

/**
 * A page of matching rows. With `count` the whole list is examined, so that the total is known; otherwise
 * reading ends with the page.
 */
export async function searchPage<T>(
  read: Read<T>,
  fits: (item: T) => boolean,
  positionOf: (item: T) => Position,
  page: Page,
  options: {
    count: boolean;
    signal?: AbortSignal;
    /** Rows per read, if most of them match. */
    chunkRows?: number;
  },
): Promise<Found<T>> {
  const { limit, after, order } = page;
  const { count, signal, chunkRows = CHUNK_ROWS } = options;
  const items: T[] = [];
  let total = 0;
  for await (const item of walk(read, { after, order, chunkRows }, signal)) {
    if (!fits(item)) continue;
    total += 1;
    if (items.length <= limit) items.push(item);
    // A first page counts as it goes.
    if (items.length > limit && (!count || after !== undefined)) break;
  }
  if (count && after !== undefined) {
    total = 0;
    for await (const item of walk(read, { order, chunkRows }, signal)) if (fits(item)) total += 1;
  }
  const last = items.length > limit ? items[limit - 1] : undefined;
  return {
    items: items.slice(0, limit),
    ...(last && { next: encodePosition(positionOf(last), order) }),
    ...(count && { total }),
  };
}

/** Every row from there on, a chunk at a time. */
async function* walk<T>(
  read: Read<T>,
  {
    after,
    order,
    chunkRows,
  }: { after?: string | undefined; order?: ListOrder | undefined; chunkRows: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  let from = after;
  do {
    if (signal?.aborted) throw new AppError('CANCELLED_CLIENT', 'the search was canceled');
    const chunk = await read({ limit: chunkRows, ...(from && { after: from }), ...(order && { order }) });
    yield* chunk.items;
    from = chunk.next;
  } while (from);
}

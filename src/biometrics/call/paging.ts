// Pages of long lists: their size, the position a page ends at, and pages of lists that have to be searched
// row by row because what is searched for lies sealed in the rows.
import { AppError, invalidFields } from '../../errors.js';
import type { Page } from '../ports/page.js';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;

/** Keyset over (created_at, id): stable while rows come and go, unlike an offset. */
export interface Position {
  createdAtMs: number;
  id: string;
}

export function encodePosition({ createdAtMs, id }: Position): string {
  return Buffer.from(`${createdAtMs}:${id}`).toString('base64url');
}

export function decodePosition(token: string): Position {
  const [createdAtMs, id] = Buffer.from(token, 'base64url').toString('utf8').split(/:(.*)/s);
  if (!id || !Number.isSafeInteger(Number(createdAtMs))) {
    throw new AppError('INVALID_REQUEST', 'page_token: not a token of this list', {
      fields: [{ field: 'page_token', violation: 'INVALID_FORMAT', message: 'is not a token of this list' }],
    });
  }
  return { createdAtMs: Number(createdAtMs), id };
}

/** What a request says about its page: zero and absent mean the default, too much is cut to the most. */
export function pageOf(request: { pageSize?: number; pageToken?: string }): Page {
  const { pageSize = 0, pageToken } = request;
  if (pageSize < 0) {
    throw invalidFields([
      {
        field: 'page_size',
        violation: 'OUT_OF_RANGE',
        message: 'must not be negative',
        value: String(pageSize),
      },
    ]);
  }
  if (pageToken) decodePosition(pageToken);
  return {
    limit: Math.min(pageSize || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
    ...(pageToken && { after: pageToken }),
  };
}

export interface Found<T> {
  items: T[];
  next?: string;
  /** How many fit in the whole list; only when they were counted. */
  total?: number;
}

const CHUNK_ROWS = 500;

/**
 * A page of those rows that fit. With `count` the whole list is looked at, so that the total is known; without,
 * reading ends with the page.
 */
export async function searchPage<T>(
  read: (page: Page) => Promise<{ items: T[]; next?: string }>,
  fits: (item: T) => boolean,
  positionOf: (item: T) => Position,
  page: Page,
  options: { count: boolean; signal?: AbortSignal },
): Promise<Found<T>> {
  const items: T[] = [];
  const start = page.after ? decodePosition(page.after) : undefined;
  let total = 0;
  let more = false;
  let after = options.count ? undefined : page.after;
  do {
    if (options.signal?.aborted) throw new AppError('CANCELLED_CLIENT', 'the search was cancelled');
    const chunk = await read({ limit: CHUNK_ROWS, ...(after && { after }) });
    for (const item of chunk.items) {
      if (!fits(item)) continue;
      total += 1;
      if (start && !isBehind(positionOf(item), start)) continue;
      if (items.length < page.limit) items.push(item);
      else more = true;
    }
    after = chunk.next;
  } while (after && (options.count || !more));
  const last = items.at(-1);
  return {
    items,
    ...(more && last && { next: encodePosition(positionOf(last)) }),
    ...(options.count && { total }),
  };
}

/** Newest first; of the same moment, by ID. */
function isBehind(position: Position, start: Position): boolean {
  if (position.createdAtMs !== start.createdAtMs) return position.createdAtMs < start.createdAtMs;
  return position.id > start.id;
}

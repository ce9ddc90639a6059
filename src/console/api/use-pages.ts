// A long list, page by page: the first one loads with its key, further ones are added below on demand.
// Visible rows stay until new ones have arrived: a list that vanishes loses the focus and the reader's place.
// Users who come back to a list find as much of it as they had, at the same position.
import { useEffect, useRef, useState } from 'react';
import { noteReading, readingHere } from '../router.js';
import type { ApiError } from './errors.js';
import { useAction, useLast, useQuery, type Query } from './hooks.js';

export interface Page<T> {
  rows: readonly T[];
  /** Where the next page begins; undefined or empty on the last. */
  next?: string | undefined;
  total?: number | undefined;
}

export interface Pages<T> {
  /** For <Loaded>: all rows so far. */
  query: Query<readonly T[]>;
  /** The rows still belong to the view before the filter or order was changed. */
  isStale: boolean;
  total: number | undefined;
  hasMore: boolean;
  more: () => void;
  busy: boolean;
  /** The error of a further page. */
  error: ApiError | undefined;
}

/** Identifies the list, with its current filters and order. */
interface PagesKey {
  list: string;
  view: string;
}

export function usePages<T>(
  { list, view }: PagesKey,
  load: (pageToken: string, signal?: AbortSignal) => Promise<Page<T>>,
  options: { everyMs?: number } = {},
): Pages<T> {
  const key = `${list} ${view}`;
  const [rest, setRest] = useState<{ key: string; pages: readonly Page<T>[] }>({
    key,
    pages: [],
  });
  const further = rest.key === key ? rest.pages : [];
  // A list that was read further down must not shift under the reader: only a single first page is refreshed.
  const first = useQuery(
    key,
    (signal) => load('', signal),
    further.length === 0 && options.everyMs !== undefined ? { everyMs: options.everyMs } : {},
  );
  const kept = useLast(list, first.data);
  const shown = first.error ? first.data : kept;
  const isStale = shown !== first.data;
  const last = further.at(-1) ?? first.data;
  const next = last?.next ?? '';
  const more = useAction(async () => {
    const page = await load(next);
    setRest({ key, pages: [...further, page] });
    noteReading({ pages: { ...readingHere().pages, [key]: further.length + 1 } });
  });
  useReturn({
    key,
    isLoaded: first.data !== undefined,
    further: further.length,
    more: next === '' || more.error ? undefined : more.run,
  });
  return {
    query: {
      ...first,
      data: shown && [...shown.rows, ...further.flatMap((page) => page.rows)],
      setData: () => undefined,
      reload: () => {
        setRest({ key, pages: [] });
        first.reload();
      },
    },
    isStale,
    total: last?.total ?? shown?.total,
    hasMore: next !== '',
    more: () => void more.run(),
    busy: more.busy,
    error: more.error,
  };
}

/** Loads as much of the list as was there when its page was left, then restores the scroll position. Once. */
function useReturn(list: {
  key: string;
  isLoaded: boolean;
  further: number;
  more: (() => Promise<void>) | undefined;
}): void {
  const [left] = useState(readingHere);
  const isBack = useRef(false);
  useEffect(() => {
    if (isBack.current || !list.isLoaded) return;
    if (list.more && list.further < (left.pages[list.key] ?? 0)) {
      void list.more();
      return;
    }
    isBack.current = true;
    if (left.scrolled > 0 && scrollY === 0) scrollTo({ top: left.scrolled });
  });
}

/** Reads a whole list for an export; stops after `most` rows and says so. */
export async function readAll<T>(
  load: (pageToken: string) => Promise<Page<T>>,
  most: number,
): Promise<{ rows: T[]; isComplete: boolean }> {
  const rows: T[] = [];
  let token = '';
  do {
    const page = await load(token);
    rows.push(...page.rows);
    token = page.next ?? '';
  } while (token !== '' && rows.length < most);
  return { rows, isComplete: token === '' };
}

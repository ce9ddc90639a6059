// A long list page by page: the first one loads with its key, further ones are added below on demand.
import { useState } from 'react';
import type { ApiError } from './errors.js';
import { useAction, useQuery, type Query } from './hooks.js';

export interface Page<T> {
  rows: readonly T[];
  /** Where the next one begins; undefined or empty on the last. */
  next?: string | undefined;
  total?: number | undefined;
}

export interface Pages<T> {
  /** For <Loaded>: all rows so far. */
  query: Query<readonly T[]>;
  total: number | undefined;
  hasMore: boolean;
  more: () => void;
  busy: boolean;
  /** Of a further page. */
  error: ApiError | undefined;
}

export function usePages<T>(
  key: string | undefined,
  load: (pageToken: string, signal?: AbortSignal) => Promise<Page<T>>,
  options: { everyMs?: number } = {},
): Pages<T> {
  const [rest, setRest] = useState<{ key: string | undefined; pages: readonly Page<T>[] }>({
    key,
    pages: [],
  });
  const further = rest.key === key ? rest.pages : [];
  // A list that is read further down must not shift under the reader: only a first page alone is refreshed.
  const first = useQuery(
    key,
    (signal) => load('', signal),
    further.length === 0 && options.everyMs !== undefined ? { everyMs: options.everyMs } : {},
  );
  const last = further.at(-1) ?? first.data;
  const next = last?.next ?? '';
  const more = useAction(async () => {
    const page = await load(next);
    setRest({ key, pages: [...further, page] });
  });
  return {
    query: {
      ...first,
      data: first.data && [...first.data.rows, ...further.flatMap((page) => page.rows)],
      setData: () => undefined,
      reload: () => {
        setRest({ key, pages: [] });
        first.reload();
      },
    },
    total: last?.total ?? first.data?.total,
    hasMore: next !== '',
    more: () => void more.run(),
    busy: more.busy,
    error: more.error,
  };
}

/** Everything a list holds, for an export; ends after `most` rows and says so. */
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

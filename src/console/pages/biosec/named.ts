// What a link needs to know about its target. Rows that name the same thing ask for it once.
import { useQuery, type Query } from '../../api/hooks.js';
import { shared } from '../../api/shared.js';
import { ifFound, useReadContext, type Context } from '../../tenant/context.js';

/** Null: there is no such thing (any more). Nothing is requested while the identifier is unknown. */
export function useNamed<T>(
  what: string | undefined,
  ask: (context: Context) => Promise<T>,
): Query<T | null> {
  const read = useReadContext();
  const key = read && what && `${what} ${read.gkScopeId.value}`;
  return useQuery<T | null>(key, () =>
    shared(key ?? '', async () => (await ifFound(ask(read as Context))) ?? null),
  );
}

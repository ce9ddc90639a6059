// Sessions that something else names by their identifiers, as entries of the list.
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useQuery, type Query } from '../../api/hooks.js';
import { useReadContext } from '../../tenant/context.js';

/** The most that can be requested by ID at once. */
export const SESSIONS_ASKED_MAX = 100;

/** Newest first; the last of them, if there are more than can be requested. */
export function useSessionsById(ids: readonly string[]): Query<SessionEntryJson[]> {
  const read = useReadContext();
  const gkSessionIds = ids.slice(-SESSIONS_ASKED_MAX);
  return useQuery(
    read && gkSessionIds.length > 0 ? `sessions ${gkSessionIds.join(' ')}` : undefined,
    async (signal) => (await call('ListSessions', { context: read, gkSessionIds }, signal)).sessions ?? [],
  );
}

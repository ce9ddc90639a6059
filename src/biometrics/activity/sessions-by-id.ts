// Sessions by their IDs, in the form of list entries: for pages that show something else that the sessions belong to.
import type { Actors } from '../../audit/ports.js';
import { invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { DeletedDeps } from './deleted-fraudsters.js';
import { outcomeEffects } from './kept-for.js';
import type { OutcomeEffects } from './outcome-effects.js';
import { seesSearches } from './sees-searches.js';
import { entriesOf, type SessionEntry } from './session-entries.js';
import { withDetails } from './list-sessions.js';
import { say } from '../../words/server/say.js';

const SESSIONS_MAX = 100;

interface SoughtById {
  context: RequestContext;
  gkSessionIds: readonly string[];
  /** Also returns what an outcome would delete and leave, which takes several queries per engagement. */
  withEffects: boolean;
}

/** Newest first; deleted ones are left out. */
export async function sessionsById(
  deps: DeletedDeps & { actors: Actors },
  call: Call,
  { context, gkSessionIds, withEffects }: SoughtById,
): Promise<SessionEntry[]> {
  const gkScopeId = await openTenant(deps, call, context);
  if (gkSessionIds.length > SESSIONS_MAX)
    throw invalidFields([
      {
        field: 'gk_session_ids',
        violation: 'OUT_OF_RANGE',
        ...say('TOO_MANY_ENTRIES', { max: SESSIONS_MAX }),
      },
    ]);
  const sessions = await deps.store.read.sessions.findMany(gkScopeId, [...new Set(gkSessionIds)]);
  const bySearches = await seesSearches(deps, call, gkScopeId);
  const newest = sessions.sort((one, other) => other.createdAtMs - one.createdAtMs);
  const entries = await entriesOf(deps, gkScopeId, newest);
  const named = await withDetails(deps, gkScopeId, entries, { bySearches });
  return withEffects ? addEffects(deps, gkScopeId, named, { bySearches }) : named;
}

/** Once per engagement. */
async function addEffects(
  deps: DeletedDeps,
  gkScopeId: string,
  entries: readonly SessionEntry[],
  { bySearches }: { bySearches: boolean },
): Promise<SessionEntry[]> {
  const { read } = deps.store;
  const ids = [...new Set(entries.map(({ session }) => session.gkEngagementId))];
  const effects = new Map<string, OutcomeEffects>();
  for (const engagement of await read.engagements.findMany(gkScopeId, ids)) {
    const { gkEngagementId } = engagement;
    const sessions = await read.sessions.listByEngagement(gkScopeId, gkEngagementId);
    const kept = await read.erasure.keptIn(gkScopeId, gkEngagementId);
    effects.set(gkEngagementId, await outcomeEffects(deps, engagement, sessions, { kept, bySearches }));
  }
  return entries.map((entry) => {
    const found = effects.get(entry.session.gkEngagementId);
    return found ? { ...entry, effects: found } : entry;
  });
}

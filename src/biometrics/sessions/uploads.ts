// Sessions that are not calls: they only contain recordings, which were processed in other sessions (ADR 0083).
import type { Session } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { isGivenUp } from '../rules/session-result.js';

/** Nobody is said to have called. */
const namesNoCaller = ({ claimedGkPersonId, details }: Session): boolean =>
  !claimedGkPersonId &&
  [details.ani, details.dnis, details.agentId, details.agentExtension].every((detail) => detail === '');

export async function uploadsAmong(
  read: Pick<Repositories, 'sessions'>,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<ReadonlySet<string>> {
  const ids = sessions.filter(namesNoCaller).map(({ gkSessionId }) => gkSessionId);
  const holding = ids.length > 0 ? await read.sessions.onlyHolding(gkScopeId, ids) : [];
  const givenUp = sessions.filter(isGivenUp).map(({ gkSessionId }) => gkSessionId);
  return new Set([...holding, ...givenUp]);
}

// What became known about sessions after they ended: whom or what later checks and searches have found in them, and whose print was
// made from them. For their own entry in a list, and for that of a session that took over their decision.
import type { Party } from '../model/entities.js';
import type { LaterFinding } from '../model/findings.js';
import type { Session } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { madeFrom, namedLater, type NamedFinding, type NamedFraudster } from './named.js';

export interface NamedSince {
  /** What became known after the call: each fraudster and each kind of attack once, oldest first. */
  foundLater: readonly NamedFinding[];
  /** Fraudsters whose print was made from it afterwards. */
  madeFraudsters: readonly NamedFraudster[];
}

interface FoundSince {
  later: ReadonlyMap<string, readonly LaterFinding[]>;
  made: ReadonlyMap<string, readonly string[]>;
  gkFraudsterIds: readonly string[];
}

export async function foundSince(
  { findings }: Pick<Repositories, 'findings'>,
  gkScopeId: string,
  sessions: readonly Session[],
  counted: { bySearches: boolean },
): Promise<FoundSince> {
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const told = sessions.flatMap(({ gkSessionId, isErased }) => (isErased ? [] : gkSessionId));
  const later = await findings.laterIn(gkScopeId, told, counted);
  const made = await findings.madeFrom(gkScopeId, ids);
  const found = [...later.values()].flat().flatMap(({ gkFraudsterId }) => gkFraudsterId ?? []);
  return { later, made, gkFraudsterIds: [...found, ...[...made.values()].flat()] };
}

/** `recognized`: the fraudsters whom the session itself has recognized, who are no news. */
export const namedSince = (
  session: Session,
  { later, made }: FoundSince,
  { partyOf, recognized }: { partyOf: ReadonlyMap<string, Party>; recognized: readonly NamedFraudster[] },
): NamedSince => ({
  foundLater: namedLater(later.get(session.gkSessionId), partyOf, recognized),
  madeFraudsters: madeFrom(session, made.get(session.gkSessionId), partyOf),
});

// Decisions that come from another session of the same engagement, because nothing in a session itself says so: from which, of whom, and
// what was left open there.
import type { Factor, Marks, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { decidedIn } from '../rules/session-marks.js';
import { namedIn, type NamedPerson } from './named.js';
import { marksAlone, withDoubts, type Doubts } from './undecided-sessions.js';

/** With the marks of the session that it comes from. */
export interface Carried extends Marks {
  gkSessionId: string;
  /** Whose print matched there. */
  persons: readonly NamedPerson[];
  /** Somebody else is claimed here. */
  isOtherPerson?: true;
}

interface Origin {
  session: Session;
  /** Which session it comes from; with the decision that was carried on. */
  from: Session;
}

export async function withCarried<Entry extends { session: Session } & Doubts>(
  deps: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
): Promise<(Entry & { carried?: Carried })[]> {
  const sought = entries.flatMap(({ session, isFromElsewhere }) =>
    isFromElsewhere && !session.isErased ? session : [],
  );
  const carried = await carriedTo(deps, gkScopeId, sought);
  return entries.map((entry) => {
    const found = carried.get(entry.session.gkSessionId);
    return { ...entry, ...(found && { carried: found }) };
  });
}

async function originsOf(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Origin[]> {
  const factors = new Map<string, Promise<Factor[]>>();
  const made = (gkEngagementId: string): Promise<Factor[]> => {
    const known = factors.get(gkEngagementId) ?? read.factors.listByEngagement(gkScopeId, gkEngagementId);
    factors.set(gkEngagementId, known);
    return known;
  };
  const origins: Origin[] = [];
  for (const session of sessions) {
    const gkSessionId = decidedIn(session, await made(session.gkEngagementId));
    const from = gkSessionId === undefined ? undefined : await read.sessions.find(gkScopeId, gkSessionId);
    if (from && session.decision) origins.push({ session, from: { ...from, decision: session.decision } });
  }
  return origins;
}

/** By the session that it was carried to. */
async function carriedTo(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, Carried>> {
  const origins = await originsOf(deps, gkScopeId, sessions);
  if (origins.length === 0) return new Map();
  const { read } = deps.store;
  const about = await read.factors.aboutSessions(
    gkScopeId,
    origins.map(({ from }) => from.gkSessionId),
  );
  const matched = ({ gkSessionId }: Session) =>
    (about.get(gkSessionId)?.persons ?? []).filter(({ isMatch }) => isMatch);
  const ids = origins.flatMap(({ from }) => matched(from).map(({ gkPersonId }) => gkPersonId));
  const parties = await read.parties.findMany(gkScopeId, [...new Set(ids)]);
  const partyOf = new Map(parties.map((party) => [party.gkId, party]));
  const marked = await withDoubts(
    deps,
    gkScopeId,
    origins.map(({ from }) => ({ session: from })),
  );
  return new Map(
    origins.map(({ session, from }, at) => {
      const theirs = matched(from);
      const claimed = session.claimedGkPersonId;
      const isOtherPerson =
        claimed !== undefined &&
        theirs.length > 0 &&
        !theirs.some(({ gkPersonId }) => gkPersonId === claimed);
      const none = { gkFraudsterIds: [], gkEnrolledFraudsterIds: [], refused: 0 };
      return [
        session.gkSessionId,
        {
          gkSessionId: from.gkSessionId,
          persons: namedIn({ persons: theirs, ...none }, partyOf).persons,
          ...(isOtherPerson && { isOtherPerson }),
          ...marksAlone(marked[at] ?? {}),
        },
      ];
    }),
  );
}

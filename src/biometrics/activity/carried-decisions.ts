// Decisions that come from another session of the same engagement, because nothing in a session itself says so: from which, of whom, and
// what was left open there.
import type { Decision } from '../model/outcome.js';
import type { Factor, Marks, Session, SessionAbout, SessionPerson } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { readsAsYes } from '../rules/open-check.js';
import { decidedIn } from '../rules/session-marks.js';
import { idsIn, namedIn, type NamedFraudster, type NamedPerson } from './named.js';
import { marksAlone, withDoubts, type Doubts } from './undecided-sessions.js';

/** With the marks of the session that it comes from. */
export interface Carried extends Marks {
  gkSessionId: string;
  /** Whose print matched there, or did not, whichever was decided. */
  persons: readonly NamedPerson[];
  /** Who was recognized there, where that was decided. */
  fraudsters: readonly NamedFraudster[];
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
  // Where the session is gone in which it was decided; nobody relies on what cannot be looked at.
  for (const { gkSessionId, decision } of sought)
    if (!carried.has(gkSessionId) && readsAsYes(decision?.decision))
      carried.set(gkSessionId, { gkSessionId: '', persons: [], fraudsters: [] });
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
  const there = ({ gkSessionId, decision }: Session): SessionAbout =>
    decidedAbout(decision?.decision, about.get(gkSessionId));
  const ids = origins.flatMap(({ from }) => idsIn(there(from)));
  const parties = await read.parties.findMany(gkScopeId, [...new Set(ids)]);
  const partyOf = new Map(parties.map((party) => [party.gkId, party]));
  const marked = await withDoubts(
    deps,
    gkScopeId,
    origins.map(({ from }) => ({ session: from })),
  );
  return new Map(
    origins.map(({ session, from }, at) => {
      const { persons } = there(from);
      const isOtherPerson = isOfOther(session, persons);
      return [
        session.gkSessionId,
        {
          gkSessionId: from.gkSessionId,
          ...namedIn(there(from), partyOf),
          ...(isOtherPerson && { isOtherPerson }),
          ...marksAlone(marked[at] ?? {}),
        },
      ];
    }),
  );
}

/** Of those whom a session is about, the ones that its decision is about. */
export function decidedAbout(decision: Decision | undefined, about: SessionAbout | undefined): SessionAbout {
  const isMeant = ({ isMatch, isMismatch, isAgent }: SessionPerson): boolean => {
    if (isAgent) return false;
    return decision === 'AUTHENTIC'
      ? isMatch === true
      : decision === 'NO_MATCH' && isMismatch === true && !isMatch;
  };
  return {
    persons: (about?.persons ?? []).filter(isMeant),
    gkFraudsterIds: decision === 'FRAUD' ? (about?.gkFraudsterIds ?? []) : [],
    gkEnrolledFraudsterIds: [],
    refused: 0,
    voices: [],
  };
}

/** Somebody was claimed here, and it was decided of others. */
const isOfOther = (
  { claimedGkPersonId, isClaimErased, details }: Session,
  persons: readonly SessionPerson[],
): boolean =>
  (claimedGkPersonId !== undefined || isClaimErased === true || details.batchLine !== undefined) &&
  persons.length > 0 &&
  !persons.some(({ gkPersonId }) => gkPersonId === claimedGkPersonId);

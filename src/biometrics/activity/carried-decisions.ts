// Decisions that come from another session of the same engagement, because no check of the session itself gives them: from
// which session, about whom, and what was left open there.
import type { Decision } from '../model/outcome.js';
import type { CarriedMarks, Session, SessionAbout, SessionMarks, SessionPerson } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { judgeCaller } from '../../marks/who-called.js';
import { readsAsYes } from '../rules/open-check.js';
import { decidedIn } from '../rules/session-marks.js';
import { idsIn, namedIn, type NamedFraudster, type NamedPerson } from './named.js';
import { marksAlone, withUndecidedChecks } from './undecided-sessions.js';

export interface Carried extends CarriedMarks {
  /** Whose print matched there, or did not, whichever was decided. */
  persons: readonly NamedPerson[];
  /** Who was recognized there, where that was decided. */
  fraudsters: readonly NamedFraudster[];
}

interface Origin {
  session: Session;
  /** Which session it comes from; with the decision that was carried on. */
  from: Session;
}

type Reading = Pick<Repositories, 'factors' | 'processedAudios' | 'sessions'>;

/** For those who look at a list: of whom it was decided where decisions come from. */
export async function withCarriedPersons<Entry extends { session: Session } & SessionMarks>(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
): Promise<(Omit<Entry, 'carried'> & { carried?: Carried })[]> {
  const from = [...new Set(entries.flatMap(({ carried }) => carried?.gkSessionId || []))];
  const about = await read.factors.aboutSessions(gkScopeId, from);
  const there = ({ session, carried }: Entry): SessionAbout =>
    decidedAbout(session.decision?.decision, about.get(carried?.gkSessionId ?? ''));
  const ids = entries.flatMap((entry) => idsIn(there(entry)));
  const parties = await read.parties.findMany(gkScopeId, [...new Set(ids)]);
  const partyOf = new Map(parties.map((party) => [party.gkId, party]));
  return entries.map((entry) => {
    const { carried, ...others } = entry;
    if (!carried) return others;
    const { persons, fraudsters } = namedIn(there(entry), partyOf);
    return { ...others, carried: { ...carried, persons, fraudsters } };
  });
}

async function originsOf(read: Reading, gkScopeId: string, sessions: readonly Session[]): Promise<Origin[]> {
  const origins: Origin[] = [];
  for (const session of sessions) {
    const made = await read.factors.listByEngagement(gkScopeId, session.gkEngagementId);
    const gkSessionId = decidedIn(session, made);
    const from = gkSessionId === undefined ? undefined : await read.sessions.find(gkScopeId, gkSessionId);
    if (from && session.decision) origins.push({ session, from: { ...from, decision: session.decision } });
  }
  return origins;
}

/**
 * What was left open where the decisions of these come from, by the session that it was carried to. Sessions of one engagement ask `read`
 * for the same checks; work-out-marks.ts, which asks here, has them read once.
 */
export async function carriedTo(
  read: Reading,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, CarriedMarks>> {
  const origins = await originsOf(read, gkScopeId, sessions);
  const from = [...new Set(origins.map((origin) => origin.from.gkSessionId))];
  const about = await read.factors.aboutSessions(gkScopeId, from);
  const marked = await withUndecidedChecks(
    { store: { read } },
    gkScopeId,
    origins.map((origin) => ({ session: origin.from })),
  );
  const carried = new Map<string, CarriedMarks>();
  for (const [at, { session, from: origin }] of origins.entries()) {
    const { gkSessionId, decision } = origin;
    const { persons } = decidedAbout(decision?.decision, about.get(gkSessionId));
    const isOtherPerson = isOfOther(session, persons);
    const isClaimCompared = isComparedThere(session, about.get(gkSessionId));
    const marks = {
      ...(isOtherPerson && { isOtherPerson }),
      ...(isClaimCompared && { isClaimCompared }),
      ...marksAlone(marked[at] ?? {}),
    };
    carried.set(session.gkSessionId, { gkSessionId, ...marks });
  }
  // Where the session is gone in which it was decided; nobody relies on what cannot be looked at.
  for (const { gkSessionId, decision } of sessions)
    if (!carried.has(gkSessionId) && readsAsYes(decision?.decision))
      carried.set(gkSessionId, { gkSessionId: '' });
  return carried;
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

/** Somebody is claimed here, and was compared there. */
function isComparedThere({ claimedGkPersonId: person }: Session, about: SessionAbout | undefined): boolean {
  const { claimed } = judgeCaller(person === undefined ? undefined : { person }, about?.voices ?? []);
  return claimed !== undefined && claimed !== 'NOT_COMPARED';
}

/** Somebody was claimed here, and it was decided of others. */
const isOfOther = (
  { claimedGkPersonId, isClaimErased, details }: Session,
  persons: readonly SessionPerson[],
): boolean =>
  (claimedGkPersonId !== undefined || isClaimErased === true || details.batchLine !== undefined) &&
  persons.length > 0 &&
  !persons.some(({ gkPersonId }) => gkPersonId === claimedGkPersonId);

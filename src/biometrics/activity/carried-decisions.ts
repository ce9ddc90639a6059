// Decisions that come from another session of the same engagement, because no check of the session itself gives them: from
// which session, about whom, what was left open there, and what was found there since.
import type { Decision } from '../model/outcome.js';
import type { CarriedMarks, Session, SessionAbout, SessionMarks, SessionPerson } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { decidedPersons, isOtherClaimed, judgeCaller } from '../../marks/who-called.js';
import { readsAsYes } from '../rules/open-check.js';
import { decidedIn } from '../rules/session-marks.js';
import { foundSince, namedSince, type NamedSince } from './found-since.js';
import { idsIn, namedIn, type NamedFraudster, type NamedPerson } from './named.js';
import { marksAlone, withUndecidedChecks } from './undecided-sessions.js';

export interface Carried extends CarriedMarks, NamedSince {
  /** Persons whose print matched there, or did not, depending on the decision. */
  persons: readonly NamedPerson[];
  /** Fraudsters recognized there, if that was the decision. */
  fraudsters: readonly NamedFraudster[];
}

interface Origin {
  session: Session;
  /** The session it comes from, with the decision that was carried over. */
  from: Session;
}

type Reading = Pick<Repositories, 'factors' | 'processedAudios' | 'sessions'>;

/** For readers of a list: whom the carried decisions are about, and what speaks against them since. */
export async function withCarriedDetails<Entry extends { session: Session } & SessionMarks>(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
  counted: { bySearches: boolean },
): Promise<(Omit<Entry, 'carried'> & { carried?: Carried })[]> {
  const from = [...new Set(entries.flatMap(({ carried }) => carried?.gkSessionId || []))];
  const about = await read.factors.aboutSessions(gkScopeId, from);
  const there = ({ session, carried }: Entry): SessionAbout =>
    decidedAbout(session.decision?.decision, about.get(carried?.gkSessionId ?? ''));
  const origins = await read.sessions.findMany(gkScopeId, from);
  const since = await foundSince(read, gkScopeId, origins, counted);
  const ids = [...entries.flatMap((entry) => idsIn(there(entry))), ...since.gkFraudsterIds];
  const parties = await read.parties.findMany(gkScopeId, [...new Set(ids)]);
  const partyOf = new Map(parties.map((party) => [party.gkId, party]));
  return entries.map((entry) => {
    const { carried, ...others } = entry;
    if (!carried) return others;
    const origin = origins.find(({ gkSessionId }) => gkSessionId === carried.gkSessionId);
    const { persons, fraudsters } = namedIn(there(entry), partyOf);
    const { foundLater, madeFraudsters } = origin
      ? namedSince(origin, since, { partyOf, recognized: fraudsters })
      : { foundLater: [], madeFraudsters: [] };
    return { ...others, carried: { ...carried, persons, fraudsters, foundLater, madeFraudsters } };
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
 * What was left open in the sessions that these decisions come from, by the session they were carried to.
 * Sessions of one engagement ask `read` for the same checks; work-out-marks.ts, the caller, reads them once.
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
    const { gkSessionId } = origin;
    const isOtherPerson = isOfOther(session, about.get(gkSessionId));
    const isClaimCompared = isComparedThere(session, about.get(gkSessionId));
    const marks = {
      ...(isOtherPerson && { isOtherPerson }),
      ...(isClaimCompared && { isClaimCompared }),
      ...marksAlone(marked[at] ?? {}),
    };
    carried.set(session.gkSessionId, { gkSessionId, ...marks });
  }
  // If the deciding session was deleted, nobody can rely on what cannot be examined.
  for (const { gkSessionId, decision } of sessions)
    if (!carried.has(gkSessionId) && readsAsYes(decision?.decision))
      carried.set(gkSessionId, { gkSessionId: '' });
  return carried;
}

/** The persons of a session that its decision is about. */
function decidedAbout(decision: Decision | undefined, about: SessionAbout | undefined): SessionAbout {
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

/** Whether the person claimed here was compared there. */
function isComparedThere({ claimedGkPersonId: person }: Session, about: SessionAbout | undefined): boolean {
  const { claimed } = judgeCaller(person === undefined ? undefined : { person }, about?.voices ?? []);
  return claimed !== undefined && claimed !== 'NOT_COMPARED';
}

/** Whether somebody was claimed here, and the decision was about others. */
function isOfOther(
  { claimedGkPersonId: person = '', isClaimErased, hadOtherClaimed, details, decision }: Session,
  about: SessionAbout | undefined,
): boolean {
  const isErased = person === '' && isClaimErased === true;
  if (person === '' && !isErased && details.batchLine === undefined) return false;
  const end = ends[decision?.decision ?? ''];
  const decided = end ? decidedPersons(end, about?.voices ?? []) : [];
  return isOtherClaimed({ person, isErased, wasOther: hadOtherClaimed === true }, decided);
}

const ends: Readonly<Record<string, 'MATCHED' | 'NO_MATCH'>> = { AUTHENTIC: 'MATCHED', NO_MATCH: 'NO_MATCH' };

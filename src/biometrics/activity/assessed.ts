// Adds to the sessions of a list what each of them means.
import { assessSessions } from '../assessment/gather.js';
import type { Assessment, Headline } from '../assessment/model.js';
import type { Caveat } from '../assessment/caveats.js';
import { withNames, type NamingDeps, type ToldAssessment } from '../assessment/names.js';
import type { Session, Verdict } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { asOfNow } from './as-of-now.js';

interface Counted {
  bySearches: boolean;
}

export async function withAssessments<Entry extends { session: Session }>(
  deps: NamingDeps,
  gkScopeId: string,
  entries: readonly Entry[],
  counted: Counted,
): Promise<(Entry & { assessment?: ToldAssessment })[]> {
  const sessions = entries.map(({ session }) => session);
  const assessed = await assessSessions(deps, gkScopeId, sessions, counted);
  const told = await withNames(deps, gkScopeId, sessions, assessed);
  return entries.map((entry) => {
    const assessment = told.get(entry.session.gkSessionId);
    return { ...entry, ...(assessment && { assessment }) };
  });
}

/** What they depend on leaves no note when it changes: these are worked out for whoever asks. */
const unstored: readonly Caveat[] = ['FOUND_LATER', 'OUTCOME_DISAGREES', 'CUT_OFF', 'DATA_ERASED'];

export const isStored = (caveat: Caveat): boolean => !unstored.includes(caveat);

/** Of sessions as they are stored, the caveats by which they are found. */
export async function storedCaveats(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, Caveat[]>> {
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const checks = await deps.store.read.factors.countBySessions(gkScopeId, ids);
  const current: Session[] = [];
  for (const session of sessions) current.push(await asOfNow(deps, session, checks.has(session.gkSessionId)));
  const assessed = await assessSessions(deps, gkScopeId, current, { bySearches: false });
  return new Map([...assessed].map(([id, { caveats }]) => [id, caveats.filter(isStored)]));
}

export interface SoughtAssessments {
  /** All of these. */
  caveats?: readonly Caveat[];
  /** Any of these. */
  headlines?: readonly Headline[];
}

export const isByAssessment = ({ caveats = [], headlines = [] }: SoughtAssessments): boolean =>
  caveats.length > 0 || headlines.length > 0;

export async function soughtByAssessment<Entry extends { session: Session; verdict?: Verdict }>(
  deps: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
  sought: SoughtAssessments & Counted,
): Promise<Entry[]> {
  if (!isByAssessment(sought)) return [...entries];
  // Most sessions have neither.
  const candidates = entries.filter(
    ({ session, verdict }) =>
      (!sought.caveats?.includes('DATA_ERASED') || session.isErased) &&
      (!sought.caveats?.includes('OUTCOME_DISAGREES') || verdict),
  );
  const sessions = candidates.map(({ session }) => session);
  const assessed = await assessSessions(deps, gkScopeId, sessions, sought);
  return candidates.filter(({ session }) => {
    const assessment = assessed.get(session.gkSessionId);
    return assessment !== undefined && isSought(assessment, sought);
  });
}

const isSought = (
  { caveats, headline }: Assessment,
  { caveats: sought = [], headlines = [] }: SoughtAssessments,
): boolean =>
  sought.every((caveat) => caveats.includes(caveat)) &&
  (headlines.length === 0 || headlines.includes(headline));

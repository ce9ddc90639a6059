// Adds to the sessions of a list what each of them means.
import { assessSessions } from '../assessment/gather.js';
import type { Assessment, Headline } from '../assessment/model.js';
import type { Caveat } from '../assessment/caveats.js';
import { withNames, type NamingDeps, type ToldAssessment } from '../assessment/names.js';
import type { Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';

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

export interface SoughtAssessments {
  /** All of these. */
  caveats?: readonly Caveat[];
  /** Any of these. */
  headlines?: readonly Headline[];
}

export const isByAssessment = ({ caveats = [], headlines = [] }: SoughtAssessments): boolean =>
  caveats.length > 0 || headlines.length > 0;

export async function soughtByAssessment<Entry extends { session: Session }>(
  deps: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
  sought: SoughtAssessments & Counted,
): Promise<Entry[]> {
  if (!isByAssessment(sought)) return [...entries];
  const sessions = entries.map(({ session }) => session);
  const assessed = await assessSessions(deps, gkScopeId, sessions, sought);
  return entries.filter(({ session }) => {
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

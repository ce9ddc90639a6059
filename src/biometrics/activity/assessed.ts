// Adds to the sessions of a list what each of them means.
import { assessSessions } from '../assessment/gather.js';
import type { Assessment, Headline } from '../assessment/model.js';
import { gaps, type Caveat } from '../assessment/caveats.js';
import { withNames, type NamingDeps, type NamedAssessment, type Told } from '../assessment/names.js';
import type { Decision } from '../model/outcome.js';
import type { Session } from '../model/sessions.js';
import type { AssessmentFilter } from '../ports/assessments.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { caseStateOf, type CaseFacts, type CaseState } from './cases.js';

export async function withAssessments<Entry extends { session: Session }>(
  deps: NamingDeps,
  gkScopeId: string,
  entries: readonly Entry[],
  told: Told,
): Promise<(Entry & { assessment?: NamedAssessment })[]> {
  const sessions = entries.map(({ session }) => session);
  const assessed = await assessSessions(deps, gkScopeId, sessions);
  const named = await withNames(deps, gkScopeId, sessions, assessed, told);
  return entries.map((entry) => {
    const assessment = named.get(entry.session.gkSessionId);
    return { ...entry, ...(assessment && { assessment }) };
  });
}

export interface SoughtAssessments {
  /** All of these. */
  caveats?: readonly Caveat[];
  /** Something was not checked, or not to its end, and that takes green away. */
  isIncomplete?: boolean;
  /** In any of these states. */
  caseStates?: readonly CaseState[];
  /** Any of these. */
  headlines?: readonly Headline[];
  /** Any of these, as of now. */
  decisions?: readonly Decision[];
}

/** By which stored assessments sessions are found; undefined if nothing is sought. */
export async function assessmentFilter(
  deps: BiometricsDeps,
  gkScopeId: string,
  { caveats = [], headlines = [], decisions = [], isIncomplete = false }: SoughtAssessments,
): Promise<AssessmentFilter | undefined> {
  if (!isIncomplete && [caveats, headlines, decisions].every(({ length }) => length === 0)) return undefined;
  const orUnassessed = await deps.store.read.assessments.hasUnassessed(gkScopeId);
  const names = caveats.map((name) => [name]);
  return { caveats: [...names, ...(isIncomplete ? [gaps] : [])], headlines, decisions, orUnassessed };
}

/** What is stored may be outdated for a moment: every session that is shown fits now. */
export async function soughtByAssessment<Entry extends { session: Session } & CaseFacts>(
  deps: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
  sought: SoughtAssessments,
): Promise<Entry[]> {
  const { caveats = [], headlines = [], caseStates = [], isIncomplete = false } = sought;
  if (!isIncomplete && [caveats, headlines, caseStates].every(({ length }) => length === 0))
    return [...entries];
  const sessions = entries.map(({ session }) => session);
  const assessed = await assessSessions(deps, gkScopeId, sessions);
  return entries.filter((entry) => {
    const assessment = assessed.get(entry.session.gkSessionId);
    if (assessment === undefined || !isSought(assessment, sought)) return false;
    const state = caseStateOf(entry, assessment, entry.session);
    return caseStates.length === 0 || (state !== undefined && caseStates.includes(state));
  });
}

const isSought = (
  { caveats, headline, tone }: Assessment,
  { caveats: sought = [], headlines = [], isIncomplete = false }: SoughtAssessments,
): boolean =>
  (!isIncomplete || (tone !== 'GOOD' && caveats.some((caveat) => gaps.includes(caveat)))) &&
  sought.every((caveat) => caveats.includes(caveat)) &&
  (headlines.length === 0 || headlines.includes(headline));

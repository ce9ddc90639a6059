// Cases of analysts: which calls are one, whom they are assigned to, and how far they are.
import type { Actors } from '../../audit/ports.js';
import { invalidFields } from '../../errors.js';
import { say } from '../../words/server/say.js';
import type { Caveat } from '../assessment/caveats.js';
import type { FoundLater, Headline } from '../assessment/model.js';
import { caseNumberOf, caseOwnerOf, type Engagement, type Session, type Verdict } from '../model/sessions.js';

export type CaseState = 'OPEN' | 'IN_PROGRESS' | 'CLOSED';

/** What was recorded about an engagement. */
export interface CaseFacts {
  /** Empty if nobody entered one. */
  caseNumber: string;
  /** The user ID of whoever has the case; empty if nobody. */
  caseOwner: string;
  verdict?: Verdict;
}

interface AssessedCall {
  headline: Headline;
  foundLater: readonly Pick<FoundLater, 'atMs'>[];
}

/** A call with one of these is a case whether or not anybody has looked at it. */
export const CASE_HEADLINE = 'FRAUD' satisfies Headline;
export const CASE_CAVEAT = 'FOUND_LATER' satisfies Caveat;

export const caseFactsOf = (engagement: Engagement): CaseFacts => ({
  caseNumber: caseNumberOf(engagement),
  caseOwner: caseOwnerOf(engagement),
  ...(engagement.verdict && { verdict: engagement.verdict }),
});

/** Undefined: not a case. Nobody sets the state: it follows from what was recorded, so the two cannot disagree. */
export function caseStateOf(
  { caseNumber, caseOwner, verdict }: CaseFacts,
  assessment: AssessedCall | undefined,
  { isTest }: Pick<Session, 'isTest'>,
): CaseState | undefined {
  const { headline, foundLater = [] } = assessment ?? {};
  // What somebody has tried out is no alarm.
  const isAlarm = (headline === CASE_HEADLINE || foundLater.length > 0) && !isTest;
  if (caseNumber === '' && caseOwner === '' && !isAlarm) return undefined;
  const isSettled = verdict && verdict.verdict !== 'UNCERTAIN';
  if (isSettled && !foundLater.some(({ atMs = 0 }) => atMs > verdict.atMs)) return 'CLOSED';
  return caseOwner === '' ? 'OPEN' : 'IN_PROGRESS';
}

/** The user ID of whoever is to have a case. */
export async function assigneeIn(actors: Actors, gkScopeId: string, name: string): Promise<string> {
  const user = await actors.userNamed(name.trim());
  if (!user || user.isLocked || !user.reaches(gkScopeId))
    throw invalidFields([{ field: 'assigned_to', violation: 'OTHER', ...say('NOT_A_USER_HERE') }]);
  return user.userId;
}

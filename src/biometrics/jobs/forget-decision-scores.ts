// The decision of a session or an engagement is reported with the risk of the check that it comes from. If that check was with
// an erased person and the session is kept, the decision is kept but its risk is removed, since the check behind it is gone.
import type { DecisionSummary, Factor } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { unscored } from './forget-engagements.js';

/** For the engagements of these sessions, after the scores of checks were removed. */
export async function forgetDecisionScores(
  tx: BiometricsTransaction,
  gkScopeId: string,
  gkSessionIds: readonly string[],
  nowMs: number,
): Promise<void> {
  const scored = await tx.sessions.findMany(gkScopeId, [...new Set(gkSessionIds)]);
  // In a fixed order, so that no two erasures wait for each other.
  for (const gkEngagementId of [...new Set(scored.map((session) => session.gkEngagementId))].sort()) {
    const engagement = await tx.engagements.find(gkScopeId, gkEngagementId);
    const checks = await tx.factors.listByEngagement(gkScopeId, gkEngagementId);
    for (const session of await tx.sessions.listByEngagement(gkScopeId, gkEngagementId)) {
      const { decision } = session;
      if (decision && isUnaccounted(decision, checks))
        await tx.sessions.update({ ...session, decision: unscored(decision), modifiedAtMs: nowMs });
    }
    if (engagement?.decision && isUnaccounted(engagement.decision, checks))
      await tx.engagements.update({
        ...engagement,
        decision: unscored(engagement.decision),
        modifiedAtMs: nowMs,
      });
  }
}

const isUnaccounted = ({ risk, reliability }: DecisionSummary, checks: readonly Factor[]): boolean =>
  risk !== undefined && !checks.some((check) => check.risk === risk && check.reliability === reliability);

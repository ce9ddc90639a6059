// Consecutive mismatches are counted, and any match resets the count, even one that Verify did not make. These operations do
// not count mismatches themselves (docs/adr/0030-voiceprint-decisions.md).
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Decision } from '../model/outcome.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { afterDecision, isLocked } from '../rules/profile-changes.js';
import type { DecisionRun } from './audio-input.js';

/**
 * `decision`: over all checks of the call. A matching voice that is synthetic, or a fraudster's, is no match
 * of the owner.
 */
export async function forgetMismatches(
  tx: BiometricsTransaction,
  { deps, context }: DecisionRun,
  decision: Decision,
  compared: ComparisonOutcome | undefined,
): Promise<void> {
  const [best] = compared?.scores ?? [];
  if (decision !== 'AUTHENTIC' || compared?.decision !== 'AUTHENTIC' || !best) return;
  const now = deps.clock.now();
  const profile = await tx.profiles.find(context.gkScopeId, best.candidate.gkVoiceprintProfileId);
  // Another call may have locked it meanwhile: a lock ends by time or by hand.
  if (!profile || profile.ownerType !== 'PERSON' || isLocked(profile, now)) return;
  const changed = afterDecision(profile, decision, context.parameters, now);
  if (changed) await tx.profiles.update(changed);
}

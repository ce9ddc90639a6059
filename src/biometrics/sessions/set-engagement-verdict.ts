// SetEngagementVerdict: an analyst's verdict on an engagement. With the verdict FRAUD it can also undo what the engagement
// left behind: the segments enrolled in it, and the consents given in it.
import { changedMeanwhile, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { eraseWhatWasKept } from '../call/data-subjects.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults } from '../call/limits.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { untrained } from '../rules/profile-changes.js';
import type { Engagement, EngagementVerdict } from '../model/sessions.js';
import { say } from '../../words/server/say.js';

export interface SetVerdictInput {
  context: RequestContext;
  gkEngagementId?: string;
  verdict?: EngagementVerdict;
  description: string;
  amount?: bigint;
  resetEnrollmentOnFraud: boolean;
  /**
   * When the verdict that the caller had read was given; `atMs` is absent if there was none. A different one
   * is not replaced.
   */
  expected?: { atMs?: number };
}

export async function setEngagementVerdict(
  deps: BiometricsDeps,
  call: Call,
  input: SetVerdictInput,
): Promise<void> {
  const gkEngagementId = input.gkEngagementId || input.context.gkEngagementId || '';
  const faults = new Faults()
    .text('description', input.description)
    .required('verdict', input.verdict)
    .required('gk_engagement_id', gkEngagementId);
  if (input.resetEnrollmentOnFraud && input.verdict !== 'FRAUD') {
    faults.add({
      field: 'reset_enroll_attributes_on_fraud',
      violation: 'FIELD_CONFLICT',
      ...say('ONLY_WITH_FRAUD'),
    });
  }
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const verdict = input.verdict as EngagementVerdict;
  await deps.store.transaction(async (tx) => {
    const engagement = await tx.engagements.find(gkScopeId, gkEngagementId);
    if (!engagement) throw notFound('engagement', 'gk_engagement_id');
    if (input.expected && input.expected.atMs !== engagement.verdict?.atMs)
      throw changedMeanwhile(['verdict']);
    const now = deps.clock.now();
    await tx.engagements.update({
      ...engagement,
      verdict: {
        verdict,
        description: input.description,
        analystId: call.caller.subject,
        atMs: now,
        ...(input.amount !== undefined && { amount: input.amount }),
      },
      modifiedAtMs: now,
    });
    // No longer evidence of fraud, or the alarm was a false one.
    const isNoEvidence =
      verdict === 'AUTHENTIC' || (engagement.verdict?.verdict === 'FRAUD' && verdict !== 'FRAUD');
    const erased = isNoEvidence ? await eraseWhatWasKept(deps, tx, gkScopeId, { gkEngagementId }) : 0;
    const undone = input.resetEnrollmentOnFraud ? await undoEnrollment(deps, tx, engagement) : undefined;
    await audit(tx, call, {
      type: 'ENGAGEMENT_EVENT',
      operation: 'SetEngagementVerdict',
      gkScopeId,
      gkEngagementId,
      subjects: [gkEngagementId],
      detail: {
        verdict,
        ...(engagement.verdict && { verdictBefore: engagement.verdict.verdict }),
        ...(undone && { undone }),
        // What was kept of erased persons is examined again, and deleted if nothing else keeps it.
        ...(erased > 0 && { erasedPersons: erased }),
      },
      personal: {
        description: input.description,
        ...(input.amount !== undefined && { amount: input.amount.toString() }),
      },
    });
  });
}

async function undoEnrollment(
  deps: BiometricsDeps,
  tx: BiometricsTransaction,
  engagement: Engagement,
): Promise<{ segments: number; consents: number }> {
  const { gkScopeId, gkEngagementId } = engagement;
  const segments = await tx.enrollment.listByEngagement(gkEngagementId);
  const now = deps.clock.now();
  for (const segment of segments) {
    await tx.enrollment.remove(segment.gkVoiceprintProfileId, segment.gkProcessedAudioId);
    const profile = await tx.profiles.find(gkScopeId, segment.gkVoiceprintProfileId);
    // A template that contains a fraudster's voice must not be used any longer.
    if (profile && profile.status !== 'NOT_TRAINED' && segment.usedForTrain)
      await tx.profiles.update(untrained(profile, now));
  }
  let consents = 0;
  for (const session of await tx.sessions.listByEngagement(gkScopeId, gkEngagementId)) {
    const { claimedGkPersonId } = session;
    const person = claimedGkPersonId
      ? await tx.parties.find(gkScopeId, 'PERSON', claimedGkPersonId)
      : undefined;
    if (person?.consent?.status !== 'OPTED_IN' || person.consent.atMs < engagement.createdAtMs) continue;
    const { consent: _withdrawn, ...rest } = person;
    await tx.parties.update({ ...rest, modifiedAtMs: now });
    consents += 1;
  }
  return { segments: segments.length, consents };
}

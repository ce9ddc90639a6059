// What a verification leaves behind: mismatches are counted on the print, a certain match may adapt it, and the decision is
// stored with the state of the lock.
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Profile } from '../model/profiles.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { adapted } from '../rules/adapt-print.js';
import { afterDecision, isLocked } from '../rules/profile-changes.js';
import {
  comparisonRecord,
  comparisonResult,
  type ComparisonResult,
  type DecisionRecord,
} from './decision-records.js';
import type { DecisionRun } from './decision-run.js';
import { verifiableHere } from './leave-to-others.js';
import type { PrintToVerify } from './print-to-verify.js';
import type { Conclusion } from './record.js';

export type VerifyResult = ComparisonResult & { profile: Profile };

export async function concludeVerification(
  tx: BiometricsTransaction,
  run: DecisionRun,
  { request, judged }: { request: PrintToVerify; judged: ComparisonOutcome },
): Promise<Conclusion<VerifyResult>> {
  const { deps, context } = run;
  const { gkVoiceprintProfileId } = request;
  const found = await tx.profiles.find(context.gkScopeId, gkVoiceprintProfileId);
  // Another call may have locked the print meanwhile; our answer must not contradict it.
  const current = await verifiableHere(deps, found, 'beat');
  const profile = afterVerification(run, current, judged);
  if (profile !== current) await tx.profiles.update(profile);
  const record = comparisonRecord(run, 'AUTHENTICATION', judged);
  const { mismatchCounter, locked } = profile.lock;
  return {
    result: { ...comparisonResult(run, judged), profile },
    records: [
      {
        ...record,
        subjects: [profile.gkVoiceprintProfileId, profile.gkOwnerId],
        detail: { ...record.detail, mismatchCounter, locked },
        factor: { ...record.factor, gkVoiceprintProfileId },
      },
      // It was not locked before, otherwise the call would have been refused.
      ...(profile !== current && isLocked(profile, deps.clock.now()) ? [automaticLock(profile)] : []),
    ],
  };
}

/** An automatic lock is recorded as its own operation, so that it is found next to the manual ones. */
function automaticLock({ gkVoiceprintProfileId, gkOwnerId, lock }: Profile): DecisionRecord {
  const { reason, mismatchCounter, autoUnlockAtMs } = lock;
  return {
    type: 'VOICEPRINT_EVENT',
    operation: 'AutomaticLock',
    subjects: [gkVoiceprintProfileId, gkOwnerId],
    detail: {
      gkVoiceprintProfileId,
      lockReason: reason,
      mismatchCounter,
      ...(autoUnlockAtMs !== undefined && { autoUnlockAt: new Date(autoUnlockAtMs).toISOString() }),
    },
  };
}

function afterVerification(
  { deps, context, calibration, prepared }: DecisionRun,
  profile: Profile,
  { decision }: ComparisonOutcome,
): Profile {
  const now = deps.clock.now();
  const counted = afterDecision(profile, decision, context.parameters, now) ?? profile;
  return decision === 'AUTHENTIC'
    ? adapted(counted, prepared.audio, calibration.model, context.parameters, now)
    : counted;
}

// Verify: is this the voice of one enrolled person? Its own parts, in the order in which they run.
import { auditDetail } from '../../audit/model.js';
import { missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Profile } from '../model/profiles.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { adapted } from '../rules/adapt-print.js';
import { afterDecision, isLocked } from '../rules/profile-changes.js';
import type { AudioInput, DecisionRun } from './audio-input.js';
import {
  comparisonRecord,
  comparisonResult,
  type ComparisonResult,
  type DecisionRecord,
  type Conclusion,
  type PromptWanted,
} from './record.js';
import type { OperationDeps } from './deps.js';
import { verifiableHere } from './candidates.js';
import type { OpenedCall } from './opened-call.js';
import { runDecision } from './run-decision.js';
import { compare, Comparison, purposeOfComparison } from './score-candidates.js';

interface PrintToVerify {
  gkVoiceprintProfileId: string;
  ignoreCheckpoints: boolean;
}

interface VerifyInput extends PrintToVerify {
  context: RequestContext;
  audio: AudioInput;
}

type VerifyResult = ComparisonResult & { profile: Profile };

export function verify(
  deps: OperationDeps,
  call: Call,
  input: VerifyInput,
): Promise<VerifyResult & PromptWanted> {
  return runDecision(deps, call, {
    name: 'Verify',
    request: input,
    faults: [input.gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id')],
    find: comparisonWithPrint,
    named: { prints: [input.gkVoiceprintProfileId] },
    purpose: purposeOfComparison,
    judge: compare,
    conclude: concludeVerification,
    speaker: ({ solePerson }) => solePerson,
  });
}

/** Verify's comparison: with one print. */
async function comparisonWithPrint(
  opened: OpenedCall,
  { gkVoiceprintProfileId, ignoreCheckpoints }: PrintToVerify,
): Promise<Comparison> {
  const { deps, context } = opened;
  const found = await deps.store.read.profiles.find(context.gkScopeId, gkVoiceprintProfileId);
  const print = await verifiableHere(deps, found);
  return Comparison.withPrints(opened, { listed: [print] }, { side: 'AUTHENTICATION', ignoreCheckpoints });
}

/** Mismatches are counted on the print, and a certain match may adapt it. */
async function concludeVerification(
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
        detail: auditDetail({ ...record.detail, mismatchCounter, locked }),
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
    detail: auditDetail({
      gkVoiceprintProfileId,
      lockReason: reason,
      mismatchCounter,
      ...(autoUnlockAtMs !== undefined && { autoUnlockAt: new Date(autoUnlockAtMs).toISOString() }),
    }),
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

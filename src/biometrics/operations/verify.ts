// Verify: is this the voice of one enrolled person?
import { AppError, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { RequestContext } from '../call/context.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Profile } from '../model/profiles.js';
import { adapted } from '../rules/adapt-print.js';
import { afterDecision, isLocked } from '../rules/profile-changes.js';
import type { AudioInput } from './audio-input.js';
import { isCompatible, wrongOwner } from './candidates.js';
import { comparisonPurpose } from './listening.js';
import type { OperationDeps } from './deps.js';
import { comparisonRecord } from './decision-records.js';
import type { DecisionRun } from './decision-run.js';
import { runDecision } from './run-decision.js';
import { Comparison } from './score-candidates.js';

export interface VerifyInput {
  context: RequestContext;
  audio: AudioInput;
  gkVoiceprintProfileId: string;
  ignoreCheckpoints: boolean;
}

export interface ComparisonResult {
  outcome: ComparisonOutcome;
  audio: ProcessedAudio;
  calibration: ActiveCalibration;
}

export function verify(
  deps: OperationDeps,
  call: Call,
  input: VerifyInput,
): Promise<ComparisonResult & { profile: Profile }> {
  const { gkVoiceprintProfileId, ignoreCheckpoints } = input;
  return runDecision(deps, call, {
    name: 'Verify',
    request: input,
    faults: [gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id')],
    find: async (opened) => {
      const { gkScopeId } = opened.context;
      const print = verifiable(deps, await deps.store.read.profiles.find(gkScopeId, gkVoiceprintProfileId));
      return Comparison.withPrints(
        opened,
        { listed: [print] },
        { side: 'AUTHENTICATION', ignoreCheckpoints },
      );
    },
    purpose: ({ context }, comparison) =>
      comparisonPurpose(context.parameters, [comparison], ignoreCheckpoints),
    judge: (run, comparison) => comparison.outcome(run.prepared.audio),
    conclude: async (tx, run, outcome) => {
      // Another call may have locked the print meanwhile; its answer must not be overtaken by ours.
      const current = verifiable(deps, await tx.profiles.find(run.context.gkScopeId, gkVoiceprintProfileId));
      const profile = afterVerification(run, current, outcome);
      if (profile !== current) await tx.profiles.update(profile);
      const record = comparisonRecord(run, 'AUTHENTICATION', outcome);
      return {
        result: { outcome, audio: run.prepared.audio, calibration: run.calibration, profile },
        records: [
          {
            ...record,
            subjects: [profile.gkVoiceprintProfileId, profile.gkOwnerId],
            detail: {
              ...record.detail,
              mismatchCounter: profile.lock.mismatchCounter,
              locked: profile.lock.locked,
            },
            factor: { ...record.factor, gkVoiceprintProfileId },
          },
        ],
      };
    },
  });
}

/** Mismatches are counted; after a sure match the print may learn from it. */
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

function verifiable({ clock, engine }: OperationDeps, profile: Profile | undefined): Profile {
  if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  if (profile.ownerType !== 'PERSON') throw wrongOwner(profile, 'PERSON', 'gk_voiceprint_profile_id');
  if (isLocked(profile, clock.now())) {
    const until = profile.lock.autoUnlockAtMs;
    throw new AppError('PERMISSION_DENIED', 'the voiceprint is locked', {
      diagnostics: [
        {
          code: 'PROFILE_LOCKED',
          extras: { ...(until !== undefined && { auto_unlock_timestamp: new Date(until).toISOString() }) },
        },
      ],
    });
  }
  // The comparison itself fails, and says so.
  if (profile.damaged) return profile;
  const { trained } = profile;
  if (!trained) {
    throw unusable(
      'PROFILE_NOT_TRAINED',
      'the voiceprint is not trained: enroll and train it first',
      'names a print that is not trained',
    );
  }
  if (!isCompatible(trained, engine.model)) {
    throw unusable(
      'CALIBRATION_INCOMPATIBLE',
      'the voiceprint was made by another speaker model: train it again',
      'names a print of another speaker model',
      { print_model: trained.template.modelRevision, required_model: engine.model.revision },
    );
  }
  return profile;
}

function unusable(
  code: string,
  message: string,
  fieldMessage: string,
  extras?: Record<string, string>,
): AppError {
  return new AppError('INVALID_REQUEST', message, {
    fields: [{ field: 'gk_voiceprint_profile_id', violation: 'OTHER', message: fieldMessage }],
    diagnostics: [{ code, ...(extras && { extras }) }],
  });
}

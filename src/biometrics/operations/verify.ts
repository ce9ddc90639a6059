// Verify: is this the voice of one enrolled person?
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration, type ActiveCalibration } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Profile } from '../model/profiles.js';
import { afterDecision, isLocked } from '../rules/profile-changes.js';
import { adapted } from '../rules/adapt-print.js';
import { checkAudioInput, prepareAudio, type AudioInput } from './audio-input.js';
import { isCompatible, these, type Candidate } from './candidates.js';
import { checkpointSeconds } from '../rules/checkpoints.js';
import type { OperationDeps } from './deps.js';
import { auditDecision, decisionDetail, factorOf, storeAudio, storeFactor } from './record.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import { compare } from './score-candidates.js';

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

export async function verify(
  deps: OperationDeps,
  call: Call,
  input: VerifyInput,
): Promise<ComparisonResult & { profile: Profile }> {
  if (!input.gkVoiceprintProfileId) throw invalidFields([missingField('gk_voiceprint_profile_id')]);
  checkAudioInput(input.audio);
  const context = await openFullContext(deps, call, input.context);
  const profile = await deps.store.read.profiles.find(context.gkScopeId, input.gkVoiceprintProfileId);
  if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  const candidate = verifiable(deps, profile);
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  const prepared = await prepareAudio(deps, call, context, calibration, input.audio, {
    forEnrollment: false,
    checkpointSeconds: input.ignoreCheckpoints ? [] : checkpointSeconds(context.parameters),
    spoof: { synthetic: false, playback: false },
    printType: 'VOICEPRINT',
  });
  const outcome = await compare(call.log, {
    model: calibration.model,
    parameters: context.parameters,
    side: 'AUTHENTICATION',
    audio: prepared.audio,
    candidates: these([candidate]),
    ignoreCheckpoints: input.ignoreCheckpoints,
  });

  const updated = await deps.store.transaction(async (tx) => {
    await storeAudio(tx, prepared);
    const current = await tx.profiles.find(context.gkScopeId, profile.gkVoiceprintProfileId);
    if (!current) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
    // Another call may have locked the print meanwhile; its answer must not be overtaken by ours.
    verifiable(deps, current);
    const now = deps.clock.now();
    const counted = afterDecision(current, outcome.decision, context.parameters, now) ?? current;
    const next =
      outcome.decision === 'AUTHENTIC'
        ? adapted(counted, prepared.audio, calibration.model, context.parameters, now)
        : counted;
    if (next !== current) await tx.profiles.update(next);
    await storeFactor(deps, tx, context, calibration, 'Verify', prepared, outcome.netSpeechMs, {
      ...factorOf('AUTHENTICATION', outcome),
      gkVoiceprintProfileId: profile.gkVoiceprintProfileId,
    });
    await auditDecision(tx, call, context, 'Verify', [profile.gkVoiceprintProfileId, profile.gkOwnerId], {
      ...decisionDetail(context, calibration, prepared, outcome),
      mismatchCounter: next.lock.mismatchCounter,
      locked: next.lock.locked,
    });
    return next;
  });
  return { outcome, audio: prepared.audio, calibration, profile: updated };
}

function verifiable(deps: OperationDeps, profile: Profile): Candidate {
  if (isLocked(profile, deps.clock.now())) {
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
  const { trained } = profile;
  if (!trained) {
    throw new AppError('INVALID_REQUEST', 'the voiceprint is not trained: enroll and train it first', {
      fields: [
        {
          field: 'gk_voiceprint_profile_id',
          violation: 'OTHER',
          message: 'names a print that is not trained',
        },
      ],
      diagnostics: [{ code: 'PROFILE_NOT_TRAINED' }],
    });
  }
  if (!isCompatible(trained, deps.engine.model.revision)) {
    throw new AppError(
      'INVALID_REQUEST',
      'the voiceprint was made by another speaker model: train it again',
      {
        fields: [
          {
            field: 'gk_voiceprint_profile_id',
            violation: 'OTHER',
            message: 'names a print of another speaker model',
          },
        ],
        diagnostics: [
          {
            code: 'CALIBRATION_INCOMPATIBLE',
            extras: {
              print_model: trained.template.modelRevision,
              required_model: deps.engine.model.revision,
            },
          },
        ],
      },
    );
  }
  return { ...profile, trained };
}

// Identify: whose voice is this, among the prints of a list or a group?
import { invalidFields, missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { OwnerType } from '../model/outcome.js';
import { checkAudioInput, prepareAudio, type AudioInput } from './audio-input.js';
import { explainNoScores, findPrints, scorable, type CandidateTarget } from './candidates.js';
import { checkpointSeconds } from '../rules/checkpoints.js';
import type { OperationDeps } from './deps.js';
import { auditDecision, decisionDetail, factorOf, storeAudio, storeFactor } from './record.js';
import type { Side } from '../model/comparison.js';
import { compare } from './score-candidates.js';
import type { ComparisonResult } from './verify.js';

export interface CompareManyInput {
  context: RequestContext;
  audio: AudioInput;
  target: CandidateTarget;
  ignoreCheckpoints: boolean;
}

export function identify(
  deps: OperationDeps,
  call: Call,
  input: CompareManyInput,
): Promise<ComparisonResult> {
  return compareMany(deps, call, input, {
    operation: 'Identify',
    side: 'AUTHENTICATION',
    ownerType: 'PERSON',
    collectionField: 'group',
  });
}

/** DetectKnownFraudsters: is this the voice of anybody on the watchlist? */
export function detectKnownFraudsters(
  deps: OperationDeps,
  call: Call,
  input: CompareManyInput,
): Promise<ComparisonResult> {
  return compareMany(deps, call, input, {
    operation: 'DetectKnownFraudsters',
    side: 'FRAUD_DETECTION',
    ownerType: 'FRAUDSTER',
    collectionField: 'watchlist',
  });
}

interface Variant {
  operation: string;
  side: Side;
  ownerType: OwnerType;
  collectionField: string;
}

async function compareMany(
  deps: OperationDeps,
  call: Call,
  input: CompareManyInput,
  variant: Variant,
): Promise<ComparisonResult> {
  checkAudioInput(input.audio);
  checkTarget(input.target, variant.collectionField);
  const context = await openFullContext(deps, call, input.context);
  const prints = await findPrints(
    deps,
    context.gkScopeId,
    variant.ownerType,
    input.target,
    context.parameters.authentication.identifyPrintsMax,
  );
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  const prepared = await prepareAudio(deps, call, context, calibration, input.audio, {
    forEnrollment: false,
    checkpointSeconds: input.ignoreCheckpoints ? [] : checkpointSeconds(context.parameters),
    spoof: { synthetic: false, playback: false },
    printType: 'VOICEPRINT',
  });
  const compared = await compare(call.log, {
    model: calibration.model,
    parameters: context.parameters,
    side: variant.side,
    audio: prepared.audio,
    candidates: scorable(deps, prints),
    ignoreCheckpoints: input.ignoreCheckpoints,
  });
  const outcome = explainNoScores(compared, prints);
  const best = outcome.scores[0]?.candidate;
  await deps.store.transaction(async (tx) => {
    await storeAudio(tx, prepared);
    await storeFactor(
      deps,
      tx,
      context,
      calibration,
      variant.operation,
      prepared,
      outcome.netSpeechMs,
      factorOf(variant.side, outcome),
    );
    const subjects = best ? [best.gkVoiceprintProfileId, best.gkOwnerId] : [];
    await auditDecision(
      tx,
      call,
      context,
      variant.operation,
      subjects,
      decisionDetail(context, calibration, prepared, outcome),
    );
  });
  return { outcome, audio: prepared.audio, calibration };
}

export function checkTarget(target: CandidateTarget, collectionField: string): void {
  if (target.collection && !target.collection.gkId)
    throw invalidFields([missingField(`${collectionField}.unique_id`)]);
  if (!target.collection && (target.profileIds?.length ?? 0) === 0)
    throw invalidFields([missingField('gk_voiceprint_profile_ids')]);
}

// DetectAudioSpoofing: the attack checks alone, with the same results as in AnalyzeAudio.
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration, type ActiveCalibration } from '../calibration/active.js';
import { openFullContext, type FullContext, type RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { judgeAttack, type AttackKind, type AttackOutcome } from '../rules/judge-attack.js';
import {
  checkAudioInput,
  evidenceOf,
  prepareAudio,
  type AudioInput,
  type PreparedAudio,
} from './audio-input.js';
import type { OperationDeps } from './deps.js';
import { auditDecision, storeAudio, storeFactor } from './record.js';

export interface DetectSpoofingInput {
  context: RequestContext;
  audio: AudioInput;
  checks: { synthetic: boolean; playback: boolean; footprint: boolean };
  /** Makes the audio personal data of this person. */
  gkPersonId?: string;
}

export interface DetectSpoofingResult {
  audio: ProcessedAudio;
  synthetic?: AttackOutcome;
  playback?: AttackOutcome;
}

export async function detectAudioSpoofing(
  deps: OperationDeps,
  call: Call,
  input: DetectSpoofingInput,
): Promise<DetectSpoofingResult> {
  checkAudioInput(input.audio);
  if (input.checks.footprint) {
    throw new AppError(
      'INVALID_REQUEST',
      'footprint playback detection is for fixed phrases and is not offered: leave the parameter out',
      {
        fields: [
          {
            field: 'footprintPlaybackDetectionParameters',
            violation: 'OTHER',
            message: 'is not offered by this service',
          },
        ],
      },
    );
  }
  if (!input.checks.synthetic && !input.checks.playback) {
    throw invalidFields([
      {
        ...missingField('syntheticSpeechDetectionParameters'),
        message:
          'name at least one check: syntheticSpeechDetectionParameters or channelPlaybackDetectionParameters',
      },
    ]);
  }
  const context = await openFullContext(deps, call, input.context);
  if (
    input.gkPersonId &&
    !(await deps.store.read.parties.find(context.gkScopeId, 'PERSON', input.gkPersonId))
  )
    throw notFound('person', 'gk_person_id');
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  const prepared = await prepareAudio(deps, call, context, calibration, input.audio, {
    forEnrollment: false,
    checkpointSeconds: [],
    spoof: input.checks,
    printType: 'NONE',
  });
  const attack = (kind: AttackKind) =>
    input.checks[kind] ? judgeAttack(kind, evidenceOf(deps, prepared, kind), context.parameters) : undefined;
  const synthetic = attack('synthetic');
  const playback = attack('playback');
  await deps.store.transaction(async (tx) => {
    await storeAudio(tx, {
      ...prepared,
      audio: { ...prepared.audio, ...(input.gkPersonId && { gkPersonId: input.gkPersonId }) },
    });
    if (input.gkPersonId) {
      const media = await tx.media.find(context.gkScopeId, prepared.media.gkMediaSegmentId);
      if (media)
        await tx.media.update({ ...media, gkPersonId: input.gkPersonId, modifiedAtMs: deps.clock.now() });
    }
    for (const outcome of [synthetic, playback]) {
      if (outcome)
        await storeAttackFactor(
          deps,
          tx,
          call,
          context,
          calibration,
          'DetectAudioSpoofing',
          prepared,
          outcome,
        );
    }
  });
  return { audio: prepared.audio, ...(synthetic && { synthetic }), ...(playback && { playback }) };
}

export async function storeAttackFactor(
  deps: OperationDeps,
  tx: BiometricsTransaction,
  call: Call,
  context: FullContext,
  calibration: ActiveCalibration,
  operation: string,
  prepared: PreparedAudio,
  outcome: AttackOutcome,
): Promise<void> {
  await storeFactor(deps, tx, context, calibration, operation, prepared, prepared.audio.netAudioMs, {
    kind: outcome.kind === 'synthetic' ? 'SYNTHETIC_SPEECH' : 'CHANNEL_PLAYBACK',
    decision: outcome.decision,
    reason: outcome.reason,
    ...(outcome.risk && { risk: outcome.risk.risk, reliability: outcome.risk.reliability }),
    ...(outcome.score !== undefined && { score: outcome.score }),
  });
  await auditDecision(
    tx,
    call,
    context,
    operation,
    [prepared.audio.gkProcessedAudioId],
    {
      check: outcome.kind,
      decision: outcome.decision,
      reason: outcome.reason,
      risk: outcome.risk?.risk,
      reliability: outcome.risk?.reliability,
      score: outcome.score,
      detector: outcome.detectorRevision,
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
      configsetRevisionId: context.configset.gkConfigsetRevisionId,
    },
    'ANTI_SPOOFING_AUDIT_INFO_EVENT',
  );
}

// Storing what an operation measured: new processed audio, the factors of the session, and the audit record
// that lets the decision be replayed from model, calibration, config revision and score.
import type { JsonObject } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { FullContext } from '../call/context.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { Factor, FactorKind } from '../model/sessions.js';
import type { PreparedAudio } from './audio-input.js';
import type { OperationDeps } from './deps.js';
import type { ComparisonOutcome } from '../model/comparison.js';

export async function storeAudio(tx: BiometricsTransaction, prepared: PreparedAudio): Promise<void> {
  if (!prepared.isNew) return;
  await tx.processedAudios.insert(prepared.audio);
  const stored = await tx.media.find(prepared.audio.gkScopeId, prepared.audio.gkMediaSegmentId);
  if (stored && stored.lengthMs === undefined && prepared.media.lengthMs !== undefined)
    await tx.media.update(prepared.media);
}

export type FactorResult = Pick<Factor, 'kind' | 'decision' | 'reason'> &
  Partial<Pick<Factor, 'risk' | 'reliability' | 'score' | 'prints' | 'gkVoiceprintProfileId'>>;

export async function storeFactor(
  deps: OperationDeps,
  tx: BiometricsTransaction,
  context: FullContext,
  calibration: ActiveCalibration,
  operation: string,
  prepared: { audio: { gkProcessedAudioId: string } },
  netSpeechMs: number,
  result: FactorResult,
): Promise<void> {
  await tx.factors.insert({
    factorId: deps.ids.uuid(),
    gkScopeId: context.gkScopeId,
    gkEngagementId: context.engagement.gkEngagementId,
    gkSessionId: context.session.gkSessionId,
    operation,
    netSpeechMs,
    gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
    configsetRevisionId: context.configset.gkConfigsetRevisionId,
    calibrationRevisionId: calibration.revisionId,
    createdAtMs: deps.clock.now(),
    ...result,
  });
  await rememberInSession(deps, tx, context);
}

/** The stop of the session uses the config set of the last factor call when it names none itself. */
async function rememberInSession(
  deps: OperationDeps,
  tx: BiometricsTransaction,
  context: FullContext,
): Promise<void> {
  const { session, configset, gkScopeId } = context;
  if (session.configsetId) return;
  const current = await tx.sessions.find(gkScopeId, session.gkSessionId);
  if (current && !current.configsetId)
    await tx.sessions.update({
      ...current,
      configsetId: configset.configsetId,
      modifiedAtMs: deps.clock.now(),
    });
}

export function factorOf(kind: FactorKind, outcome: ComparisonOutcome): FactorResult {
  const best = outcome.scores[0];
  return {
    kind,
    decision: outcome.decision,
    reason: outcome.reason,
    prints: outcome.prints,
    ...(outcome.risk && { risk: outcome.risk.risk, reliability: outcome.risk.reliability }),
    ...(best && { score: best.llr, gkVoiceprintProfileId: best.candidate.gkVoiceprintProfileId }),
  };
}

/** The part of an audit detail that every decision has. */
export function decisionDetail(
  context: FullContext,
  calibration: ActiveCalibration,
  prepared: PreparedAudio,
  outcome: ComparisonOutcome,
): JsonObject {
  const best = outcome.scores[0];
  return {
    decision: outcome.decision,
    reason: outcome.reason,
    risk: outcome.risk?.risk,
    reliability: outcome.risk?.reliability,
    score: best?.llr,
    gkVoiceprintProfileId: best?.candidate.gkVoiceprintProfileId,
    printVersion: best?.candidate.version,
    prints: outcome.prints,
    netSpeechMs: Math.round(outcome.netSpeechMs),
    validity: prepared.audio.validity,
    gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
    model: calibration.model.revision,
    calibrationRevisionId: calibration.revisionId,
    configsetRevisionId: context.configset.gkConfigsetRevisionId,
  };
}

export async function auditDecision(
  tx: BiometricsTransaction,
  call: Call,
  context: FullContext,
  operation: string,
  subjects: readonly string[],
  detail: JsonObject,
  type: 'FACTORS_AUDIT_INFO_EVENT' | 'ANTI_SPOOFING_AUDIT_INFO_EVENT' = 'FACTORS_AUDIT_INFO_EVENT',
): Promise<void> {
  await audit(tx, call, {
    type,
    operation,
    gkScopeId: context.gkScopeId,
    gkEngagementId: context.engagement.gkEngagementId,
    gkSessionId: context.session.gkSessionId,
    configsetId: context.configset.configsetId,
    subjects,
    detail,
  });
}

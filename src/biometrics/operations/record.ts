// Storing what an operation measured: new processed audio, the factors of the session, and the audit record
// that lets the decision be replayed from model, calibration, config revision and score.
import type { JsonObject } from '../../audit/model.js';
import { audit } from '../call/audit.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import type { Factor } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { AttackOutcome } from '../rules/judge-attack.js';
import type { OpenedCall } from './opened-call.js';
import type { PreparedAudio } from './process-media.js';

/** One thing to remember of a call: an audit record and, when something was decided, a factor of the session. */
export interface DecisionRecord {
  type: 'AUDIO_EVENT' | 'FACTORS_AUDIT_INFO_EVENT' | 'ANTI_SPOOFING_AUDIT_INFO_EVENT';
  /** Internal IDs of the prints, owners or audio concerned. */
  subjects: readonly string[];
  detail: JsonObject;
  factor?: FactorResult;
}

type FactorResult = Pick<Factor, 'kind' | 'decision' | 'reason' | 'netSpeechMs'> &
  Partial<Pick<Factor, 'risk' | 'reliability' | 'score' | 'prints' | 'gkVoiceprintProfileId'>>;

/** Enough to find out what happened; the record stays small. */
const DAMAGED_MAX = 20;

type Run = OpenedCall & { prepared: PreparedAudio };

export async function storeAudio(tx: BiometricsTransaction, prepared: PreparedAudio): Promise<void> {
  if (!prepared.isNew) return;
  await tx.processedAudios.insert(prepared.audio);
  const stored = await tx.media.find(prepared.audio.gkScopeId, prepared.audio.gkMediaSegmentId);
  if (stored && stored.lengthMs === undefined && prepared.media.lengthMs !== undefined)
    await tx.media.update(prepared.media);
}

export async function storeRecord(
  tx: BiometricsTransaction,
  run: Run,
  operation: string,
  { type, subjects, detail, factor }: DecisionRecord,
): Promise<void> {
  const { deps, call, context, calibration, prepared } = run;
  const { gkScopeId, engagement, session, configset } = context;
  if (factor) {
    await tx.factors.insert({
      factorId: deps.ids.uuid(),
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      operation,
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
      configsetRevisionId: configset.gkConfigsetRevisionId,
      calibrationRevisionId: calibration.revisionId,
      createdAtMs: deps.clock.now(),
      ...factor,
    });
    await rememberConfigset(tx, run);
  }
  await audit(tx, call, {
    type,
    operation,
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    configsetId: configset.configsetId,
    subjects,
    detail: { ...detail, configsetRevisionId: configset.gkConfigsetRevisionId },
  });
}

/** The stop of the session uses the config set of the last factor call when it names none itself. */
async function rememberConfigset(
  tx: BiometricsTransaction,
  { deps, context: { session, configset, gkScopeId } }: OpenedCall,
): Promise<void> {
  if (session.configsetId) return;
  const current = await tx.sessions.find(gkScopeId, session.gkSessionId);
  if (current && !current.configsetId)
    await tx.sessions.update({
      ...current,
      configsetId: configset.configsetId,
      modifiedAtMs: deps.clock.now(),
    });
}

/** What is remembered of a voice comparison. */
export function comparisonRecord(
  { calibration, prepared }: Run,
  kind: Side,
  outcome: ComparisonOutcome,
): DecisionRecord & { factor: FactorResult } {
  const { decision, reason, risk, prints, netSpeechMs, stretch } = outcome;
  const best = outcome.scores[0];
  return {
    type: 'FACTORS_AUDIT_INFO_EVENT',
    subjects: best ? [best.candidate.gkVoiceprintProfileId, best.candidate.gkOwnerId] : [],
    detail: {
      factor: kind,
      decision,
      reason,
      risk: risk?.risk,
      reliability: risk?.reliability,
      score: best?.llr,
      gkVoiceprintProfileId: best?.candidate.gkVoiceprintProfileId,
      printVersion: best?.candidate.version,
      prints,
      ...(outcome.damaged && { damagedPrints: outcome.damaged.slice(0, DAMAGED_MAX) }),
      netSpeechMs: Math.round(netSpeechMs),
      ...(stretch && {
        stretchFromMs: Math.round(stretch.startMs),
        stretchToMs: Math.round(stretch.endMs),
        stretchScore: stretch.llr,
      }),
      validity: prepared.audio.validity,
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
      model: calibration.model.revision,
      calibrationRevisionId: calibration.revisionId,
    },
    factor: {
      kind,
      decision,
      reason,
      netSpeechMs,
      prints,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(best && { score: best.llr, gkVoiceprintProfileId: best.candidate.gkVoiceprintProfileId }),
    },
  };
}

/** What is remembered of an attack check. */
export function attackRecord({ prepared }: Run, outcome: AttackOutcome): DecisionRecord {
  const { kind, decision, reason, risk, score } = outcome;
  return {
    type: 'ANTI_SPOOFING_AUDIT_INFO_EVENT',
    subjects: [prepared.audio.gkProcessedAudioId],
    detail: {
      check: kind,
      decision,
      reason,
      risk: risk?.risk,
      reliability: risk?.reliability,
      score,
      detector: outcome.detectorRevision,
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
    },
    factor: {
      kind: kind === 'synthetic' ? 'SYNTHETIC_SPEECH' : 'CHANNEL_PLAYBACK',
      decision,
      reason,
      netSpeechMs: prepared.audio.netAudioMs,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
    },
  };
}

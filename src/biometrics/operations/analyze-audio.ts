// AnalyzeAudio: several checks on one audio in one call: persons, a group, a watchlist, synthetic speech and
// playback in any mix, and one decision over all of them.
import { invalidFields, missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration, type ActiveCalibration } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Decision, RiskResult, VoiceprintReason } from '../model/outcome.js';
import { judgeAttack, type AttackKind, type AttackOutcome } from '../rules/judge-attack.js';
import { checkAudioInput, evidenceOf, prepareAudio, type AudioInput } from './audio-input.js';
import {
  explainNoScores,
  findPrints,
  scorable,
  type CollectionAndTag,
  type NamedPrints,
} from './candidates.js';
import { checkpointSeconds } from '../rules/checkpoints.js';
import type { OperationDeps } from './deps.js';
import { auditDecision, decisionDetail, factorOf, storeAudio, storeFactor } from './record.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import { compare } from './score-candidates.js';
import { storeAttackFactor } from './detect-spoofing.js';

export interface AnalyzeInput {
  context: RequestContext;
  audio: AudioInput;
  profileIds?: readonly string[];
  group?: CollectionAndTag;
  watchlist?: CollectionAndTag;
  checks: { synthetic: boolean; playback: boolean };
  ignoreCheckpoints: boolean;
}

export interface AnalyzeResult {
  decision: Decision;
  reason: VoiceprintReason;
  risk?: RiskResult;
  audio: ProcessedAudio;
  calibration: ActiveCalibration;
  authentication?: ComparisonOutcome;
  fraud?: ComparisonOutcome;
  synthetic?: AttackOutcome;
  playback?: AttackOutcome;
}

export async function analyzeAudio(
  deps: OperationDeps,
  call: Call,
  input: AnalyzeInput,
): Promise<AnalyzeResult> {
  checkAudioInput(input.audio);
  const wantsPersons = (input.profileIds?.length ?? 0) > 0 || input.group !== undefined;
  if (!wantsPersons && !input.watchlist && !input.checks.synthetic && !input.checks.playback) {
    throw invalidFields([
      {
        ...missingField('gk_voiceprint_profile_ids'),
        message: 'name prints, a group, a watchlist or an attack check: there is nothing to analyze',
      },
    ]);
  }
  for (const [field, collection] of [
    ['group', input.group],
    ['watchlist', input.watchlist],
  ] as const) {
    if (collection && !collection.gkId) throw invalidFields([missingField(`${field}.unique_id`)]);
  }
  const context = await openFullContext(deps, call, input.context);
  const { gkScopeId, parameters } = context;
  const listMax = parameters.authentication.identifyPrintsMax;
  const persons = wantsPersons
    ? await findPrints(
        deps,
        gkScopeId,
        'PERSON',
        {
          ...(input.profileIds && { profileIds: input.profileIds }),
          ...(input.group && { collection: input.group }),
        },
        listMax,
      )
    : undefined;
  const fraudsters = input.watchlist
    ? await findPrints(deps, gkScopeId, 'FRAUDSTER', { collection: input.watchlist }, listMax)
    : undefined;

  const calibration = await activeCalibration(deps.store, gkScopeId, deps.engine.model);
  const prepared = await prepareAudio(deps, call, context, calibration, input.audio, {
    forEnrollment: false,
    checkpointSeconds: input.ignoreCheckpoints ? [] : checkpointSeconds(parameters),
    spoof: input.checks,
    printType: 'VOICEPRINT',
  });
  const { audio } = prepared;
  const compareWith = async (side: Side, prints: NamedPrints | undefined) =>
    prints &&
    explainNoScores(
      await compare(call.log, {
        model: calibration.model,
        parameters,
        side,
        audio,
        candidates: scorable(deps, prints),
        ignoreCheckpoints: input.ignoreCheckpoints,
      }),
      prints,
    );
  const authentication = await compareWith('AUTHENTICATION', persons);
  const fraud = await compareWith('FRAUD_DETECTION', fraudsters);
  const attack = (kind: AttackKind) =>
    input.checks[kind] ? judgeAttack(kind, evidenceOf(deps, prepared, kind), parameters) : undefined;
  const synthetic = attack('synthetic');
  const playback = attack('playback');
  const overall = combine(
    authentication,
    fraud,
    [synthetic, playback].filter((outcome) => outcome !== undefined),
  );

  await deps.store.transaction(async (tx) => {
    await storeAudio(tx, prepared);
    for (const [kind, outcome] of [
      ['AUTHENTICATION', authentication],
      ['FRAUD_DETECTION', fraud],
    ] as const) {
      if (!outcome) continue;
      await storeFactor(
        deps,
        tx,
        context,
        calibration,
        'AnalyzeAudio',
        prepared,
        outcome.netSpeechMs,
        factorOf(kind, outcome),
      );
      const best = outcome.scores[0]?.candidate;
      await auditDecision(
        tx,
        call,
        context,
        'AnalyzeAudio',
        best ? [best.gkVoiceprintProfileId, best.gkOwnerId] : [],
        {
          factor: kind,
          ...decisionDetail(context, calibration, prepared, outcome),
        },
      );
    }
    for (const outcome of [synthetic, playback]) {
      if (outcome)
        await storeAttackFactor(deps, tx, call, context, calibration, 'AnalyzeAudio', prepared, outcome);
    }
  });
  return {
    ...overall,
    audio,
    calibration,
    ...(authentication && { authentication }),
    ...(fraud && { fraud }),
    ...(synthetic && { synthetic }),
    ...(playback && { playback }),
  };
}

type Overall = Pick<AnalyzeResult, 'decision' | 'reason' | 'risk'>;

/**
 * Fraud beats everything; then the authentication speaks; without one, the fraud side. An attack check that
 * cannot be trusted on this audio neither accuses nor acquits (ADR 0031).
 */
export function combine(
  authentication: ComparisonOutcome | undefined,
  fraud: ComparisonOutcome | undefined,
  attacks: readonly AttackOutcome[],
): Overall {
  const alarms = [authentication, fraud, ...attacks].filter((outcome) => outcome?.decision === 'FRAUD');
  const worst = alarms.reduce<(typeof alarms)[number]>(
    (a, b) => ((b?.risk?.risk ?? 0) > (a?.risk?.risk ?? -1) ? b : a),
    undefined,
  );
  if (worst)
    return { decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION', ...(worst.risk && { risk: worst.risk }) };
  if (authentication) return pick(authentication);
  if (fraud) return pick(fraud);
  // No voice was compared: all that can be said is what the checks say, that the audio is as it should be.
  const clear = attacks.find((outcome) => outcome.decision === 'NO_RISK_DETECTED');
  if (clear)
    return { decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK', ...(clear.risk && { risk: clear.risk }) };
  const [first] = attacks;
  const reason =
    first && first.reason !== 'SYNTHETIC_SPEECH_DETECTED' && first.reason !== 'PLAYBACK_INDICATION'
      ? first.reason
      : 'NO_SCORES';
  return { decision: 'UNCERTAIN', reason, ...(first?.risk && { risk: first.risk }) };
}

function pick({ decision, reason, risk }: ComparisonOutcome): Overall {
  return { decision, reason, ...(risk && { risk }) };
}

// What a caller should know although the call itself went well: diagnostics of an OK status.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { LiveAssessment } from '../../../biometrics/assessment/model.js';
import type { ComparisonOutcome } from '../../../biometrics/model/comparison.js';
import { COOLING_OFF, REFUSED_FOR_LOCK } from '../../../biometrics/model/sessions.js';
import type { FailedAnswer } from '../../../biometrics/model/prompts.js';
import type { AttackOutcomes } from '../../../biometrics/operations/analyze-audio.js';
import type { PromptWanted } from '../../../biometrics/operations/record.js';
import { unreliableFor, type AttackOutcome } from '../../../biometrics/rules/judge-attack.js';
import type { DiagnosticCode } from '../../../errors.js';
import type { AudioVerdict } from '../../../voice/quality/types.js';
import { ALARM_RISK } from '../../../voice/spoof/detector.js';
import { StatusCode, type StatusSchema } from '../../../gen/vendor/rpc/status_pb.js';

/** A watchlist is long; the first few lead to the cause. */
const NAMED_MAX = 20;

interface Detail {
  code: DiagnosticCode;
  extras: Record<string, string>;
}

/** The status of a response, where there is something to say. */
export function okWith(...details: readonly Detail[]): { status?: MessageInitShape<typeof StatusSchema> } {
  return details.length === 0
    ? {}
    : { status: { statusCode: StatusCode.OK, diagnosticDetails: [...details] } };
}

/** Why readable audio is not used: the validity has no words for it. */
export function boundDiagnostics({ exceeded }: Pick<AudioVerdict, 'exceeded'>): Detail[] {
  if (!exceeded) return [];
  const { measure, value, min, max } = exceeded;
  const extras = {
    measure,
    value: rounded(value),
    ...(min !== undefined && { min: String(min) }),
    max: String(max),
    ...(measure === 'duration_s' && { parameter: 'audio.mediaMinutesMax' }),
  };
  return [{ code: 'AUDIO_OUT_OF_BOUNDS', extras }];
}

/** Prints that were named but cannot be read. */
export function damageDiagnostics(
  outcomes: readonly (Pick<ComparisonOutcome, 'damaged'> | undefined)[],
): Detail[] {
  const damaged = outcomes.flatMap((outcome) => outcome?.damaged ?? []);
  if (damaged.length === 0) return [];
  const extras = {
    prints: String(damaged.length),
    gk_voiceprint_profile_ids: damaged.slice(0, NAMED_MAX).join(','),
  };
  return [{ code: 'PRINT_DAMAGED', extras }];
}

/** Prints of persons that were named and left out because they are locked; the contract has no reason for it. */
export function lockDiagnostics(outcome: Pick<ComparisonOutcome, 'locked'> | undefined): Detail[] {
  return (outcome?.locked ?? []).slice(0, NAMED_MAX).map(({ gkVoiceprintProfileId, autoUnlockAtMs }) => ({
    code: REFUSED_FOR_LOCK,
    extras: {
      gk_voiceprint_profile_id: gkVoiceprintProfileId,
      ...(autoUnlockAtMs !== undefined && { auto_unlock_timestamp: new Date(autoUnlockAtMs).toISOString() }),
    },
  }));
}

/** The same of those that are too new to be compared. */
export function coolingOffDiagnostics(outcome: Pick<ComparisonOutcome, 'coolingOff'> | undefined): Detail[] {
  return (outcome?.coolingOff ?? []).slice(0, NAMED_MAX).map(({ gkVoiceprintProfileId, comparedFromMs }) => ({
    code: COOLING_OFF,
    extras: {
      gk_voiceprint_profile_id: gkVoiceprintProfileId,
      compared_from_timestamp: new Date(comparedFromMs).toISOString(),
    },
  }));
}

/**
 * Members of a group or watchlist that have no print to compare with, and a tag that no print has: what is said of the others
 * is not said of them.
 */
export function memberDiagnostics(
  list: 'group' | 'watchlist',
  outcome: Pick<ComparisonOutcome, 'notCompared' | 'hasUnknownTag'> | undefined,
): Detail[] {
  const { notCompared, hasUnknownTag } = outcome ?? {};
  if (hasUnknownTag) return [{ code: 'TAG_NOT_FOUND', extras: { list } }];
  if (!notCompared) return [];
  const extras = { list, not_compared: String(notCompared.count), members: String(notCompared.members) };
  return [{ code: 'MEMBERS_NOT_COMPARED', extras }];
}

/** Prints of a watchlist that are neither compatible nor incompatible. */
export function untrainedDiagnostics(prints: number): Detail[] {
  return prints === 0 ? [] : [{ code: 'PRINTS_NOT_TRAINED', extras: { prints: String(prints) } }];
}

/** Why a comparison answers LOW_RELIABILITY. */
export function unreliableDiagnostics(
  check: 'authentication' | 'fraud_detection',
  outcome: Pick<ComparisonOutcome, 'unreliable'> | undefined,
): Detail[] {
  if (!outcome?.unreliable) return [];
  const { cause, value, limit } = outcome.unreliable;
  const measured = value !== undefined && limit !== undefined;
  const extras = {
    check,
    measure: cause,
    ...(measured && { value: rounded(value), limit: rounded(limit) }),
  };
  return [{ code: 'CHECK_UNRELIABLE', extras }];
}

/** What a session means: the decision in the contract has no room for it. */
export function assessmentDiagnostics(assessment: LiveAssessment | undefined): Detail[] {
  if (!assessment) return [];
  const { headline, tone, causes, caveats, unresolvedChecks } = assessment;
  const extras = {
    headline,
    tone,
    ...(caveats.length > 0 && { caveats: caveats.join(',') }),
    ...(unresolvedChecks.length > 0 && { unresolved_checks: unresolvedChecks.join(',') }),
  };
  return [
    { code: 'SESSION_ASSESSMENT', extras },
    ...causes.map(({ check, reason, measures }) => ({
      code: 'HEADLINE_CAUSE' as const,
      extras: { check, reason, ...(measures.length > 0 && { measures: measures.join(',') }) },
    })),
  ];
}

/** What the attack checks rest on; their results in the contract have no room for it. */
export function attackDiagnostics({ synthetic, playback }: AttackOutcomes): Detail[] {
  return [
    ...(synthetic ? evidenceOf('synthetic_speech', synthetic) : []),
    ...(playback ? evidenceOf('channel_playback', playback) : []),
  ];
}

function evidenceOf(check: string, outcome: AttackOutcome): Detail[] {
  const { experimental, detectorRevision = '', doubts, spans, line } = outcome;
  return [
    ...(line && line.risk !== ALARM_RISK
      ? [
          {
            code: 'TENANT_ALARM_THRESHOLD' as const,
            extras: {
              check,
              risk: String(line.risk),
              bandwidth: line.bandwidth,
              shipped: String(ALARM_RISK),
            },
          },
        ]
      : []),
    ...(experimental
      ? [{ code: 'EXPERIMENTAL_CHECK' as const, extras: { check, detector: detectorRevision } }]
      : []),
    ...doubts.map(({ measure, value, limit }) => ({
      code: 'CHECK_UNRELIABLE' as const,
      extras: { check, measure, value: rounded(value), limit: rounded(limit) },
    })),
    ...(doubts.length > 0
      ? []
      : unreliableFor(outcome).map((measure) => ({
          code: 'CHECK_UNRELIABLE' as const,
          extras: { check, measure },
        }))),
    ...spans.map(({ startMs, endMs, llr }) => ({
      code: 'ATTACK_SPAN' as const,
      extras: { check, start_ms: String(startMs), end_ms: String(endMs), score: rounded(llr) },
    })),
  ];
}

/** The contract has no word for it. */
export const promptWantedDiagnostics = ({ promptWanted }: PromptWanted): Detail[] =>
  promptWanted ? [{ code: 'PROMPT_WANTED', extras: {} }] : [];

/** Why answers to prompts fail; the contract has no reason for it. */
export function promptDiagnostics(answers: readonly (readonly FailedAnswer[])[]): Detail[] {
  return answers.flatMap((failed, index) =>
    failed.map((code) => ({ code, extras: { index: String(index) } })),
  );
}

const rounded = (value: number): string => String(Number(value.toFixed(3)));

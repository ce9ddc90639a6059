// What is returned and stored of a decision: enough to reproduce it from model, calibration, config revision and score.
import type { JsonObject } from '../../audit/model.js';
import type { ActiveCalibration } from '../calibration/active.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import type { ProcessedAudio } from '../model/media.js';
import type { VoiceprintReason } from '../model/outcome.js';
import {
  COOLING_OFF,
  REFUSED_FOR_LOCK,
  SPEAKER_CHANGED,
  type Factor,
  type WhyNoPrint,
} from '../model/sessions.js';
import { unreliableFor, type AttackOutcome } from '../rules/judge-attack.js';
import { attackFactors } from '../rules/open-check.js';
import type { DecisionRun, PreparedAudio } from './audio-input.js';
import type { AuditAct } from '../../words/audit/english.js';

/** The results of Verify, Identify and DetectKnownFraudsters. */
export interface ComparisonResult {
  outcome: ComparisonOutcome;
  audio: ProcessedAudio;
  calibration: ActiveCalibration;
}

export function comparisonResult(
  { prepared, calibration }: DecisionRun,
  outcome: ComparisonOutcome,
): ComparisonResult {
  return { outcome, audio: prepared.audio, calibration };
}

/** One fact to store about a call: an audit record and, if something was decided, a factor of the session. */
export type DecisionRecord = Decided | Noted | SideEffect;

export interface Decided extends Remembered {
  operation?: never;
  type: 'FACTORS_AUDIT_INFO_EVENT' | 'ANTI_SPOOFING_AUDIT_INFO_EVENT';
  factor: FactorResult;
}

/** Audio was heard, but nothing decided. */
interface Noted extends Remembered {
  operation?: never;
  type: 'AUDIO_EVENT';
  factor?: never;
}

/** What the decision has changed by itself, under its own name. */
interface SideEffect extends Remembered {
  type: 'VOICEPRINT_EVENT';
  operation: AuditAct;
  factor?: never;
}

interface Remembered {
  /** The recording that was judged, if not the one of the call. */
  heard?: PreparedAudio;
  /** Internal IDs of the prints, owners or audio concerned. */
  subjects: readonly string[];
  detail: JsonObject;
}

export type FactorResult = Pick<Factor, 'kind' | 'decision' | 'reason' | 'netSpeechMs'> &
  Partial<
    Pick<
      Factor,
      | 'risk'
      | 'reliability'
      | 'score'
      | 'prints'
      | 'looks'
      | 'gkVoiceprintProfileId'
      | 'gkCollectionId'
      | 'detector'
      | 'bandwidth'
      | 'alarmRisk'
      | 'highestRisk'
      | 'hasClaimed'
      | 'notCompared'
      | 'unreliableFor'
    >
  >;

/** Enough to find out what happened, while the record stays small. */
const NAMED_MAX = 20;

const collectionMembers = { AUTHENTICATION: 'gkGroupId', FRAUD_DETECTION: 'gkWatchlistId' } as const;

export type RememberedReason =
  | VoiceprintReason
  | typeof REFUSED_FOR_LOCK
  | typeof COOLING_OFF
  | WhyNoPrint
  | typeof SPEAKER_CHANGED;

/**
 * The contract has no word for a lock, for a print that is too new or missing, and for somebody else who
 * speaks in a part; sessions, the audit trail and running calls do.
 */
export function rememberedReason({
  decision,
  reason,
  refused,
  coolingOff,
  whyNoPrint,
  stretch,
}: Pick<
  ComparisonOutcome,
  'decision' | 'reason' | 'refused' | 'coolingOff' | 'whyNoPrint' | 'stretch'
>): RememberedReason {
  if (refused) return REFUSED_FOR_LOCK;
  if (decision === 'UNCERTAIN' && reason === 'LOW_RELIABILITY' && stretch) return SPEAKER_CHANGED;
  if (reason === 'NO_SCORES' && whyNoPrint) return whyNoPrint;
  return reason === 'NO_SCORES' && coolingOff ? COOLING_OFF : reason;
}

/** What is stored of a voice comparison. */
export function comparisonRecord(
  { calibration, prepared, context }: DecisionRun,
  kind: Side,
  outcome: ComparisonOutcome,
): Decided {
  const {
    decision,
    risk,
    prints,
    looks,
    netSpeechMs,
    stretch,
    locked = [],
    gkCollectionId,
    notCompared,
  } = outcome;
  const reason = rememberedReason(outcome);
  const best = outcome.scores[0];
  const print = best?.candidate ?? outcome.refused?.print;
  return {
    type: 'FACTORS_AUDIT_INFO_EVENT',
    subjects: print ? [print.gkVoiceprintProfileId, print.gkOwnerId] : [],
    detail: {
      factor: kind,
      decision,
      reason,
      risk: risk?.risk,
      reliability: risk?.reliability,
      score: best?.llr,
      gkVoiceprintProfileId: print?.gkVoiceprintProfileId,
      printVersion: best?.candidate.version,
      prints,
      ...(looks && { looks }),
      ...(outcome.damaged && { damagedPrints: outcome.damaged.slice(0, NAMED_MAX) }),
      ...(locked.length > 0 && {
        lockedPrints: locked.slice(0, NAMED_MAX).map(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId),
      }),
      ...(gkCollectionId && { [collectionMembers[kind]]: gkCollectionId }),
      ...(notCompared && { notCompared: notCompared.count, ofMembers: notCompared.members }),
      netSpeechMs: Math.round(netSpeechMs),
      ...(outcome.unreliable && { unreliableFor: outcome.unreliable.cause }),
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
      ...(looks && { looks }),
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(best && { score: best.llr }),
      ...(print && { gkVoiceprintProfileId: print.gkVoiceprintProfileId }),
      ...(gkCollectionId && { gkCollectionId }),
      ...claimedAmong(outcome, kind, context.session.claimedGkPersonId),
      ...(notCompared && { notCompared: notCompared.count }),
      ...(outcome.unreliable && { unreliableFor: [outcome.unreliable.cause] }),
    },
  };
}

/**
 * With several prints: whether one of them is the claimed person's; for a long list only if it is among the
 * nearest.
 */
function claimedAmong(
  { prints, scores }: ComparisonOutcome,
  kind: Side,
  claimed: string | undefined,
): Pick<Factor, 'hasClaimed'> {
  if (kind !== 'AUTHENTICATION' || prints <= 1 || claimed === undefined) return {};
  const isThere = scores.some(({ candidate }) => candidate.gkOwnerId === claimed);
  return isThere || scores.length >= prints ? { hasClaimed: isThere } : {};
}

/** What is stored of an attack check. */
export function attackRecord({ prepared }: DecisionRun, outcome: AttackOutcome): Decided {
  const { kind, decision, reason, risk, score, experimental, doubts, spans, line, bandwidth } = outcome;
  const { detectorRevision: detector, highestRisk } = outcome;
  const unreliable = unreliableFor(outcome);
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
      detector,
      ...(line && { alarmRisk: line.risk }),
      ...(bandwidth && { bandwidth }),
      ...(experimental && { experimental }),
      ...(doubts.length > 0 && { doubts: doubts.map((doubt) => ({ ...doubt })) }),
      ...(spans.length > 0 && { spans: spans.map((span) => ({ ...span })) }),
      gkProcessedAudioId: prepared.audio.gkProcessedAudioId,
    },
    factor: {
      kind: attackFactors[kind],
      decision,
      reason,
      netSpeechMs: prepared.audio.netAudioMs,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
      ...(bandwidth && { bandwidth }),
      ...(line && { alarmRisk: line.risk, ...(detector && { detector }) }),
      ...(highestRisk !== undefined && { highestRisk }),
      ...(unreliable.length > 0 && { unreliableFor: unreliable }),
    },
  };
}

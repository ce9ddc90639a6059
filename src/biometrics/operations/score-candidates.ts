// Scores audio against prints and decides: the one place where a voice is compared. Verify, Identify,
// DetectKnownFraudsters and AnalyzeAudio differ only in their candidates.
import { authenticationRisk, fraudRisk, thresholdForFar } from '../../voice/scoring/risk.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { Log } from '../../platform.js';
import type { Parameters } from '../configsets/parameters.js';
import type { ProcessedAudio } from '../media/model.js';
import type { AudioValidity, Decision, RiskResult, VoiceprintReason } from '../outcome.js';
import type { CandidateScore, Candidates } from './candidates.js';

export interface ComparisonOutcome {
  decision: Decision;
  reason: VoiceprintReason;
  /** Best first, of a group or watchlist the nearest only; empty when nothing could be scored. */
  scores: readonly CandidateScore[];
  risk?: RiskResult;
  /** Net speech that the decision rests on; less than all when a checkpoint ended it. */
  netSpeechMs: number;
  /** How many prints were compared. */
  prints: number;
}

export type Side = 'AUTHENTICATION' | 'FRAUD_DETECTION';

/** A rate this small cannot be measured with the trials that calibrations are made from. */
const RATE_FLOOR = 0.000_01;

export interface Comparison {
  model: SpeakerModel;
  parameters: Parameters;
  side: Side;
  audio: ProcessedAudio;
  candidates: Candidates;
  ignoreCheckpoints: boolean;
}

/** Never throws: a comparison that breaks is FAILED, so that it stays in the session and in the audit trail. */
export async function compare(log: Log, comparison: Comparison): Promise<ComparisonOutcome> {
  try {
    return await compareAudio(comparison);
  } catch (cause) {
    log.error({ cause: String(cause), side: comparison.side }, 'a voice comparison failed');
    const { audio, candidates } = comparison;
    return {
      decision: 'FAILED',
      reason: 'INTERNAL_ERROR',
      scores: [],
      netSpeechMs: audio.netAudioMs,
      prints: candidates.count,
    };
  }
}

async function compareAudio(comparison: Comparison): Promise<ComparisonOutcome> {
  const { model, parameters, side, audio, candidates, ignoreCheckpoints } = comparison;
  const unscored = (decision: Decision, reason: VoiceprintReason): ComparisonOutcome => ({
    decision,
    reason,
    scores: [],
    netSpeechMs: audio.netAudioMs,
    prints: candidates.count,
  });
  if (audio.validity !== 'AUDIO_OK') return unscored('UNCERTAIN', reasonOfAudio(audio.validity));
  const settings = side === 'AUTHENTICATION' ? parameters.authentication : parameters.fraudDetection;
  if (audio.netAudioMs < settings.netSpeechSecondsMin * 1000) return unscored('UNCERTAIN', 'AUDIO_TOO_SHORT');
  if (!audio.model || candidates.count === 0) return unscored('UNCERTAIN', 'NO_SCORES');

  const { voice, checkpoints } = audio.model;
  const judge = (sample: VoiceSample) => decide(model, parameters, side, sample, candidates);
  if (!ignoreCheckpoints) {
    const seconds =
      side === 'AUTHENTICATION'
        ? parameters.authentication.checkpointsForAuthentication
        : parameters.fraudDetection.checkpointsForFraudDetection;
    const decisive: Decision = side === 'AUTHENTICATION' ? 'AUTHENTIC' : 'FRAUD';
    for (const checkpoint of checkpoints) {
      if (!seconds.some((second) => isReachedAt(checkpoint, second)) || checkpoint.netMs >= voice.netMs)
        continue;
      if (checkpoint.netMs < settings.netSpeechSecondsMin * 1000) continue;
      const early = await judge(checkpoint);
      if (early.decision === decisive) return early;
    }
  }
  return judge(voice);
}

/** Checkpoint samples hold a little more than asked for, because speech comes in frames. */
function isReachedAt(checkpoint: VoiceSample, seconds: number): boolean {
  return checkpoint.netMs >= seconds * 1000 - 1 && checkpoint.netMs < seconds * 1000 + 500;
}

async function decide(
  model: SpeakerModel,
  parameters: Parameters,
  side: Side,
  sample: VoiceSample,
  candidates: Candidates,
): Promise<ComparisonOutcome> {
  const scores = await candidates.nearest(model, sample);
  // Every comparison with NaN is false: it would pass for a mismatch and count against the print.
  if (scores.some(({ llr }) => Number.isNaN(llr))) throw new RangeError('a score is not a number');
  const best = scores[0];
  const base = { scores, netSpeechMs: sample.netMs, prints: candidates.count };
  if (!best) return { ...base, decision: 'UNCERTAIN', reason: 'NO_SCORES' };

  return { ...base, ...decideScore(model, parameters, side, best, candidates.count) };
}

/** From the best score among so many prints to a decision; also what shadow reports decide again with. */
export function decideScore(
  model: SpeakerModel,
  parameters: Parameters,
  side: Side,
  { llr, reliability }: { llr: number; reliability: number },
  prints: number,
): Required<Pick<ComparisonOutcome, 'decision' | 'reason' | 'risk'>> {
  if (side === 'AUTHENTICATION') {
    const { falseAcceptRate, riskLow, riskHigh, reliabilityMin } = parameters.authentication;
    const risk = authenticationRisk(llr, thresholdForFar(model, perPrint(falseAcceptRate, prints)));
    const result = { risk: { risk, reliability } };
    if (reliability < reliabilityMin) return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
    if (risk >= riskHigh) return { ...result, decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION' };
    if (risk <= riskLow) return { ...result, decision: 'AUTHENTIC', reason: 'VOICEPRINT_MATCH' };
    return { ...result, decision: 'NO_MATCH', reason: 'VOICEPRINT_NO_MATCH' };
  }
  const { falseAlarmRate, riskHigh, reliabilityMin } = parameters.fraudDetection;
  const risk = fraudRisk(llr, thresholdForFar(model, perPrint(falseAlarmRate, prints)));
  const result = { risk: { risk, reliability } };
  if (reliability < reliabilityMin) return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
  if (risk >= riskHigh) return { ...result, decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION' };
  return { ...result, decision: 'NO_RISK_DETECTED', reason: 'NO_RISK_DETECTED' };
}

/** The target is for the whole comparison: with many prints each one has to be surer. */
function perPrint(rate: number, prints: number): number {
  return Math.max(rate / Math.max(prints, 1), RATE_FLOOR);
}

export function reasonOfAudio(validity: AudioValidity): VoiceprintReason {
  switch (validity) {
    case 'AUDIO_OK':
    case 'NOT_ENOUGH_SEGMENTS':
    case 'INVALID_AUDIO':
    case 'AUDIO_TOO_SHORT':
    case 'AUDIO_TOO_SOFT':
    case 'AUDIO_TOO_LOUD':
    case 'AUDIO_TOO_NOISY':
    case 'INTERNAL_ERROR':
      return validity;
    case 'MULTIPLE_SPEAKERS_DETECTED':
      // The voiceprint reasons have no word for it (docs/reference/errors-and-reasons.md#audio-validity); mixed
      // voices cannot be trusted.
      return 'LOW_RELIABILITY';
  }
}

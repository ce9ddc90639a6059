// From a score to a decision: the thresholds of the config set, applied to the scale of the speaker model. Pure; shadow
// reports use it to decide again.
import {
  authenticationRisk,
  fraudRisk,
  llrAtAuthenticationRisk,
  llrAtFraudRisk,
  thresholdForFar,
} from '../../voice/scoring/risk.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { ComparisonOutcome, Side } from '../model/comparison.js';
import type { AudioValidity, VoiceprintReason } from '../model/outcome.js';
import type { Parameters } from '../model/parameters.js';

/** A rate this small cannot be measured with the trials that calibrations are made from. */
const RATE_FLOOR = 0.000_01;

/** What a score is compared with. */
export interface ScoreScale {
  side: Side;
  model: SpeakerModel;
  parameters: Parameters;
}

/** The decision for the best score among this many comparisons: prints, times the looks that share the rate. */
export function decideScore(
  { side, model, parameters }: ScoreScale,
  { llr, reliability }: { llr: number; reliability: number },
  comparisons: number,
): Required<Pick<ComparisonOutcome, 'decision' | 'reason' | 'risk'>> {
  if (side === 'AUTHENTICATION') {
    const { falseAcceptRate, riskLow, reliabilityMin } = parameters.authentication;
    const risk = authenticationRisk(llr, thresholdForFar(model, rateOfEach(falseAcceptRate, comparisons)));
    const result = { risk: { risk, reliability } };
    if (reliability < reliabilityMin) return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
    if (risk <= riskLow) return { ...result, decision: 'AUTHENTIC', reason: 'VOICEPRINT_MATCH' };
    // However high its risk: another voice alone is no evidence of fraud.
    return { ...result, decision: 'NO_MATCH', reason: 'VOICEPRINT_NO_MATCH' };
  }
  const { falseAlarmRate, riskHigh, reliabilityMin } = parameters.fraudDetection;
  const risk = fraudRisk(llr, thresholdForFar(model, rateOfEach(falseAlarmRate, comparisons)));
  const result = { risk: { risk, reliability } };
  if (reliability < reliabilityMin) return { ...result, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY' };
  if (risk >= riskHigh) return { ...result, decision: 'FRAUD', reason: 'FRAUDSTER_INDICATION' };
  return { ...result, decision: 'NO_RISK_DETECTED', reason: 'NO_RISK_DETECTED' };
}

/**
 * The score that leads to AUTHENTIC (or FRAUD, when looking for fraudsters) among this many comparisons, if it
 * is reliable.
 */
export function decidingLlr({ side, model, parameters }: ScoreScale, comparisons: number): number {
  if (side === 'AUTHENTICATION') {
    const { falseAcceptRate, riskLow } = parameters.authentication;
    return llrAtAuthenticationRisk(riskLow, thresholdForFar(model, rateOfEach(falseAcceptRate, comparisons)));
  }
  const { falseAlarmRate, riskHigh } = parameters.fraudDetection;
  return llrAtFraudRisk(riskHigh, thresholdForFar(model, rateOfEach(falseAlarmRate, comparisons)));
}

/** The target is for the whole call: with many prints or looks, each match has to be more certain. */
function rateOfEach(rate: number, comparisons: number): number {
  return Math.max(rate / Math.max(comparisons, 1), RATE_FLOOR);
}

export function reasonOfAudio(validity: AudioValidity): VoiceprintReason {
  // The voiceprint reasons have no word for several speakers; mixed voices cannot be trusted.
  return validity === 'MULTIPLE_SPEAKERS_DETECTED' ? 'LOW_RELIABILITY' : validity;
}

// From log-likelihood ratios to the risk scale of the interface, 0 to 1000, and from target
// false-accept rates to thresholds. Both risks are logistic in the LLR, so a step of one unit of
// evidence always moves the odds behind the number by the same factor.
import type { SpeakerModel } from './speaker-model.js';

/** At the accepting threshold of a comparison with a person (docs/reference/voiceprint-contract.md#risk). */
const LOW_RISK = 300;
/** At the alarm threshold of a comparison with a fraudster. */
const HIGH_RISK = 700;

/** This far below the accepting threshold, the risk is as far above the middle as it is below it there. */
const ACCEPT_TO_HIGH_LLR = 6;
const AUTHENTICATION_SLOPE = (2 * logit(HIGH_RISK / 1000)) / ACCEPT_TO_HIGH_LLR;

/** So that the risk of a score exactly at a line is that of the line. */
const ROUNDING_SLACK = 1e-6;

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
function logit(p: number): number {
  return Math.log(p / (1 - p));
}

/**
 * Falls as the evidence for the claimed person rises: LOW_RISK exactly at the accepting threshold, HIGH_RISK
 * six units below it. Rounded up, so that no score below a line gets the risk of the line.
 */
export function authenticationRisk(llr: number, acceptLlr: number): number {
  const risk = 1000 * logistic(logit(LOW_RISK / 1000) - AUTHENTICATION_SLOPE * (llr - acceptLlr));
  return Math.ceil(risk - ROUNDING_SLACK);
}

/** The inverse: the least evidence whose risk does not exceed the given one. */
export function llrAtAuthenticationRisk(risk: number, acceptLlr: number): number {
  return acceptLlr + (logit(LOW_RISK / 1000) - logit(risk / 1000)) / AUTHENTICATION_SLOPE;
}

/** Rises with the evidence for a known fraudster; exactly HIGH_RISK at the alarm threshold. */
export function fraudRisk(llr: number, alarmLlr: number): number {
  return Math.round(1000 * logistic(logit(HIGH_RISK / 1000) + (llr - alarmLlr)));
}

/** The inverse: the least evidence whose risk reaches the given one. */
export function llrAtFraudRisk(risk: number, alarmLlr: number): number {
  return alarmLlr + logit(risk / 1000) - logit(HIGH_RISK / 1000);
}

/**
 * The LLR at which strangers are accepted at the wanted rate: linear in log rate between the measured points,
 * extrapolated with the outermost slope beyond them.
 */
export function thresholdForFar(model: SpeakerModel, far: number): number {
  if (!(far > 0 && far < 1)) throw new RangeError('a false-accept rate lies between 0 and 1');
  const points = [...model.thresholds].sort((a, b) => b.far - a.far);
  const [first] = points;
  if (!first) throw new RangeError(`model ${model.revision} has no thresholds`);
  if (points.length === 1) return first.llr;
  let at = points.findIndex((point) => point.far <= far);
  if (at === -1) at = points.length - 1;
  if (at === 0) at = 1;
  const left = points[at - 1] ?? first;
  const right = points[at] ?? first;
  const position = (Math.log(far) - Math.log(left.far)) / (Math.log(right.far) - Math.log(left.far));
  return left.llr + position * (right.llr - left.llr);
}

/** The inverse: the rate that puts the threshold at this LLR; undefined if no rate does. */
export function farForThreshold(model: SpeakerModel, llr: number): number | undefined {
  const points = [...model.thresholds].sort((a, b) => b.far - a.far);
  let at = points.findIndex((point) => point.llr >= llr);
  if (at === -1) at = points.length - 1;
  if (at === 0) at = 1;
  const [left, right] = [points[at - 1], points[at]];
  if (!left || !right || !(right.llr > left.llr)) return undefined;
  const position = (llr - left.llr) / (right.llr - left.llr);
  const far = Math.exp(Math.log(left.far) + position * (Math.log(right.far) - Math.log(left.far)));
  return far > 0 && far < 1 ? far : undefined;
}

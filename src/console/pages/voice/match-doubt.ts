// Neither a match nor a voice on no watchlist is a reason to carry on if no check confirmed a live person.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import type { Advice } from '../../text/tools.js';
import { t as voice } from '../../text/voice.js';

/** Results that read as positive, and what is said instead. */
const doubts: Partial<Record<DecisionJson, { notChecked: Advice; checkUncertain: Advice }>> = {
  DECISION_AUTHENTIC: voice.result.matched,
  DECISION_NO_RISK_DETECTED: voice.result.notListed,
};

/** `attacks` is undefined if the checks could not be made. */
export function doubtOn(
  decision: DecisionJson | undefined,
  attacks: AnswerOf<'DetectAudioSpoofing'> | undefined,
): Advice | undefined {
  const doubt = decision && doubts[decision];
  if (!doubt) return undefined;
  if (!attacks) return doubt.notChecked;
  const made = [attacks.syntheticSpeechDetectionResult, attacks.channelPlaybackDetectionResult];
  const isOpen = made.some((check) => check && check.decision !== 'DECISION_NO_RISK_DETECTED');
  return isOpen ? doubt.checkUncertain : undefined;
}

// Neither a match nor a voice that is on no watchlist is a reason to carry on where no check has said that a live person spoke, as on
// the page of the session.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { t as voice } from '../../text/voice.js';

/** What reads as a yes, and what is said of it instead. */
const doubts: Partial<Record<DecisionJson, { notChecked: Advice; checkUncertain: Advice }>> = {
  DECISION_AUTHENTIC: t.session.verdict,
  DECISION_NO_RISK_DETECTED: voice.result.notListed,
};

/** `attacks`: undefined where the checks could not be made. */
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

// A match is no reason to carry on where no check has said that a live person spoke, as on the page of the session.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';

/** `attacks`: undefined where the checks could not be made. */
export function doubtOn(
  decision: DecisionJson | undefined,
  attacks: AnswerOf<'DetectAudioSpoofing'> | undefined,
): Advice | undefined {
  if (decision !== 'DECISION_AUTHENTIC') return undefined;
  const { notChecked, checkUncertain } = t.session.verdict;
  if (!attacks) return notChecked;
  const made = [attacks.syntheticSpeechDetectionResult, attacks.channelPlaybackDetectionResult];
  const isOpen = made.some((check) => check && check.decision !== 'DECISION_NO_RISK_DETECTED');
  return isOpen ? checkUncertain : undefined;
}

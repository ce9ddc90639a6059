// What the export of a person hands out. The content of a call belongs to whoever spoke in it. That this was the person is known if
// they were recognized or enrolled, or if the call claimed them and was judged as genuine; the outcome fraud or someone else outweighs
// both. A claim, a comparison without a match and a guess say nothing of who spoke.
import type { EngagementVerdict } from '../model/sessions.js';
import type { Heard, TiedRecording } from './erasure.js';

export interface OfCall {
  /** Whom the session claims. */
  claim: 'person' | 'other' | 'nobody';
  outcomes: readonly EngagementVerdict[];
}

export type WithheldFor = 'EVIDENCE_OF_FRAUD' | 'NOT_RECOGNIZED' | 'ALSO_ANOTHER_PERSON';

function isTheirVoice({ isPersonHeard }: Heard, { claim, outcomes }: OfCall): boolean {
  if (outcomes.includes('FRAUD')) return false;
  // Than whoever was claimed.
  if (outcomes.includes('SOMEONE_ELSE') && claim !== 'other') return false;
  return isPersonHeard || (claim === 'person' && outcomes.includes('AUTHENTIC'));
}

/** In whole: its numbers, references and checks. */
export const isTheirCall = (heard: Heard, call: OfCall): boolean =>
  isTheirVoice(heard, call) && !heard.isOtherHeard && !heard.isFraudsterHeard;

/** Undefined if the recording is handed out. */
export function withheldFor(recording: TiedRecording, call: OfCall): WithheldFor | undefined {
  const { inRecording, inSession, isJudgedFraud, isGuess, isEnrolledForOther } = recording;
  const isEvidence =
    inRecording.isFraudsterHeard || (!inRecording.isPersonHeard && inSession.isFraudsterHeard);
  if (isJudgedFraud || isEvidence) return 'EVIDENCE_OF_FRAUD';
  if (isGuess || !isTheirVoice(inRecording, call)) return 'NOT_RECOGNIZED';
  return inRecording.isOtherHeard || isEnrolledForOther ? 'ALSO_ANOTHER_PERSON' : undefined;
}

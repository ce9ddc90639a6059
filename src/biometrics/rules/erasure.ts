// What becomes of a recording, and of a session, when a person is erased whose they are said to be. A claim, a name or a comparison only
// says whose voice it might be. Where it was recognized as somebody else's, another person or a known fraudster, and not as the person's, it
// is theirs: it stays, without the person's name. Where nobody was recognized, the claim is all that is known: a comparison that failed does
// not prove that it was not the person, so it goes.
export type ReasonToKeep = 'keptOnLegalHold' | 'keptAsFraud' | 'keptForOthers';

/** What becomes of the tie between a recording that stays and the person: kept for evidence, awaited, or given up. */
export interface Stay {
  reason: ReasonToKeep;
  tie: 'kept' | 'awaited' | 'guessed' | 'shared';
}

export interface Heard {
  /** Recognized, or enrolled. */
  isPersonHeard: boolean;
  /** Another person was, or a known fraudster was recognized. */
  isOtherHeard: boolean;
}

export interface TiedRecording {
  isOnLegalHold: boolean;
  isJudgedFraud: boolean;
  /** It is only guessed to be the person's, because it lies in an engagement with them. */
  isGuess: boolean;
  isEnrolledForOther: boolean;
  /** A guess, and somebody else is named for it, or was heard or claimed in its engagement. */
  mayBeOthers: boolean;
  inRecording: Heard;
  /** In the session that it lies in; nobody in an upload. */
  inSession: Heard;
  /** A line of a batch has still to have its turn and says so; asked of guesses only. */
  isSaidOfOthers: 'yes' | 'no' | 'not known yet';
}

/** Nothing where it goes with the person. */
export function stayOf(recording: TiedRecording): Stay | 'not known yet' | undefined {
  const { isGuess, isSaidOfOthers, inRecording, inSession } = recording;
  if (recording.isOnLegalHold) return { reason: 'keptOnLegalHold', tie: 'kept' };
  if (recording.isJudgedFraud) return { reason: 'keptAsFraud', tie: 'kept' };
  const isOthers = !inRecording.isPersonHeard && (inRecording.isOtherHeard || isOfOther(inSession));
  if (recording.isEnrolledForOther || isOthers || (isGuess && recording.mayBeOthers))
    return { reason: 'keptForOthers', tie: isGuess ? 'guessed' : 'shared' };
  if (!isGuess || isSaidOfOthers === 'no') return undefined;
  return isSaidOfOthers === 'yes' ? { reason: 'keptForOthers', tie: 'awaited' } : isSaidOfOthers;
}

const isOfOther = ({ isPersonHeard, isOtherHeard }: Heard): boolean => isOtherHeard && !isPersonHeard;

/** Of a session that is not kept as evidence. */
export function sessionAfterErasure({
  isTheirEngagement,
  isClaimed,
  heard,
}: {
  /** It was with the person, and with nobody else. */
  isTheirEngagement: boolean;
  isClaimed: boolean;
  heard: Heard;
}): 'emptied' | 'loses the claim' | 'as it was' {
  if (isTheirEngagement) return 'emptied';
  if (!isClaimed) return 'as it was';
  return isOfOther(heard) ? 'loses the claim' : 'emptied';
}

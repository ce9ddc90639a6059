// What happens to a recording, and to a session, when the person it is attributed to is erased. A claim, a name or a
// comparison only says whose voice it might be. A recording in which somebody else was recognized, another person or a known
// fraudster, also belongs to them: it is kept, without the person's name and score, whether or not the person was recognized
// in it as well. If nobody was recognized, the claim is all that is known: a failed comparison does not prove that it was not
// the person, so it is deleted. A known fraudster makes a call evidence: only recordings in which the person alone was
// recognized are deleted. So does putting the caller on a watchlist: a print made from the recording for a fraudster is
// somebody's statement that a fraudster speaks in it, and it stands even if that fraudster is deleted. If somebody has since
// judged the call as genuine, the alarm was a false one.
import type { Factor } from '../model/sessions.js';
import { isFraudsterHit } from './session-persons.js';

export type ReasonToKeep = 'keptOnLegalHold' | 'keptAsFraud' | 'keptWithFraudster' | 'keptForOthers';

/**
 * What happens to the link between a recording that stays and the person: kept for evidence, awaited, or given
 * up.
 */
export interface KeptRecording {
  reason: ReasonToKeep;
  link: 'kept' | 'awaited' | 'guessed' | 'shared';
}

export interface Heard {
  /** The person was recognized, or enrolled. */
  isPersonHeard: boolean;
  /** Another person was. */
  isOtherHeard: boolean;
  /**
   * A known fraudster was recognized, or a fraudster's print made from it, and nobody has judged since that
   * it was a false alarm.
   */
  isFraudsterHeard: boolean;
}

type Check = Pick<Factor, 'kind' | 'decision' | 'gkVoiceprintProfileId' | 'createdAtMs'>;

/** A running call has no recording: only this says who was heard. */
export const saysWhoSpeaks = ({ kind, decision }: Pick<Check, 'kind' | 'decision'>): boolean =>
  kind === 'ENROLLMENT' || (kind === 'AUTHENTICATION' && decision === 'AUTHENTIC');

/** When checks found that a known fraudster speaks, or somebody said so by enrolling the voice for one. */
export const alarmsIn = (checks: readonly Check[], isOfPerson: (print: string) => boolean): number[] =>
  checks.flatMap((check) => {
    const { gkVoiceprintProfileId: print, createdAtMs } = check;
    if (print === undefined) return [];
    return isFraudsterHit(check) || (saysWhoSpeaks(check) && !isOfPerson(print)) ? createdAtMs : [];
  });

/**
 * A known fraudster was recognized, or made from the call; the outcome "genuine" revokes that, if it was
 * recorded after the alarm.
 */
export const isAlarmUpheld = (atMs: number, judgedGenuineAtMs: number | undefined): boolean =>
  judgedGenuineAtMs === undefined || atMs > judgedGenuineAtMs;

export interface TiedRecording {
  isOnLegalHold: boolean;
  isJudgedFraud: boolean;
  /** It is only guessed to be the person's, because it is in an engagement with them. */
  isGuess: boolean;
  isEnrolledForOther: boolean;
  /** In the print of a fraudster, whose data this is not. */
  isEnrolledForFraudster: boolean;
  /** A guess, and somebody else is named for it, or was heard or claimed in its engagement. */
  mayBeOthers: boolean;
  inRecording: Heard;
  /** In the session that it is stored in; nobody in an upload. */
  inSession: Heard;
  /** A pending batch line says so; only for guesses. */
  isClaimedForOthers: 'yes' | 'no' | 'not known yet';
}

/** Undefined if it is deleted with the person. */
export function keptRecordingOf(recording: TiedRecording): KeptRecording | 'not known yet' | undefined {
  const { isGuess, isClaimedForOthers, inRecording, inSession } = recording;
  if (recording.isOnLegalHold) return { reason: 'keptOnLegalHold', link: 'kept' };
  if (recording.isJudgedFraud) return { reason: 'keptAsFraud', link: 'kept' };
  const { isPersonHeard } = inRecording;
  // The link is kept: if the outcome becomes genuine one day, it is known whose it is.
  if (inRecording.isFraudsterHeard || (!isPersonHeard && inSession.isFraudsterHeard))
    return { reason: 'keptWithFraudster', link: isGuess ? 'guessed' : 'kept' };
  const isOthers = inRecording.isOtherHeard || (!isPersonHeard && isOfOther(inSession));
  if (recording.isEnrolledForOther || isOthers || (isGuess && recording.mayBeOthers))
    return { reason: 'keptForOthers', link: isGuess ? 'guessed' : 'shared' };
  // The call was judged as genuine, so it is the person's: it is deleted with the print that was made from it
  // by mistake.
  if (recording.isEnrolledForFraudster)
    return { reason: 'keptForOthers', link: isGuess ? 'guessed' : 'kept' };
  if (!isGuess || isClaimedForOthers === 'no') return undefined;
  return isClaimedForOthers === 'yes' ? { reason: 'keptForOthers', link: 'awaited' } : isClaimedForOthers;
}

const isOfOther = ({ isPersonHeard, isOtherHeard }: Heard): boolean => isOtherHeard && !isPersonHeard;

/** For a session that is not kept as evidence. */
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
  if (heard.isOtherHeard || heard.isFraudsterHeard) return isClaimed ? 'loses the claim' : 'as it was';
  return isTheirEngagement || isClaimed ? 'emptied' : 'as it was';
}

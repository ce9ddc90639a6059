// What a list shows as the result of a session: its decision, or why there is none. Pure.
import type { Decision } from '../model/outcome.js';
import { consoleTypes, type Session } from '../model/sessions.js';

type SessionResult = Decision | 'REFUSED' | 'ENROLLMENT' | 'NONE';

/**
 * An uncertain decision says nothing if nothing was checked, the check was refused because of a lock, or a
 * voice was only enrolled.
 */
export function sessionResult(
  { decision, intent, sessionType, isErased }: Session,
  { checks, refused }: { checks: number; refused: number },
): SessionResult {
  const made: Decision | undefined = decision?.decision;
  if (made !== undefined && made !== 'UNCERTAIN') return made;
  if (refused > 0) return 'REFUSED';
  if (isErased) return 'NONE';
  if (intent === 'ENROLLMENT') return 'ENROLLMENT';
  // Checks by people who work with the data decide nothing about a caller.
  return consoleTypes.includes(sessionType) || checks === 0 ? 'NONE' : (made ?? 'NONE');
}

/** Begun for a line of a batch that was canceled before anything was checked. */
export const isGivenUp = ({ sessionType, isActive, details, decision }: Session): boolean =>
  sessionType === 'OFFLINE_MEDIA_PROCESSING' &&
  details.wasAbandon &&
  !isActive &&
  decision?.reason === 'NO_DATA';

/**
 * Whether nothing was decided, and there was no caller it could have been about: a voice was to be enrolled,
 * or somebody worked with the data.
 */
export function hasNoCaller(session: Session): boolean {
  const { decision, intent, sessionType } = session;
  if (decision !== undefined && decision.decision !== 'UNCERTAIN') return false;
  return intent === 'ENROLLMENT' || consoleTypes.includes(sessionType) || isGivenUp(session);
}

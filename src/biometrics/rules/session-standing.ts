// What a list says that a session came to: its decision, or why there is none. Pure.
import type { Decision } from '../model/outcome.js';
import type { Session, SessionType } from '../model/sessions.js';

/** What is worst comes first. */
export const sessionStandings = [
  'FRAUD',
  'NO_MATCH',
  'REFUSED',
  'UNCERTAIN',
  'FAILED',
  'AUTHENTIC',
  'NO_RISK_DETECTED',
  'ENROLLMENT',
  'NONE',
] as const;

export type SessionStanding = (typeof sessionStandings)[number];

/** Sessions of people who work with the data: what they look at decides nothing about a caller. */
const workTypes: ReadonlySet<SessionType> = new Set(['ADMINISTRATION', 'FRAUD_ANALYST']);

/** An uncertain decision says nothing where nothing was checked, a lock has refused the check, or a voice was only enrolled. */
export function sessionStanding(
  { decision, intent, sessionType, isErased }: Session,
  { checks, refused }: { checks: number; refused: number },
): SessionStanding {
  const made: Decision | undefined = decision?.decision;
  if (made !== undefined && made !== 'UNCERTAIN') return made;
  if (refused > 0) return 'REFUSED';
  if (isErased) return 'NONE';
  if (intent === 'ENROLLMENT') return 'ENROLLMENT';
  return workTypes.has(sessionType) || checks === 0 ? 'NONE' : (made ?? 'NONE');
}

/** Refusals are told beside whatever else a session came to. */
export const isAmong = (
  sought: readonly SessionStanding[],
  standing: SessionStanding = 'NONE',
  isRefused = false,
): boolean => sought.includes(standing) || (isRefused && sought.includes('REFUSED'));

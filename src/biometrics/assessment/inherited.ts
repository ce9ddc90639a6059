// Decisions that come from another session of the engagement, because no check of the session itself gives them. Pure.
import type { Decision } from '../model/outcome.js';
import type { Factor, Session } from '../model/sessions.js';
import { readsAsYes } from '../rules/open-check.js';

type Decisive = Pick<Factor, 'kind' | 'decision'>;

/** The decision that a check gives; undefined if it leaves it open. */
const wordOf = ({ kind, decision }: Decisive): Decision | undefined => {
  if (decision === 'FRAUD' || decision === 'NO_RISK_DETECTED') return decision;
  const isDecided = decision === 'AUTHENTIC' || decision === 'NO_MATCH';
  return kind === 'AUTHENTICATION' && isDecided ? decision : undefined;
};

const hasWord = (decision: Decision | undefined): boolean =>
  readsAsYes(decision) || decision === 'FRAUD' || decision === 'NO_MATCH';

/** Whether there is a decision that no check of the session itself gives. */
export const isFromElsewhere = (decision: Decision | undefined, own: readonly Decisive[]): boolean =>
  hasWord(decision) && !own.some((made) => wordOf(made) === decision);

/** The session of the engagement whose check decided this one; undefined if none is known. */
export function decidedIn(
  { gkSessionId, decision }: Pick<Session, 'gkSessionId' | 'decision'>,
  made: readonly Pick<Factor, 'gkSessionId' | 'kind' | 'decision' | 'risk' | 'reliability'>[],
): string | undefined {
  const others = made.filter(
    (factor) => factor.gkSessionId !== gkSessionId && wordOf(factor) === decision?.decision,
  );
  const isIt = ({ risk, reliability }: Pick<Factor, 'risk' | 'reliability'>): boolean =>
    risk === decision?.risk && reliability === decision?.reliability;
  // If the person's data was erased, the score is gone.
  return (others.findLast(isIt) ?? others.findLast(({ risk }) => risk === undefined))?.gkSessionId;
}

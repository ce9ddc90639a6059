// What became known of a call after it: who was found in it later, when, and where that was asked.
import type { ReactNode } from 'react';
import type { LaterCheckJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { dateTime } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { Link } from '../../router.js';
import { t } from '../../text/sessions.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { attackName, isAlarm, isAttackCheck } from './verdict.js';

const text = t.session;

/** Each fraudster and each kind of attack once, by the check that found them first. */
export function foundLater(later: readonly LaterCheckJson[]): LaterCheckJson[] {
  const seen = new Set<string>();
  return later.filter((check) => {
    const id = check.fraudster?.gkFraudsterId?.value ?? attackIn(check) ?? '';
    if (id === '' || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** The attack that a check has found, in words. */
const attackIn = ({ event }: LaterCheckJson): string | undefined =>
  event && isAttackCheck(event) && isAlarm(event) ? attackName(event) : undefined;

/** Who or what, when, and on which list or by which search. */
export function FoundLater({ check }: { check: LaterCheckJson }): ReactNode {
  const { event, fraudster, gkWatchlistId, watchlistId } = check;
  const time = dateTime(event?.time);
  const attack = attackIn(check);
  if (attack) return text.foundAttack(attack, time);
  const who = <FraudsterLink gkId={fraudster?.gkFraudsterId?.value ?? ''} />;
  if (event?.operation === 'FindCalls') return fill(text.foundBySearch(time), { fraudster: who });
  const list = gkWatchlistId?.value;
  if (!list) return fill(text.foundAlone(time), { fraudster: who });
  return fill(text.foundOn(time), {
    fraudster: who,
    watchlist: <Link to={`/people/watchlists/${list}`}>{watchlistId}</Link>,
  });
}

/** The session in which somebody asked; a search belongs to none. */
export function MadeIn({ check: { gkSessionId, sessionId } }: { check: LaterCheckJson }): ReactNode {
  const id = gkSessionId?.value;
  return id ? fill(text.madeIn, { session: <SessionLink gkId={id} name={sessionId} /> }) : null;
}

export const eventsOf = (later: readonly LaterCheckJson[]) => later.flatMap(({ event }) => event ?? []);

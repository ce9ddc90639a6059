// What became known about a call after it: who was found in it later, when, and in which request; and who was
// put on a watchlist from it.
import { Fragment, type ReactNode } from 'react';
import type {
  LaterCheckJson,
  LaterFindingJson,
  NamedWatchlistJson,
  SessionFraudsterJson,
  TimelineEventJson,
} from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { dateTime } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { Link } from '../../router.js';
import { t } from '../../text/sessions.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { attackName, isAlarm, isAttackCheck } from './events.js';

const text = t.session;

/**
 * Each fraudster and each kind of attack once, by the check that found them first. What the call itself found
 * is no news, except in a search through stored calls.
 */
export function foundLater(
  later: readonly LaterCheckJson[],
  found: { events: readonly TimelineEventJson[]; fraudsters: readonly SessionFraudsterJson[] },
): LaterCheckJson[] {
  const known = new Set([
    ...found.events.flatMap((event) => attackIn({ event }) ?? []),
    ...found.fraudsters.flatMap(({ gkFraudsterId }) => gkFraudsterId?.value ?? []),
  ]);
  const seen = new Set<string>();
  return later.filter((check) => {
    if (isAddition(check)) return false;
    const id = check.fraudster?.gkFraudsterId?.value ?? attackIn(check) ?? '';
    if (id === '' || seen.has(id) || (known.has(id) && !isSearch(check))) return false;
    seen.add(id);
    return true;
  });
}

/** The caller was put on a watchlist from this call: somebody's decision, not a finding. */
export const isAddition = ({ event }: LaterCheckJson): boolean => event?.operation === 'AddVoiceToWatchlist';

/** Fraudsters whose print was made from the session, but not from a call's page. */
export function enrolledByHand(
  { madeFraudsters = [] }: AnswerOf<'GetSessionTimeline'>,
  later: readonly LaterCheckJson[],
): SessionFraudsterJson[] {
  const added = later.filter(isAddition).map(({ fraudster }) => fraudster?.gkFraudsterId?.value);
  return madeFraudsters.filter(({ gkFraudsterId }) => !added.includes(gkFraudsterId?.value));
}

/** `{fraudster}` has recordings of this session. */
export const EnrolledByHand = ({
  fraudster: { gkFraudsterId, fraudsterId },
}: {
  fraudster: SessionFraudsterJson;
}) =>
  fill(text.addedAlone, {
    fraudster: <FraudsterLink gkId={gkFraudsterId?.value ?? ''} known={fraudsterId} />,
  });

const isSearch = ({ event }: LaterCheckJson): boolean => event?.operation === 'FindCalls';

/** The attack found by a check, in words. */
const attackIn = ({ event }: LaterCheckJson): string | undefined =>
  event && isAttackCheck(event) && isAlarm(event) ? attackName(event) : undefined;

/** Who or what, when, and on which list or by which search. */
export function FoundLater({ check }: { check: LaterCheckJson }): ReactNode {
  const { event, fraudster, gkWatchlistId, watchlistId, listedOn = [] } = check;
  const time = dateTime(event?.time);
  const attack = attackIn(check);
  if (attack) return text.foundAttack(attack, time);
  const who = <FraudsterLink gkId={fraudster?.gkFraudsterId?.value ?? ''} known={fraudster?.fraudsterId} />;
  if (isSearch(check)) return <FoundBySearch check={check} who={who} />;
  const list = gkWatchlistId?.value;
  const isOff = list && !fraudster?.isDeleted && !listedOn.some((one) => one.gkWatchlistId?.value === list);
  const added = isOff ? text.addedOnce : text.addedOn;
  if (!list) return fill(isAddition(check) ? text.addedAlone : text.foundAlone(time), { fraudster: who });
  return fill(isAddition(check) ? added : text.foundOn(time), {
    fraudster: who,
    watchlist: <ListLinks lists={[{ gkWatchlistId, watchlistId: watchlistId ?? '' }]} />,
  });
}

/** With a link to the search, or to repeat it, and the lists that the fraudster is on by now. */
function FoundBySearch({ check, who }: { check: LaterCheckJson; who: ReactNode }): ReactNode {
  const { event, fraudster, listedOn = [] } = check;
  const job = event?.attributes?.['gkJobId'];
  const to = job
    ? `/look-back?tab=searches&search=${encodeURIComponent(job)}`
    : `/look-back?fraudster=${encodeURIComponent(fraudster?.fraudsterId ?? '')}`;
  const sentence = listedOn.length > 0 ? text.foundBySearch : text.foundBySearchUnlisted;
  return fill(sentence(dateTime(event?.time)), {
    fraudster: who,
    search: <Link to={to}>{text.search}</Link>,
    watchlist: <ListLinks lists={listedOn} />,
  });
}

const ListLinks = ({ lists }: { lists: readonly NamedWatchlistJson[] }): ReactNode =>
  lists.map(({ gkWatchlistId, watchlistId }, index) => (
    <Fragment key={gkWatchlistId?.value}>
      {index > 0 ? ', ' : null}
      <Link to={`/people/watchlists/${gkWatchlistId?.value ?? ''}`}>{watchlistId}</Link>
    </Fragment>
  ));

/** As an entry in a list has it. */
export const findingOf = ({ event, fraudster }: LaterCheckJson): LaterFindingJson => ({
  check: event?.attributes?.['factor'] ?? '',
  ...(fraudster && { fraudster }),
});

/** The session in which somebody asked; a search has none. */
export function AskedInSession({ check: { gkSessionId, sessionId } }: { check: LaterCheckJson }): ReactNode {
  const id = gkSessionId?.value;
  return id ? fill(text.madeIn, { session: <SessionLink gkId={id} name={sessionId} /> }) : null;
}

/** With the watchlist that was checked, which the audit trail of an old check may no longer name. */
export const eventsOf = (later: readonly LaterCheckJson[]): TimelineEventJson[] =>
  later.flatMap(({ event, gkWatchlistId }) => {
    if (!event || !gkWatchlistId?.value) return event ?? [];
    return { ...event, attributes: { ...event.attributes, gkWatchlistId: gkWatchlistId.value } };
  });

// The persons at the head of a session's page: whose voice it was, and who was claimed.
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import { t } from '../../text/sessions.js';
import { PersonLink } from '../biosec/person-link.js';
import { callersIn, type WhoCalled } from '../biosec/session-words.js';

const text = t.session;

type Timeline = Omit<AnswerOf<'GetSessionTimeline'>, 'events' | 'laterChecks'>;

export const whoIn = (timeline: Timeline): WhoCalled => ({ ...timeline, details: timeline.session });

/**
 * The persons of the session: whose voice it was, if known and not the person claimed; and the person
 * claimed.
 */
export const personsIn = (timeline: Timeline): string[] => [
  ...new Set([
    ...callersIn(whoIn(timeline)).flatMap(({ gkPersonId }) => gkPersonId?.value ?? []),
    ...(timeline.session?.claimedGkPersonId?.value ? [timeline.session.claimedGkPersonId.value] : []),
  ]),
];

export function callerFacts(timeline: Timeline): (readonly [string, ReactNode])[] {
  const claimed = timeline.session?.claimedGkPersonId?.value;
  return personsIn(timeline).map((gkId) => [
    gkId === claimed ? claimLabel(timeline) : personLabel(timeline, gkId),
    <PersonLink key={gkId} gkId={gkId} known={idOf(timeline, gkId)} />,
  ]);
}

/** Whose voice it was is known only if it matched. */
function claimLabel({ session, hasOtherPerson, claimedResult, carried }: Timeline): string {
  const isPerson = session?.riskInfo?.decision === 'DECISION_AUTHENTIC' && !carried && !hasOtherPerson;
  return isPerson && (!claimedResult || claimedResult === 'MATCHED') ? text.person : text.claims;
}

/** For a person who was not claimed: why they are named. */
function personLabel(timeline: Timeline, gkId: string): string {
  const { session, persons = [], hasOtherPerson, hasSeveralPersons, carried } = timeline;
  const { role, isMatch } =
    callersIn(whoIn(timeline)).find(({ gkPersonId }) => gkPersonId?.value === gkId) ?? {};
  const isAuthentic = session?.riskInfo?.decision === 'DECISION_AUTHENTIC' && !carried;
  if (isAuthentic && !hasOtherPerson && !hasSeveralPersons) return text.person;
  if (isMatch && (hasOtherPerson || hasSeveralPersons || !isAuthentic)) return text.matched;
  if (role === 'SESSION_PERSON_ROLE_RECOGNIZED') return text.recognized;
  return role === 'SESSION_PERSON_ROLE_VERIFIED' && persons.length > 0 ? text.verified : text.person;
}

/**
 * The own ID, if the checks of the session name the person; for the claimed person it is known whether they
 * were erased.
 */
export const idOf = ({ persons = [], session, isClaimErased }: Timeline, gkId: string): string | undefined =>
  persons.find(({ gkPersonId }) => gkPersonId?.value === gkId)?.personId ||
  (isClaimErased && session?.claimedGkPersonId?.value === gkId ? t.list.erasedPerson : undefined);

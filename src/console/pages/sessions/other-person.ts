// Where somebody was claimed, and the voice was compared with somebody else's as well or instead: with whom, and how each comparison ended.
import type { AnswerOf } from '../../../client/contract.js';
import type { SessionPersonJson, TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { callerAmong, comparedAmong, endOf, type Ended } from '../biosec/session-words.js';
import { isMatch } from './events.js';
import { byRecording } from './recordings.js';

const text = t.session.verdict.otherPerson;

/** By their own IDs, as far as they are known. */
export interface OtherPerson {
  other: string;
  isMatch: boolean;
  claimed: string;
  /** How the comparison with the one claimed ended; undefined where there was none. */
  ofClaimed?: Ended | undefined;
  /** Whom each recording matches, where they match more than one person: its name and them. */
  matches?: readonly (readonly [string, string])[];
}

export function otherPersonIn(
  {
    session,
    persons = [],
    hasOtherPerson,
    claimedPersonId = '',
  }: Pick<AnswerOf<'GetSessionTimeline'>, 'session' | 'persons' | 'hasOtherPerson' | 'claimedPersonId'>,
  events: readonly TimelineEventJson[],
): OtherPerson | undefined {
  if (!hasOtherPerson) return undefined;
  const claimed = session?.claimedGkPersonId?.value ?? '';
  const others = comparedAmong(persons).filter(({ gkPersonId }) => gkPersonId?.value !== claimed);
  const matched = others.filter((person) => person.isMatch);
  const shown = matched.length > 0 ? matched : [callerAmong(persons, claimed)];
  return {
    other: [...new Set(shown.map((person) => person?.personId ?? ''))].join(', '),
    isMatch: matched.length > 0,
    claimed: claimedPersonId,
    ofClaimed: endOf(persons, claimed),
    matches: matchesIn(comparedAmong(persons), events),
  };
}

function matchesIn(
  persons: readonly SessionPersonJson[],
  events: readonly TimelineEventJson[],
): (readonly [string, string])[] {
  const ownerOf = new Map(
    persons.flatMap(({ personId = '', gkVoiceprintProfileIds = [] }) =>
      gkVoiceprintProfileIds.map(({ value = '' }) => [value, personId] as const),
    ),
  );
  return byRecording(events).flatMap(([, made], index) => {
    const owners = made
      .filter(isMatch)
      .flatMap(({ gkVoiceprintProfileId }) => ownerOf.get(gkVoiceprintProfileId?.value ?? '') ?? []);
    const names = [...new Set(owners)].join(', ');
    return names ? [[t.heard.recording(index + 1), names] as const] : [];
  });
}

/** Where the voice matches somebody else than the one claimed; undefined where it does not. */
export function adviceOnOther(found: OtherPerson): Advice | undefined {
  const { other, claimed, ofClaimed, matches = [] } = found;
  if (!found.isMatch) return undefined;
  const { next, nextUnkept, nextOver, unlike, both } = text;
  if (ofClaimed === 'mismatch') return { ...unlike, title: unlike.title(other, claimed) };
  if (ofClaimed === 'match') {
    const { inRecordings, title, ...words } = both;
    return { ...words, title: matches.length > 1 ? inRecordings(matches, claimed) : title(other, claimed) };
  }
  const title = (ofClaimed === 'open' ? text.unsure : text.title)(other, claimed);
  return { title, next, nextUnkept, nextOver };
}

/** In a sentence, beside what else is to be said. */
export const otherWords = (found: OtherPerson): string => {
  const advice = adviceOnOther(found);
  return advice ? `${advice.title}.` : text.compared(found.other, found.claimed);
};

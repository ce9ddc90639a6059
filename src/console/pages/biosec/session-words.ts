// A session of a list in words, as the list and the spreadsheet say them: whom it is about, and what came of it.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { SessionEntryJson, SessionPersonJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import { decisionWord, type DecisionTone } from './advice.js';
import { consoleTypes } from './operations.js';

const { roles } = sessions.list;

/** Of those whose voiceprints were named in a session: who was named last, and before all others who was not only enrolled in it. */
export const callerAmong = (persons: readonly SessionPersonJson[]): SessionPersonJson | undefined =>
  persons.findLast(({ role }) => role !== 'SESSION_PERSON_ROLE_ENROLLED') ?? persons.at(-1);

export function personOf({ claimedPersonId, claimedPersonName = '', persons = [] }: SessionEntryJson): {
  id: string;
  name: string;
  how: string;
} {
  if (claimedPersonId) return { id: claimedPersonId, name: claimedPersonName, how: roles.claimed };
  const { personId = '', name = '', role = 'SESSION_PERSON_ROLE_UNSPECIFIED' } = callerAmong(persons) ?? {};
  return { id: personId, name, how: roles[role] };
}

/** Who or what was found after the call, in words. */
export const foundLaterIn = ({ foundLater = [] }: SessionEntryJson): string[] =>
  foundLater.map(({ check = '', fraudster }) =>
    fraudster
      ? [fraudster.fraudsterId, fraudster.name].filter(Boolean).join(', ')
      : (t.attackNames[check] ?? check),
  );

/** Attack checks that could not tell whether a live person spoke, in words. */
export const undecidedIn = ({ undecidedChecks = [] }: SessionEntryJson): string[] =>
  undecidedChecks.map((check) => t.attackNames[check] ?? check);

/** What keeps a decision from being relied on: something was not decided, or not compared. */
export type Marked = Pick<SessionEntryJson, 'undecidedChecks' | 'withoutAttackChecks' | 'withoutWatchlist'>;

export const isMarked = ({ undecidedChecks = [], withoutAttackChecks, withoutWatchlist }: Marked): boolean =>
  undecidedChecks.length > 0 || withoutAttackChecks === true || withoutWatchlist === true;

/** How a session knows one person whom it is about. */
export function roleOf({ details, persons = [] }: SessionEntryJson, gkPersonId: string): string {
  if (details?.claimedGkPersonId?.value === gkPersonId) return roles.claimed;
  const named = persons.find((person) => person.gkPersonId?.value === gkPersonId);
  return roles[named?.role ?? 'SESSION_PERSON_ROLE_UNSPECIFIED'];
}

export const isUndecided = (decision: DecisionJson | undefined): boolean =>
  !decision || decision === 'DECISION_UNCERTAIN';

/**
 * Of a whole session; green only where nothing was left open. One that only collected recordings, or served the work of somebody in the console, has decided nothing; nor
 * is there a doubt about a voice where nothing was checked.
 */
export function sessionWord({
  session,
  checks,
  marks = {},
}: {
  session: SessionDetailsForReadJson | undefined;
  checks: number;
  marks?: Marked;
}): { word: string; tone: DecisionTone } | undefined {
  const decision = session?.riskInfo?.decision;
  const isOpen = isUndecided(decision);
  if (session?.sessionIntent === 'SESSION_INTENT_ENROLLMENT' && isOpen)
    return { word: t.enrollment, tone: 'neutral' };
  if (isOpen && consoleTypes.some((type) => type === session?.sessionType)) return undefined;
  const { word, tone } = decisionWord(isOpen && checks === 0 ? undefined : decision);
  return { word, tone: tone === 'good' && isMarked(marks) ? 'neutral' : tone };
}

// Whom a session is about, from its comparisons: the person claimed, everybody else whose voice was compared, and fraudsters. Pure.
import type { ClaimEnd } from '../model/compared-voices.js';
import type { Session, SessionAbout, SessionPerson } from '../model/sessions.js';
import { decidedPersons, judgeCaller, type WhoCalled } from './judge-caller.js';
import type { AssessedParty, PartyResult } from './model.js';

/** Somebody was claimed whose data was erased, and with it the claim. */
const isClaimDropped = ({ claimedGkPersonId, isClaimErased }: Session): boolean =>
  claimedGkPersonId === undefined && isClaimErased === true;

/** A batch line may claim somebody whom nobody knows. */
const isClaimed = (session: Session): boolean =>
  session.claimedGkPersonId !== undefined ||
  isClaimDropped(session) ||
  session.details.batchLine !== undefined;

export function judgedCaller(session: Session, about: SessionAbout | undefined): WhoCalled {
  const { claimedGkPersonId: person = '', claimEnd = 'UNDECIDED', hadOtherPerson } = session;
  const claim = { person, ...(isClaimDropped(session) && { former: claimEnd }) };
  const caller = judgeCaller(isClaimed(session) ? claim : undefined, about?.voices ?? []);
  // With the person's data, who was compared with whom was removed.
  return { ...caller, ...(hadOtherPerson && { hasOtherPerson: true }) };
}

const claimResults: Readonly<Record<ClaimEnd, PartyResult>> = {
  MATCHED: 'MATCHED',
  NO_MATCH: 'NOT_MATCHED',
  UNDECIDED: 'UNDECIDED',
  NOT_COMPARED: 'NOT_COMPARED',
};

/** Whose voice it is comes first; whoever was heard on an agent's channel, last. */
export function partiesIn(session: Session, about: SessionAbout | undefined): AssessedParty[] {
  const { claimed } = judgedCaller(session, about);
  const persons = [...groupedPersons(about?.persons ?? []), ...erasedPersons(about)];
  const claimedAs = session.claimedGkPersonId ?? '';
  const isTheClaimed = ({ gkId, isAgent, result }: AssessedParty): boolean =>
    !isAgent &&
    (claimedAs === ''
      ? isClaimDropped(session) && claimed !== 'NOT_COMPARED' && gkId === '' && result !== 'ENROLLED'
      : gkId === claimedAs);
  const known = claimed && persons.find(isTheClaimed);
  const ofClaimed = claimed && claimResults[claimed];
  const claimedParty: AssessedParty[] = ofClaimed
    ? [
        {
          kind: 'PERSON',
          gkId: claimedAs,
          isClaimed: true,
          result: known && ofClaimed === 'NOT_COMPARED' ? known.result : ofClaimed,
        },
      ]
    : [];
  const fraudsters = (ids: readonly string[] = [], result: PartyResult): AssessedParty[] =>
    ids.map((gkId) => ({ kind: 'FRAUDSTER', gkId, result }));
  const all = [
    ...fraudsters(about?.gkFraudsterIds, 'MATCHED'),
    ...persons.filter((one) => one !== known && one.result === 'MATCHED'),
    ...claimedParty,
    ...persons.filter((one) => one !== known && one.result !== 'MATCHED'),
    ...fraudsters(about?.gkEnrolledFraudsterIds, 'ENROLLED'),
  ];
  return [...all.filter(({ isAgent }) => !isAgent), ...all.filter(({ isAgent }) => isAgent)];
}

/** Each person once, and once more as heard on the channel of an agent. */
function groupedPersons(persons: readonly SessionPerson[]): AssessedParty[] {
  const groups = new Map<string, SessionPerson[]>();
  for (const person of persons) {
    const key = `${person.gkPersonId} ${person.isAgent === true}`;
    groups.set(key, [...(groups.get(key) ?? []), person]);
  }
  return [...groups.values()].flatMap((entries): AssessedParty[] => {
    const [first] = entries;
    if (!first) return [];
    return [
      {
        kind: 'PERSON',
        gkId: first.gkPersonId,
        result: resultOf(entries),
        ...(first.isAgent && { isAgent: true }),
      },
    ];
  });
}

function resultOf(entries: readonly SessionPerson[]): PartyResult {
  if (entries.some(({ isMatch }) => isMatch)) return 'MATCHED';
  if (entries.some(({ isMismatch }) => isMismatch)) return 'NOT_MATCHED';
  return entries.every(({ role }) => role === 'ENROLLED') ? 'ENROLLED' : 'UNDECIDED';
}

/** Comparisons whose print is gone were with somebody who was erased: one entry, without a name. */
function erasedPersons(about: SessionAbout | undefined): AssessedParty[] {
  const erased = (about?.voices ?? []).filter(
    ({ person, isOne, end }) => person === '' && (isOne || end === 'MATCHED'),
  );
  if (erased.length === 0) return [];
  const has = (sought: string): boolean => erased.some(({ end }) => end === sought);
  return [
    {
      kind: 'PERSON',
      gkId: '',
      result: has('MATCHED') ? 'MATCHED' : has('NO_MATCH') ? 'NOT_MATCHED' : 'UNDECIDED',
    },
  ];
}

/** Whether somebody is claimed here, and a decision from another session is about others. */
export function isAboutOthers(session: Session, there: SessionAbout | undefined): boolean {
  const { claimedGkPersonId: person = '', hadOtherClaimed, decision } = session;
  if (!isClaimed(session)) return false;
  const end =
    decision?.decision === 'AUTHENTIC'
      ? 'MATCHED'
      : decision?.decision === 'NO_MATCH'
        ? 'NO_MATCH'
        : undefined;
  const decided = end ? decidedPersons(end, there?.voices ?? []) : [];
  if (decided.length === 0) return false;
  if (hadOtherClaimed) return true;
  // Two who are erased may be the same; whoever is still known is somebody else than one who is erased.
  if (isClaimDropped(session)) return !decided.includes('');
  return person === '' || !decided.includes(person);
}

/** Whether the person claimed here was compared in the session that its decision comes from. */
export function isComparedThere({ claimedGkPersonId }: Session, there: SessionAbout | undefined): boolean {
  const claim = claimedGkPersonId === undefined ? undefined : { person: claimedGkPersonId };
  const { claimed } = judgeCaller(claim, there?.voices ?? []);
  return claimed !== undefined && claimed !== 'NOT_COMPARED';
}

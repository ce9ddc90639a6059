// Persons and fraudsters whom sessions are about, by their own IDs and names.
import type { ComparedVoice, End } from '../model/compared-voices.js';
import type { Collection, Party } from '../model/entities.js';
import type { SessionAbout, SessionPerson } from '../model/sessions.js';
import { isOfCaller } from '../rules/heard-channel.js';
import { nameOf } from '../rules/name-of.js';

export interface NamedPerson extends SessionPerson {
  /** The own ID. */
  personId: string;
  name: string;
}

export interface NamedFraudster {
  gkFraudsterId: string;
  /** The own ID. */
  fraudsterId: string;
  name: string;
  isDeleted?: true;
}

export interface NamedWatchlist {
  gkWatchlistId: string;
  /** The own ID. */
  watchlistId: string;
}

export const watchlistOf = ({ gkId, externalId }: Collection): NamedWatchlist => ({
  gkWatchlistId: gkId,
  watchlistId: externalId,
});

/** Everybody whom a session is about, in any role. */
export const idsIn = ({ persons, gkFraudsterIds, gkEnrolledFraudsterIds }: SessionAbout): string[] => [
  ...persons.map(({ gkPersonId }) => gkPersonId),
  ...gkFraudsterIds,
  ...gkEnrolledFraudsterIds,
];

/** Those who still exist, with their own IDs and names. */
export function namedIn(
  about: SessionAbout | undefined,
  partyOf: ReadonlyMap<string, Party>,
): { persons: NamedPerson[]; fraudsters: NamedFraudster[]; enrolledFraudsters: NamedFraudster[] } {
  return {
    persons: [
      ...(about?.persons ?? []).flatMap((person) => {
        const party = partyOf.get(person.gkPersonId);
        return party ? { ...person, personId: party.externalId, name: nameOf(party) } : [];
      }),
      ...erasedAmong(about?.voices ?? []),
    ],
    fraudsters: fraudstersAmong(about?.gkFraudsterIds, partyOf),
    enrolledFraudsters: fraudstersAmong(about?.gkEnrolledFraudsterIds, partyOf),
  };
}

/** For somebody compared whose data was erased: one entry per role, without a name. */
function erasedAmong(voices: readonly ComparedVoice[]): NamedPerson[] {
  const deleted = voices.filter(
    (voice) => isOfCaller(voice) && voice.person === '' && (voice.isOne || voice.end === 'MATCHED'),
  );
  const has = (end: End, ones: readonly ComparedVoice[]): boolean => ones.some((one) => one.end === end);
  return [true, false].flatMap((isOne): NamedPerson[] => {
    const theirs = deleted.filter((voice) => voice.isOne === isOne);
    if (theirs.length === 0) return [];
    return [
      {
        ...{ gkPersonId: '', personId: '', name: '', role: isOne ? 'VERIFIED' : 'RECOGNIZED' },
        ...(has('MATCHED', theirs) && { isMatch: true }),
        ...(has('NO_MATCH', theirs) && { isMismatch: true }),
      },
    ];
  });
}

const fraudstersAmong = (
  gkIds: readonly string[] = [],
  partyOf: ReadonlyMap<string, Party>,
): NamedFraudster[] =>
  gkIds.flatMap((gkId) => {
    const party = partyOf.get(gkId);
    return party ? fraudsterOf(party) : [];
  });

export const fraudsterOf = (party: Party): NamedFraudster => ({
  gkFraudsterId: party.gkId,
  fraudsterId: party.externalId,
  name: nameOf(party),
});

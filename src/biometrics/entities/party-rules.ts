// What persons and fraudsters have in common: limits of their details, and how they are named in errors and audit.
import { notFound } from '../../errors.js';
import { Faults, ID_LENGTH_MAX, SHORT_TEXT_LENGTH_MAX } from '../call/limits.js';
import type { PartyRepository } from '../ports/entities.js';
import type { CollectionKind, Party, PartyDetails, PartyKind } from '../model/entities.js';
import { say } from '../../words/server/say.js';

const PHONE_NUMBERS_MAX = 20;

export const idField = (kind: PartyKind | CollectionKind): string => `${kind.toLowerCase()}_id`;
export const gkIdField = (kind: PartyKind | CollectionKind): string => `gk_${kind.toLowerCase()}_id`;

export function partyEvent(kind: PartyKind): 'PERSON_EVENT' | 'FRAUDSTER_EVENT' {
  return kind === 'PERSON' ? 'PERSON_EVENT' : 'FRAUDSTER_EVENT';
}

export function collectionEvent(kind: CollectionKind): 'GROUP_EVENT' | 'WATCHLIST_EVENT' {
  return kind === 'GROUP' ? 'GROUP_EVENT' : 'WATCHLIST_EVENT';
}

/** `Person` for PERSON: operation names are built from it. */
const names = { PERSON: 'Person', FRAUDSTER: 'Fraudster', GROUP: 'Group', WATCHLIST: 'Watchlist' } as const;

export const nameOf = <Kind extends PartyKind | CollectionKind>(kind: Kind): (typeof names)[Kind] =>
  names[kind];

export function checkPartyDetails(details: Partial<PartyDetails>): Faults {
  const faults = new Faults()
    .text('details.first_name', details.firstName, ID_LENGTH_MAX)
    .text('details.last_name', details.lastName, ID_LENGTH_MAX)
    .text('details.preferred_language', details.preferredLanguage, SHORT_TEXT_LENGTH_MAX)
    .customData('details.custom_data', details.customData);
  const numbers = details.phoneNumbers ?? [];
  if (numbers.length > PHONE_NUMBERS_MAX) {
    faults.add({
      field: 'details.phone_numbers',
      violation: 'TOO_LONG',
      ...say('TOO_MANY_ENTRIES', { max: PHONE_NUMBERS_MAX }),
    });
  }
  numbers.forEach((number, index) =>
    faults.text(`details.phone_numbers[${index}]`, number, SHORT_TEXT_LENGTH_MAX),
  );
  return faults;
}

export function newParty(
  kind: PartyKind,
  made: { gkId: string; gkScopeId: string; externalId: string; nowMs: number },
  details: Partial<PartyDetails> = {},
): Party {
  const { nowMs, ...ids } = made;
  return {
    kind,
    ...ids,
    details: {
      firstName: '',
      lastName: '',
      preferredLanguage: '',
      phoneNumbers: [],
      customData: {},
      ...details,
    },
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
}

export async function partyOrThrow(
  parties: PartyRepository,
  gkScopeId: string,
  kind: PartyKind,
  gkId: string,
): Promise<Party> {
  const party = await parties.find(gkScopeId, kind, gkId);
  if (!party) throw notFound(kind.toLowerCase(), gkIdField(kind));
  return party;
}

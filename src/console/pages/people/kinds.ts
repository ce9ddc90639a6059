// Persons and fraudsters, groups and watchlists differ by names only: the names are here.
import type { FraudsterDetails, Id, PersonDetails } from '../biosec/types.js';

export type PartyKind = 'person' | 'fraudster';
export type CollectionKind = 'group' | 'watchlist';

/** A person or fraudster as the lists show it. */
export interface Party {
  gkId: string;
  id: string;
  name: string;
  created: string | undefined;
  consent: string | undefined;
  prints: number;
  trained: number;
}

export interface Collection {
  gkId: string;
  id: string;
  members: number;
  created: string | undefined;
}

interface PartyEntry {
  details?: PersonDetails & FraudsterDetails;
  voiceprintProfileCount?: number;
  trainedProfileCount?: number;
}

export interface ListAnswer {
  persons?: PartyEntry[];
  fraudsters?: PartyEntry[];
  groups?: CollectionEntry[];
  watchlists?: CollectionEntry[];
  total?: number;
}

interface CollectionEntry {
  details?: {
    gkGroupId?: Id;
    groupId?: string;
    gkWatchlistId?: Id;
    watchlistId?: string;
    creationTimestamp?: string;
  };
  personCount?: number;
  fraudsterCount?: number;
}

export const partyKinds = {
  person: {
    path: 'persons',
    title: 'Persons',
    one: 'person',
    idName: 'personId',
    gkName: 'gkPersonId',
    ownerType: 'OWNER_TYPE_PERSON',
  },
  fraudster: {
    path: 'fraudsters',
    title: 'Fraudsters',
    one: 'fraudster',
    idName: 'fraudsterId',
    gkName: 'gkFraudsterId',
    ownerType: 'OWNER_TYPE_FRAUDSTER',
  },
} as const;

export const collection = {
  group: {
    path: 'groups',
    title: 'Groups',
    one: 'group',
    idName: 'groupId',
    gkName: 'gkGroupId',
    member: 'person',
    about: 'The people a voice is compared with when you ask who is speaking.',
  },
  watchlist: {
    path: 'watchlists',
    title: 'Watchlists',
    one: 'watchlist',
    idName: 'watchlistId',
    gkName: 'gkWatchlistId',
    member: 'fraudster',
    about: 'Voices of known fraudsters that calls are checked against.',
  },
} as const;

export function partiesOf(kind: PartyKind, answer: ListAnswer): Party[] {
  const entries = (kind === 'person' ? answer.persons : answer.fraudsters) ?? [];
  return entries.map(({ details = {}, voiceprintProfileCount = 0, trainedProfileCount = 0 }) => ({
    gkId: (kind === 'person' ? details.gkPersonId : details.gkFraudsterId)?.value ?? '',
    id: (kind === 'person' ? details.personId : details.fraudsterId) ?? '',
    name: [details.firstName, details.lastName].filter(Boolean).join(' '),
    created: details.creationTimestamp,
    consent: details.consentInfo?.status,
    prints: voiceprintProfileCount,
    trained: trainedProfileCount,
  }));
}

export function collectionsOf(kind: CollectionKind, answer: ListAnswer): Collection[] {
  const entries = (kind === 'group' ? answer.groups : answer.watchlists) ?? [];
  return entries.map(({ details = {}, personCount, fraudsterCount }) => ({
    gkId: (kind === 'group' ? details.gkGroupId : details.gkWatchlistId)?.value ?? '',
    id: (kind === 'group' ? details.groupId : details.watchlistId) ?? '',
    members: (kind === 'group' ? personCount : fraudsterCount) ?? 0,
    created: details.creationTimestamp,
  }));
}

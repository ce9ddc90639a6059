// Persons and fraudsters, groups and watchlists differ only by names: the requests for each are here.
import type { ConsentStatusJson } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import type { ListOrderJson } from '../../../gen/voxgate/biosec/v1/directory_pb.js';
import { call } from '../../api/client.js';
import type { Page } from '../../api/use-pages.js';
import { fullName } from '../../format/text.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import type { PartyKind } from '../biosec/party-picker.js';

export type CollectionKind = 'group' | 'watchlist';

/** A person or fraudster as the lists show it. */
export interface Party {
  gkId: string;
  id: string;
  name: string;
  createdAt: string | undefined;
  consent: ConsentStatusJson | undefined;
  prints: number;
  trained: number;
  /** How many are locked now. */
  locked: number;
}

export interface Collection {
  gkId: string;
  id: string;
  members: number;
  createdAt: string | undefined;
}

interface ListRequest {
  query?: string;
  pageSize?: number;
  pageToken?: string;
  /** Only members of this group or watchlist. */
  memberOf?: string;
  /** A key of `orders`. */
  sort?: string;
}

/** Orders of the lists, by the names of their columns. */
const orders: Readonly<Record<string, ListOrderJson>> = {
  added: 'LIST_ORDER_OLDEST_FIRST',
  '-added': 'LIST_ORDER_NEWEST_FIRST',
  identifier: 'LIST_ORDER_IDENTIFIER',
  '-identifier': 'LIST_ORDER_IDENTIFIER_REVERSED',
};

/** Newest first. */
export const SORT_DEFAULT = '-added';

const PAGE_SIZE = 50;

export async function listParties(
  kind: PartyKind,
  context: Context,
  { memberOf, pageSize = PAGE_SIZE, sort = SORT_DEFAULT, ...rest }: ListRequest,
  signal?: AbortSignal,
): Promise<Page<Party>> {
  const request = { ...rest, order: orders[sort] };
  const member = memberOf === undefined ? undefined : { value: memberOf };
  if (kind === 'person') {
    const answer = await call('ListPersons', { context, ...request, pageSize, gkGroupId: member }, signal);
    const rows = (answer.persons ?? []).map(({ details, ...counts }) => ({
      gkId: details?.gkPersonId?.value ?? '',
      id: details?.personId ?? '',
      name: fullName(details),
      createdAt: details?.creationTimestamp,
      consent: details?.consentInfo?.status,
      prints: counts.voiceprintProfileCount ?? 0,
      trained: counts.trainedProfileCount ?? 0,
      locked: counts.lockedProfileCount ?? 0,
    }));
    return { rows, next: answer.nextPageToken, total: answer.total };
  }
  const answer = await call(
    'ListFraudsters',
    { context, ...request, pageSize, gkWatchlistId: member },
    signal,
  );
  const rows = (answer.fraudsters ?? []).map(({ details, ...counts }) => ({
    gkId: details?.gkFraudsterId?.value ?? '',
    id: details?.fraudsterId ?? '',
    name: fullName(details),
    createdAt: details?.creationTimestamp,
    consent: undefined,
    prints: counts.voiceprintProfileCount ?? 0,
    trained: counts.trainedProfileCount ?? 0,
    locked: counts.lockedProfileCount ?? 0,
  }));
  return { rows, next: answer.nextPageToken, total: answer.total };
}

export async function listCollections(
  kind: CollectionKind,
  context: Context,
  { query, pageToken, pageSize = PAGE_SIZE, sort = SORT_DEFAULT }: ListRequest,
  signal?: AbortSignal,
): Promise<Page<Collection>> {
  const request = { context, query, pageToken, pageSize, order: orders[sort] };
  if (kind === 'group') {
    const answer = await call('ListGroups', request, signal);
    const rows = (answer.groups ?? []).map(({ details, personCount }) => ({
      gkId: details?.gkGroupId?.value ?? '',
      id: details?.groupId ?? '',
      members: personCount ?? 0,
      createdAt: details?.creationTimestamp,
    }));
    return { rows, next: answer.nextPageToken, total: answer.total };
  }
  const answer = await call('ListWatchlists', request, signal);
  const rows = (answer.watchlists ?? []).map(({ details, fraudsterCount }) => ({
    gkId: details?.gkWatchlistId?.value ?? '',
    id: details?.watchlistId ?? '',
    members: fraudsterCount ?? 0,
    createdAt: details?.creationTimestamp,
  }));
  return { rows, next: answer.nextPageToken, total: answer.total };
}

const idOf = (gkId: string) => ({ value: gkId });

export const partyKinds = {
  person: {
    path: 'persons',
    collection: 'group',
    text: t.person,
    create: async (context: Context, personId: string) =>
      (await call('CreatePerson', { context, personId })).gkPersonId?.value,
    /** Undefined if there is none with that identifier. */
    find: async (context: Context, personId: string) =>
      (await call('GetGkPersonId', { context, personId })).gkPersonId?.value,
    remove: (context: Context, gkId: string) => call('DeletePerson', { context, gkPersonId: idOf(gkId) }),
    profiles: (context: Context, gkId: string, signal?: AbortSignal) =>
      call('ListPersonProfiles', { context, gkPersonId: idOf(gkId) }, signal),
    owner: (gkId: string) => ({ gkPersonId: idOf(gkId) }),
    idField: 'personId',
    needs: { add: 'CreatePerson', collect: 'AddPersonToGroup', remove: 'DeletePerson' },
  },
  fraudster: {
    path: 'fraudsters',
    collection: 'watchlist',
    text: t.fraudster,
    create: async (context: Context, fraudsterId: string) =>
      (await call('CreateFraudster', { context, fraudsterId })).gkFraudsterId?.value,
    find: async (context: Context, fraudsterId: string) =>
      (await call('GetGkFraudsterId', { context, fraudsterId })).gkFraudsterId?.value,
    remove: (context: Context, gkId: string) =>
      call('DeleteFraudster', { context, gkFraudsterId: idOf(gkId) }),
    profiles: (context: Context, gkId: string, signal?: AbortSignal) =>
      call('ListFraudsterProfiles', { context, gkFraudsterId: idOf(gkId) }, signal),
    owner: (gkId: string) => ({ gkFraudsterId: idOf(gkId) }),
    idField: 'fraudsterId',
    needs: { add: 'CreateFraudster', collect: 'AddFraudsterToWatchlist', remove: 'DeleteFraudster' },
  },
} as const;

export const collectionKinds = {
  group: {
    path: 'groups',
    member: 'person',
    text: t.group,
    idField: 'groupId',
    needs: { add: 'CreateGroup', collect: 'AddPersonToGroup', remove: 'DeleteGroup' },
    create: async (context: Context, groupId: string) =>
      (await call('CreateGroup', { context, groupId })).gkGroupId?.value,
    read: async (context: Context, gkId: string, signal?: AbortSignal) =>
      (await call('GetGroupDetails', { context, gkGroupId: idOf(gkId) }, signal)).details?.groupId ?? '',
    remove: (context: Context, gkId: string) => call('DeleteGroup', { context, gkGroupId: idOf(gkId) }),
    addMember: (context: Context, gkId: string, member: string) =>
      call('AddPersonToGroup', { context, gkGroupId: idOf(gkId), gkPersonId: idOf(member) }),
    removeMember: (context: Context, gkId: string, member: string) =>
      call('RemovePersonsFromGroup', { context, gkGroupId: idOf(gkId), gkPersonIds: [idOf(member)] }),
    hasMember: async (context: Context, gkId: string, member: string, signal?: AbortSignal) => {
      const request = { context, gkGroupId: idOf(gkId), gkPersonId: idOf(member) };
      return (await call('IsPersonInGroup', request, signal)).isInGroup ?? false;
    },
  },
  watchlist: {
    path: 'watchlists',
    member: 'fraudster',
    text: t.watchlist,
    idField: 'watchlistId',
    needs: { add: 'CreateWatchlist', collect: 'AddFraudsterToWatchlist', remove: 'DeleteWatchlist' },
    create: async (context: Context, watchlistId: string) =>
      (await call('CreateWatchlist', { context, watchlistId })).gkWatchlistId?.value,
    read: async (context: Context, gkId: string, signal?: AbortSignal) =>
      (await call('GetWatchlistDetails', { context, gkWatchlistId: idOf(gkId) }, signal)).details
        ?.watchlistId ?? '',
    remove: (context: Context, gkId: string) =>
      call('DeleteWatchlist', { context, gkWatchlistId: idOf(gkId) }),
    addMember: (context: Context, gkId: string, member: string) =>
      call('AddFraudsterToWatchlist', { context, gkWatchlistId: idOf(gkId), gkFraudsterId: idOf(member) }),
    removeMember: (context: Context, gkId: string, member: string) =>
      call('RemoveFraudstersFromWatchlist', {
        context,
        gkWatchlistId: idOf(gkId),
        gkFraudsterIds: [idOf(member)],
      }),
    hasMember: async (context: Context, gkId: string, member: string, signal?: AbortSignal) => {
      const request = { context, gkWatchlistId: idOf(gkId), gkFraudsterId: idOf(member) };
      return (await call('IsFraudsterInWatchlist', request, signal)).isInWatchlist ?? false;
    },
  },
} as const;

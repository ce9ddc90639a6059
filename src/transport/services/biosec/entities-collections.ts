// Groups and watchlists: the part of EntitiesManager that is about sets of people.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  getGkCollectionId,
  renameCollection,
  updateCollection,
} from '../../../biometrics/entities/collections.js';
import { addMember, isMember, listMembers, removeMembers } from '../../../biometrics/entities/membership.js';
import type { Collection } from '../../../biometrics/model/entities.js';
import {
  GroupDetailsForCreateSchema,
  GroupDetailsForReadSchema,
  GroupDetailsForUpdateSchema,
  WatchlistDetailsForCreateSchema,
  WatchlistDetailsForReadSchema,
  WatchlistDetailsForUpdateSchema,
  type EntitiesManager,
} from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import type { Call } from '../../../platform.js';
import type { Handlers } from '../../service.js';
import {
  changeContextOf,
  contextOf,
  defined,
  done,
  maskedRead,
  maskedWrite,
  timestampOf,
  unique,
  valueOf,
} from './shared.js';

export function collectionHandlers(deps: BiometricsDeps) {
  return {
    createGroup: async (call, request) => {
      const { customData } = maskedWrite(
        GroupDetailsForCreateSchema,
        request.details,
        request.fieldMask,
        'optional',
      );
      const gkId = await createCollection(deps, call, {
        context: contextOf(request),
        kind: 'GROUP',
        externalId: request.groupId,
        customData: customData ?? {},
      });
      return { gkGroupId: unique(gkId) };
    },
    createWatchlist: async (call, request) => {
      const { customData } = maskedWrite(
        WatchlistDetailsForCreateSchema,
        request.details,
        request.fieldMask,
        'optional',
      );
      const gkId = await createCollection(deps, call, {
        context: contextOf(request),
        kind: 'WATCHLIST',
        externalId: request.watchlistId,
        customData: customData ?? {},
      });
      return { gkWatchlistId: unique(gkId) };
    },
    renameGroup: async (call, request) =>
      done(
        renameCollection(deps, call, {
          context: contextOf(request),
          kind: 'GROUP',
          gkId: valueOf(request.gkGroupId),
          newExternalId: request.newGroupId,
        }),
      ),
    renameWatchlist: async (call, request) =>
      done(
        renameCollection(deps, call, {
          context: contextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
          newExternalId: request.newWatchlistId,
        }),
      ),
    updateGroup: async (call, request) => {
      const patch = defined<Pick<Collection, 'customData'>>(
        maskedWrite(GroupDetailsForUpdateSchema, request.details, request.fieldMask, 'mandatory'),
      );
      return done(
        updateCollection(deps, call, {
          context: changeContextOf(request),
          kind: 'GROUP',
          gkId: valueOf(request.gkGroupId),
          ...patch,
        }),
      );
    },
    updateWatchlist: async (call, request) => {
      const patch = defined<Pick<Collection, 'customData'>>(
        maskedWrite(WatchlistDetailsForUpdateSchema, request.details, request.fieldMask, 'mandatory'),
      );
      return done(
        updateCollection(deps, call, {
          context: changeContextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
          ...patch,
        }),
      );
    },
    getGroupDetails: async (call, request) => ({
      details: await groupDetails(deps, call, request, valueOf(request.gkGroupId)),
    }),
    getWatchlistDetails: async (call, request) => ({
      details: await watchlistDetails(deps, call, request, valueOf(request.gkWatchlistId)),
    }),
    getGkGroupId: async (call, request) => ({
      gkGroupId: unique(
        await getGkCollectionId(deps, call, {
          context: contextOf(request),
          kind: 'GROUP',
          externalId: request.groupId,
        }),
      ),
    }),
    getGkWatchlistId: async (call, request) => ({
      gkWatchlistId: unique(
        await getGkCollectionId(deps, call, {
          context: contextOf(request),
          kind: 'WATCHLIST',
          externalId: request.watchlistId,
        }),
      ),
    }),
    deleteGroup: async (call, request) =>
      done(
        deleteCollection(deps, call, {
          context: contextOf(request),
          kind: 'GROUP',
          gkId: valueOf(request.gkGroupId),
        }),
      ),
    deleteWatchlist: async (call, request) =>
      done(
        deleteCollection(deps, call, {
          context: contextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
        }),
      ),
    addPersonToGroup: async (call, request) =>
      done(
        addMember(deps, call, {
          context: contextOf(request),
          kind: 'GROUP',
          gkId: valueOf(request.gkGroupId),
          memberGkId: valueOf(request.gkPersonId),
        }),
      ),
    removePersonsFromGroup: async (call, request) =>
      done(
        removeMembers(deps, call, {
          context: contextOf(request),
          kind: 'GROUP',
          gkId: valueOf(request.gkGroupId),
          memberGkIds: request.gkPersonIds.map(valueOf),
        }),
      ),
    listGroupPersons: async (call, request) => ({
      gkPersonId: (
        await listMembers(deps, call, {
          context: contextOf(request),
          kind: 'GROUP',
          gkId: valueOf(request.gkGroupId),
        })
      ).map(unique),
    }),
    isPersonInGroup: async (call, request) => ({
      isInGroup: await isMember(deps, call, {
        context: contextOf(request),
        kind: 'GROUP',
        gkId: valueOf(request.gkGroupId),
        memberGkId: valueOf(request.gkPersonId),
      }),
    }),
    addFraudsterToWatchlist: async (call, request) =>
      done(
        addMember(deps, call, {
          context: contextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
          memberGkId: valueOf(request.gkFraudsterId),
        }),
      ),
    removeFraudstersFromWatchlist: async (call, request) =>
      done(
        removeMembers(deps, call, {
          context: contextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
          memberGkIds: request.gkFraudsterIds.map(valueOf),
        }),
      ),
    listWatchlistFraudsters: async (call, request) => ({
      gkFraudsterId: (
        await listMembers(deps, call, {
          context: contextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
        })
      ).map(unique),
    }),
    isFraudsterInWatchlist: async (call, request) => ({
      isInWatchlist: await isMember(deps, call, {
        context: contextOf(request),
        kind: 'WATCHLIST',
        gkId: valueOf(request.gkWatchlistId),
        memberGkId: valueOf(request.gkFraudsterId),
      }),
    }),
  } satisfies Partial<Handlers<typeof EntitiesManager>>;
}

type ContextRequest = Parameters<typeof contextOf>[0] & { fieldMask?: FieldMask | undefined };

async function groupDetails(
  deps: BiometricsDeps,
  call: Call,
  request: ContextRequest,
  gkId: string,
): Promise<MessageInitShape<typeof GroupDetailsForReadSchema>> {
  const group = await getCollection(deps, call, { context: contextOf(request), kind: 'GROUP', gkId });
  const details = { ...collectionTimes(group), gkGroupId: unique(group.gkId), groupId: group.externalId };
  return maskedRead(GroupDetailsForReadSchema, details, request.fieldMask);
}

async function watchlistDetails(
  deps: BiometricsDeps,
  call: Call,
  request: ContextRequest,
  gkId: string,
): Promise<MessageInitShape<typeof WatchlistDetailsForReadSchema>> {
  const watchlist = await getCollection(deps, call, { context: contextOf(request), kind: 'WATCHLIST', gkId });
  const details = {
    ...collectionTimes(watchlist),
    gkWatchlistId: unique(watchlist.gkId),
    watchlistId: watchlist.externalId,
  };
  return maskedRead(WatchlistDetailsForReadSchema, details, request.fieldMask);
}

export function collectionTimes(collection: Collection) {
  return {
    creationTimestamp: timestampOf(collection.createdAtMs),
    modificationTimestamp: timestampOf(collection.modifiedAtMs),
    customData: collection.customData,
  };
}

// Groups and watchlists: the part of EntitiesManager that is about sets of people.
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
import type { Handlers } from '../../service.js';
import {
  changeContextOf,
  defined,
  done,
  entityNamed,
  maskedRead,
  maskedWrite,
  theEntity,
  timestampOf,
  unique,
  valueOf,
} from './shared.js';

export function collectionHandlers(deps: BiometricsDeps) {
  return {
    createGroup: async (call, request) => {
      const { customData = {} } = maskedWrite(GroupDetailsForCreateSchema, request, 'optional');
      const input = { ...entityNamed('GROUP', request, request.groupId), customData };
      return { gkGroupId: unique(await createCollection(deps, call, input)) };
    },
    createWatchlist: async (call, request) => {
      const { customData = {} } = maskedWrite(WatchlistDetailsForCreateSchema, request, 'optional');
      const input = { ...entityNamed('WATCHLIST', request, request.watchlistId), customData };
      return { gkWatchlistId: unique(await createCollection(deps, call, input)) };
    },
    renameGroup: async (call, request) => {
      const theGroup = theEntity('GROUP', request, request.gkGroupId);
      return done(renameCollection(deps, call, { ...theGroup, newExternalId: request.newGroupId }));
    },
    renameWatchlist: async (call, request) => {
      const theWatchlist = theEntity('WATCHLIST', request, request.gkWatchlistId);
      return done(renameCollection(deps, call, { ...theWatchlist, newExternalId: request.newWatchlistId }));
    },
    updateGroup: async (call, request) => {
      const written = maskedWrite(GroupDetailsForUpdateSchema, request, 'mandatory');
      const theGroup = {
        ...theEntity('GROUP', request, request.gkGroupId),
        context: changeContextOf(request),
      };
      const patch = defined<Pick<Collection, 'customData'>>(written);
      return done(updateCollection(deps, call, { ...theGroup, ...patch }));
    },
    updateWatchlist: async (call, request) => {
      const written = maskedWrite(WatchlistDetailsForUpdateSchema, request, 'mandatory');
      const theWatchlist = {
        ...theEntity('WATCHLIST', request, request.gkWatchlistId),
        context: changeContextOf(request),
      };
      const patch = defined<Pick<Collection, 'customData'>>(written);
      return done(updateCollection(deps, call, { ...theWatchlist, ...patch }));
    },
    getGroupDetails: async (call, request) => {
      const group = await getCollection(deps, call, theEntity('GROUP', request, request.gkGroupId));
      const ids = { gkGroupId: unique(group.gkId), groupId: group.externalId };
      const details = { ...collectionTimes(group), ...ids };
      return { details: maskedRead(GroupDetailsForReadSchema, details, request.fieldMask) };
    },
    getWatchlistDetails: async (call, request) => {
      const watchlist = await getCollection(
        deps,
        call,
        theEntity('WATCHLIST', request, request.gkWatchlistId),
      );
      const ids = { gkWatchlistId: unique(watchlist.gkId), watchlistId: watchlist.externalId };
      const details = { ...collectionTimes(watchlist), ...ids };
      return { details: maskedRead(WatchlistDetailsForReadSchema, details, request.fieldMask) };
    },
    getGkGroupId: async (call, request) => ({
      gkGroupId: unique(await getGkCollectionId(deps, call, entityNamed('GROUP', request, request.groupId))),
    }),
    getGkWatchlistId: async (call, request) => ({
      gkWatchlistId: unique(
        await getGkCollectionId(deps, call, entityNamed('WATCHLIST', request, request.watchlistId)),
      ),
    }),
    deleteGroup: async (call, request) =>
      done(deleteCollection(deps, call, theEntity('GROUP', request, request.gkGroupId))),
    deleteWatchlist: async (call, request) =>
      done(deleteCollection(deps, call, theEntity('WATCHLIST', request, request.gkWatchlistId))),
    addPersonToGroup: async (call, request) => {
      const theGroup = theEntity('GROUP', request, request.gkGroupId);
      return done(addMember(deps, call, { ...theGroup, memberGkId: valueOf(request.gkPersonId) }));
    },
    removePersonsFromGroup: async (call, request) => {
      const theGroup = theEntity('GROUP', request, request.gkGroupId);
      return done(removeMembers(deps, call, { ...theGroup, memberGkIds: request.gkPersonIds.map(valueOf) }));
    },
    listGroupPersons: async (call, request) => {
      const members = await listMembers(deps, call, theEntity('GROUP', request, request.gkGroupId));
      return { gkPersonId: members.map(unique) };
    },
    isPersonInGroup: async (call, request) => {
      const theGroup = theEntity('GROUP', request, request.gkGroupId);
      return {
        isInGroup: await isMember(deps, call, { ...theGroup, memberGkId: valueOf(request.gkPersonId) }),
      };
    },
    addFraudsterToWatchlist: async (call, request) => {
      const theWatchlist = theEntity('WATCHLIST', request, request.gkWatchlistId);
      return done(addMember(deps, call, { ...theWatchlist, memberGkId: valueOf(request.gkFraudsterId) }));
    },
    removeFraudstersFromWatchlist: async (call, request) => {
      const theWatchlist = theEntity('WATCHLIST', request, request.gkWatchlistId);
      return done(
        removeMembers(deps, call, { ...theWatchlist, memberGkIds: request.gkFraudsterIds.map(valueOf) }),
      );
    },
    listWatchlistFraudsters: async (call, request) => {
      const members = await listMembers(deps, call, theEntity('WATCHLIST', request, request.gkWatchlistId));
      return { gkFraudsterId: members.map(unique) };
    },
    isFraudsterInWatchlist: async (call, request) => {
      const theWatchlist = theEntity('WATCHLIST', request, request.gkWatchlistId);
      return {
        isInWatchlist: await isMember(deps, call, {
          ...theWatchlist,
          memberGkId: valueOf(request.gkFraudsterId),
        }),
      };
    },
  } satisfies Partial<Handlers<typeof EntitiesManager>>;
}

export function collectionTimes(collection: Collection) {
  return {
    creationTimestamp: timestampOf(collection.createdAtMs),
    modificationTimestamp: timestampOf(collection.modifiedAtMs),
    customData: collection.customData,
  };
}

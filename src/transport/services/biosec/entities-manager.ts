// EntitiesManager: persons, fraudsters, groups and watchlists. The four kinds share their operations, so the
// handlers of each pair are made by one function.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import type { BiometricsDeps } from '../../../biometrics/deps.js';
import { deleteParty, renameParty, updateParty } from '../../../biometrics/entities/change-party.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  getGkCollectionId,
  renameCollection,
  updateCollection,
} from '../../../biometrics/entities/collections.js';
import { optPersonIn, optPersonOut } from '../../../biometrics/entities/consent.js';
import { createParty } from '../../../biometrics/entities/create-party.js';
import { requestPersonalDataDeletion } from '../../../biometrics/entities/delete-personal-data.js';
import { addMember, isMember, listMembers, removeMembers } from '../../../biometrics/entities/membership.js';
import type {
  Collection,
  Gender as GenderWord,
  PartyDetails,
  PartyKind,
} from '../../../biometrics/entities/model.js';
import {
  getGkPartyId,
  getParty,
  listPartyProfiles,
  type PartyView,
} from '../../../biometrics/entities/read-party.js';
import { Gender, PrintType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  ConsentStatus,
  EntitiesManager,
  FraudsterDetailsForReadSchema,
  GroupDetailsForReadSchema,
  PersonDetailsForReadSchema,
  WatchlistDetailsForReadSchema,
  FraudsterDetailsForCreateSchema,
  FraudsterDetailsForUpdateSchema,
  GroupDetailsForCreateSchema,
  GroupDetailsForUpdateSchema,
  PersonDetailsForCreateSchema,
  PersonDetailsForUpdateSchema,
  WatchlistDetailsForCreateSchema,
  WatchlistDetailsForUpdateSchema,
} from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import type { Call } from '../../../platform.js';
import { bindService, type ServiceBinding } from '../../service.js';
import {
  biosecAccess,
  contextOf,
  defined,
  maskedRead,
  maskedWrite,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';

export function entitiesManagerService(deps: BiometricsDeps): ServiceBinding {
  return bindService(EntitiesManager, biosecAccess, {
    createPerson: async (call, request) => {
      const details = partyPatch(
        maskedWrite(PersonDetailsForCreateSchema, request.details, request.fieldMask, 'optional'),
      );
      const gkId = await createParty(deps, call, {
        context: contextOf(request),
        kind: 'PERSON',
        externalId: request.personId,
        details,
      });
      return { gkPersonId: unique(gkId) };
    },
    createFraudster: async (call, request) => {
      const details = partyPatch(
        maskedWrite(FraudsterDetailsForCreateSchema, request.details, request.fieldMask, 'optional'),
      );
      const gkId = await createParty(deps, call, {
        context: contextOf(request),
        kind: 'FRAUDSTER',
        externalId: request.fraudsterId,
        details,
      });
      return { gkFraudsterId: unique(gkId) };
    },
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

    renamePerson: async (call, request) =>
      done(
        renameParty(deps, call, {
          context: contextOf(request),
          kind: 'PERSON',
          gkId: valueOf(request.gkPersonId),
          newExternalId: request.newPersonId,
        }),
      ),
    renameFraudster: async (call, request) =>
      done(
        renameParty(deps, call, {
          context: contextOf(request),
          kind: 'FRAUDSTER',
          gkId: valueOf(request.gkFraudsterId),
          newExternalId: request.newFraudsterId,
        }),
      ),
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

    updatePerson: async (call, request) => {
      const details = partyPatch(
        maskedWrite(PersonDetailsForUpdateSchema, request.details, request.fieldMask, 'mandatory'),
      );
      return done(
        updateParty(deps, call, {
          context: contextOf(request),
          kind: 'PERSON',
          gkId: valueOf(request.gkPersonId),
          details,
        }),
      );
    },
    updateFraudster: async (call, request) => {
      const details = partyPatch(
        maskedWrite(FraudsterDetailsForUpdateSchema, request.details, request.fieldMask, 'mandatory'),
      );
      return done(
        updateParty(deps, call, {
          context: contextOf(request),
          kind: 'FRAUDSTER',
          gkId: valueOf(request.gkFraudsterId),
          details,
        }),
      );
    },
    updateGroup: async (call, request) => {
      const patch = defined<Pick<Collection, 'customData'>>(
        maskedWrite(GroupDetailsForUpdateSchema, request.details, request.fieldMask, 'mandatory'),
      );
      return done(
        updateCollection(deps, call, {
          context: contextOf(request),
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
          context: contextOf(request),
          kind: 'WATCHLIST',
          gkId: valueOf(request.gkWatchlistId),
          ...patch,
        }),
      );
    },

    getPersonDetails: async (call, request) => {
      const view = await getParty(deps, call, {
        context: contextOf(request),
        kind: 'PERSON',
        gkId: valueOf(request.gkPersonId),
      });
      return { details: maskedRead(PersonDetailsForReadSchema, personDetails(view), request.fieldMask) };
    },
    getFraudsterDetails: async (call, request) => {
      const view = await getParty(deps, call, {
        context: contextOf(request),
        kind: 'FRAUDSTER',
        gkId: valueOf(request.gkFraudsterId),
      });
      return {
        details: maskedRead(FraudsterDetailsForReadSchema, fraudsterDetails(view), request.fieldMask),
      };
    },
    getGroupDetails: async (call, request) => ({
      details: await groupDetails(deps, call, request, valueOf(request.gkGroupId)),
    }),
    getWatchlistDetails: async (call, request) => ({
      details: await watchlistDetails(deps, call, request, valueOf(request.gkWatchlistId)),
    }),

    getGkPersonId: async (call, request) => ({
      gkPersonId: unique(
        await getGkPartyId(deps, call, {
          context: contextOf(request),
          kind: 'PERSON',
          externalId: request.personId,
        }),
      ),
    }),
    getGkFraudsterId: async (call, request) => ({
      gkFraudsterId: unique(
        await getGkPartyId(deps, call, {
          context: contextOf(request),
          kind: 'FRAUDSTER',
          externalId: request.fraudsterId,
        }),
      ),
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

    deletePerson: async (call, request) =>
      done(
        deleteParty(deps, call, {
          context: contextOf(request),
          kind: 'PERSON',
          gkId: valueOf(request.gkPersonId),
        }),
      ),
    deleteFraudster: async (call, request) =>
      done(
        deleteParty(deps, call, {
          context: contextOf(request),
          kind: 'FRAUDSTER',
          gkId: valueOf(request.gkFraudsterId),
        }),
      ),
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

    optPersonIn: async (call, request) =>
      done(optPersonIn(deps, call, { context: contextOf(request), gkPersonId: valueOf(request.gkPersonId) })),
    optPersonOut: async (call, request) =>
      done(
        optPersonOut(deps, call, {
          context: contextOf(request),
          gkPersonId: valueOf(request.gkPersonId),
          reason: request.reason,
          ...present('daysForOptIn', request.daysForOptIn, Number),
        }),
      ),
    deletePersonalData: async (call, request) =>
      done(
        requestPersonalDataDeletion(deps, call, {
          context: contextOf(request),
          gkPersonId: valueOf(request.gkPersonId),
        }),
      ),
    listPersonProfiles: async (call, request) =>
      profileIds(deps, call, request, 'PERSON', valueOf(request.gkPersonId)),
    listFraudsterProfiles: async (call, request) =>
      profileIds(deps, call, request, 'FRAUDSTER', valueOf(request.gkFraudsterId)),

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
  });
}

async function done(work: Promise<void>): Promise<Record<never, never>> {
  await work;
  return {};
}

interface PartyMessage {
  firstName?: string;
  lastName?: string;
  genderIdentity?: Gender;
  preferredLanguage?: string;
  phoneNumbers?: string[];
  customData?: Record<string, string>;
}

function partyPatch(details: PartyMessage): Partial<PartyDetails> {
  return defined<PartyDetails>({
    firstName: details.firstName,
    lastName: details.lastName,
    gender:
      details.genderIdentity === undefined ? undefined : wordOf<GenderWord>(Gender, details.genderIdentity),
    preferredLanguage: details.preferredLanguage,
    phoneNumbers: details.phoneNumbers,
    customData: details.customData,
  });
}

type ContextRequest = Parameters<typeof contextOf>[0] & { fieldMask?: FieldMask | undefined };

async function profileIds(
  deps: BiometricsDeps,
  call: Call,
  request: ContextRequest & { filter?: { printType: PrintType[] } | undefined },
  kind: PartyKind,
  gkId: string,
) {
  const prints = await listPartyProfiles(deps, call, { context: contextOf(request), kind, gkId });
  const types = request.filter?.printType ?? [];
  const wanted = types.length === 0 || types.includes(PrintType.VOICEPRINT);
  return { gkVoiceprintProfileIds: wanted ? prints.map((print) => unique(print.gkVoiceprintProfileId)) : [] };
}

export function commonPartyDetails({ party, voiceClassScoreAverage }: PartyView) {
  const { details } = party;
  return {
    firstName: details.firstName,
    lastName: details.lastName,
    ...present('genderIdentity', details.gender, (word) => Gender[word]),
    ...present('voiceClassScoreAvg', voiceClassScoreAverage, Number),
    preferredLanguage: details.preferredLanguage,
    phoneNumbers: [...details.phoneNumbers],
    creationTimestamp: timestampOf(party.createdAt),
    modificationTimestamp: timestampOf(party.modifiedAt),
    customData: details.customData,
  };
}

export function personDetails(view: PartyView): MessageInitShape<typeof PersonDetailsForReadSchema> {
  const { party } = view;
  return {
    ...commonPartyDetails(view),
    gkPersonId: unique(party.gkId),
    personId: party.externalId,
    ...present('consentInfo', party.consent, (consent) => ({
      agentId: consent.agentId,
      status: ConsentStatus[consent.status],
      reason: consent.reason,
      timestamp: timestampOf(consent.at),
      ...present('optInTime', consent.optInTime, timestampOf),
    })),
  };
}

export function fraudsterDetails(view: PartyView): MessageInitShape<typeof FraudsterDetailsForReadSchema> {
  return {
    ...commonPartyDetails(view),
    gkFraudsterId: unique(view.party.gkId),
    fraudsterId: view.party.externalId,
  };
}

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
    creationTimestamp: timestampOf(collection.createdAt),
    modificationTimestamp: timestampOf(collection.modifiedAt),
    customData: collection.customData,
  };
}

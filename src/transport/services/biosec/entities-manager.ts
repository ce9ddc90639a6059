// EntitiesManager: persons and fraudsters, groups and watchlists. What the two kinds of people have in common, and the two kinds
// of sets, is written once; the table of operations says what each kind calls its members.
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import {
  createCollection,
  deleteCollection,
  getCollection,
  getGkCollectionId,
  renameCollection,
  updateCollection,
} from '../../../biometrics/entities/collections.js';
import { deleteParty, renameParty, updateParty } from '../../../biometrics/entities/change-party.js';
import { optPersonIn, optPersonOut } from '../../../biometrics/entities/consent.js';
import { createParty } from '../../../biometrics/entities/create-party.js';
import { requestPersonalDataDeletion } from '../../../biometrics/entities/delete-personal-data.js';
import { addMember, isMember, listMembers, removeMembers } from '../../../biometrics/entities/membership.js';
import {
  getGkPartyId,
  getParty,
  listPartyProfiles,
  type PartyView,
} from '../../../biometrics/entities/read-party.js';
import type {
  Collection,
  CollectionKind,
  Gender as GenderWord,
  PartyDetails,
} from '../../../biometrics/model/entities.js';
import type { OwnerType } from '../../../biometrics/model/outcome.js';
import type { Profile } from '../../../biometrics/model/profiles.js';
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import { Gender, PrintType, type UniqueId } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  ConsentStatus,
  EntitiesManager,
  FraudsterDetailsForCreateSchema,
  FraudsterDetailsForReadSchema,
  FraudsterDetailsForUpdateSchema,
  GroupDetailsForCreateSchema,
  GroupDetailsForReadSchema,
  GroupDetailsForUpdateSchema,
  PersonDetailsForCreateSchema,
  PersonDetailsForReadSchema,
  PersonDetailsForUpdateSchema,
  WatchlistDetailsForCreateSchema,
  WatchlistDetailsForReadSchema,
  WatchlistDetailsForUpdateSchema,
} from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import type { Call } from '../../../platform.js';
import { bindService, type Handlers, type ServiceBinding } from '../../service.js';
import {
  biosecAccess,
  changeContextOf,
  contextOf,
  defined,
  done,
  entityNamed,
  maskedRead,
  maskedWrite,
  present,
  theEntity,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';

export function entitiesManagerService(deps: BiometricsDeps): ServiceBinding {
  return bindService(EntitiesManager, biosecAccess, { ...partyHandlers(deps), ...collectionHandlers(deps) });
}

function partyHandlers(deps: BiometricsDeps) {
  return {
    createPerson: async (call, request) => {
      const named = {
        kind: 'PERSON',
        externalId: request.personId,
        schema: PersonDetailsForCreateSchema,
      } as const;
      return { gkPersonId: unique(await createPartyOf(deps, call, request, named)) };
    },
    createFraudster: async (call, request) => {
      const named = {
        kind: 'FRAUDSTER',
        externalId: request.fraudsterId,
        schema: FraudsterDetailsForCreateSchema,
      } as const;
      return { gkFraudsterId: unique(await createPartyOf(deps, call, request, named)) };
    },
    renamePerson: (call, request) =>
      done(renameParty(deps, call, { ...person(request), newExternalId: request.newPersonId })),
    renameFraudster: (call, request) =>
      done(renameParty(deps, call, { ...fraudster(request), newExternalId: request.newFraudsterId })),
    updatePerson: (call, request) =>
      updatePartyOf(deps, call, request, { ...person(request), schema: PersonDetailsForUpdateSchema }),
    updateFraudster: (call, request) =>
      updatePartyOf(deps, call, request, { ...fraudster(request), schema: FraudsterDetailsForUpdateSchema }),
    getPersonDetails: async (call, request) => {
      const details = personDetails(await getParty(deps, call, person(request)));
      return { details: maskedRead(PersonDetailsForReadSchema, details, request.fieldMask) };
    },
    getFraudsterDetails: async (call, request) => {
      const details = fraudsterDetails(await getParty(deps, call, fraudster(request)));
      return { details: maskedRead(FraudsterDetailsForReadSchema, details, request.fieldMask) };
    },
    getGkPersonId: async (call, request) => ({
      gkPersonId: unique(await getGkPartyId(deps, call, entityNamed('PERSON', request, request.personId))),
    }),
    getGkFraudsterId: async (call, request) => ({
      gkFraudsterId: unique(
        await getGkPartyId(deps, call, entityNamed('FRAUDSTER', request, request.fraudsterId)),
      ),
    }),
    deletePerson: (call, request) => done(deleteParty(deps, call, person(request))),
    deleteFraudster: (call, request) => done(deleteParty(deps, call, fraudster(request))),
    listPersonProfiles: async (call, request) =>
      profileIds(await listPartyProfiles(deps, call, person(request)), request),
    listFraudsterProfiles: async (call, request) =>
      profileIds(await listPartyProfiles(deps, call, fraudster(request)), request),
    optPersonIn: (call, request) =>
      done(optPersonIn(deps, call, { context: contextOf(request), gkPersonId: valueOf(request.gkPersonId) })),
    optPersonOut: (call, request) =>
      done(
        optPersonOut(deps, call, {
          context: contextOf(request),
          gkPersonId: valueOf(request.gkPersonId),
          reason: request.reason,
          ...present('daysForOptIn', request.daysForOptIn, Number),
        }),
      ),
    deletePersonalData: (call, request) =>
      done(
        requestPersonalDataDeletion(deps, call, {
          context: contextOf(request),
          gkPersonId: valueOf(request.gkPersonId),
        }),
      ),
  } satisfies Partial<Handlers<typeof EntitiesManager>>;
}

function collectionHandlers(deps: BiometricsDeps) {
  return {
    createGroup: async (call, request) => {
      const named = {
        kind: 'GROUP',
        externalId: request.groupId,
        schema: GroupDetailsForCreateSchema,
      } as const;
      return { gkGroupId: unique(await createCollectionOf(deps, call, request, named)) };
    },
    createWatchlist: async (call, request) => {
      const named = {
        kind: 'WATCHLIST',
        externalId: request.watchlistId,
        schema: WatchlistDetailsForCreateSchema,
      } as const;
      return { gkWatchlistId: unique(await createCollectionOf(deps, call, request, named)) };
    },
    renameGroup: (call, request) =>
      done(renameCollection(deps, call, { ...group(request), newExternalId: request.newGroupId })),
    renameWatchlist: (call, request) =>
      done(renameCollection(deps, call, { ...watchlist(request), newExternalId: request.newWatchlistId })),
    updateGroup: (call, request) =>
      updateCollectionOf(deps, call, request, { ...group(request), schema: GroupDetailsForUpdateSchema }),
    updateWatchlist: (call, request) =>
      updateCollectionOf(deps, call, request, {
        ...watchlist(request),
        schema: WatchlistDetailsForUpdateSchema,
      }),
    getGroupDetails: async (call, request) => {
      const found = await getCollection(deps, call, group(request));
      const ids = { gkGroupId: unique(found.gkId), groupId: found.externalId };
      const details = { ...collectionTimes(found), ...ids };
      return { details: maskedRead(GroupDetailsForReadSchema, details, request.fieldMask) };
    },
    getWatchlistDetails: async (call, request) => {
      const found = await getCollection(deps, call, watchlist(request));
      const ids = { gkWatchlistId: unique(found.gkId), watchlistId: found.externalId };
      const details = { ...collectionTimes(found), ...ids };
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
    deleteGroup: (call, request) => done(deleteCollection(deps, call, group(request))),
    deleteWatchlist: (call, request) => done(deleteCollection(deps, call, watchlist(request))),
    addPersonToGroup: (call, request) =>
      done(addMember(deps, call, { ...group(request), memberGkId: valueOf(request.gkPersonId) })),
    addFraudsterToWatchlist: (call, request) =>
      done(addMember(deps, call, { ...watchlist(request), memberGkId: valueOf(request.gkFraudsterId) })),
    removePersonsFromGroup: (call, request) =>
      done(removeMembers(deps, call, { ...group(request), memberGkIds: request.gkPersonIds.map(valueOf) })),
    removeFraudstersFromWatchlist: (call, request) =>
      done(
        removeMembers(deps, call, {
          ...watchlist(request),
          memberGkIds: request.gkFraudsterIds.map(valueOf),
        }),
      ),
    listGroupPersons: async (call, request) => ({
      gkPersonId: (await listMembers(deps, call, group(request))).map(unique),
    }),
    listWatchlistFraudsters: async (call, request) => ({
      gkFraudsterId: (await listMembers(deps, call, watchlist(request))).map(unique),
    }),
    isPersonInGroup: async (call, request) => ({
      isInGroup: await isMember(deps, call, { ...group(request), memberGkId: valueOf(request.gkPersonId) }),
    }),
    isFraudsterInWatchlist: async (call, request) => ({
      isInWatchlist: await isMember(deps, call, {
        ...watchlist(request),
        memberGkId: valueOf(request.gkFraudsterId),
      }),
    }),
  } satisfies Partial<Handlers<typeof EntitiesManager>>;
}

type ContextRequest = Parameters<typeof contextOf>[0];

const person = (request: ContextRequest & { gkPersonId?: UniqueId | undefined }) =>
  theEntity('PERSON', request, request.gkPersonId);
const fraudster = (request: ContextRequest & { gkFraudsterId?: UniqueId | undefined }) =>
  theEntity('FRAUDSTER', request, request.gkFraudsterId);
const group = (request: ContextRequest & { gkGroupId?: UniqueId | undefined }) =>
  theEntity('GROUP', request, request.gkGroupId);
const watchlist = (request: ContextRequest & { gkWatchlistId?: UniqueId | undefined }) =>
  theEntity('WATCHLIST', request, request.gkWatchlistId);

/** A request with details, of which a mask may name some. */
type WithDetails<S extends DescMessage> = ContextRequest & Parameters<typeof maskedWrite<S>>[1];
type Made<K, S> = { kind: K; externalId: string; schema: S };
type Changed<K, S> = { kind: K; gkId: string; schema: S };

async function createPartyOf<S extends DescMessage>(
  deps: BiometricsDeps,
  call: Call,
  request: WithDetails<S>,
  { kind, externalId, schema }: Made<OwnerType, S>,
): Promise<string> {
  const details = partyPatch(maskedWrite(schema, request, 'optional') as PartyMessage);
  return createParty(deps, call, { ...entityNamed(kind, request, externalId), details });
}

async function updatePartyOf<S extends DescMessage>(
  deps: BiometricsDeps,
  call: Call,
  request: WithDetails<S>,
  { kind, gkId, schema }: Changed<OwnerType, S>,
) {
  const details = partyPatch(maskedWrite(schema, request, 'mandatory') as PartyMessage);
  return done(updateParty(deps, call, { context: changeContextOf(request), kind, gkId, details }));
}

async function createCollectionOf<S extends DescMessage>(
  deps: BiometricsDeps,
  call: Call,
  request: WithDetails<S>,
  { kind, externalId, schema }: Made<CollectionKind, S>,
): Promise<string> {
  const { customData = {} } = maskedWrite(schema, request, 'optional') as Partial<Collection>;
  return createCollection(deps, call, { ...entityNamed(kind, request, externalId), customData });
}

async function updateCollectionOf<S extends DescMessage>(
  deps: BiometricsDeps,
  call: Call,
  request: WithDetails<S>,
  { kind, gkId, schema }: Changed<CollectionKind, S>,
) {
  const written = maskedWrite(schema, request, 'mandatory') as Partial<Collection>;
  const patch = defined<Pick<Collection, 'customData'>>(written);
  return done(updateCollection(deps, call, { context: changeContextOf(request), kind, gkId, ...patch }));
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

function profileIds(
  prints: readonly Profile[],
  { filter }: { filter?: { printType: PrintType[] } | undefined },
) {
  const types = filter?.printType ?? [];
  const wanted = types.length === 0 || types.includes(PrintType.VOICEPRINT);
  return { gkVoiceprintProfileIds: wanted ? prints.map((print) => unique(print.gkVoiceprintProfileId)) : [] };
}

function commonPartyDetails({ party, voiceClassScoreAverage }: PartyView) {
  const { details } = party;
  return {
    firstName: details.firstName,
    lastName: details.lastName,
    ...present('genderIdentity', details.gender, (word) => Gender[word]),
    ...present('voiceClassScoreAvg', voiceClassScoreAverage, Number),
    preferredLanguage: details.preferredLanguage,
    phoneNumbers: [...details.phoneNumbers],
    creationTimestamp: timestampOf(party.createdAtMs),
    modificationTimestamp: timestampOf(party.modifiedAtMs),
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
      timestamp: timestampOf(consent.atMs),
      ...present('optInTime', consent.optInAtMs, timestampOf),
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

export function collectionTimes(collection: Collection) {
  return {
    creationTimestamp: timestampOf(collection.createdAtMs),
    modificationTimestamp: timestampOf(collection.modifiedAtMs),
    customData: collection.customData,
  };
}

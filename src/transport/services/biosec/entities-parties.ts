// Persons and fraudsters: the part of EntitiesManager that is about people.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import { deleteParty, renameParty, updateParty } from '../../../biometrics/entities/change-party.js';
import { optPersonIn, optPersonOut } from '../../../biometrics/entities/consent.js';
import { createParty } from '../../../biometrics/entities/create-party.js';
import { requestPersonalDataDeletion } from '../../../biometrics/entities/delete-personal-data.js';
import type { Gender as GenderWord, PartyDetails } from '../../../biometrics/model/entities.js';
import {
  getGkPartyId,
  getParty,
  listPartyProfiles,
  type PartyView,
} from '../../../biometrics/entities/read-party.js';
import { Gender, PrintType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  ConsentStatus,
  FraudsterDetailsForCreateSchema,
  FraudsterDetailsForReadSchema,
  FraudsterDetailsForUpdateSchema,
  PersonDetailsForCreateSchema,
  PersonDetailsForReadSchema,
  PersonDetailsForUpdateSchema,
  type EntitiesManager,
} from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import type { Profile } from '../../../biometrics/model/profiles.js';
import type { Handlers } from '../../service.js';
import {
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

export function partyHandlers(deps: BiometricsDeps) {
  return {
    createPerson: async (call, request) => {
      const written = maskedWrite(PersonDetailsForCreateSchema, request, 'optional');
      const input = { ...entityNamed('PERSON', request, request.personId), details: partyPatch(written) };
      return { gkPersonId: unique(await createParty(deps, call, input)) };
    },
    createFraudster: async (call, request) => {
      const written = maskedWrite(FraudsterDetailsForCreateSchema, request, 'optional');
      const input = {
        ...entityNamed('FRAUDSTER', request, request.fraudsterId),
        details: partyPatch(written),
      };
      return { gkFraudsterId: unique(await createParty(deps, call, input)) };
    },
    renamePerson: async (call, request) => {
      const thePerson = theEntity('PERSON', request, request.gkPersonId);
      return done(renameParty(deps, call, { ...thePerson, newExternalId: request.newPersonId }));
    },
    renameFraudster: async (call, request) => {
      const theFraudster = theEntity('FRAUDSTER', request, request.gkFraudsterId);
      return done(renameParty(deps, call, { ...theFraudster, newExternalId: request.newFraudsterId }));
    },
    updatePerson: async (call, request) => {
      const written = maskedWrite(PersonDetailsForUpdateSchema, request, 'mandatory');
      const thePerson = {
        ...theEntity('PERSON', request, request.gkPersonId),
        context: changeContextOf(request),
      };
      return done(updateParty(deps, call, { ...thePerson, details: partyPatch(written) }));
    },
    updateFraudster: async (call, request) => {
      const written = maskedWrite(FraudsterDetailsForUpdateSchema, request, 'mandatory');
      const theFraudster = {
        ...theEntity('FRAUDSTER', request, request.gkFraudsterId),
        context: changeContextOf(request),
      };
      return done(updateParty(deps, call, { ...theFraudster, details: partyPatch(written) }));
    },
    getPersonDetails: async (call, request) => {
      const view = await getParty(deps, call, theEntity('PERSON', request, request.gkPersonId));
      return { details: maskedRead(PersonDetailsForReadSchema, personDetails(view), request.fieldMask) };
    },
    getFraudsterDetails: async (call, request) => {
      const view = await getParty(deps, call, theEntity('FRAUDSTER', request, request.gkFraudsterId));
      return {
        details: maskedRead(FraudsterDetailsForReadSchema, fraudsterDetails(view), request.fieldMask),
      };
    },
    getGkPersonId: async (call, request) => ({
      gkPersonId: unique(await getGkPartyId(deps, call, entityNamed('PERSON', request, request.personId))),
    }),
    getGkFraudsterId: async (call, request) => ({
      gkFraudsterId: unique(
        await getGkPartyId(deps, call, entityNamed('FRAUDSTER', request, request.fraudsterId)),
      ),
    }),
    deletePerson: async (call, request) =>
      done(deleteParty(deps, call, theEntity('PERSON', request, request.gkPersonId))),
    deleteFraudster: async (call, request) =>
      done(deleteParty(deps, call, theEntity('FRAUDSTER', request, request.gkFraudsterId))),
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
    listPersonProfiles: async (call, request) => {
      const prints = await listPartyProfiles(deps, call, theEntity('PERSON', request, request.gkPersonId));
      return profileIds(prints, request);
    },
    listFraudsterProfiles: async (call, request) => {
      const prints = await listPartyProfiles(
        deps,
        call,
        theEntity('FRAUDSTER', request, request.gkFraudsterId),
      );
      return profileIds(prints, request);
    },
  } satisfies Partial<Handlers<typeof EntitiesManager>>;
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

// Persons and fraudsters: the part of EntitiesManager that is about people.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import { deleteParty, renameParty, updateParty } from '../../../biometrics/entities/change-party.js';
import { optPersonIn, optPersonOut } from '../../../biometrics/entities/consent.js';
import { createParty } from '../../../biometrics/entities/create-party.js';
import { requestPersonalDataDeletion } from '../../../biometrics/entities/delete-personal-data.js';
import type { Gender as GenderWord, PartyDetails, PartyKind } from '../../../biometrics/model/entities.js';
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
import type { Call } from '../../../platform.js';
import type { Handlers } from '../../service.js';
import {
  changeContextOf,
  contextOf,
  defined,
  done,
  maskedRead,
  maskedWrite,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';

export function partyHandlers(deps: BiometricsDeps) {
  return {
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
    updatePerson: async (call, request) => {
      const details = partyPatch(
        maskedWrite(PersonDetailsForUpdateSchema, request.details, request.fieldMask, 'mandatory'),
      );
      return done(
        updateParty(deps, call, {
          context: changeContextOf(request),
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
          context: changeContextOf(request),
          kind: 'FRAUDSTER',
          gkId: valueOf(request.gkFraudsterId),
          details,
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

async function profileIds(
  deps: BiometricsDeps,
  call: Call,
  request: Parameters<typeof contextOf>[0] & { filter?: { printType: PrintType[] } | undefined },
  kind: PartyKind,
  gkId: string,
) {
  const prints = await listPartyProfiles(deps, call, { context: contextOf(request), kind, gkId });
  const types = request.filter?.printType ?? [];
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

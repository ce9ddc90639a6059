// VoiceSearch: stored calls searched for voices.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { addVoiceToWatchlist } from '../../../biometrics/voice-search/add-voice.js';
import { findCalls, type FoundCall } from '../../../biometrics/voice-search/find-calls.js';
import type { Heard } from '../../../biometrics/voice-search/read-voices.js';
import { findRecurringVoices } from '../../../biometrics/voice-search/recurring-voices.js';
import { getSearch, listSearches, type SearchView } from '../../../biometrics/voice-search/searches.js';
import type { StoredCall } from '../../../biometrics/voice-search/stored-calls.js';
import type { DeletedDeps } from '../../../biometrics/activity/deleted-fraudsters.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import {
  VoiceSearch,
  SearchState,
  type SearchSchema,
  type FoundCallSchema,
  type LookedAtSchema,
  type StoredCallSchema,
} from '../../../gen/voxgate/biosec/v1/voice_search_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { biosecAccess, contextOf, durationOf, present, timestampOf, unique, valueOf } from './shared.js';

export function voiceSearchService(deps: OperationDeps & DeletedDeps): ServiceBinding {
  return bindService(VoiceSearch, biosecAccess, {
    findCalls: async (call, request) => {
      const { calls, ...heard } = await findCalls(deps, call, {
        context: contextOf(request),
        gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId),
        days: request.days,
      });
      return { calls: calls.map(foundOf), lookedAt: lookedAtOf(heard) };
    },
    findRecurringVoices: async (call, request) => {
      const { voices, ...heard } = await findRecurringVoices(deps, call, {
        context: contextOf(request),
        days: request.days,
        identitiesMin: request.identitiesMin,
      });
      return {
        voices: voices.map(({ identities, weakestLlr, calls }) => ({
          identities,
          weakestScore: weakestLlr,
          calls: calls.map(callOf),
        })),
        lookedAt: lookedAtOf(heard),
      };
    },
    listSearches: async (call, request) => ({
      searches: (await listSearches(deps, call, contextOf(request))).map(searchOf),
    }),
    getSearch: async (call, request) => {
      const { gkJobId } = request;
      const { search, calls } = await getSearch(deps, call, { context: contextOf(request), gkJobId });
      return { search: searchOf(search), calls: calls.map(foundOf) };
    },
    addVoiceToWatchlist: async (call, request) => {
      const added = await addVoiceToWatchlist(deps, call, {
        context: contextOf(request),
        gkWatchlistId: valueOf(request.gkWatchlistId),
        fraudsterId: request.fraudsterId,
        gkFraudsterId: valueOf(request.gkFraudsterId),
        tag: request.tag,
        gkProcessedAudioIds: request.gkProcessedAudioIds.map(valueOf),
        refuseListedVoice: request.refuseListedVoice,
        wholeRecordings: request.wholeRecordings,
      });
      return {
        gkFraudsterId: unique(added.gkFraudsterId),
        gkVoiceprintProfileId: unique(added.gkVoiceprintProfileId),
        segments: added.segments,
        ...present('alreadyListed', added.alreadyListed, (listed) => ({
          gkFraudsterId: unique(listed.gkFraudsterId),
          fraudsterId: listed.fraudsterId,
          gkVoiceprintProfileId: unique(listed.gkVoiceprintProfileId),
          biometricScore: listed.llr,
        })),
        excluded: added.excluded.map(({ gkProcessedAudioId, reason }) => ({
          gkProcessedAudioId: unique(gkProcessedAudioId),
          reason,
        })),
      };
    },
  });
}

const searchStates: Record<SearchView['state'], SearchState> = {
  PENDING: SearchState.PENDING,
  STARTED: SearchState.STARTED,
  COMPLETED: SearchState.COMPLETED,
  FAILED: SearchState.FAILED,
};

function searchOf(search: SearchView): MessageInitShape<typeof SearchSchema> {
  const { gkJobId, state, found, createdAtMs, fraudsterId = '', problem = '' } = search;
  return {
    gkJobId,
    state: searchStates[state],
    gkVoiceprintProfileId: unique(search.gkVoiceprintProfileId),
    gkFraudsterId: unique(search.gkFraudsterId),
    fraudsterId,
    isDeleted: search.isDeleted === true,
    creationTime: timestampOf(createdAtMs),
    ...present('endTime', search.endedAtMs, timestampOf),
    found,
    ...present('lookedAt', search.lookedAt, lookedAtOf),
    problem,
  };
}

function foundOf(found: FoundCall): MessageInitShape<typeof FoundCallSchema> {
  const { llr, risk, reliability, expectedByChance } = found;
  return { call: callOf(found), biometricScore: llr, risk, reliability, expectedByChance };
}

function callOf(call: StoredCall): MessageInitShape<typeof StoredCallSchema> {
  return {
    gkSessionId: unique(call.gkSessionId),
    gkEngagementId: unique(call.gkEngagementId),
    gkProcessedAudioId: unique(call.gkProcessedAudioId),
    gkMediaSegmentId: unique(call.gkMediaSegmentId),
    time: timestampOf(call.createdAtMs),
    netSpeech: durationOf(call.netSpeechMs),
    ...present('gkPersonId', call.gkPersonId, unique),
    personId: call.personId ?? '',
    personName: call.personName ?? '',
    sessionId: call.sessionId ?? '',
  };
}

function lookedAtOf({
  fromMs,
  searched,
  otherModel,
  isPartial,
  unreadable,
  liveCalls = 0,
}: Heard & { fromMs: number }): MessageInitShape<typeof LookedAtSchema> {
  return { startTime: timestampOf(fromMs), searched, otherModel, isPartial, unreadable, liveCalls };
}

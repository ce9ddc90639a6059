// LookBack: stored calls searched for voices.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { addVoiceToWatchlist } from '../../../biometrics/lookback/add-voice.js';
import { findCalls, type FoundCall } from '../../../biometrics/lookback/find-calls.js';
import type { Heard } from '../../../biometrics/lookback/read-voices.js';
import { findRecurringVoices } from '../../../biometrics/lookback/recurring-voices.js';
import type { StoredCall } from '../../../biometrics/lookback/stored-calls.js';
import type { OperationDeps } from '../../../biometrics/operations/deps.js';
import {
  LookBack,
  type FoundCallSchema,
  type LookedAtSchema,
  type StoredCallSchema,
} from '../../../gen/voxgate/biosec/v1/lookback_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { biosecAccess, contextOf, durationOf, present, timestampOf, unique, valueOf } from './shared.js';

export function lookBackService(deps: OperationDeps): ServiceBinding {
  return bindService(LookBack, biosecAccess, {
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
    addVoiceToWatchlist: async (call, request) => {
      const { gkFraudsterId, gkVoiceprintProfileId, segments, leftOut } = await addVoiceToWatchlist(
        deps,
        call,
        {
          context: contextOf(request),
          gkWatchlistId: valueOf(request.gkWatchlistId),
          fraudsterId: request.fraudsterId,
          tag: request.tag,
          gkProcessedAudioIds: request.gkProcessedAudioIds.map(valueOf),
        },
      );
      return {
        gkFraudsterId: unique(gkFraudsterId),
        gkVoiceprintProfileId: unique(gkVoiceprintProfileId),
        segments,
        leftOut: leftOut.map(({ gkProcessedAudioId, reason }) => ({
          gkProcessedAudioId: unique(gkProcessedAudioId),
          reason,
        })),
      };
    },
  });
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
  };
}

function lookedAtOf({
  fromMs,
  searched,
  otherModel,
  isPartial,
  unreadable,
}: Heard & { fromMs: number }): MessageInitShape<typeof LookedAtSchema> {
  return { startTime: timestampOf(fromMs), searched, otherModel, isPartial, unreadable };
}

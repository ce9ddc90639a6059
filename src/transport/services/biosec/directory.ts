// Directory: what a tenant holds, page by page; consent with its text, and locks as they were read.
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { recordConsent, replaceLock } from '../../../biometrics/activity/guarded-changes.js';
import type { ActivityDeps } from '../../../biometrics/activity/session-timeline.js';
import { listCollections } from '../../../biometrics/directory/list-collections.js';
import { listParties } from '../../../biometrics/directory/list-parties.js';
import { getErasure } from '../../../biometrics/jobs/get-erasure.js';
import { listProfiles } from '../../../biometrics/directory/list-profiles.js';
import type { OwnerType as OwnerWord } from '../../../biometrics/model/outcome.js';
import type { ListOrder as OrderWord, ValueOrder } from '../../../biometrics/ports/page.js';
import type { ProfileStatus as StatusWord } from '../../../biometrics/model/profiles.js';
import { LockStatus, OwnerType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { EnrollStatus, VoiceprintProfileStatus } from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { Directory, ListOrder } from '../../../gen/voxgate/biosec/v1/directory_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { collectionTimes, fraudsterDetails, personDetails } from './entities-manager.js';
import {
  biosecAccess,
  contextOf,
  durationOf,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';
import { profileDetailsOf } from './voiceprints-manager.js';

const KEPT_TEXTS_MAX = 100;

export function directoryService(deps: ActivityDeps): ServiceBinding {
  return bindService(Directory, biosecAccess, {
    listPersons: async (call, request) => {
      const { entries, ...page } = await listParties(deps, call, {
        ...pageRequestOf(request),
        kind: 'PERSON',
        ...present('memberOf', request.gkGroupId?.value, String),
      });
      const persons = entries.map((entry) => ({
        details: personDetails(entry),
        voiceprintProfileCount: entry.prints,
        trainedProfileCount: entry.trainedPrints,
        lockedProfileCount: entry.lockedPrints,
      }));
      return { persons, ...pageAnswer(page) };
    },
    listFraudsters: async (call, request) => {
      const { entries, ...page } = await listParties(deps, call, {
        ...pageRequestOf(request),
        kind: 'FRAUDSTER',
        ...present('memberOf', request.gkWatchlistId?.value, String),
      });
      const fraudsters = entries.map((entry) => ({
        details: fraudsterDetails(entry),
        voiceprintProfileCount: entry.prints,
        trainedProfileCount: entry.trainedPrints,
        lockedProfileCount: entry.lockedPrints,
      }));
      return { fraudsters, ...pageAnswer(page) };
    },
    listGroups: async (call, request) => {
      const { entries, ...page } = await listCollections(deps, call, {
        ...pageRequestOf(request),
        kind: 'GROUP',
      });
      const groups = entries.map(({ collection, members }) => ({
        details: {
          ...collectionTimes(collection),
          gkGroupId: unique(collection.gkId),
          groupId: collection.externalId,
        },
        personCount: members,
      }));
      return { groups, ...pageAnswer(page) };
    },
    listWatchlists: async (call, request) => {
      const { entries, ...page } = await listCollections(deps, call, {
        ...pageRequestOf(request),
        kind: 'WATCHLIST',
      });
      const watchlists = entries.map(({ collection, members }) => ({
        details: {
          ...collectionTimes(collection),
          gkWatchlistId: unique(collection.gkId),
          watchlistId: collection.externalId,
        },
        fraudsterCount: members,
      }));
      return { watchlists, ...pageAnswer(page) };
    },
    recordConsent: async (call, request) => {
      const { text, language } = request;
      await recordConsent(deps, call, {
        context: contextOf(request),
        gkPersonId: valueOf(request.gkPersonId),
        notice: { text, language },
        ...present('expectedAtMs', request.expectedTime, timestampMs),
      });
      return {};
    },
    getErasure: async (call, request) => {
      const { erasedAtMs, isRunning, ...counts } = await getErasure(deps, call, {
        context: contextOf(request),
        gkPersonId: valueOf(request.gkPersonId),
      });
      return {
        ...present('erasedTime', erasedAtMs, timestampOf),
        isRunning,
        recordingCount: counts.recordings,
        keptAsFraudCount: counts.keptAsFraud,
        keptOnLegalHoldCount: counts.keptOnLegalHold,
        keptWithFraudsterCount: counts.keptWithFraudster,
        keptForOthersCount: counts.keptForOthers,
        keptSessionCount: counts.keptSessions,
        keptTextCount: counts.keptTexts.length,
        keptTextSessionIds: counts.keptTexts.slice(0, KEPT_TEXTS_MAX).map((value) => ({ value })),
      };
    },
    replaceLock: async (call, request) => {
      const { isLocked, reason, expected } = request;
      const isByHand = expected?.status === LockStatus.LOCKED && expected.autoUnlockTimestamp === undefined;
      await replaceLock(deps, call, {
        context: contextOf(request),
        gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId),
        isLocked,
        reason,
        ...(isByHand && {
          seen: { text: expected.reason, ...present('lockedAtMs', expected.lockTimestamp, timestampMs) },
        }),
      });
      return {};
    },
    listVoiceprintProfiles: async (call, request) => {
      const { entries, ...page } = await listProfiles(deps, call, {
        ...pageRequestOf(request),
        ...present('ownerType', wordOf<OwnerWord>(OwnerType, request.ownerType), (word) => word),
        ...present('gkOwnerId', request.gkOwnerId?.value, String),
        statuses: request.profileStatus.flatMap(
          (status) => wordOf<StatusWord>(VoiceprintProfileStatus, status) ?? [],
        ),
        ...(request.lockStatus !== LockStatus.UNSPECIFIED && {
          locked: request.lockStatus === LockStatus.LOCKED,
        }),
        withRecordings: request.withRecordings,
      });
      const profiles = entries.map((entry) => ({
        details: profileDetailsOf(entry.profile),
        ownerExternalId: entry.ownerExternalId,
        enrollStatus: EnrollStatus[entry.enrollStatus],
        segmentCount: entry.segments,
        netAudio: durationOf(entry.netAudioMs),
        recordings: (entry.recordings ?? []).map(({ gkProcessedAudioId, gkSessionId, sessionId }) => ({
          gkProcessedAudioId: unique(gkProcessedAudioId),
          gkSessionId: unique(gkSessionId),
          sessionId,
        })),
      }));
      return { profiles, ...pageAnswer(page) };
    },
  });
}

type Paged = Parameters<typeof contextOf>[0] & {
  pageSize: number;
  pageToken: string;
  query: string;
  order?: ListOrder;
};

function pageRequestOf(request: Paged) {
  const { pageSize, pageToken, query } = request;
  const order = orders[request.order ?? ListOrder.UNSPECIFIED];
  return { context: contextOf(request), pageSize, pageToken, query, ...(order && { order }) };
}

export const orders: Readonly<Record<ListOrder, OrderWord | ValueOrder | undefined>> = {
  [ListOrder.UNSPECIFIED]: undefined,
  [ListOrder.NEWEST_FIRST]: 'newest',
  [ListOrder.OLDEST_FIRST]: 'oldest',
  [ListOrder.IDENTIFIER]: 'identifier',
  [ListOrder.IDENTIFIER_REVERSED]: 'identifier-reversed',
  [ListOrder.NUMBER]: 'number',
  [ListOrder.NUMBER_REVERSED]: 'number-reversed',
  [ListOrder.PERSON]: 'person',
  [ListOrder.PERSON_REVERSED]: 'person-reversed',
  [ListOrder.DECISION]: 'decision',
  [ListOrder.DECISION_REVERSED]: 'decision-reversed',
};

function pageAnswer({ next, total }: { next?: string; total: number }) {
  return { nextPageToken: next ?? '', total };
}

// VoiceprintsManager: profiles, their locks and segments, and the status report over all of them.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { executeProfilesStatusJob, getProfilesStatusJob } from '../../../biometrics/jobs/profiles-status.js';
import type { MediaDeps } from '../../../biometrics/media/deps.js';
import type { OwnerType as OwnerWord } from '../../../biometrics/model/outcome.js';
import {
  deleteVoiceprintProfile,
  deleteVoiceprintTemplate,
  lockVoiceprintProfile,
  removeEnrollmentSegment,
  unlockVoiceprintProfile,
  updateVoiceprintProfile,
} from '../../../biometrics/profiles/change-profile.js';
import { createVoiceprintProfile } from '../../../biometrics/profiles/create-profile.js';
import type { Profile } from '../../../biometrics/model/profiles.js';
import type { OwnerAndTag as OwnerInput } from '../../../biometrics/profiles/owner.js';
import {
  getGkVoiceprintProfileId,
  getVoiceprintProfile,
  listEnrollmentSegments,
} from '../../../biometrics/profiles/read-profile.js';
import { LockReason, LockStatus, OwnerType, type UniqueId } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  VoiceprintProfileDetailsForCreateSchema,
  VoiceprintProfileDetailsForReadSchema,
  VoiceprintProfileDetailsForUpdateSchema,
  VoiceprintsManager,
  type OwnerAndTag,
} from '../../../gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import {
  VoiceprintProfileStatus,
  VoiceprintProfilesStatusJobState,
} from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { segmentDetailsOf } from './segment-details.js';
import {
  biosecAccess,
  changeContextOf,
  contextOf,
  maskedRead,
  maskedWrite,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';

export function voiceprintsManagerService(deps: MediaDeps): ServiceBinding {
  return bindService(VoiceprintsManager, biosecAccess, {
    createVoiceprintProfile: async (call, request) => {
      const { customData } = maskedWrite(VoiceprintProfileDetailsForCreateSchema, request, 'optional');
      const id = await createVoiceprintProfile(deps, call, {
        context: contextOf(request),
        ...present('owner', request.owner, ownerOf),
        ...(customData && { customData }),
      });
      return { gkVoiceprintProfileId: unique(id) };
    },
    getGkVoiceprintProfileId: async (call, request) => {
      const id = await getGkVoiceprintProfileId(deps, call, {
        context: contextOf(request),
        ...present('owner', request.owner, ownerOf),
      });
      return present('gkVoiceprintProfileId', id, unique);
    },
    getVoiceprintProfileDetails: async (call, request) => {
      const profile = await getVoiceprintProfile(deps, call, {
        context: contextOf(request),
        ...referenceOf(request.input),
      });
      return {
        details: maskedRead(
          VoiceprintProfileDetailsForReadSchema,
          profileDetailsOf(profile),
          request.fieldMask,
        ),
      };
    },
    updateVoiceprintProfileDetails: async (call, request) => {
      const { customData } = maskedWrite(VoiceprintProfileDetailsForUpdateSchema, request, 'mandatory');
      await updateVoiceprintProfile(deps, call, {
        context: changeContextOf(request),
        ...referenceOf(request.input),
        ...(customData && { customData }),
      });
      return {};
    },
    executeVoiceprintProfilesStatusJob: async (call, request) => {
      const interval = request.filter?.creationTimestampInterval;
      const gkJobId = await executeProfilesStatusJob(deps, call, {
        context: contextOf(request),
        ...present('ownerType', wordOf<OwnerWord>(OwnerType, request.ownerType), (word) => word),
        ...present('createdFromMs', interval?.startTime, timestampMs),
        ...present('createdToMs', interval?.endTime, timestampMs),
      });
      return { gkJobId: unique(gkJobId) };
    },
    getVoiceprintProfilesStatusJobDetails: async (call, request) => {
      const { job, downloadUrl } = await getProfilesStatusJob(deps, call, {
        context: contextOf(request),
        gkJobId: valueOf(request.gkJobId),
      });
      return {
        jobState: VoiceprintProfilesStatusJobState[job.state],
        ...present('expirationTimestamp', job.expiresAtMs, timestampOf),
        ...present('downloadUrl', downloadUrl, String),
      };
    },
    lockVoiceprintProfile: async (call, request) => {
      await lockVoiceprintProfile(deps, call, { ...byId(request), reason: request.reason });
      return {};
    },
    unlockVoiceprintProfile: async (call, request) => {
      await unlockVoiceprintProfile(deps, call, byId(request));
      return {};
    },
    deleteVoiceprintTemplate: async (call, request) => {
      await deleteVoiceprintTemplate(deps, call, byId(request));
      return {};
    },
    deleteVoiceprintProfile: async (call, request) => {
      await deleteVoiceprintProfile(deps, call, { ...byId(request), reason: request.reason });
      return {};
    },
    listEnrollmentSegments: async (call, request) => ({
      enrollmentSegmentsDetails: (await listEnrollmentSegments(deps, call, byId(request))).map(
        segmentDetailsOf,
      ),
    }),
    removeEnrollmentSegment: async (call, request) => {
      await removeEnrollmentSegment(deps, call, {
        ...byId(request),
        gkProcessedAudioId: valueOf(request.gkProcessedAudioId),
      });
      return {};
    },
  });
}

function byId(request: Parameters<typeof contextOf>[0] & { gkVoiceprintProfileId?: UniqueId | undefined }) {
  return { context: contextOf(request), gkVoiceprintProfileId: valueOf(request.gkVoiceprintProfileId) };
}

function ownerOf({ owner, tag }: OwnerAndTag): OwnerInput {
  switch (owner.case) {
    case 'gkPersonId':
      return { kind: 'PERSON', gkId: owner.value.value, tag };
    case 'gkFraudsterId':
      return { kind: 'FRAUDSTER', gkId: owner.value.value, tag };
    case 'personId':
      return { kind: 'PERSON', externalId: owner.value, tag };
    case 'fraudsterId':
      return { kind: 'FRAUDSTER', externalId: owner.value, tag };
    case undefined:
      return { kind: 'PERSON', tag };
  }
}

type ReferenceOneof =
  | { case: 'gkVoiceprintProfileId'; value: UniqueId }
  | { case: 'ownerAndTag'; value: OwnerAndTag }
  | { case: undefined; value?: undefined };

function referenceOf(input: ReferenceOneof) {
  if (input.case === 'gkVoiceprintProfileId') return { gkVoiceprintProfileId: input.value.value };
  return input.case === 'ownerAndTag' ? { owner: ownerOf(input.value) } : {};
}

export function profileDetailsOf(
  profile: Profile,
): MessageInitShape<typeof VoiceprintProfileDetailsForReadSchema> {
  const { lock, trained } = profile;
  return {
    gkVoiceprintProfileId: unique(profile.gkVoiceprintProfileId),
    gkOwnerId: unique(profile.gkOwnerId),
    ownerType: OwnerType[profile.ownerType],
    tag: profile.tag,
    version: profile.version,
    status: VoiceprintProfileStatus[profile.status],
    lockInfo: {
      status: lock.locked ? LockStatus.LOCKED : LockStatus.UNLOCKED,
      lockedBy: lock.lockedBy,
      reason: lock.text,
      mismatchCounter: lock.mismatchCounter,
      ...present('lockTimestamp', lock.lockedAtMs, timestampOf),
      ...present('autoUnlockTimestamp', lock.autoUnlockAtMs, timestampOf),
      ...present('lockReason', lock.reason, (word) => LockReason[word]),
    },
    ...present('templateInfo', trained, (print) => ({
      gkCalibrationModelRevisionId: unique(print.calibrationRevisionId),
      ...present('voiceClassScore', print.voiceClassScore, Number),
      latestTrainTimestamp: timestampOf(print.trainedAtMs),
    })),
    nearTermAdaptation: profile.nearTermAdaptation,
    creationTimestamp: timestampOf(profile.createdAtMs),
    modificationTimestamp: timestampOf(profile.modifiedAtMs),
    customData: profile.customData,
  };
}

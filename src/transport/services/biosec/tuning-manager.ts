// TuningManager: calibration models.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CalibrationRevision,
  CalibrationState,
  CalibrationType,
} from '../../../biometrics/model/calibrations.js';
import {
  activateCalibrationRevision,
  createCalibrationModel,
  deactivateCalibrationRevision,
  downloadCalibrationRevision,
  listCalibrationRevisions,
  updateCalibrationModel,
  validateCalibrationRevision,
  type TuningDeps,
} from '../../../biometrics/calibration/tuning.js';
import type { UniqueId } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  CalibrationModelDetailsForReadSchema,
  CalibrationModelDetailsForUpdateSchema,
  CalibrationModelMode,
  CalibrationModelState,
  CalibrationModelType,
  TuningManager,
} from '../../../gen/vendor/biosec/v1/tuning/tuning_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
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

export function tuningManagerService(deps: TuningDeps): ServiceBinding {
  return bindService(TuningManager, biosecAccess, {
    createCalibrationModel: async (call, request) => {
      const { uploadUrl, revisionId } = await createCalibrationModel(deps, call, {
        context: contextOf(request),
        calibrationModelId: request.calibrationModelId,
        ...present('type', wordOf<CalibrationType>(CalibrationModelType, request.type), (word) => word),
        description: request.details?.description ?? '',
      });
      return { calibrationModelUploadUrl: uploadUrl, gkCalibrationModelRevisionId: unique(revisionId) };
    },
    updateCalibrationModel: async (call, request) => {
      const { description } = maskedWrite(CalibrationModelDetailsForUpdateSchema, request, 'mandatory');
      await updateCalibrationModel(deps, call, {
        context: changeContextOf(request),
        calibrationModelId: request.calibrationModelId,
        ...(description !== undefined && { description }),
      });
      return {};
    },
    validateCalibrationModelRevision: async (call, request) => {
      await validateCalibrationRevision(deps, call, byId(request));
      return {};
    },
    activateCalibrationModelRevision: async (call, request) => {
      await activateCalibrationRevision(deps, call, byId(request));
      return {};
    },
    deactivateCalibrationModelRevision: async (call, request) => {
      await deactivateCalibrationRevision(deps, call, byId(request));
      return {};
    },
    listCalibrationModelRevisions: async (call, request) => {
      const states = (request.filter?.state ?? []).flatMap(
        (state) => wordOf<CalibrationState>(CalibrationModelState, state) ?? [],
      );
      const types = (request.filter?.type ?? []).flatMap(
        (type) => wordOf<CalibrationType>(CalibrationModelType, type) ?? [],
      );
      const revisions = await listCalibrationRevisions(deps, call, {
        context: contextOf(request),
        ...present('calibrationModelId', request.filter?.calibrationModelId, String),
        states,
        types,
      });
      return {
        details: revisions.map((revision) =>
          maskedRead(CalibrationModelDetailsForReadSchema, detailsOf(revision), request.fieldMask),
        ),
      };
    },
    downloadCalibrationModelRevision: async (call, request) => ({
      calibrationModelDownloadUrl: await downloadCalibrationRevision(deps, call, byId(request)),
    }),
  });
}

function byId(
  request: Parameters<typeof contextOf>[0] & { gkCalibrationModelRevisionId?: UniqueId | undefined },
) {
  return { context: contextOf(request), revisionId: valueOf(request.gkCalibrationModelRevisionId) };
}

function detailsOf(
  revision: CalibrationRevision,
): MessageInitShape<typeof CalibrationModelDetailsForReadSchema> {
  return {
    gkCalibrationModelRevisionId: unique(revision.gkCalibrationModelRevisionId),
    calibrationModelId: revision.calibrationModelId,
    type: CalibrationModelType[revision.type],
    mode: CalibrationModelMode[revision.mode],
    engineFramework: revision.engineFramework,
    state: CalibrationModelState[revision.state],
    ...present('gkScopeId', revision.gkScopeId, unique),
    description: revision.description,
    creationTimestamp: timestampOf(revision.createdAtMs),
    modificationTimestamp: timestampOf(revision.modifiedAtMs),
  };
}

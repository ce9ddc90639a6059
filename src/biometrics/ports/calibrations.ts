// Where revisions of calibration models are kept.
import type { CalibrationRevision, CalibrationState, CalibrationType } from '../model/calibrations.js';

export interface CalibrationRepository {
  insert(revision: CalibrationRevision): Promise<void>;
  /** Looks in the scope and among the factory models. */
  find(gkScopeId: string, gkCalibrationModelRevisionId: string): Promise<CalibrationRevision | undefined>;
  findAnywhere(gkCalibrationModelRevisionId: string): Promise<CalibrationRevision | undefined>;
  /** Scope's own and factory revisions, newest first. */
  list(
    gkScopeId: string,
    filter: {
      calibrationModelId?: string;
      states?: readonly CalibrationState[];
      types?: readonly CalibrationType[];
    },
  ): Promise<CalibrationRevision[]>;
  update(revision: CalibrationRevision): Promise<void>;
}

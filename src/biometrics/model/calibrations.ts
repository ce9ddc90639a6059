// Calibration model revisions: which speaker model and which calibration a score belongs to.
export type CalibrationType = 'VOICEPRINTS' | 'PLAYBACK' | 'RISK_ENGINE';
type CalibrationMode = 'FACTORY' | 'BASIC' | 'EXTENDED';
export type CalibrationState = 'INITIALIZING' | 'VALIDATED' | 'INVALID' | 'ACTIVE' | 'INACTIVE';

export interface CalibrationRevision {
  gkCalibrationModelRevisionId: string;
  /** Empty for FACTORY models, which all scopes share. */
  gkScopeId: string;
  calibrationModelId: string;
  type: CalibrationType;
  mode: CalibrationMode;
  state: CalibrationState;
  /** Name and revision of the speaker model whose embeddings it calibrates, such as ecapa/1. */
  engineFramework: string;
  /** JSON document of coefficients; empty until uploaded. */
  content: string;
  description: string;
  uploadExpiresAtMs?: number;
  createdAtMs: number;
  modifiedAtMs: number;
}

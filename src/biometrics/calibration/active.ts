// Which calibration a tenant's scores use: the tenant's own ACTIVE one if it was made for the speaker model in use, otherwise
// the factory model that comes with the engine.
import { createHash } from 'node:crypto';
import type { ScoringSettings, SpeakerModel, Threshold } from '../../voice/scoring/speaker-model.js';
import type { Clock } from '../../platform.js';
import type { BiometricsStore } from '../ports/store.js';
import type { CalibrationRevision } from '../model/calibrations.js';

export interface ActiveCalibration {
  revisionId: string;
  calibrationModelId: string;
  model: SpeakerModel;
}

/** The content of a tenant's calibration document: any part of the factory's scoring may be replaced. */
export interface CalibrationContent {
  /** Revision of the speaker model that they are for; scores of another model have a different scale. */
  model?: string;
  scoring?: Partial<ScoringSettings>;
  thresholds?: readonly Threshold[];
}

export const FACTORY_CALIBRATION_ID = 'factory';

/** The same on every node and after every restart, because it is derived from the model's own revisions. */
export function factoryRevisionId(modelRevision: string, calibrationRevision = ''): string {
  const name = `voxgate factory calibration ${modelRevision} ${calibrationRevision}`.trimEnd();
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Registers the bundled model at start; an older factory revision becomes INACTIVE but stays known. */
export async function ensureFactoryCalibration(
  store: BiometricsStore,
  clock: Clock,
  model: SpeakerModel,
): Promise<void> {
  const revisionId = factoryRevisionId(model.revision, model.calibrationRevision);
  await store.transaction(async (tx) => {
    const now = clock.now();
    const known = await tx.calibrations.list('', { types: ['VOICEPRINTS'] });
    for (const revision of known) {
      const state = revision.gkCalibrationModelRevisionId === revisionId ? 'ACTIVE' : 'INACTIVE';
      if (revision.mode === 'FACTORY' && revision.state !== state)
        await tx.calibrations.update({ ...revision, state, modifiedAtMs: now });
    }
    if (known.some((revision) => revision.gkCalibrationModelRevisionId === revisionId)) return;
    await tx.calibrations.insert({
      gkCalibrationModelRevisionId: revisionId,
      gkScopeId: '',
      calibrationModelId: FACTORY_CALIBRATION_ID,
      type: 'VOICEPRINTS',
      mode: 'FACTORY',
      state: 'ACTIVE',
      engineFramework: model.revision,
      content: JSON.stringify({
        scoring: model.scoring,
        thresholds: model.thresholds,
      } satisfies CalibrationContent),
      description: `Calibration of the bundled speaker model ${model.revision}`,
      createdAtMs: now,
      modifiedAtMs: now,
    });
  });
}

export async function activeCalibration(
  store: BiometricsStore,
  gkScopeId: string,
  model: SpeakerModel,
): Promise<ActiveCalibration> {
  const active = await store.read.calibrations.list(gkScopeId, {
    states: ['ACTIVE'],
    types: ['VOICEPRINTS'],
  });
  const own = active.find(
    (revision) => revision.gkScopeId === gkScopeId && revision.engineFramework === model.revision,
  );
  if (!own)
    return {
      revisionId: factoryRevisionId(model.revision, model.calibrationRevision),
      calibrationModelId: FACTORY_CALIBRATION_ID,
      model,
    };
  return {
    revisionId: own.gkCalibrationModelRevisionId,
    calibrationModelId: own.calibrationModelId,
    model: calibrated(model, own),
  };
}

function calibrated(model: SpeakerModel, revision: CalibrationRevision): SpeakerModel {
  const content = JSON.parse(revision.content || '{}') as CalibrationContent;
  return {
    ...model,
    scoring: { ...model.scoring, ...content.scoring },
    thresholds: content.thresholds ?? model.thresholds,
  };
}

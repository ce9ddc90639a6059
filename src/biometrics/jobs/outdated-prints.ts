// Prints made with a speaker model other than the one in use: nothing can be compared with them. A print names the calibration
// that it was trained under, and a calibration the model that it belongs to.
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { BiometricsStore } from '../ports/store.js';

export interface OutdatedPrints {
  gkScopeId: string;
  prints: number;
  /** The models that made them. */
  models: readonly string[];
  calibrationRevisionIds: readonly string[];
}

/** By tenant; empty if every print belongs to the model in use. */
export async function outdatedPrints(
  { read }: Pick<BiometricsStore, 'read'>,
  { revision }: Pick<SpeakerModel, 'revision'>,
): Promise<OutdatedPrints[]> {
  const modelOf = new Map<string, string>();
  const byTenant = new Map<string, OutdatedPrints>();
  for (const { gkScopeId, calibrationRevisionId: id, prints } of await read.profiles.countByCalibration()) {
    const made = modelOf.get(id) ?? (await read.calibrations.findAnywhere(id))?.engineFramework ?? 'unknown';
    modelOf.set(id, made);
    if (made === revision) continue;
    const known = byTenant.get(gkScopeId);
    byTenant.set(gkScopeId, {
      gkScopeId,
      prints: prints + (known?.prints ?? 0),
      models: [...new Set([...(known?.models ?? []), made])],
      calibrationRevisionIds: [...(known?.calibrationRevisionIds ?? []), id],
    });
  }
  return [...byTenant.values()];
}

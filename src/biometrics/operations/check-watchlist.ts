// CheckWatchlistConsistency: can the prints of a watchlist be scored by the speaker model in use?
import type { Call } from '../../platform.js';
import { activeCalibration, FACTORY_CALIBRATION_ID, factoryRevisionId } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import { detailsOf, type GalleryModel, type UnusablePrint } from '../galleries/gallery.js';
import type { PrintDetails } from '../model/profiles.js';
import {
  findPrints,
  isCompatible,
  targetFaults,
  type CandidateTarget,
  type NamedPrints,
} from './candidates.js';
import type { OperationDeps } from './deps.js';

export interface CalibrationReference {
  revisionId: string;
  calibrationModelId: string;
}

export interface IncompatiblePrint {
  profile: PrintDetails;
  calibration?: CalibrationReference;
  fraudsterId?: string;
}

export interface WatchlistConsistency {
  compatible: number;
  incompatible: number;
  /** The first of them; cut at the config set's maximum. */
  prints: readonly IncompatiblePrint[];
  required: CalibrationReference;
}

export async function checkWatchlistConsistency(
  deps: OperationDeps,
  call: Call,
  input: { context: RequestContext; target: CandidateTarget },
): Promise<WatchlistConsistency> {
  const { target } = input;
  const context = await openFullContext(deps, call, input.context, targetFaults(target, 'watchlist'));
  const { gkScopeId, parameters } = context;
  const required = await activeCalibration(deps.store, gkScopeId, deps.engine.model);
  const prints = await findPrints({ deps, call, context, calibration: required }, 'FRAUDSTER', target);
  const { compatible, incompatible } = sortOut(prints, deps.engine.model);
  const described: IncompatiblePrint[] = [];
  for (const profile of incompatible.slice(0, parameters.fraudDetection.incompatiblePrintsMax)) {
    const owner = await deps.store.read.parties.find(gkScopeId, 'FRAUDSTER', profile.gkOwnerId);
    described.push({
      profile: detailsOf(profile),
      ...(profile.trained && { calibration: await calibrationOf(deps, gkScopeId, profile.trained) }),
      ...(owner && { fraudsterId: owner.externalId }),
    });
  }
  return {
    compatible,
    incompatible: incompatible.length,
    prints: described,
    required: { revisionId: required.revisionId, calibrationModelId: required.calibrationModelId },
  };
}

/** A print that is not trained cannot be compared at all, so it does not count as compatible. */
function sortOut(
  { listed, collected }: NamedPrints,
  model: GalleryModel,
): { compatible: number; incompatible: UnusablePrint[] } {
  const unusable = listed.filter((print) => !print.trained || !isCompatible(print.trained, model));
  const incompatible: UnusablePrint[] = unusable.map(({ trained, damaged, ...print }) => ({
    ...detailsOf(print),
    ...(damaged && { damaged }),
    ...(trained && {
      trained: {
        calibrationRevisionId: trained.calibrationRevisionId,
        modelRevision: trained.template.modelRevision,
      },
    }),
  }));
  return {
    compatible: listed.length - unusable.length + (collected?.trained ?? 0),
    incompatible: [...incompatible, ...(collected?.unusable ?? [])].sort((a, b) =>
      a.gkVoiceprintProfileId < b.gkVoiceprintProfileId ? -1 : 1,
    ),
  };
}

async function calibrationOf(
  deps: OperationDeps,
  gkScopeId: string,
  { calibrationRevisionId: revisionId, modelRevision }: NonNullable<UnusablePrint['trained']>,
): Promise<CalibrationReference> {
  const revision = await deps.store.read.calibrations.find(gkScopeId, revisionId);
  return revision
    ? { revisionId, calibrationModelId: revision.calibrationModelId }
    : { revisionId: factoryRevisionId(modelRevision), calibrationModelId: FACTORY_CALIBRATION_ID };
}

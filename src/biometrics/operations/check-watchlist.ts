// CheckWatchlistConsistency: were the prints of a watchlist made for the calibration model that is required now?
import type { Call } from '../../platform.js';
import {
  activeCalibration,
  FACTORY_CALIBRATION_ID,
  factoryRevisionId,
  type ActiveCalibration,
} from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import { detailsOf, type UnusablePrint } from '../galleries/gallery.js';
import type { PrintDetails } from '../model/profiles.js';
import { findPrints, targetFaults, type CandidateTarget, type NamedPrints } from './candidates.js';
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
  /** Neither compatible nor incompatible. */
  untrained: number;
  incompatible: number;
  /** Those of the incompatible that cannot be read. */
  damaged: readonly string[];
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
  const { compatible, untrained, incompatible } = sortOut(prints, required);
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
    untrained,
    incompatible: incompatible.length,
    damaged: incompatible.flatMap((print) => (print.damaged ? print.gkVoiceprintProfileId : [])),
    prints: described,
    required: { revisionId: required.revisionId, calibrationModelId: required.calibrationModelId },
  };
}

interface Sorted {
  compatible: number;
  untrained: number;
  incompatible: UnusablePrint[];
}

/** By the calibration model that is required now; a print that was never trained has none to be judged by. */
function sortOut({ listed, collected }: NamedPrints, { revisionId, model }: ActiveCalibration): Sorted {
  const sorted: Sorted = { compatible: 0, untrained: 0, incompatible: [] };
  const judge = (print: UnusablePrint): void => {
    const { trained, damaged } = print;
    const fits = trained?.calibrationRevisionId === revisionId && trained.modelRevision === model.revision;
    if (fits) sorted.compatible += 1;
    else if (trained || damaged) sorted.incompatible.push(print);
    else sorted.untrained += 1;
  };
  for (const { trained, damaged, ...print } of listed)
    judge({
      ...detailsOf(print),
      ...(damaged && { damaged }),
      ...(trained && { trained: { ...trained, modelRevision: trained.template.modelRevision } }),
    });
  for (const print of collected?.unusable ?? []) judge(print);
  for (const { calibrationRevisionId, ...print } of collected?.calibrated() ?? [])
    judge({ ...detailsOf(print), trained: { calibrationRevisionId, modelRevision: model.revision } });
  sorted.incompatible.sort((a, b) => (a.gkVoiceprintProfileId < b.gkVoiceprintProfileId ? -1 : 1));
  return sorted;
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

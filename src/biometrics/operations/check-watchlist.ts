// CheckWatchlistConsistency: can the prints of a watchlist be scored by the speaker model in use?
import type { Call } from '../../platform.js';
import { activeCalibration, factoryCalibrationId, factoryRevisionId } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../context.js';
import type { Profile } from '../profiles/model.js';
import { findPrints, isCompatible, type CandidateTarget } from './candidates.js';
import type { OperationDeps } from './deps.js';
import { checkTarget } from './identify.js';

export interface CalibrationReference {
  revisionId: string;
  calibrationModelId: string;
}

export interface IncompatiblePrint {
  profile: Profile;
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
  checkTarget(input.target, 'watchlist');
  const context = await openFullContext(deps, call, input.context);
  const { gkScopeId, parameters } = context;
  const prints = await findPrints(deps, gkScopeId, 'FRAUDSTER', input.target, 1000);
  const required = await activeCalibration(deps.store, gkScopeId, deps.engine.model);
  // A print that is not trained cannot be compared at all, so it does not count as compatible.
  const incompatible = prints.filter(
    (print) => !print.trained || !isCompatible(print.trained, deps.engine.model.revision),
  );
  const described: IncompatiblePrint[] = [];
  for (const profile of incompatible.slice(0, parameters.fraudDetection.incompatiblePrintsMax)) {
    const owner = await deps.store.read.parties.find(gkScopeId, 'FRAUDSTER', profile.gkOwnerId);
    described.push({
      profile,
      ...(profile.trained && {
        calibration: await calibrationOf(
          deps,
          gkScopeId,
          profile.trained.calibrationRevisionId,
          profile.trained.template.modelRevision,
        ),
      }),
      ...(owner && { fraudsterId: owner.externalId }),
    });
  }
  return {
    compatible: prints.length - incompatible.length,
    incompatible: incompatible.length,
    prints: described,
    required: { revisionId: required.revisionId, calibrationModelId: required.calibrationModelId },
  };
}

async function calibrationOf(
  deps: OperationDeps,
  gkScopeId: string,
  revisionId: string,
  modelRevision: string,
): Promise<CalibrationReference> {
  const revision = await deps.store.read.calibrations.find(gkScopeId, revisionId);
  return revision
    ? { revisionId, calibrationModelId: revision.calibrationModelId }
    : { revisionId: factoryRevisionId(modelRevision), calibrationModelId: factoryCalibrationId };
}

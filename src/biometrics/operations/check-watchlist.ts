// CheckWatchlistConsistency: were the prints of a watchlist made for the calibration model that is required now?
import type { Call } from '../../platform.js';
import {
  activeCalibration,
  FACTORY_CALIBRATION_ID,
  factoryRevisionId,
  type ActiveCalibration,
} from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import { joinJudged, judgeList, type ListConsistency, type UnusablePrint } from '../galleries/consistency.js';
import { detailsOf } from '../galleries/gallery.js';
import type { PrintDetails } from '../model/profiles.js';
import { findPrints, targetFaults, type CandidateTarget, type NamedPrints } from './candidates.js';
import type { OperationDeps } from './deps.js';

interface CalibrationReference {
  revisionId: string;
  calibrationModelId: string;
}

interface IncompatiblePrint {
  profile: PrintDetails;
  calibration?: CalibrationReference;
  fraudsterId?: string;
}

interface WatchlistConsistency extends Omit<ListConsistency, 'first'> {
  /** The first of the incompatible ones, up to the config set's maximum. */
  prints: readonly IncompatiblePrint[];
  required: CalibrationReference;
  /** None of the members has a print with the requested tag. */
  hasUnknownTag?: boolean;
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
  const { incompatiblePrintsMax } = parameters.fraudDetection;
  const { first, ...counts } = await judge(prints, required, incompatiblePrintsMax);
  const described: IncompatiblePrint[] = [];
  for (const profile of first) {
    const owner = await deps.store.read.parties.find(gkScopeId, 'FRAUDSTER', profile.gkOwnerId);
    described.push({
      profile: detailsOf(profile),
      ...(profile.trained && { calibration: await calibrationOf(deps, gkScopeId, profile.trained) }),
      ...(owner && { fraudsterId: owner.externalId }),
    });
  }
  return {
    ...counts,
    prints: described,
    ...(prints.hasUnknownTag && { hasUnknownTag: true }),
    required: { revisionId: required.revisionId, calibrationModelId: required.calibrationModelId },
  };
}

/** By the calibration model that is required now. */
async function judge(
  { listed, collected }: NamedPrints,
  { revisionId, model }: ActiveCalibration,
  limit: number,
): Promise<ListConsistency> {
  const required = { revisionId, modelRevision: model.revision };
  const few = listed.map(({ trained, damaged, ...print }): UnusablePrint => ({
    ...detailsOf(print),
    ...(damaged && { damaged }),
    ...(trained && { trained: { ...trained, modelRevision: trained.template.modelRevision } }),
  }));
  const parts = [judgeList(few, required, limit)];
  if (collected) parts.push(await collected.consistency(required, limit));
  return joinJudged(parts, limit);
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

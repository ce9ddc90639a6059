// Calls that this node cannot serve but nodes with another speaker model can are left to those nodes while they are running.
import { AppError } from '../../errors.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { Profile, TrainedPrint } from '../model/profiles.js';
import { addUp, betterModel, countByModel, servedElsewhere } from '../rules/other-models.js';
import { isCompatible, OTHER_MODEL, searchable, verifiable } from '../rules/usable-print.js';
import type { NamedPrints } from './candidates.js';
import type { OperationDeps } from './deps.js';

type Deps = Pick<OperationDeps, 'engine' | 'modelsElsewhere'>;
/** How recent the knowledge about other nodes' models has to be. */
type AsOf = 'beat' | 'now';

/** Refuses a comparison if nodes with another model can compare with more of the prints. */
export async function refuseBetterElsewhere(deps: Deps, { listed, collected }: NamedPrints): Promise<void> {
  const { model } = deps.engine;
  const trained = listed.flatMap((print) => print.trained ?? []);
  const others = trained.filter((print) => !isCompatible(print, model));
  const named = countByModel(others.map(({ template }) => template.modelRevision));
  const counts = addUp([named, collected?.ofOtherModels ?? {}]);
  if (Object.keys(counts).length === 0) return;
  const own = trained.length - others.length + (collected?.trained ?? 0);
  const better = betterModel(own, counts, await deps.modelsElsewhere('now'));
  if (better !== undefined) throw servedElsewhere(better, model.revision);
}

/** The print, if Verify can compare with it here. */
export function verifiableHere(
  deps: Deps & Pick<OperationDeps, 'clock'>,
  found: Profile | undefined,
  asOf: AsOf = 'now',
): Promise<Profile> {
  return usableHere(deps, asOf, () => verifiable(found, deps.engine.model, deps.clock.now()));
}

/** The trained part of a fraudster's print, if it can be searched for here. */
export function searchableHere(deps: Deps, print: Profile, model: SpeakerModel): Promise<TrainedPrint> {
  return usableHere(deps, 'now', () => searchable(print, model));
}

async function usableHere<T>(deps: Deps, asOf: AsOf, rule: () => T): Promise<T> {
  try {
    return rule();
  } catch (refusal) {
    throw await refusalHere(deps, refusal, asOf);
  }
}

/**
 * The error for a print that is refused here: to retry, if other nodes have the model of the print; otherwise
 * the reason of the refusal.
 */
async function refusalHere(deps: Deps, refusal: unknown, asOf: AsOf): Promise<unknown> {
  const made = refusal instanceof AppError && refusal.diagnostics.find(({ code }) => code === OTHER_MODEL);
  const printModel = made ? made.extras?.['print_model'] : undefined;
  if (printModel === undefined) return refusal;
  const elsewhere = await deps.modelsElsewhere(asOf);
  return elsewhere.includes(printModel) ? servedElsewhere(printModel, deps.engine.model.revision) : refusal;
}

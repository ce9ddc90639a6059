// What nodes with another speaker model can do and this one cannot is left to them, as long as they are there.
import { AppError } from '../../errors.js';
import { addUp, betterModel, countByModel, servedElsewhere } from '../rules/other-models.js';
import { isCompatible, OTHER_MODEL } from '../rules/usable-print.js';
import type { NamedPrints } from './candidates.js';
import type { OperationDeps } from './deps.js';

type Deps = Pick<OperationDeps, 'engine' | 'modelsElsewhere'>;

/** Refuses a comparison where nodes with another model can compare with more of the prints. */
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

/** What to tell of a print that is refused here: to come again, where other nodes have the model of the print; else what it is refused for. */
export async function refusalHere(
  deps: Deps,
  refusal: unknown,
  asOf: 'beat' | 'now' = 'now',
): Promise<unknown> {
  const made = refusal instanceof AppError && refusal.diagnostics.find(({ code }) => code === OTHER_MODEL);
  const printModel = made ? made.extras?.['print_model'] : undefined;
  if (printModel === undefined) return refusal;
  const elsewhere = await deps.modelsElsewhere(asOf);
  return elsewhere.includes(printModel) ? servedElsewhere(printModel, deps.engine.model.revision) : refusal;
}

// The parameters that the enrollment of a print follows: those of the print's own config set, so that its status is the
// same whichever set a call happens to name (docs/reference/voiceprint-contract.md#enrollment).
import { builtInSet } from '../model/built-in-configsets.js';
import type { Parameters } from '../model/parameters.js';
import type { Profile } from '../model/profiles.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';

/** `otherwise`: for a print without its own set, or whose set was deleted. */
export async function parametersOfPrint(
  { configsetCache }: Pick<BiometricsDeps, 'configsetCache'>,
  { configsets }: Pick<Repositories, 'configsets'>,
  { gkScopeId, configsetId }: Pick<Profile, 'gkScopeId' | 'configsetId'>,
  otherwise: Parameters,
): Promise<Parameters> {
  if (!configsetId) return otherwise;
  const active =
    (await configsets.findActive(gkScopeId, 'CONFIGSET', configsetId)) ?? builtInSet(gkScopeId, configsetId);
  return active ? configsetCache.parametersOf(active) : otherwise;
}

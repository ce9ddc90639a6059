// The parameters of a call that names no config set: those of the tenant's own set, SCOPE, if it has an ACTIVE revision,
// otherwise the defaults.
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { defaultParameters, type Parameters } from '../model/parameters.js';

export async function tenantParameters(
  deps: Pick<BiometricsDeps, 'configsetCache'> & { store: { read: Pick<Repositories, 'configsets'> } },
  gkScopeId: string,
): Promise<Parameters> {
  const revision = await deps.store.read.configsets.findActive(gkScopeId, 'CONFIGSET', 'SCOPE');
  return revision ? deps.configsetCache.parametersOf(revision) : defaultParameters;
}

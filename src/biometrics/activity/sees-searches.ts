// Whether a caller may see searches through stored calls.
import { mayReach, narrowedTo, type Call } from '../../platform.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import type { BiometricsDeps } from '../ports/deps.js';

const SEARCH_PERMISSION = 'voice.fraud';

/** Callers who may search stored calls, if that is allowed at all, may see the results. */
export async function seesSearches(deps: BiometricsDeps, call: Call, gkScopeId: string): Promise<boolean> {
  if (!mayReach(narrowedTo(call.caller, [SEARCH_PERMISSION]), gkScopeId)) return false;
  return (await tenantParameters(deps, gkScopeId)).voiceSearch.hasLegalBasis;
}

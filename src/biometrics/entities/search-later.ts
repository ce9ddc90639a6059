// If the tenant wants it, a fraudster who can be recognized from now on is searched for in earlier calls: by a job, created in
// the transaction that put them on a watchlist or trained their print, so that no such search is forgotten.
import type { Call } from '../../platform.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import { newJob } from '../model/jobs.js';
import type { Profile } from '../model/profiles.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';

/** The input of the job. */
export interface SearchJobInput {
  gkVoiceprintProfileId: string;
  gkFraudsterId: string;
  issuer: string;
}

export async function searchLater(
  tx: BiometricsTransaction,
  deps: Pick<BiometricsDeps, 'clock' | 'ids' | 'jobs' | 'configsetCache'>,
  call: Call,
  prints: readonly Profile[],
): Promise<void> {
  const trained = prints.filter((print) => print.trained);
  const [first] = trained;
  if (!first) return;
  const { voiceSearch } = await tenantParameters({ ...deps, store: { read: tx } }, first.gkScopeId);
  if (!voiceSearch.hasLegalBasis || !voiceSearch.searchForNewFraudsters) return;
  const nowMs = deps.clock.now();
  for (const { gkScopeId, gkVoiceprintProfileId, gkOwnerId } of trained) {
    const input: SearchJobInput = {
      gkVoiceprintProfileId,
      gkFraudsterId: gkOwnerId,
      issuer: call.caller.issuer,
    };
    const requestedBy = call.caller.subject;
    const job = { gkJobId: deps.ids.uuid(), gkScopeId, kind: 'LOOK_BACK', requestedBy } as const;
    await tx.jobs.insert(newJob(job, input, nowMs));
  }
  tx.afterCommit(() => deps.jobs.wake());
}

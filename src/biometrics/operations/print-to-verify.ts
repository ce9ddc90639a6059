// The print that Verify is about.
import { verifiableHere } from './leave-to-others.js';
import type { OpenedCall } from './opened-call.js';
import { Comparison } from './score-candidates.js';

export interface PrintToVerify {
  gkVoiceprintProfileId: string;
  ignoreCheckpoints: boolean;
}

/** Verify's comparison: with one print. */
export async function comparisonWithPrint(
  opened: OpenedCall,
  { gkVoiceprintProfileId, ignoreCheckpoints }: PrintToVerify,
): Promise<Comparison> {
  const { deps, context } = opened;
  const found = await deps.store.read.profiles.find(context.gkScopeId, gkVoiceprintProfileId);
  const print = await verifiableHere(deps, found);
  return Comparison.withPrints(opened, { listed: [print] }, { side: 'AUTHENTICATION', ignoreCheckpoints });
}

/** Whose voice the recording is said to contain. */
export const personToVerify = (comparison: Comparison): string | undefined => comparison.solePerson;

// Verify: is this the voice of one enrolled person?
import { missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { AudioInput } from './audio-input.js';
import { concludeVerification, type VerifyResult } from './conclude-verification.js';
import type { OperationDeps } from './deps.js';
import { purposeOfComparison } from './listening.js';
import { comparisonWithPrint, personToVerify, type PrintToVerify } from './print-to-verify.js';
import { runDecision } from './run-decision.js';
import { compare } from './score-candidates.js';

interface VerifyInput extends PrintToVerify {
  context: RequestContext;
  audio: AudioInput;
}

export function verify(deps: OperationDeps, call: Call, input: VerifyInput): Promise<VerifyResult> {
  return runDecision(deps, call, {
    name: 'Verify',
    request: input,
    faults: [input.gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id')],
    find: comparisonWithPrint,
    named: { prints: [input.gkVoiceprintProfileId] },
    purpose: purposeOfComparison,
    judge: compare,
    conclude: concludeVerification,
    speaker: personToVerify,
  });
}

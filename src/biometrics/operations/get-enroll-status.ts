// GetEnrollStatus: whether a print is trained, ready to be trained, or not ready. Changes nothing.
import { missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { parametersOfPrint } from '../configsets/print-parameters.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { OperationDeps } from './deps.js';
import { isLocked } from '../rules/profile-changes.js';
import { isCompatible } from '../rules/usable-print.js';
import { statusOf } from './enroll.js';
import type { EnrollStatus } from '../rules/enrollment-status.js';

export async function getEnrollStatus(
  deps: OperationDeps,
  call: Call,
  input: { context: RequestContext; gkVoiceprintProfileId: string },
): Promise<{ status: EnrollStatus; isTrained: boolean }> {
  const context = await openFullContext(deps, call, input.context, [
    input.gkVoiceprintProfileId ? undefined : missingField('gk_voiceprint_profile_id'),
  ]);
  const profile = await deps.store.read.profiles.find(context.gkScopeId, input.gkVoiceprintProfileId);
  if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  const segments = await deps.store.read.enrollment.list(profile.gkVoiceprintProfileId);
  const { model } = deps.engine;
  const parameters = await parametersOfPrint(deps, deps.store.read, profile, context.parameters);
  return {
    status: await statusOf(deps.store.read, profile, segments, { parameters, modelRevision: model.revision }),
    // Usable for verification: a template of another model is not, nor is a locked print.
    isTrained:
      profile.trained !== undefined &&
      isCompatible(profile.trained, model) &&
      !isLocked(profile, deps.clock.now()),
  };
}

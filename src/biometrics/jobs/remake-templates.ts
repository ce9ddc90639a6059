// After a change of speaker model: processes the stored enrollment audio of a print again and retrains it, so that nobody has
// to be enrolled twice; for one print, or all prints of a tenant. A print that cannot be remade keeps its old template.
import { systemActor, auditDetail } from '../../audit/model.js';
import { parametersOfPrint } from '../configsets/print-parameters.js';
import { activeCalibration } from '../calibration/active.js';
import { defaultParameters } from '../model/parameters.js';
import { isCompatible } from '../rules/usable-print.js';
import type { OperationDeps } from '../operations/deps.js';
import { renewSegments, storeRenewed } from '../operations/renew-segments.js';
import { trainProfile } from '../operations/train.js';
import type { Profile } from '../model/profiles.js';

interface RemakeReport {
  prints: number;
  remade: number;
  upToDate: number;
  failed: number;
}

export async function remakeTemplates(
  deps: OperationDeps,
  gkScopeId: string,
  progress: (done: RemakeReport) => void = () => {},
): Promise<RemakeReport> {
  const report: RemakeReport = { prints: 0, remade: 0, upToDate: 0, failed: 0 };
  let after: string | undefined;
  do {
    const page = await deps.store.read.profiles.list(
      gkScopeId,
      { trained: true },
      { limit: 100, ...(after && { after }) },
    );
    for (const profile of page.profiles) {
      report.prints += 1;
      if (profile.trained && isCompatible(profile.trained, deps.engine.model)) report.upToDate += 1;
      else if (await remakePrint(deps, profile)) report.remade += 1;
      else report.failed += 1;
      progress({ ...report });
    }
    after = page.next;
  } while (after);
  return report;
}

/** True if the print belongs to the model in use afterwards. */
export async function remakePrint(
  deps: OperationDeps,
  profile: Profile,
  signal?: AbortSignal,
): Promise<boolean> {
  const calibration = await activeCalibration(deps.store, profile.gkScopeId, deps.engine.model);
  const parameters = await parametersOfPrint(deps, deps.store.read, profile, defaultParameters);
  const renewed = await renewSegments(deps, profile, parameters, {
    priority: 'background',
    ...(signal && { signal }),
  });
  return deps.store.transaction(async (tx) => {
    const current = await tx.profiles.find(profile.gkScopeId, profile.gkVoiceprintProfileId);
    if (!current) return false;
    // Somebody may have trained it meanwhile, with more than was processed here.
    if (current.trained && isCompatible(current.trained, deps.engine.model)) return true;
    await storeRenewed(tx, profile, renewed, {
      calibrationRevisionId: calibration.revisionId,
      nowMs: deps.clock.now(),
    });
    const result = await trainProfile(deps, tx, current, calibration, parameters);
    await tx.audit.append({
      chain: profile.gkScopeId,
      recordType: 'VOICEPRINT_EVENT',
      operation: 'RemakeTemplate',
      actor: systemActor,
      context: { gkScopeId: profile.gkScopeId },
      subjectIds: [profile.gkVoiceprintProfileId, profile.gkOwnerId],
      detail: auditDetail({
        reason: result.reason,
        printVersion: result.profile.version,
        model: calibration.model.revision,
      }),
    });
    return result.trained;
  });
}

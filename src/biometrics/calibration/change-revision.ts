// Activating and deactivating a revision of a tenant's calibration, whether through the TuningManager or by the operator at
// the command line. At most one is active; when it is deactivated, the calibration that comes with the speaker model applies
// again.
import { type AuditDetail } from '../../audit/model.js';
import { AppError, notFound } from '../../errors.js';
import type { Call, Clock, Ids } from '../../platform.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { audit } from '../call/audit.js';
import type { CalibrationRevision } from '../model/calibrations.js';
import type { BiometricsStore, BiometricsTransaction } from '../ports/store.js';
import type { CalibrationContent } from './active.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

/** The changed revision, and the result. */
export type Edit<T> = (revision: CalibrationRevision) => { next: CalibrationRevision; result: T };

export async function changeRevision<T>(
  deps: { store: BiometricsStore; clock: Clock },
  call: Call,
  { gkScopeId, revisionId, operation }: { gkScopeId: string; revisionId: string; operation: AuditAct },
  edit: Edit<T>,
): Promise<T> {
  return deps.store.transaction(async (tx) => {
    const revision = await tx.calibrations.find(gkScopeId, revisionId);
    if (!revision) throw notFound('calibration model revision', 'gk_calibration_model_revision_id');
    refuseFactory(revision);
    const { next, result } = edit(revision);
    const now = deps.clock.now();
    if (next.state === 'ACTIVE') {
      for (const other of await tx.calibrations.list(gkScopeId, {
        states: ['ACTIVE'],
        types: [revision.type],
      })) {
        const mine =
          other.gkScopeId === gkScopeId &&
          other.gkCalibrationModelRevisionId !== revision.gkCalibrationModelRevisionId;
        if (mine) await tx.calibrations.update({ ...other, state: 'INACTIVE', modifiedAtMs: now });
      }
    }
    await tx.calibrations.update({ ...next, modifiedAtMs: now });
    await auditCalibration(tx, call, next, operation);
    return result;
  });
}

export const activated: Edit<void> = (revision) => {
  if (revision.state !== 'VALIDATED' && revision.state !== 'INACTIVE' && revision.state !== 'ACTIVE') {
    throw new AppError('INVALID_REQUEST', say('NOT_VALIDATED'), {
      diagnostics: [{ code: `CALIBRATION_${revision.state}` }],
    });
  }
  return { next: { ...revision, state: 'ACTIVE' }, result: undefined };
};

export const deactivated: Edit<void> = (revision) => {
  if (revision.state !== 'ACTIVE')
    throw new AppError('INVALID_REQUEST', say('REVISION_NOT_ACTIVE'), {
      diagnostics: [{ code: `CALIBRATION_${revision.state}` }],
    });
  return { next: { ...revision, state: 'INACTIVE' }, result: undefined };
};

/** Stores a validated revision whose content needs no upload; it takes effect when somebody activates it. */
export async function keepRevision(
  deps: { clock: Clock; ids: Ids; engine: { model: Pick<SpeakerModel, 'revision'> } },
  tx: BiometricsTransaction,
  call: Call,
  kept: {
    gkScopeId: string;
    calibrationModelId: string;
    content: CalibrationContent;
    description: string;
    operation: AuditAct;
    /** Further details for the audit record. */
    detail?: AuditDetail;
  },
): Promise<string> {
  const now = deps.clock.now();
  const revision: CalibrationRevision = {
    gkCalibrationModelRevisionId: deps.ids.uuid(),
    gkScopeId: kept.gkScopeId,
    calibrationModelId: kept.calibrationModelId,
    type: 'VOICEPRINTS',
    mode: 'BASIC',
    state: 'VALIDATED',
    engineFramework: deps.engine.model.revision,
    content: JSON.stringify(kept.content),
    description: kept.description,
    createdAtMs: now,
    modifiedAtMs: now,
  };
  await tx.calibrations.insert(revision);
  await auditCalibration(tx, call, revision, kept.operation, kept.detail);
  return revision.gkCalibrationModelRevisionId;
}

export function refuseFactory(revision: CalibrationRevision): void {
  if (revision.mode === 'FACTORY')
    throw new AppError('PERMISSION_DENIED', say('FACTORY_CALIBRATION'), {
      diagnostics: [{ code: 'FACTORY_MODEL' }],
    });
}

export async function auditCalibration(
  tx: BiometricsTransaction,
  call: Call,
  revision: CalibrationRevision,
  operation: AuditAct,
  detail?: AuditDetail,
): Promise<void> {
  await audit(tx, call, {
    type: 'CALIBRATION_EVENT',
    operation,
    gkScopeId: revision.gkScopeId,
    subjects: [revision.gkCalibrationModelRevisionId],
    detail: {
      calibrationModelId: revision.calibrationModelId,
      state: revision.state,
      model: revision.engineFramework,
      ...detail,
    },
  });
}

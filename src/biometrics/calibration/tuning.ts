// TuningManager: calibration models of a tenant in addition to the factory's. A revision is created, its document is uploaded
// to a signed URL and validated, and it controls scoring while it is ACTIVE.
import { AppError, missingField, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { openFullContext, openTenant, openSessionContext, type RequestContext } from '../call/context.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import { Faults } from '../call/limits.js';
import type { MediaDeps } from '../media/deps.js';
import { emptyUpload } from '../media/receive-upload.js';
import { CALIBRATION_BYTES_MAX, validateCalibration } from './calibration-document.js';
import {
  activated,
  auditCalibration,
  changeRevision,
  deactivated,
  refuseFactory,
  type Edit,
} from './change-revision.js';
import type { CalibrationRevision, CalibrationState, CalibrationType } from '../model/calibrations.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

export type TuningDeps = MediaDeps & { engine: { model: Pick<SpeakerModel, 'revision'> } };

export async function createCalibrationModel(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; calibrationModelId: string; type?: CalibrationType; description: string },
): Promise<{ uploadUrl: string; revisionId: string }> {
  const faults = new Faults()
    .id('calibration_model_id', input.calibrationModelId)
    .required('type', input.type)
    .text('details.description', input.description);
  if (input.type && input.type !== 'VOICEPRINTS') {
    faults.add({
      field: 'type',
      violation: 'OUT_OF_RANGE',
      ...say('ONLY_VOICEPRINTS'),
      value: input.type,
    });
  }
  const { gkScopeId } = await openSessionContext(deps, call, input.context, faults.found);
  const now = deps.clock.now();
  const { urls } = await tenantParameters(deps, gkScopeId);
  const revisionId = deps.ids.uuid();
  const { url, expiresAtMs } = deps.urls.make('calibration-upload', revisionId, urls.uploadSeconds);
  await deps.store.transaction(async (tx) => {
    const revision: CalibrationRevision = {
      gkCalibrationModelRevisionId: revisionId,
      gkScopeId,
      calibrationModelId: input.calibrationModelId,
      type: 'VOICEPRINTS',
      mode: 'BASIC',
      state: 'INITIALIZING',
      engineFramework: deps.engine.model.revision,
      content: '',
      description: input.description,
      uploadExpiresAtMs: expiresAtMs,
      createdAtMs: now,
      modifiedAtMs: now,
    };
    await tx.calibrations.insert(revision);
    await auditCalibration(tx, call, revision, 'CreateCalibrationModel');
  });
  return { uploadUrl: url, revisionId };
}

/** The document sent to the upload address; accepted once, though a client may send the same again. */
export async function receiveCalibration(
  deps: TuningDeps,
  revisionId: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > CALIBRATION_BYTES_MAX)
      throw new AppError('TOO_LARGE', `a calibration can have at most ${CALIBRATION_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  if (bytes === 0) throw emptyUpload();
  const content = Buffer.concat(pieces).toString('utf8');
  await deps.store.transaction(async (tx) => {
    const revision = await tx.calibrations.findAnywhere(revisionId);
    if (!revision) throw notFound('calibration model revision');
    if (revision.content === content) return;
    if (revision.content) throw new AppError('ALREADY_EXISTS', say('OTHER_DOCUMENT_UPLOADED'));
    await tx.calibrations.update({ ...revision, content, modifiedAtMs: deps.clock.now() });
  });
}

export async function updateCalibrationModel(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; calibrationModelId: string; description?: string },
): Promise<void> {
  const faults = new Faults()
    .required('calibration_model_id', input.calibrationModelId)
    .text('details.description', input.description);
  const { gkScopeId } = await openSessionContext(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const revisions = await tx.calibrations.list(gkScopeId, { calibrationModelId: input.calibrationModelId });
    const [newest] = revisions;
    if (!newest) throw notFound('calibration model', 'calibration_model_id');
    refuseFactory(newest);
    for (const revision of revisions)
      await tx.calibrations.update({
        ...revision,
        description: input.description ?? revision.description,
        modifiedAtMs: deps.clock.now(),
      });
    await auditCalibration(tx, call, newest, 'UpdateCalibrationModel');
  });
}

export async function validateCalibrationRevision(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; revisionId: string },
): Promise<void> {
  await openFullContext(deps, call, input.context, revisionFaults(input).found);
  const faults = await change(deps, call, input, 'ValidateCalibrationModelRevision', (revision) => {
    const found = revision.content
      ? validateCalibration(revision.content, revision.engineFramework)
      : [{ ...missingField('content'), ...say('DOCUMENT_NOT_UPLOADED') }];
    const keeps = revision.state === 'ACTIVE' || revision.state === 'INACTIVE';
    return {
      next: { ...revision, state: keeps ? revision.state : found.length === 0 ? 'VALIDATED' : 'INVALID' },
      result: found,
    };
  });
  refuseFaults(faults);
}

export async function activateCalibrationRevision(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; revisionId: string },
): Promise<void> {
  await change(deps, call, input, 'ActivateCalibrationModelRevision', activated);
}

export async function deactivateCalibrationRevision(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; revisionId: string },
): Promise<void> {
  await change(deps, call, input, 'DeactivateCalibrationModelRevision', deactivated);
}

export async function listCalibrationRevisions(
  deps: TuningDeps,
  call: Call,
  input: {
    context: RequestContext;
    calibrationModelId?: string;
    states?: readonly CalibrationState[];
    types?: readonly CalibrationType[];
  },
): Promise<CalibrationRevision[]> {
  const { context, ...filter } = input;
  const gkScopeId = await openTenant(deps, call, context);
  return deps.store.read.calibrations.list(gkScopeId, filter);
}

export async function downloadCalibrationRevision(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; revisionId: string },
): Promise<string> {
  const gkScopeId = await openTenant(deps, call, input.context, revisionFaults(input).found);
  const revision = await deps.store.read.calibrations.find(gkScopeId, input.revisionId);
  if (!revision) throw notFound('calibration model revision', 'gk_calibration_model_revision_id');
  const { urls } = await tenantParameters(deps, gkScopeId);
  return deps.urls.make('calibration-download', input.revisionId, urls.downloadSeconds).url;
}

async function change<T>(
  deps: TuningDeps,
  call: Call,
  input: { context: RequestContext; revisionId: string },
  operation: AuditAct,
  edit: Edit<T>,
): Promise<T> {
  const { gkScopeId } = await openSessionContext(deps, call, input.context, revisionFaults(input).found);
  return changeRevision(deps, call, { gkScopeId, revisionId: input.revisionId, operation }, edit);
}

const revisionFaults = ({ revisionId }: { revisionId: string }): Faults =>
  new Faults().required('gk_calibration_model_revision_id', revisionId);

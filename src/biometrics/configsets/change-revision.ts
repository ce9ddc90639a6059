// The life of a revision after its creation: validate, activate, delete, describe. At most one revision of a
// set is ACTIVE; activating another makes it INACTIVE.
import { auditDetail } from '../../audit/model.js';
import { AppError, changedMeanwhile, notFound, refuseFaults } from '../../errors.js';
import { mayReach, narrowedTo, type Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { Faults } from '../call/limits.js';
import { auditConfigset, inContent } from './create-revision.js';
import { builtInSet } from '../model/built-in-configsets.js';
import { defaultParameters, type Parameters } from '../model/parameters.js';
import { changedParameters } from '../rules/changed-parameters.js';
import type { ConfigClass, ConfigsetRevision } from '../model/configsets.js';
import type { ConfigsetRepository } from '../ports/configsets.js';
import { validateDocument } from './validate.js';
import { say } from '../../words/server/say.js';

interface RevisionReference {
  context: RequestContext;
  gkConfigsetRevisionId: string;
}

/** A document that fails becomes INVALID and says which parameters are wrong. */
export async function validateRevision(
  deps: BiometricsDeps,
  call: Call,
  input: RevisionReference,
): Promise<void> {
  const gkScopeId = await openRevision(deps, call, input);
  const faults = await deps.store.transaction(async (tx) => {
    const revision = await revisionOrThrow(tx.configsets, gkScopeId, input.gkConfigsetRevisionId);
    const validation = validateDocument(revision.content);
    // A revision that is or was in use keeps its state: it passed before.
    if (revision.state === 'SAVED' || revision.state === 'VALIDATED' || revision.state === 'INVALID') {
      const changed: ConfigsetRevision = {
        ...revision,
        state: validation.ok ? 'VALIDATED' : 'INVALID',
        updatedBy: call.caller.subject,
        modifiedAtMs: deps.clock.now(),
      };
      await tx.configsets.update(changed);
      await auditConfigset(tx, call, changed, 'ValidateConfigsetRevision');
    }
    return validation.ok ? [] : validation.faults;
  });
  refuseFaults(faults.map(inContent));
}

/**
 * `expected`: the revision that the caller takes for the active one, if any; if it is another, nothing is
 * changed.
 */
export async function activateRevision(
  deps: BiometricsDeps,
  call: Call,
  input: RevisionReference & { expected?: { gkConfigsetRevisionId: string | undefined } },
): Promise<void> {
  const gkScopeId = await openRevision(deps, call, input);
  await validateRevision(deps, call, input);
  await deps.store.transaction(async (tx) => {
    const revision = await revisionOrThrow(tx.configsets, gkScopeId, input.gkConfigsetRevisionId);
    if (revision.state === 'ACTIVE') return;
    const now = deps.clock.now();
    const previous = await tx.configsets.takeActive(gkScopeId, revision.configClass, revision.configsetId);
    if (input.expected && !isInUse(input.expected.gkConfigsetRevisionId, revision, previous))
      throw changedMeanwhile(['expected_gk_configset_revision_id']);
    if (previous)
      await tx.configsets.update({
        ...previous,
        state: 'INACTIVE',
        updatedBy: call.caller.subject,
        modifiedAtMs: now,
      });
    const active: ConfigsetRevision = {
      ...revision,
      state: 'ACTIVE',
      updatedBy: call.caller.subject,
      modifiedAtMs: now,
    };
    await tx.configsets.update(active);
    const former = previous ? deps.configsetCache.parametersOf(previous) : defaultParameters;
    const next = deps.configsetCache.parametersOf(revision);
    if (isOfTenant(revision)) refuseNewUses(call, gkScopeId, former, next);
    const changes = auditDetail(changedParameters(former, next));
    await auditConfigset(tx, call, active, 'ActivateConfigsetRevision', changes);
    await endShadowOf(tx, call, active);
  });
}

/** A revision cannot run in its own shadow; its comparison can be read again when another one is active. */
async function endShadowOf(tx: BiometricsTransaction, call: Call, active: ConfigsetRevision): Promise<void> {
  const { gkScopeId, configsetId, configClass, gkConfigsetRevisionId, modifiedAtMs } = active;
  if (configClass !== 'CONFIGSET') return;
  const run = await tx.shadows.find(gkScopeId, configsetId);
  if (run?.gkConfigsetRevisionId !== gkConfigsetRevisionId) return;
  if (await tx.shadows.end(gkScopeId, configsetId, modifiedAtMs))
    await auditConfigset(tx, call, active, 'ClearShadowRevision');
}

/** For built-in sets, the program's own values are in use until there is another revision. */
function isInUse(
  seen: string | undefined,
  { gkScopeId, configsetId }: ConfigsetRevision,
  stored: ConfigsetRevision | undefined,
): boolean {
  if (stored) return seen === stored.gkConfigsetRevisionId;
  return seen === undefined || seen === builtInSet(gkScopeId, configsetId)?.gkConfigsetRevisionId;
}

const isOfTenant = ({ configClass, configsetId }: ConfigsetRevision): boolean =>
  configClass === 'CONFIGSET' && configsetId === 'SCOPE';

/**
 * Only an owner can answer for this: permission to change config sets alone must not open stored calls to new
 * uses.
 */
const OWNER_PERMISSION = 'voice.manage';

function refuseNewUses(call: Call, gkScopeId: string, former: Parameters, next: Parameters): void {
  const opened = [
    !former.voiceSearch.hasLegalBasis && next.voiceSearch.hasLegalBasis && 'voiceSearch.hasLegalBasis',
    !former.calibration.useCallers && next.calibration.useCallers && 'calibration.useCallers',
  ].filter((name) => name !== false);
  if (opened.length === 0 || mayReach(narrowedTo(call.caller, [OWNER_PERMISSION]), gkScopeId)) return;
  throw new AppError('PERMISSION_DENIED', say('STORED_CALLS_BY_OWNER', { parameters: opened.join(', ') }), {
    diagnostics: [{ code: 'ROLE_NOT_SUFFICIENT' }],
  });
}

export async function deleteRevision(
  deps: BiometricsDeps,
  call: Call,
  input: RevisionReference,
): Promise<void> {
  const gkScopeId = await openRevision(deps, call, input);
  await deps.store.transaction(async (tx) => {
    const revision = await revisionOrThrow(tx.configsets, gkScopeId, input.gkConfigsetRevisionId);
    if (revision.state === 'ACTIVE') {
      throw new AppError('PERMISSION_DENIED', say('REVISION_ACTIVE'), {
        diagnostics: [{ code: 'REVISION_ACTIVE' }],
      });
    }
    await tx.configsets.delete(gkScopeId, revision.gkConfigsetRevisionId);
    await auditConfigset(tx, call, revision, 'DeleteConfigsetRevision');
  });
}

/** All revisions of a set or template, including the active one. */
export async function deleteConfigset(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; configsetId: string; configClass: ConfigClass },
): Promise<void> {
  const idField = input.configClass === 'CONFIGSET' ? 'configset_id' : 'template_id';
  const faults = new Faults().required(idField, input.configsetId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const [newest] = await tx.configsets.list(gkScopeId, input.configClass, {
      configsetId: input.configsetId,
    });
    if (!newest) throw notFound(input.configClass === 'CONFIGSET' ? 'config set' : 'template', idField);
    await tx.configsets.deleteAll(gkScopeId, input.configClass, input.configsetId);
    await auditConfigset(
      tx,
      call,
      newest,
      input.configClass === 'CONFIGSET' ? 'DeleteConfigset' : 'DeleteTemplate',
    );
  });
}

/** The description belongs to the set, so every revision gets it. */
export async function updateConfigsetDetails(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; configsetId: string; description?: string },
): Promise<void> {
  const faults = new Faults()
    .required('configset_id', input.configsetId)
    .text('details.description', input.description);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const revisions = await tx.configsets.list(gkScopeId, 'CONFIGSET', { configsetId: input.configsetId });
    const [newest] = revisions;
    if (!newest) throw notFound('config set', 'configset_id');
    const { description } = input;
    if (description === undefined) return;
    for (const revision of revisions)
      await tx.configsets.update({
        ...revision,
        description,
        updatedBy: call.caller.subject,
        modifiedAtMs: deps.clock.now(),
      });
    await auditConfigset(tx, call, newest, 'UpdateConfigsetDetails');
  });
}

async function openRevision(deps: BiometricsDeps, call: Call, input: RevisionReference): Promise<string> {
  const faults = new Faults().required('gk_configset_revision_id', input.gkConfigsetRevisionId);
  return openTenant(deps, call, input.context, faults.found);
}

export async function revisionOrThrow(
  configsets: ConfigsetRepository,
  gkScopeId: string,
  id: string,
): Promise<ConfigsetRevision> {
  const revision = await configsets.find(gkScopeId, id);
  if (!revision) throw notFound('config set revision', 'gk_configset_revision_id');
  return revision;
}

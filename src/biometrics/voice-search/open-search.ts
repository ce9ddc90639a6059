// How every search through stored calls begins and ends: whether the tenant has a legal basis for it, how far
// back it goes, and the record of who searched for what.
import { AppError } from '../../errors.js';
import { type AuditDetail } from '../../audit/model.js';
import { DAY_MS, type Call } from '../../platform.js';
import { activeCalibration } from '../calibration/active.js';
import { audit } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import type { Parameters } from '../model/parameters.js';
import type { OperationDeps } from '../operations/deps.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { Heard } from './read-voices.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

/** The tenant's parameters, if its config set SCOPE states a legal basis for looking back. */
export async function allowedParameters(deps: BiometricsDeps, gkScopeId: string): Promise<Parameters> {
  const parameters = await tenantParameters(deps, gkScopeId);
  if (parameters.voiceSearch.hasLegalBasis) return parameters;
  throw new AppError('PERMISSION_DENIED', say('VOICE_SEARCH_NOT_ALLOWED'), {
    diagnostics: [{ code: 'VOICE_SEARCH_NOT_ALLOWED' }],
  });
}

export interface OpenSearch {
  gkScopeId: string;
  parameters: Parameters;
  model: SpeakerModel;
  calibrationRevisionId: string;
  fromMs: number;
}

/** `days`: 0 for as many as the tenant allows. */
export async function openSearch(
  deps: OperationDeps,
  call: Call,
  { context, days }: { context: RequestContext; days: number },
  faults: Faults = new Faults(),
): Promise<OpenSearch> {
  if (days < 0)
    faults.add({
      field: 'days',
      violation: 'OUT_OF_RANGE',
      ...say('NEGATIVE'),
      value: String(days),
    });
  return searchIn(deps, await openTenant(deps, call, context, faults.found), days);
}

/** In a tenant that was opened before. */
export async function searchIn(deps: OperationDeps, gkScopeId: string, days: number): Promise<OpenSearch> {
  const parameters = await allowedParameters(deps, gkScopeId);
  const { model, revisionId: calibrationRevisionId } = await activeCalibration(
    deps.store,
    gkScopeId,
    deps.engine.model,
  );
  const { voiceSearch } = parameters;
  const fromMs = deps.clock.now() - Math.min(days || voiceSearch.days, voiceSearch.days) * DAY_MS;
  return { gkScopeId, parameters, model, calibrationRevisionId, fromMs };
}

export function recordSearch(
  tx: BiometricsTransaction,
  call: Call,
  { gkScopeId, model, fromMs }: OpenSearch,
  { searched, otherModel, unreadable, liveCalls = 0 }: Heard,
  { operation, subjects = [], detail }: { operation: AuditAct; subjects?: string[]; detail: AuditDetail },
): Promise<void> {
  return audit(tx, call, {
    type: 'VOICEPRINT_EVENT',
    operation,
    gkScopeId,
    subjects,
    detail: {
      since: new Date(fromMs).toISOString(),
      searched,
      otherModel,
      ...(unreadable > 0 && { unreadable }),
      ...(liveCalls > 0 && { notSearchedLive: liveCalls }),
      ...detail,
      model: model.revision,
    },
  });
}

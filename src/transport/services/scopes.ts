// ScopesManager over the scopes domain: translation between the contract and the domain's own words.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs, type FieldMask } from '@bufbuild/protobuf/wkt';
import {
  ScopeProfile,
  ScopeState,
  ScopeType,
  ScopesManager,
  type ScopeDetailsForCreate,
  type ScopeDetailsForReadSchema,
  type ScopeDetailsForUpdate,
} from '../../gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { createScope } from '../../scopes/create-scope.js';
import { markScopeForDeletion, unmarkScopeForDeletion } from '../../scopes/delete-scope.js';
import type { ScopesDeps } from '../../scopes/deps.js';
import type {
  Scope,
  ScopeDetails,
  ScopeProfile as Profile,
  ScopeState as State,
  ScopeType as Type,
} from '../../scopes/model.js';
import { getGkScopeId, getScopeDetails, listScopes } from '../../scopes/read-scopes.js';
import { renameScope } from '../../scopes/rename-scope.js';
import { resetScope } from '../../scopes/reset-scope.js';
import { setScopeState } from '../../scopes/set-scope-state.js';
import { updateScopeDetails } from '../../scopes/update-scope-details.js';
import { bindService, type ServiceBinding } from '../service.js';

/** Reading is for clients of the tenant too; changing is for administrators, which the domain checks. */
const access = { anyOf: ['platform-api', 'biosec'] };

export function scopesService(deps: ScopesDeps): ServiceBinding {
  return bindService(ScopesManager, access, {
    createScope: async (call, request) => {
      const details = request.details && maskedDetails(toDetails(request.details), request.fieldMask);
      const { gkScopeId } = await createScope(deps, call, {
        scopeId: request.scopeId,
        profile: toProfile(request.scopeProfile),
        expectedPersonsNumber: request.expectedPersonsNumber,
        ...(details ? { details } : {}),
      });
      return { gkScopeId: { value: gkScopeId } };
    },
    getGkScopeId: async (call, request) => {
      const { gkScopeId } = await getGkScopeId(deps, call, { scopeId: request.scopeId });
      return { gkScopeId: { value: gkScopeId } };
    },
    getScopeDetails: async (call, request) => {
      const scope = await getScopeDetails(deps, call, { gkScopeId: idOf(request) });
      return { details: maskedRead(fromScope(scope), request.fieldMask) };
    },
    listScopes: async (call, request) => {
      const scopes = await listScopes(deps, call);
      return { details: scopes.map((scope) => maskedRead(fromScope(scope), request.fieldMask)) };
    },
    updateScopeDetails: async (call, request) => {
      await updateScopeDetails(deps, call, {
        gkScopeId: idOf(request),
        details: request.details ? toChanges(request.details) : {},
        mask: request.fieldMask?.paths ?? [],
      });
      return {};
    },
    renameScope: async (call, request) => {
      await renameScope(deps, call, { gkScopeId: idOf(request), newScopeId: request.newScopeId });
      return {};
    },
    setScopeState: async (call, request) => {
      const state =
        request.scopeState === ScopeState.UNSPECIFIED ? undefined : (ScopeState[request.scopeState] as State);
      await setScopeState(deps, call, { gkScopeId: idOf(request), state });
      return {};
    },
    markScopeForDeletion: async (call, request) => {
      await markScopeForDeletion(deps, call, { gkScopeId: idOf(request) });
      return {};
    },
    unMarkScopeForDeletion: async (call, request) => {
      await unmarkScopeForDeletion(deps, call, { gkScopeId: idOf(request) });
      return {};
    },
    resetScope: async (call, request) => {
      await resetScope(deps, call, { gkScopeId: idOf(request) });
      return {};
    },
  });
}

function idOf(request: { gkScopeId?: { value: string } | undefined }): string {
  return request.gkScopeId?.value ?? '';
}

/** Value names keep their prefix in the generated code, since some would start with a digit without it. */
function toProfile(profile: ScopeProfile): Profile | undefined {
  if (profile === ScopeProfile.SCOPE_PROFILE_UNSPECIFIED) return undefined;
  return ScopeProfile[profile].slice('SCOPE_PROFILE_'.length) as Profile;
}

function toDetails(details: ScopeDetailsForCreate | ScopeDetailsForUpdate): ScopeDetails {
  return {
    customerName: details.customerName,
    description: details.description,
    isBillable: details.isBillable,
    type: ScopeType[details.scopeType] as Type,
    ...(details.goLiveTimestamp ? { goLiveAtMs: timestampMs(details.goLiveTimestamp) } : {}),
  };
}

function toChanges(details: ScopeDetailsForUpdate): ScopeDetails & { expectedPersonsNumber?: number } {
  const { expectedPersonsNumber } = details;
  return { ...toDetails(details), ...(expectedPersonsNumber === undefined ? {} : { expectedPersonsNumber }) };
}

type ReadInit = MessageInitShape<typeof ScopeDetailsForReadSchema>;

function fromScope(scope: Scope): ReadInit {
  return {
    gkScopeId: { value: scope.gkScopeId },
    scopeId: scope.scopeId,
    customerName: scope.customerName,
    description: scope.description,
    isBillable: scope.isBillable,
    scopeState: ScopeState[scope.state],
    ...(scope.goLiveAtMs === undefined ? {} : { goLiveTimestamp: timestampFromMs(scope.goLiveAtMs) }),
    scopeProfile: ScopeProfile[`SCOPE_PROFILE_${scope.profile}`],
    scopeType: ScopeType[scope.type],
    expectedPersonsNumber: scope.expectedPersonsNumber,
    creationTimestamp: timestampFromMs(scope.createdAtMs),
    modificationTimestamp: timestampFromMs(scope.modifiedAtMs),
  };
}

/** Only the members that a mask names; an absent mask names all. */
function maskedRead(details: ReadInit, mask: FieldMask | undefined): ReadInit {
  if (!mask || mask.paths.length === 0 || mask.paths.includes('*')) return details;
  const wanted = new Set(mask.paths.map((path) => camel(path.split('.')[0] as string)));
  return Object.fromEntries(Object.entries(details).filter(([name]) => wanted.has(name))) as ReadInit;
}

function maskedDetails(details: ScopeDetails, mask: FieldMask | undefined): Partial<ScopeDetails> {
  if (!mask || mask.paths.length === 0 || mask.paths.includes('*')) return details;
  const domainNames: Record<string, string> = { scopeType: 'type', goLiveTimestamp: 'goLiveAtMs' };
  const wanted = new Set(mask.paths.map((path) => domainNames[camel(path)] ?? camel(path)));
  return Object.fromEntries(Object.entries(details).filter(([name]) => wanted.has(name)));
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

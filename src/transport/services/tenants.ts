// ScopesManager over the tenants domain: translation between the contract and the domain's own words.
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
import { createTenant } from '../../tenants/create-tenant.js';
import { markTenantForDeletion, unmarkTenantForDeletion } from '../../tenants/delete-tenant.js';
import type { TenantsDeps } from '../../tenants/deps.js';
import type {
  Tenant,
  TenantDetails,
  TenantProfile as Profile,
  TenantState as State,
  TenantType as Type,
} from '../../tenants/model.js';
import { getGkScopeId, getTenantDetails, listTenants } from '../../tenants/read-tenants.js';
import { renameTenant } from '../../tenants/rename-tenant.js';
import { resetTenant } from '../../tenants/reset-tenant.js';
import { setTenantState } from '../../tenants/set-tenant-state.js';
import { updateTenantDetails } from '../../tenants/update-tenant-details.js';
import { bindService, type ServiceBinding } from '../service.js';

/** Reading is for clients of the tenant too; changing is for administrators, which the domain checks. */
const access = { anyOf: ['platform-api', 'biosec'] };

export function tenantsService(deps: TenantsDeps): ServiceBinding {
  return bindService(ScopesManager, access, {
    createScope: async (call, request) => {
      const details = request.details && maskedDetails(toDetails(request.details), request.fieldMask);
      const { gkScopeId } = await createTenant(deps, call, {
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
      const tenant = await getTenantDetails(deps, call, { gkScopeId: idOf(request) });
      return { details: maskedRead(fromTenant(tenant), request.fieldMask) };
    },
    listScopes: async (call, request) => {
      const tenants = await listTenants(deps, call);
      return { details: tenants.map((tenant) => maskedRead(fromTenant(tenant), request.fieldMask)) };
    },
    updateScopeDetails: async (call, request) => {
      await updateTenantDetails(deps, call, {
        gkScopeId: idOf(request),
        details: request.details && toChanges(request.details),
        mask: request.fieldMask?.paths ?? [],
      });
      return {};
    },
    renameScope: async (call, request) => {
      await renameTenant(deps, call, { gkScopeId: idOf(request), newScopeId: request.newScopeId });
      return {};
    },
    setScopeState: async (call, request) => {
      const state =
        request.scopeState === ScopeState.UNSPECIFIED ? undefined : (ScopeState[request.scopeState] as State);
      await setTenantState(deps, call, { gkScopeId: idOf(request), state });
      return {};
    },
    markScopeForDeletion: async (call, request) => {
      await markTenantForDeletion(deps, call, { gkScopeId: idOf(request) });
      return {};
    },
    unMarkScopeForDeletion: async (call, request) => {
      await unmarkTenantForDeletion(deps, call, { gkScopeId: idOf(request) });
      return {};
    },
    resetScope: async (call, request) => {
      await resetTenant(deps, call, { gkScopeId: idOf(request) });
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

function toDetails(details: ScopeDetailsForCreate | ScopeDetailsForUpdate): TenantDetails {
  return {
    customerName: details.customerName,
    description: details.description,
    isBillable: details.isBillable,
    type: ScopeType[details.scopeType] as Type,
    ...(details.goLiveTimestamp ? { goLiveAtMs: timestampMs(details.goLiveTimestamp) } : {}),
  };
}

function toChanges(details: ScopeDetailsForUpdate): TenantDetails & { expectedPersonsNumber?: number } {
  const { expectedPersonsNumber } = details;
  return { ...toDetails(details), ...(expectedPersonsNumber === undefined ? {} : { expectedPersonsNumber }) };
}

type ReadInit = MessageInitShape<typeof ScopeDetailsForReadSchema>;

function fromTenant(tenant: Tenant): ReadInit {
  return {
    gkScopeId: { value: tenant.gkScopeId },
    scopeId: tenant.scopeId,
    customerName: tenant.customerName,
    description: tenant.description,
    isBillable: tenant.isBillable,
    scopeState: ScopeState[tenant.state],
    ...(tenant.goLiveAtMs === undefined ? {} : { goLiveTimestamp: timestampFromMs(tenant.goLiveAtMs) }),
    scopeProfile: ScopeProfile[`SCOPE_PROFILE_${tenant.profile}`],
    scopeType: ScopeType[tenant.type],
    expectedPersonsNumber: tenant.expectedPersonsNumber,
    creationTimestamp: timestampFromMs(tenant.createdAtMs),
    modificationTimestamp: timestampFromMs(tenant.modifiedAtMs),
  };
}

/** Only the members that a mask names; an absent mask names all. */
function maskedRead(details: ReadInit, mask: FieldMask | undefined): ReadInit {
  if (!mask || mask.paths.length === 0 || mask.paths.includes('*')) return details;
  const wanted = new Set(mask.paths.map((path) => camel(path.split('.')[0] as string)));
  return Object.fromEntries(Object.entries(details).filter(([name]) => wanted.has(name))) as ReadInit;
}

function maskedDetails(details: TenantDetails, mask: FieldMask | undefined): Partial<TenantDetails> {
  if (!mask || mask.paths.length === 0 || mask.paths.includes('*')) return details;
  const domainNames: Record<string, string> = { scopeType: 'type', goLiveTimestamp: 'goLiveAtMs' };
  const wanted = new Set(mask.paths.map((path) => domainNames[camel(path)] ?? camel(path)));
  return Object.fromEntries(Object.entries(details).filter(([name]) => wanted.has(name)));
}

function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

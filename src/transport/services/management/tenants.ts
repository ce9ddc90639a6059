// TenantsManager: what a tenant is called, changed by several administrators at once, and when tenants are deleted.
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Actors, AuditReader } from '../../../audit/ports.js';
import { TenantsManager } from '../../../gen/voxgate/management/v1/tenants_pb.js';
import type { TenantsDeps } from '../../../tenants/deps.js';
import { listTenantDeletions } from '../../../tenants/read-tenants.js';
import { updateTenant, type TenantTexts } from '../../../tenants/update-tenant.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { inContractNames, managementAccess, requireFields } from './shared.js';

export function tenantsManagerService(
  deps: TenantsDeps & { audit: AuditReader; actors: Actors },
): ServiceBinding {
  return bindService(TenantsManager, managementAccess, {
    updateTenant: async (call, { gkScopeId, tenant, expected }) => {
      requireFields({ gk_scope_id: gkScopeId, tenant });
      const input = { gkScopeId, wanted: textsOf(tenant), read: expected && textsOf(expected) };
      return {
        tenant: await inContractNames({ new_scope_id: 'tenant.scope_id' }, () =>
          updateTenant(deps, call, input),
        ),
      };
    },
    listTenantDeletions: async (call) => {
      const { waitingDays, tenants } = await listTenantDeletions(deps, call);
      return {
        waitingDays,
        tenants: tenants.map(({ gkScopeId, isImmediate, deleteAfterMs }) => ({
          gkScopeId,
          isImmediate,
          ...(deleteAfterMs !== undefined && { deleteTime: timestampFromMs(deleteAfterMs) }),
        })),
      };
    },
  });
}

const textsOf = ({
  scopeId = '',
  customerName = '',
  description = '',
}: Partial<TenantTexts> = {}): TenantTexts => ({
  scopeId,
  customerName,
  description,
});

// UpdateTenant: changes the name and description of a tenant in one step, without undoing what another administrator has
// changed in the meantime (ADR 78). In the audit trail it appears as the contract's own two operations.
import { namingWhoChanged } from '../audit/last-change.js';
import { changedNames, mergedChange } from '../audit/merge-change.js';
import type { AuditRecord } from '../audit/model.js';
import type { Actors, AuditReader } from '../audit/ports.js';
import { idFault, refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import { idFaults, lockForChange, requireAdministrator } from './access.js';
import { auditTenant } from './audit-entry.js';
import type { TenantsDeps } from './deps.js';
import type { Tenant } from './model.js';
import { textFaults } from './validate.js';

export type TenantTexts = Pick<Tenant, 'scopeId' | 'customerName' | 'description'>;

interface UpdateTenantTextsInput {
  gkScopeId: string;
  wanted: TenantTexts;
  /** As the caller had read them. */
  read?: TenantTexts | undefined;
}

const textsOf = ({ scopeId, customerName, description }: Tenant): TenantTexts => ({
  scopeId,
  customerName,
  description,
});

/** In the requests of the contract. */
const fieldNames: Readonly<Record<string, string>> = {
  customerName: 'customer_name',
  description: 'description',
};

export async function updateTenant(
  deps: TenantsDeps & { audit: AuditReader; actors: Actors },
  call: Call,
  { gkScopeId, wanted, read }: UpdateTenantTextsInput,
): Promise<TenantTexts> {
  requireAdministrator(call);
  refuseFaults([
    ...idFaults(gkScopeId),
    idFault('tenant.scope_id', wanted.scopeId),
    ...textFaults(wanted, 'tenant'),
  ]);
  const change = (): Promise<TenantTexts> =>
    deps.store.transaction(async (tx) => {
      const now = deps.clock.now();
      const tenant = await lockForChange(tx, gkScopeId, now);
      const before = textsOf(tenant);
      const after = mergedChange('tenant', { wanted, read, stored: before });
      const changed = changedNames(before, after);
      if (changed.length === 0) return after;
      await tx.update({ ...tenant, ...after, modifiedAtMs: now });
      const details = changed.flatMap((name) => fieldNames[name] ?? []);
      if (details.length > 0)
        await auditTenant(tx, call, 'UpdateScopeDetails', gkScopeId, { changed: details });
      if (after.scopeId !== before.scopeId)
        await auditTenant(tx, call, 'RenameScope', gkScopeId, { from: before.scopeId, to: after.scopeId });
      return after;
    });
  const search = {
    operations: ['UpdateScopeDetails', 'RenameScope'],
    subjectId: gkScopeId,
    isIt: hasChanged,
  };
  return namingWhoChanged(deps, search, change);
}

function hasChanged({ operation, detail }: AuditRecord, fields: readonly string[]): boolean {
  if (operation === 'RenameScope') return fields.includes('tenant.scope_id');
  const { changed } = detail;
  return Array.isArray(changed) && changed.some((name) => fields.includes(`tenant.${String(name)}`));
}

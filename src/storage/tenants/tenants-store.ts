// Tenants in the database, and the one place that knows how to empty a tenant in every domain.
import {
  isUsable,
  type Tenant,
  type TenantProfile,
  type TenantState,
  type TenantType,
} from '../../tenants/model.js';
import type { TenantsReader, TenantsStore, TenantsTransaction } from '../../tenants/ports.js';
import type { AuditLog } from '../audit/audit-log.js';
import { flag, isSet, optional, orNull } from '../columns.js';
import { afterCommit, type Database, type Db, type Tx } from '../database.js';
import type { ScopesTable } from '../schema/core.js';
import type { Keyring } from '../sealing/keyring.js';
import { orAlreadyExists } from '../violations.js';

export interface TenantsStoreDeps {
  database: Database;
  keyring: Keyring;
  audit: AuditLog;
  /** One per domain: deletes the domain's rows of the tenant. */
  contentDeleters: readonly ((tx: Tx, gkScopeId: string) => Promise<void>)[];
  /** Called once the deletion is durable: blobs and caches follow. Must not throw. */
  onContentDeleted: (gkScopeId: string) => void;
}

export function tenantsStore(deps: TenantsStoreDeps): TenantsStore {
  return {
    read: reader(deps.database.db),
    transaction: (work) => deps.database.transaction((tx) => work(within(deps, tx))),
  };
}

interface KnownTenants {
  /** Whether operations may use it now; past its deletion date it is out of reach at once. */
  isUsable(gkScopeId: string): Promise<boolean>;
  /** A tenant that is being deleted can still be granted: the deletion may be canceled. */
  exists(gkScopeId: string): Promise<boolean>;
  /** By the internal ID or the one that the operator chose. */
  findByAnyId(id: string): Promise<Tenant | undefined>;
}

/** For callers that only ask whether a tenant exists. */
export function tenantsOf(database: Database, clock: { now(): number }): KnownTenants {
  const tenants = reader(database.db);
  return {
    exists: async (gkScopeId) => ((await tenants.find(gkScopeId))?.state ?? 'DELETED') !== 'DELETED',
    findByAnyId: async (id) => (await tenants.find(id)) ?? (await tenants.findByChosenId(id)),
    async isUsable(gkScopeId) {
      const tenant = await tenants.find(gkScopeId);
      return tenant !== undefined && isUsable(tenant, clock.now());
    },
  };
}

function reader(db: Db | Tx): TenantsReader {
  return {
    async find(gkScopeId) {
      const row = await db
        .selectFrom('scopes')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirst();
      return row && toTenant(row);
    },
    async findByChosenId(scopeId) {
      const row = await db
        .selectFrom('scopes')
        .selectAll()
        .where('scope_id', '=', scopeId)
        .executeTakeFirst();
      return row && toTenant(row);
    },
    async list({ gkScopeIds, limit }) {
      if (gkScopeIds?.length === 0) return [];
      const query = db
        .selectFrom('scopes')
        .selectAll()
        .orderBy('created_at')
        .orderBy('gk_scope_id')
        .limit(limit);
      const rows = await (gkScopeIds ? query.where('gk_scope_id', 'in', gkScopeIds) : query).execute();
      return rows.map(toTenant);
    },
    async listDue(now) {
      const rows = await db.selectFrom('scopes').selectAll().where('delete_after', '<=', now).execute();
      return rows.map(toTenant);
    },
  };
}

function within(deps: TenantsStoreDeps, tx: Tx): TenantsTransaction {
  return {
    ...reader(tx),
    audit: deps.audit.within(tx),
    async lock(gkScopeId) {
      const row = await tx
        .selectFrom('scopes')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .forUpdate()
        .executeTakeFirst();
      return row && toTenant(row);
    },
    async insert(tenant) {
      await orAlreadyExists('scope', 'scope_id', () =>
        tx.insertInto('scopes').values(toRow(tenant)).execute(),
      );
    },
    async update(tenant) {
      await orAlreadyExists('scope', 'new_scope_id', () =>
        tx.updateTable('scopes').set(toRow(tenant)).where('gk_scope_id', '=', tenant.gkScopeId).execute(),
      );
    },
    async delete(gkScopeId) {
      await tx.deleteFrom('scopes').where('gk_scope_id', '=', gkScopeId).execute();
    },
    async deleteContent(gkScopeId) {
      for (const deleteRows of deps.contentDeleters) await deleteRows(tx, gkScopeId);
      await deps.keyring.destroy(tx, gkScopeId);
      afterCommit(tx, () => deps.onContentDeleted(gkScopeId));
    },
  };
}

function toRow(tenant: Tenant): ScopesTable {
  return {
    gk_scope_id: tenant.gkScopeId,
    scope_id: tenant.scopeId,
    customer_name: tenant.customerName,
    description: tenant.description,
    is_billable: flag(tenant.isBillable),
    state: tenant.state,
    profile: tenant.profile,
    type: tenant.type,
    expected_persons_number: tenant.expectedPersonsNumber,
    go_live_at: orNull(tenant.goLiveAtMs),
    activated_at: orNull(tenant.activatedAtMs),
    delete_after: orNull(tenant.deleteAfterMs),
    created_at: tenant.createdAtMs,
    modified_at: tenant.modifiedAtMs,
  };
}

function toTenant(row: ScopesTable): Tenant {
  return {
    gkScopeId: row.gk_scope_id,
    scopeId: row.scope_id,
    customerName: row.customer_name,
    description: row.description,
    isBillable: isSet(row.is_billable),
    state: row.state as TenantState,
    profile: row.profile as TenantProfile,
    type: row.type as TenantType,
    expectedPersonsNumber: row.expected_persons_number,
    ...optional('goLiveAtMs', row.go_live_at),
    ...optional('activatedAtMs', row.activated_at),
    ...optional('deleteAfterMs', row.delete_after),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

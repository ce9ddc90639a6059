// Scopes in the database, and the one place that knows how to empty a scope in every domain.
import {
  isUsable,
  type Scope,
  type ScopeProfile,
  type ScopeState,
  type ScopeType,
} from '../../scopes/model.js';
import type { ScopesReader, ScopesStore, ScopesTransaction } from '../../scopes/ports.js';
import type { AuditLog } from '../audit/audit-log.js';
import { flag, isSet, optional, orNull } from '../columns.js';
import { afterCommit, type Database, type Db, type Tx } from '../database.js';
import type { ScopesTable } from '../schema/core.js';
import type { Keyring } from '../sealing/keyring.js';
import { orAlreadyExists } from '../violations.js';

export interface ScopesStoreDeps {
  database: Database;
  keyring: Keyring;
  audit: AuditLog;
  /** One per domain: deletes the domain's rows of the scope. */
  contentDeleters: readonly ((tx: Tx, gkScopeId: string) => Promise<void>)[];
  /** Told once the deletion is durable: blobs and caches follow. Must not throw. */
  onContentDeleted: (gkScopeId: string) => void;
}

export function scopesStore(deps: ScopesStoreDeps): ScopesStore {
  return {
    read: reader(deps.database.db),
    transaction: (work) => deps.database.transaction((tx) => work(within(deps, tx))),
  };
}

/** For the domains that only ask whether a tenant is there. */
export function tenantsOf(
  database: Database,
  clock: { now(): number },
): { isUsable(gkScopeId: string): Promise<boolean> } {
  const scopes = reader(database.db);
  return {
    async isUsable(gkScopeId) {
      const scope = await scopes.find(gkScopeId);
      return scope !== undefined && isUsable(scope, clock.now());
    },
  };
}

function reader(db: Db | Tx): ScopesReader {
  return {
    async find(gkScopeId) {
      const row = await db
        .selectFrom('scopes')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirst();
      return row && toScope(row);
    },
    async findByScopeId(scopeId) {
      const row = await db
        .selectFrom('scopes')
        .selectAll()
        .where('scope_id', '=', scopeId)
        .executeTakeFirst();
      return row && toScope(row);
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
      return rows.map(toScope);
    },
    async listDue(now) {
      const rows = await db.selectFrom('scopes').selectAll().where('delete_after', '<=', now).execute();
      return rows.map(toScope);
    },
  };
}

function within(deps: ScopesStoreDeps, tx: Tx): ScopesTransaction {
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
      return row && toScope(row);
    },
    async insert(scope) {
      await orAlreadyExists('scope', 'scope_id', () =>
        tx.insertInto('scopes').values(toRow(scope)).execute(),
      );
    },
    async update(scope) {
      await orAlreadyExists('scope', 'new_scope_id', () =>
        tx.updateTable('scopes').set(toRow(scope)).where('gk_scope_id', '=', scope.gkScopeId).execute(),
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

function toRow(scope: Scope): ScopesTable {
  return {
    gk_scope_id: scope.gkScopeId,
    scope_id: scope.scopeId,
    customer_name: scope.customerName,
    description: scope.description,
    is_billable: flag(scope.isBillable),
    state: scope.state,
    profile: scope.profile,
    type: scope.type,
    expected_persons_number: scope.expectedPersonsNumber,
    go_live_at: orNull(scope.goLiveAtMs),
    activated_at: orNull(scope.activatedAtMs),
    delete_after: orNull(scope.deleteAfterMs),
    created_at: scope.createdAtMs,
    modified_at: scope.modifiedAtMs,
  };
}

function toScope(row: ScopesTable): Scope {
  return {
    gkScopeId: row.gk_scope_id,
    scopeId: row.scope_id,
    customerName: row.customer_name,
    description: row.description,
    isBillable: isSet(row.is_billable),
    state: row.state as ScopeState,
    profile: row.profile as ScopeProfile,
    type: row.type as ScopeType,
    expectedPersonsNumber: row.expected_persons_number,
    ...optional('goLiveAtMs', row.go_live_at),
    ...optional('activatedAtMs', row.activated_at),
    ...optional('deleteAfterMs', row.delete_after),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

// What tenant administration asks of its store.
import type { AuditAppender } from '../audit/ports.js';
import type { Tenant } from './model.js';

export interface TenantsReader {
  find(gkScopeId: string): Promise<Tenant | undefined>;
  findByChosenId(scopeId: string): Promise<Tenant | undefined>;
  /** Ordered by creation; at most `limit`. */
  list(filter: { gkScopeIds?: readonly string[]; limit: number }): Promise<Tenant[]>;
  /** Tenants whose waiting time is over. */
  listDue(nowMs: number): Promise<Tenant[]>;
}

export interface TenantsTransaction extends TenantsReader {
  audit: AuditAppender;
  /** Like find, and nobody else can change the tenant before the transaction ends. */
  lock(gkScopeId: string): Promise<Tenant | undefined>;
  /** ALREADY_EXISTS when another tenant has the same scopeId. */
  insert(tenant: Tenant): Promise<void>;
  update(tenant: Tenant): Promise<void>;
  delete(gkScopeId: string): Promise<void>;
  /** Everything in the tenant, in every domain, and the keys that it was sealed with. */
  deleteContent(gkScopeId: string): Promise<void>;
}

export interface TenantsStore {
  read: TenantsReader;
  transaction<T>(work: (tx: TenantsTransaction) => Promise<T>): Promise<T>;
}

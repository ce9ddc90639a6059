// What scope administration asks of its store.
import type { AuditAppender } from '../audit/ports.js';
import type { Scope } from './model.js';

export interface ScopesReader {
  find(gkScopeId: string): Promise<Scope | undefined>;
  findByScopeId(scopeId: string): Promise<Scope | undefined>;
  /** Ordered by creation; at most `limit`. */
  list(filter: { gkScopeIds?: readonly string[]; limit: number }): Promise<Scope[]>;
  /** Scopes whose waiting time is over. */
  listDue(now: number): Promise<Scope[]>;
}

export interface ScopesTransaction extends ScopesReader {
  audit: AuditAppender;
  /** Like find, and nobody else changes the scope before the transaction ends. */
  lock(gkScopeId: string): Promise<Scope | undefined>;
  /** ALREADY_EXISTS when another scope has the same scopeId. */
  insert(scope: Scope): Promise<void>;
  update(scope: Scope): Promise<void>;
  delete(gkScopeId: string): Promise<void>;
  /** Everything that lies in the scope, in every domain, and the keys that it was sealed with. */
  deleteContent(gkScopeId: string): Promise<void>;
}

export interface ScopesStore {
  read: ScopesReader;
  transaction<T>(work: (tx: ScopesTransaction) => Promise<T>): Promise<T>;
}

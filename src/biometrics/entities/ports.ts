import type { Page } from '../sessions/ports.js';
import type { Collection, CollectionKind, Party, PartyKind } from './model.js';

export interface PartyRepository {
  /** Throws ALREADY_EXISTS when the external ID is taken. */
  insert(party: Party): Promise<void>;
  find(gkScopeId: string, kind: PartyKind, gkId: string): Promise<Party | undefined>;
  findByExternalId(gkScopeId: string, kind: PartyKind, externalId: string): Promise<Party | undefined>;
  list(
    gkScopeId: string,
    kind: PartyKind,
    query: string,
    page: Page,
  ): Promise<{ parties: Party[]; next?: string }>;
  update(party: Party): Promise<void>;
  delete(gkScopeId: string, kind: PartyKind, gkId: string): Promise<void>;
}

export interface CollectionRepository {
  insert(collection: Collection): Promise<void>;
  find(gkScopeId: string, kind: CollectionKind, gkId: string): Promise<Collection | undefined>;
  findByExternalId(
    gkScopeId: string,
    kind: CollectionKind,
    externalId: string,
  ): Promise<Collection | undefined>;
  list(
    gkScopeId: string,
    kind: CollectionKind,
    query: string,
    page: Page,
  ): Promise<{ collections: Collection[]; next?: string }>;
  update(collection: Collection): Promise<void>;
  delete(gkScopeId: string, kind: CollectionKind, gkId: string): Promise<void>;
  /** Adding a member twice is no error. */
  addMember(gkScopeId: string, collectionGkId: string, memberGkId: string, at: number): Promise<void>;
  removeMembers(gkScopeId: string, collectionGkId: string, memberGkIds: readonly string[]): Promise<void>;
  listMembers(gkScopeId: string, collectionGkId: string, limit: number): Promise<string[]>;
  countMembers(gkScopeId: string, collectionGkId: string): Promise<number>;
  hasMember(gkScopeId: string, collectionGkId: string, memberGkId: string): Promise<boolean>;
}

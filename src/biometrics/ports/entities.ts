// Where persons, fraudsters, groups and watchlists are kept.
import type { ChangePosition, Page } from './page.js';
import type { Collection, CollectionKind, Party, PartyKind } from '../model/entities.js';

export interface PartyRepository {
  /** Throws ALREADY_EXISTS when the external ID is taken. */
  insert(party: Party): Promise<void>;
  find(gkScopeId: string, kind: PartyKind, gkId: string): Promise<Party | undefined>;
  findByExternalId(gkScopeId: string, kind: PartyKind, externalId: string): Promise<Party | undefined>;
  findMany(gkScopeId: string, gkIds: readonly string[]): Promise<Party[]>;
  /** Newest first; `memberOf` names a group or watchlist. */
  list(
    gkScopeId: string,
    kind: PartyKind,
    filter: { memberOf?: string },
    page: Page,
  ): Promise<{ parties: Party[]; next?: string }>;
  count(gkScopeId: string, kind: PartyKind, filter: { memberOf?: string }): Promise<number>;
  /** Tenants with at least this many, those with the most first. */
  tenantsWithMany(kind: PartyKind, min: number, limit: number): Promise<string[]>;
  /** Those modified after a position, in order of modification; deleted ones leave no trace. */
  changed(gkScopeId: string, kind: PartyKind, after: ChangePosition, limit: number): Promise<Party[]>;
  changedIds(
    gkScopeId: string,
    kind: PartyKind,
    after: ChangePosition,
    limit: number,
  ): Promise<ChangePosition[]>;
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
  findMany(gkScopeId: string, gkIds: readonly string[]): Promise<Collection[]>;
  /** Newest first; `text` is a part of the own ID. */
  list(
    gkScopeId: string,
    kind: CollectionKind,
    text: string,
    page: Page,
  ): Promise<{ collections: Collection[]; next?: string }>;
  count(gkScopeId: string, kind: CollectionKind, text: string): Promise<number>;
  update(collection: Collection): Promise<void>;
  delete(gkScopeId: string, kind: CollectionKind, gkId: string): Promise<void>;
  /** Adding a member twice is not an error. */
  addMember(gkScopeId: string, collectionGkId: string, memberGkId: string, atMs: number): Promise<void>;
  removeMembers(gkScopeId: string, collectionGkId: string, memberGkIds: readonly string[]): Promise<void>;
  listMembers(gkScopeId: string, collectionGkId: string, limit: number): Promise<string[]>;
  countMembers(gkScopeId: string, collectionGkId: string): Promise<number>;
  /** Members of each of these, by its ID; those without any are left out. */
  countMembersOf(gkScopeId: string, collectionGkIds: readonly string[]): Promise<Map<string, number>>;
  hasMember(gkScopeId: string, collectionGkId: string, memberGkId: string): Promise<boolean>;
  /** Those that each of these is in, in the order of their own IDs; who is in none is left out. */
  listsOf(gkScopeId: string, memberGkIds: readonly string[]): Promise<Map<string, Collection[]>>;
  /** Whether any collection contains the member. */
  isListed(gkScopeId: string, memberGkId: string): Promise<boolean>;
}

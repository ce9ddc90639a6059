// Groups and watchlists, and who is in them.
import type { Collection, CollectionKind } from '../../biometrics/model/entities.js';
import type { CollectionRepository } from '../../biometrics/ports/entities.js';
import { contains, namedInTenant } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { CollectionsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { orAlreadyExists } from '../violations.js';
import { readPage, sortKeyOf } from './page.js';
import { notePrintChange } from './print-changes.js';
import { openTexts, sealTexts, sealerForTexts } from './texts.js';

const NOTED_MEMBERS_MAX = 500;

export function collectionRepository(db: Db, keyring: Keyring): CollectionRepository {
  const toRow = (collection: Collection): Promise<CollectionsTable> =>
    rowOf(collection, () => keyring.forTenant(db, collection.gkScopeId));
  async function fromRows(gkScopeId: string, rows: readonly CollectionsTable[]): Promise<Collection[]> {
    const sealer = await sealerForTexts(keyring, db, gkScopeId, rows);
    return rows.map((row) => fromRow(row, sealer));
  }
  const ofKind = (gkScopeId: string, kind: CollectionKind) =>
    db.selectFrom('collections').selectAll().where('gk_scope_id', '=', gkScopeId).where('kind', '=', kind);
  const members = (gkScopeId: string, collectionGkId: string) =>
    db
      .selectFrom('collection_members')
      .where('gk_scope_id', '=', gkScopeId)
      .where('collection_gk_id', '=', collectionGkId);
  const containing = (query: ReturnType<typeof ofKind>, text: string) =>
    text ? query.where(contains('external_id', text)) : query;
  const idField = (kind: CollectionKind) => (kind === 'GROUP' ? 'group_id' : 'watchlist_id');

  return {
    async insert(collection) {
      const row = await toRow(collection);
      await orAlreadyExists(collection.kind.toLowerCase(), idField(collection.kind), () =>
        db.insertInto('collections').values(row).execute(),
      );
    },
    async find(gkScopeId, kind, gkId) {
      const query = ofKind(gkScopeId, kind).where('gk_id', '=', gkId);
      return (await fromRows(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findByExternalId(gkScopeId, kind, externalId) {
      const rows = await ofKind(gkScopeId, kind).where('external_id', '=', externalId).execute();
      return (await fromRows(gkScopeId, rows))[0];
    },
    async findMany(gkScopeId, gkIds) {
      if (gkIds.length === 0) return [];
      const rows = await db
        .selectFrom('collections')
        .selectAll()
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_id', 'in', [...gkIds])
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async count(gkScopeId, kind, text) {
      const row = await containing(ofKind(gkScopeId, kind), text)
        .clearSelect()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async list(gkScopeId, kind, text, page) {
      const query = containing(ofKind(gkScopeId, kind), text);
      const { rows, next } = await readPage(query, 'gk_id', page);
      return { collections: await fromRows(gkScopeId, rows), ...(next && { next }) };
    },
    async update(collection) {
      const { gk_id, gk_scope_id, ...columns } = await toRow(collection);
      await orAlreadyExists(collection.kind.toLowerCase(), idField(collection.kind), () =>
        db
          .updateTable('collections')
          .set(columns)
          .where('gk_id', '=', gk_id)
          .where('gk_scope_id', '=', gk_scope_id)
          .execute(),
      );
    },
    async delete(gkScopeId, kind, gkId) {
      await db
        .deleteFrom('collection_members')
        .where('gk_scope_id', '=', gkScopeId)
        .where('collection_gk_id', '=', gkId)
        .execute();
      await db
        .deleteFrom('collections')
        .where('gk_scope_id', '=', gkScopeId)
        .where('kind', '=', kind)
        .where('gk_id', '=', gkId)
        .execute();
    },
    async addMember(gkScopeId, collectionGkId, memberGkId, atMs) {
      await db
        .insertInto('collection_members')
        .values({
          gk_scope_id: gkScopeId,
          collection_gk_id: collectionGkId,
          member_gk_id: memberGkId,
          added_at: atMs,
        })
        .onConflict((conflict) => conflict.columns(['collection_gk_id', 'member_gk_id']).doNothing())
        .execute();
      await notePrintChange(db, gkScopeId, { kind: 'MEMBER', collectionGkId, memberGkId });
    },
    async removeMembers(gkScopeId, collectionGkId, memberGkIds) {
      if (memberGkIds.length === 0) return;
      await db
        .deleteFrom('collection_members')
        .where('gk_scope_id', '=', gkScopeId)
        .where('collection_gk_id', '=', collectionGkId)
        .where('member_gk_id', 'in', [...memberGkIds])
        .execute();
      // With this many changes at once, it is faster for followers to read everything again.
      if (memberGkIds.length > NOTED_MEMBERS_MAX) return notePrintChange(db, gkScopeId, { kind: 'ALL' });
      for (const memberGkId of memberGkIds)
        await notePrintChange(db, gkScopeId, { kind: 'MEMBER', collectionGkId, memberGkId });
    },
    async listMembers(gkScopeId, collectionGkId, limit) {
      const rows = await members(gkScopeId, collectionGkId)
        .select('member_gk_id')
        .orderBy('added_at')
        .orderBy('member_gk_id')
        .limit(limit)
        .execute();
      return rows.map((row) => row.member_gk_id);
    },
    async countMembers(gkScopeId, collectionGkId) {
      const row = await members(gkScopeId, collectionGkId)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async countMembersOf(gkScopeId, collectionGkIds) {
      if (collectionGkIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('collection_members')
        .select((select) => ['collection_gk_id', select.fn.countAll<number>().as('count')] as const)
        .where('gk_scope_id', '=', gkScopeId)
        .where('collection_gk_id', 'in', [...collectionGkIds])
        .groupBy('collection_gk_id')
        .execute();
      return new Map(rows.map((row) => [row.collection_gk_id, Number(row.count)]));
    },
    async hasMember(gkScopeId, collectionGkId, memberGkId) {
      const row = await members(gkScopeId, collectionGkId)
        .select('member_gk_id')
        .where('member_gk_id', '=', memberGkId)
        .executeTakeFirst();
      return row !== undefined;
    },
    async listsOf(gkScopeId, memberGkIds) {
      const lists = new Map<string, Collection[]>();
      if (memberGkIds.length === 0) return lists;
      const rows = await db
        .selectFrom('collection_members')
        .innerJoin('collections', 'collections.gk_id', 'collection_members.collection_gk_id')
        .selectAll('collections')
        .select('member_gk_id')
        .where('member_gk_id', 'in', [...memberGkIds])
        .where(namedInTenant('collections.gk_scope_id', gkScopeId))
        .orderBy('external_id')
        .execute();
      const sealer = await sealerForTexts(keyring, db, gkScopeId, rows);
      for (const { member_gk_id: member, ...row } of rows)
        lists.set(member, [...(lists.get(member) ?? []), fromRow(row, sealer)]);
      return lists;
    },
    async isListed(gkScopeId, memberGkId) {
      const row = await db
        .selectFrom('collection_members')
        .select('collection_gk_id')
        .where('member_gk_id', '=', memberGkId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

async function rowOf(
  collection: Collection,
  sealerOf: () => Promise<TenantSealer>,
): Promise<CollectionsTable> {
  return {
    gk_id: collection.gkId,
    gk_scope_id: collection.gkScopeId,
    kind: collection.kind,
    external_id: collection.externalId,
    sort_key: sortKeyOf(collection.externalId),
    ...(await sealTexts(
      sealerOf,
      { table: 'collections', id: collection.gkId },
      { custom_data: collection.customData },
    )),
    created_at: collection.createdAtMs,
    modified_at: collection.modifiedAtMs,
  };
}

function fromRow(row: CollectionsTable, sealer: TenantSealer | undefined): Collection {
  const place = { table: 'collections', id: row.gk_id } as const;
  const { custom_data: customData } = openTexts<{ custom_data: Collection['customData'] }>(
    sealer,
    place,
    row,
  );
  return {
    kind: row.kind as CollectionKind,
    gkId: row.gk_id,
    gkScopeId: row.gk_scope_id,
    externalId: row.external_id,
    customData,
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}

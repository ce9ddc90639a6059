// Which galleries have a snapshot: at most one per group or watchlist and model.
import type { GallerySnapshot, GallerySnapshotRepository } from '../../biometrics/ports/gallery-snapshots.js';
import type { Db } from '../database.js';
import type { GallerySnapshotsTable } from '../schema/biometrics.js';

export function gallerySnapshotRepository(db: Db): GallerySnapshotRepository {
  const all = () => db.selectFrom('gallery_snapshots').selectAll();
  const find: GallerySnapshotRepository['find'] = async (gkScopeId, collectionGkId, madeFor) => {
    const row = await all()
      .where('gk_scope_id', '=', gkScopeId)
      .where('collection_gk_id', '=', collectionGkId)
      .where('made_for', '=', madeFor)
      .executeTakeFirst();
    return row && fromRow(row);
  };
  const remove = async (snapshotId: string): Promise<void> => {
    await db.deleteFrom('gallery_snapshots').where('snapshot_id', '=', snapshotId).execute();
  };
  return {
    find,
    async list(gkScopeId) {
      const query = gkScopeId === undefined ? all() : all().where('gk_scope_id', '=', gkScopeId);
      return (await query.orderBy('snapshot_id').execute()).map(fromRow);
    },
    async put(snapshot) {
      const before = await find(snapshot.gkScopeId, snapshot.collectionGkId, snapshot.madeFor);
      if (before) await remove(before.snapshotId);
      await db.insertInto('gallery_snapshots').values(toRow(snapshot)).execute();
      return before;
    },
    delete: remove,
  };
}

function toRow(snapshot: GallerySnapshot): GallerySnapshotsTable {
  return {
    snapshot_id: snapshot.snapshotId,
    gk_scope_id: snapshot.gkScopeId,
    collection_gk_id: snapshot.collectionGkId,
    made_for: snapshot.madeFor,
    seq: snapshot.seq,
    prints: snapshot.prints,
    blob_ids: JSON.stringify(snapshot.blobIds),
    created_at: snapshot.createdAtMs,
  };
}

function fromRow(row: GallerySnapshotsTable): GallerySnapshot {
  return {
    snapshotId: row.snapshot_id,
    gkScopeId: row.gk_scope_id,
    collectionGkId: row.collection_gk_id,
    madeFor: row.made_for,
    seq: Number(row.seq),
    prints: Number(row.prints),
    blobIds: JSON.parse(row.blob_ids) as string[],
    createdAtMs: Number(row.created_at),
  };
}

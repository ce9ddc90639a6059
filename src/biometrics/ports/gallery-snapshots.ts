// Records which galleries have a snapshot in the store of recordings.

/** The prefix of the names of their parts. */
export const SNAPSHOT_PREFIX = 'gallery-';

export interface GallerySnapshot {
  snapshotId: string;
  gkScopeId: string;
  collectionGkId: string;
  /** Which program and model can use it. */
  madeFor: string;
  /** The journal change up to which it is current. */
  seq: number;
  prints: number;
  /** Its parts, in order. */
  blobIds: string[];
  createdAtMs: number;
}

export interface GallerySnapshotRepository {
  find(gkScopeId: string, collectionGkId: string, madeFor: string): Promise<GallerySnapshot | undefined>;
  /** Of one scope, or of all. */
  list(gkScopeId?: string): Promise<GallerySnapshot[]>;
  /** Replaces the previous one, which is returned: its parts must be deleted. */
  put(snapshot: GallerySnapshot): Promise<GallerySnapshot | undefined>;
  delete(snapshotId: string): Promise<void>;
}

// Snapshots of galleries, written as a node writes them: what the benches of large groups begin with.
import type { GalleryModel } from '../src/biometrics/galleries/gallery.js';
import { GallerySnapshots } from '../src/biometrics/galleries/snapshots.js';
import { silentLog, systemClock, systemIds } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import type { Storage } from '../src/storage/open-storage.js';

export function snapshotsOf(storage: Storage, model: GalleryModel): GallerySnapshots {
  const { database, keyring, audit, blobs } = storage;
  return new GallerySnapshots(
    {
      store: createBiometricsStore(database, keyring, audit),
      blobs: {
        put: (tenantKey, blobId, source, options) => blobs.put({ tenantKey, blobId }, source, options),
        read: (tenantKey, blobId) => blobs.read({ tenantKey, blobId }),
        delete: (tenantKey, blobId) => blobs.delete({ tenantKey, blobId }),
      },
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      model,
      alone: (_name, work) => work(),
    },
    { printsMin: 1, sharePrintsMin: 1, unusableMax: 0, partRows: 32_768, behindMax: 0 },
  );
}

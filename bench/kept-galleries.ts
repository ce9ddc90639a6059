// Large galleries, and snapshots of them as a node writes them: what the benches of large groups begin with.
import { Gallery, type GalleryModel } from '../src/biometrics/galleries/gallery.js';
import { GallerySnapshots } from '../src/biometrics/galleries/snapshots.js';
import type { BiometricsStore } from '../src/biometrics/ports/store.js';
import { unlocked } from '../src/biometrics/rules/profile-changes.js';
import { silentLog, systemClock, systemIds } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import type { Storage } from '../src/storage/open-storage.js';
import { another } from './service-groups.js';

interface Wanted {
  gkScopeId: string;
  /** A trained print; all others are voices that are nobody's. */
  profile: string;
  prints: number;
}

export async function largeGallery(
  { read }: Pick<BiometricsStore, 'read'>,
  { gkScopeId, profile, prints }: Wanted,
): Promise<{ gallery: Gallery; model: GalleryModel }> {
  const own = await read.profiles.find(gkScopeId, profile);
  const trained = own?.trained;
  if (!own || !trained) throw new Error('the print is not trained');
  const { template } = trained;
  const model = { revision: template.modelRevision, dim: template.embedding.length };
  const gallery = new Gallery(model);
  // Found neither at once nor in the end, however many threads have their part.
  const ownRow = Math.floor(prints / 3);
  for (let row = 0; row < prints; row++)
    gallery.put(
      row === ownRow
        ? own
        : {
            gkVoiceprintProfileId: systemIds.uuid(),
            gkOwnerId: systemIds.uuid(),
            ownerType: 'PERSON',
            tag: 'main',
            version: 1,
            lock: unlocked,
            trained: { ...trained, template: another(template) },
          },
    );
  return { gallery, model };
}

export function snapshotsOf(storage: Storage, model: GalleryModel): GallerySnapshots {
  const { database, keyring, audit, blobs } = storage;
  return new GallerySnapshots(
    {
      store: createBiometricsStore(database, keyring, audit),
      blobs: {
        put: (tenantKey, blobId, source, options) => blobs.put({ tenantKey, blobId }, source, options),
        read: (tenantKey, blobId, options) => blobs.read({ tenantKey, blobId }, options),
        delete: (tenantKey, blobId) => blobs.delete({ tenantKey, blobId }),
      },
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      model,
      alone: (_name, work) => work(),
    },
    { printsMin: 1, unusableMax: 0, partRows: 32_768, behindMax: 0 },
  );
}

// Groups and watchlists in memory: their galleries, their snapshots, and the threads that scan them.
import { Galleries, galleryLimits } from '../biometrics/galleries/galleries.js';
import { GallerySnapshots, type SnapshotDeps } from '../biometrics/galleries/snapshots.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { ScanThreads } from '../inference/scan/scan-threads.js';
import { underLease } from '../storage/leases.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { SpeakerModel } from '../voice/scoring/speaker-model.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

/** How long a node that died keeps others from writing the snapshot that it was at. */
const SNAPSHOT_LEASE_MS = 10 * 60_000;

interface GalleriesPart extends Required<Pick<Part, 'metrics' | 'stop'>> {
  /** What operations compare with. */
  source: Pick<Galleries, 'view'>;
  snapshots: GallerySnapshots;
  /** Forgets what a tenant had. */
  forget(gkScopeId: string): void;
  /** Ends the threads, when nobody compares any more. */
  close(): Promise<void>;
}

interface GalleryParts {
  store: BiometricsStore;
  blobs: SnapshotDeps['blobs'];
  model: SpeakerModel;
}

export function composeGalleries(
  core: Core,
  storage: Storage,
  { store, blobs, model }: GalleryParts,
): GalleriesPart {
  const { clock, ids, log } = core;
  const scanner = new ScanThreads(core);
  const snapshots = new GallerySnapshots({
    ...{ store, blobs, scanner, clock, ids, log, model },
    alone: async (name, work) => {
      const turn = await underLease(storage.database, name, SNAPSHOT_LEASE_MS, work);
      return turn.held ? turn.result : undefined;
    },
  });
  const { printsMax } = core.config.groups;
  const galleries = new Galleries(
    { clock, log, store, model, snapshots, scanner },
    { ...galleryLimits, printsMax },
  );
  const held: OwnMetric = {
    name: 'voxgate_gallery_prints',
    type: 'gauge',
    help: 'Prints of groups and watchlists in the memory of this node',
    value: () => galleries.stats.prints,
  };
  return {
    source: galleries,
    snapshots,
    forget: (gkScopeId) => galleries.forget(gkScopeId),
    metrics: [held],
    stop: async () => {
      snapshots.stop();
      await galleries.idle();
    },
    close: () => scanner.close(),
  };
}

// Groups and watchlists in memory: their galleries, their snapshots, the threads that scan them, and the nodes that share
// them.
import { Galleries } from '../biometrics/galleries/galleries.js';
import type { GallerySource } from '../biometrics/galleries/gallery-view.js';
import { answerShares, shareFormatOf } from '../biometrics/galleries/share-questions.js';
import { GallerySnapshots, type SnapshotDeps } from '../biometrics/galleries/snapshots.js';
import { SpreadGalleries } from '../biometrics/galleries/spread-galleries.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { ScanThreads } from '../inference/scan/scan-threads.js';
import { underLease } from '../storage/leases.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { SpeakerModel } from '../voice/scoring/speaker-model.js';
import { joinNodes } from './nodes.js';
import type { Core, Part } from './part.js';
import { startShareWarming } from './share-warming.js';
import type { Storage } from '../storage/open-storage.js';

/** How long a node that died keeps others from writing the snapshot that it was at. */
const SNAPSHOT_LEASE_MS = 10 * 60_000;

interface GalleriesPart extends Required<Pick<Part, 'metrics' | 'readiness' | 'drain' | 'stop'>> {
  /** What operations compare with. */
  source: GallerySource;
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

export async function composeGalleries(
  core: Core,
  storage: Storage,
  { store, blobs, model }: GalleryParts,
): Promise<GalleriesPart> {
  const { clock, ids, log } = core;
  const scanner = new ScanThreads(core);
  const snapshots = new GallerySnapshots({
    ...{ store, blobs, scanner, clock, ids, log, model },
    alone: async (name, work) => {
      const turn = await underLease(storage.database, name, SNAPSHOT_LEASE_MS, work);
      return turn.held ? turn.result : undefined;
    },
  });
  const galleries = new Galleries({ clock, log, store, model, snapshots, scanner });
  const nodes = await spreadOverNodes(core, storage, { galleries, store, model });
  const warming =
    nodes &&
    startShareWarming(core, async () => {
      const lists = await snapshots.keptInShares();
      await nodes.galleries.warm(lists);
      return lists.length;
    });
  const held: OwnMetric = {
    name: 'voxgate_gallery_prints',
    type: 'gauge',
    help: 'Prints of groups and watchlists in the memory of this node',
    value: () => galleries.stats.prints,
  };
  return {
    source: nodes?.galleries ?? galleries,
    snapshots,
    forget: (gkScopeId) => galleries.forget(gkScopeId),
    metrics: [held, ...(nodes?.metrics ?? [])],
    readiness: warming ? [warming.readiness] : [],
    drain: async () => nodes?.drain(),
    stop: async () => {
      warming?.stop();
      await nodes?.stop();
      snapshots.stop();
      await galleries.idle();
    },
    close: () => scanner.close(),
  };
}

/** Where it is set that nodes share large groups and watchlists among them. */
async function spreadOverNodes(
  core: Core,
  storage: Storage,
  own: { galleries: Galleries; store: BiometricsStore; model: SpeakerModel },
) {
  const { listen, spreadFrom } = core.config.nodes;
  if (listen === '') return undefined;
  const nodes = await joinNodes(core, storage, shareFormatOf(own.model));
  const deps = { ...own, clock: core.clock, log: core.log, peers: nodes.peers };
  const galleries = new SpreadGalleries(deps, spreadFrom);
  try {
    await nodes.open((question) => answerShares(deps, question), galleries);
  } catch (error) {
    await nodes.stop();
    throw error;
  }
  return { ...nodes, galleries };
}

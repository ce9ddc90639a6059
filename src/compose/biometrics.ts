// The voiceprint service: engine, store, jobs, and all its services.
import { availableParallelism } from 'node:os';
import type { Actors } from '../audit/ports.js';
import { ensureFactoryCalibration } from '../biometrics/calibration/active.js';
import { ConfigsetCache } from '../biometrics/configsets/cache.js';
import type { BiometricsDeps } from '../biometrics/ports/deps.js';
import { Galleries } from '../biometrics/galleries/galleries.js';
import type { GallerySnapshots } from '../biometrics/galleries/snapshots.js';
import type { BatchDeps } from '../biometrics/batch/deps.js';
import { runBatch } from '../biometrics/batch/run-batch.js';
import { runSearch } from '../biometrics/voice-search/searches.js';
import { erasePerson } from '../biometrics/jobs/erase-person.js';
import type { SignCertificate } from '../biometrics/jobs/erasure-certificate.js';
import { reportBlobOf, runProfilesStatusJob } from '../biometrics/jobs/profiles-status.js';
import { JobRunner, type JobRunnerDeps } from '../biometrics/jobs/runner.js';
import { mediaBytesOf, type MediaBlobs, type MediaDeps } from '../biometrics/media/deps.js';
import type { PlacingDeps } from '../biometrics/media/holds.js';
import { SignedUrls } from '../biometrics/media/signed-urls.js';
import { startSweeping } from '../biometrics/media/sweep-media.js';
import type { OperationDeps } from '../biometrics/operations/deps.js';
import { SearchIndexes } from '../biometrics/search/search-indexes.js';
import { AppError } from '../errors.js';
import { StorageError } from '../storage/storage-error.js';
import { createEngine } from '../inference/engine.js';
import { engineMetrics } from './engine-metrics.js';
import type { VoiceEngine } from '../voice/engine.js';
import { deleteBiometricContent } from '../storage/biometrics/delete-tenant-content.js';
import { createBiometricsStore } from '../storage/biometrics/store.js';
import { loadSecret } from '../storage/sealing/secrets.js';
import { tenantsOf } from '../storage/tenants/tenants-store.js';
import { registerMediaRoutes } from '../transport/routes/media.js';
import { accuracyService } from '../transport/services/biosec/accuracy.js';
import { activityService } from '../transport/services/biosec/activity.js';
import { batchesService } from '../transport/services/biosec/batches.js';
import { audioManagerService } from '../transport/services/biosec/audio-manager.js';
import { audioProcessorService } from '../transport/services/biosec/audio-processor.js';
import { auditDataExporterService } from '../transport/services/biosec/audit-data-exporter.js';
import { configurationManagerService } from '../transport/services/biosec/configuration-manager.js';
import { directoryService } from '../transport/services/biosec/directory.js';
import { entitiesManagerService } from '../transport/services/biosec/entities-manager.js';
import { labAudioService } from '../transport/services/biosec/lab-audio.js';
import { privacyService } from '../transport/services/biosec/privacy.js';
import { voiceSearchService } from '../transport/services/biosec/voice-search.js';
import { sessionsManagerService } from '../transport/services/biosec/sessions-manager.js';
import { tuningManagerService } from '../transport/services/biosec/tuning-manager.js';
import { voiceprintsManagerService } from '../transport/services/biosec/voiceprints-manager.js';
import { voiceprintsProcessorService } from '../transport/services/biosec/voiceprints-processor.js';
import { publicUrlOf } from './addresses.js';
import { startAssessing } from './assess-sessions.js';
import { composeGalleries } from './galleries.js';
import { startSearchWarming } from './search-warming.js';
import { recordingSource } from './recordings.js';
import type { Core, Part } from './part.js';
import { onOneNode } from './on-one-node.js';
import { joinNodesInUse, type NodesInUse } from './nodes-in-use.js';
import { startPrintRenewal } from './print-renewal.js';
import { mediaRetention, startRetention } from './retention.js';
import type { TenantContent } from './tenants.js';
import type { Storage } from '../storage/open-storage.js';
import { isTimeProven } from './time-proof.js';

interface BiometricsPart extends Part {
  tenantContent: TenantContent;
  deps: OperationDeps & MediaDeps;
  nodes: NodesInUse;
}

const JOB_TIMEOUT_MS = 120_000;
/** For each worker, so that none waits for the disk: one line is heard, another one waits, and a third is read or stored. */
const LINES_PER_WORKER = 3;
const WORKERS_DEFAULT_MAX = 4;

const workersOf = (set: number): number => set || Math.min(availableParallelism(), WORKERS_DEFAULT_MAX);

export function openEngine(core: Core): Promise<VoiceEngine> {
  const { engine } = core.config;
  const workers = workersOf(engine.workers);
  return createEngine(
    {
      modelsDir: engine.modelsDir,
      ...(engine.speakerModel && { speakerModel: engine.speakerModel }),
      workers,
      queueLimit: engine.queueLength,
      // A caller is told of the limit that the operator can change.
      jobTimeoutMs: Math.max(JOB_TIMEOUT_MS, core.config.limits.callTimeoutMs),
      idleMs: engine.idleSeconds * 1000,
    },
    { log: core.log, clock: core.clock },
  );
}

/** What every operation uses; nothing that listens, serves or runs by itself. */
export function biometricsDepsOf(core: Core, storage: Storage): BiometricsDeps {
  return {
    clock: core.clock,
    ids: core.ids,
    store: createBiometricsStore(storage.database, storage.keyring, storage.audit),
    tenants: tenantsOf(storage.database, core.clock),
    configsetCache: new ConfigsetCache(),
    jobs: { wake: () => {} },
  };
}

/** The operations without anything that serves or runs by itself: what a command needs. */
export function operationsFor(core: Core, storage: Storage, engine: VoiceEngine): OperationDeps {
  const base = biometricsDepsOf(core, storage);
  return {
    ...base,
    engine,
    mediaBytes: mediaBytesOf(blobsOf(storage)),
    galleries: new Galleries({ store: base.store, clock: core.clock, model: engine.model }),
    modelsElsewhere: async () => [],
  };
}

function blobsOf({ blobs }: Storage): MediaBlobs {
  return {
    put: (tenantKey, blobId, source, options) => blobs.put({ tenantKey, blobId }, source, options),
    read: (tenantKey, blobId, options) => namedFaults(blobs.read({ tenantKey, blobId }, options)),
    exists: (tenantKey, blobId) => blobs.exists({ tenantKey, blobId }),
    delete: (tenantKey, blobId) => blobs.delete({ tenantKey, blobId }),
  };
}

/** The engine as a part of its own, closed after everything that uses it, also when the start fails half-way. */
export function enginePart(opening: Promise<VoiceEngine>): Part {
  // A failure is reported where the engine is needed; until then it must not count as unhandled.
  opening.catch(() => {});
  return { stop: async () => (await opening.catch(() => undefined))?.close() };
}

const servicesOf = (
  storage: Storage,
  deps: OperationDeps &
    MediaDeps &
    PlacingDeps & { searches: SearchIndexes; signCertificate: SignCertificate },
): NonNullable<BiometricsPart['bindings']> => [
  voiceprintsProcessorService(deps),
  voiceprintsManagerService(deps),
  sessionsManagerService(deps),
  entitiesManagerService(deps),
  audioManagerService(deps),
  audioProcessorService(deps),
  configurationManagerService(deps),
  tuningManagerService(deps),
  auditDataExporterService(storage.audit),
  directoryService({ ...deps, audit: storage.audit }),
  activityService({ ...deps, audit: storage.audit }),
  labAudioService(deps),
  batchesService({ ...deps, audit: storage.audit }),
  accuracyService({ ...deps, audit: storage.audit }),
  voiceSearchService({ ...deps, audit: storage.audit }),
  privacyService({ ...deps, audit: storage.audit }),
];

/** What other domains lend to it. */
interface Outside {
  opening: Promise<VoiceEngine>;
  actors: Actors;
  signCertificate: SignCertificate;
}

export async function composeBiometrics(
  core: Core,
  storage: Storage,
  { opening, actors, signCertificate }: Outside,
): Promise<BiometricsPart> {
  const engine = await opening;
  let isServing = false;
  const base: BiometricsDeps = {
    ...biometricsDepsOf(core, storage),
    // Until there are live calls to look at.
    lines: { look: async () => {} },
    jobs: { wake: () => isServing && runners.forEach((runner) => runner.wake()) },
  };
  const { store } = base;
  await ensureFactoryCalibration(store, core.clock, engine.model);

  const blobs = blobsOf(storage);
  const urls = new SignedUrls(
    await loadSecret(storage.database, storage.keyring, 'media addresses'),
    core.clock,
    () => core.listening?.httpUrl ?? publicUrlOf(core.config),
  );
  const galleries = composeGalleries(core, storage, { store, blobs, model: engine.model });
  const searches = new SearchIndexes({ store, clock: core.clock });
  const warming = startSearchWarming(core, searches);
  const nodes = joinNodesInUse(core, storage, engine.model.revision);
  const assessing = startAssessing(core, storage.database, store, nodes.hasOlder);
  const deps: OperationDeps & MediaDeps = {
    ...base,
    engine,
    blobs,
    urls,
    mediaBytesMax: core.config.limits.mediaBytes,
    mediaBytes: mediaBytesOf(blobs),
    galleries: galleries.source,
    modelsElsewhere: nodes.others,
  };

  // Batches take long; nothing else waits behind one.
  const runners = jobRunnersOf(core, storage, deps);
  const stopSweeps = startSweeps(core, storage, { ...deps, snapshots: galleries.snapshots });
  const renewal = startPrintRenewal(core, storage, { deps, nodes });

  return {
    deps,
    nodes,
    tenantContent: {
      contentDeleters: [deleteBiometricContent],
      onContentDeleted: (gkScopeId) => {
        galleries.forget(gkScopeId);
        searches.forget(gkScopeId);
        storage.blobs
          .deleteTenant(gkScopeId)
          .catch((cause: unknown) => core.log.warn({ err: cause }, 'deleting the media of a tenant failed'));
      },
    },
    bindings: servicesOf(storage, {
      ...deps,
      searches,
      actors,
      signCertificate,
      hasOlderNodes: nodes.hasOlder,
    }),
    routes: [(http) => registerMediaRoutes(http, { ...deps, audit: storage.audit })],
    readiness: [
      { name: 'voice engine', check: async () => engine.healthy() },
      ...(core.clockWatch?.checksBeside(nodes.isTimeKeptByAnother) ?? []),
    ],
    metrics: [...engineMetrics(engine), ...renewal.metrics, ...galleries.metrics, ...assessing.metrics],
    // What was cut off goes on when others are served already: it may be hours of work.
    onServing: async () => {
      isServing = true;
      for (const runner of runners) runner.start();
    },
    stop: async () => {
      await warming.stop();
      await assessing.stop();
      await galleries.stop();
      await stopSweeps();
      await renewal.stop();
      await Promise.all(runners.map((runner) => runner.stop()));
      await galleries.close();
    },
  };
}

/** What is deleted for its age, or left over: swept by one node at a time. */
function startSweeps(
  core: Core,
  storage: Storage,
  deps: OperationDeps & MediaDeps & { snapshots: GallerySnapshots },
): () => Promise<void> {
  const { audit, blobs } = storage;
  const media = { leftOvers: blobs, onOneNode: onOneNode(storage, `media in ${blobs.place}`) };
  const stopSweeping = startSweeping({ ...deps, ...media, ...mediaRetention(core) }, core.log);
  const retention = { ...deps, audit, onOneNode: onOneNode(storage, 'retention') };
  const stopRetention = startRetention(core, retention);
  return async () => {
    await stopSweeping();
    await stopRetention();
  };
}

function jobRunnersOf(core: Core, { database }: Storage, deps: OperationDeps & MediaDeps): JobRunner[] {
  const { engine } = core.config;
  const shared: Omit<JobRunnerDeps, 'work'> = {
    store: deps.store,
    clock: core.clock,
    log: core.log,
    isTimeProven: () => isTimeProven(core),
    // Nodes share a PostgreSQL; a file of SQLite has one server.
    isAlone: database.dialect === 'sqlite',
    onExpired: async (job) => {
      const blobId = reportBlobOf(job);
      if (blobId) await deps.blobs.delete(job.gkScopeId, blobId);
      if (job.kind === 'BATCH') await deps.store.transaction((tx) => tx.batches.delete(job.gkJobId));
    },
  };
  const batchDeps: BatchDeps = {
    ...deps,
    recordings: recordingSource(core.config),
    batchLinesAtOnce: LINES_PER_WORKER * workersOf(engine.workers),
  };
  return [
    new JobRunner({
      ...shared,
      work: {
        PROFILES_STATUS: (job) => runProfilesStatusJob(deps, job),
        DELETE_PERSONAL_DATA: (job) => erasePerson(deps, job),
      },
    }),
    new JobRunner({
      ...shared,
      work: { BATCH: (job, stopping) => runBatch(batchDeps, job, stopping, core.log) },
    }),
    // Nothing waits behind searches, either: there may be one for each fraudster of a batch.
    new JobRunner({
      ...shared,
      work: { LOOK_BACK: (job, stopping) => runSearch(deps, job, stopping, core.log) },
    }),
  ];
}

const unreadable = ['BLOB_MISSING', 'BLOB_DAMAGED', 'SEAL_BROKEN', 'KEY_DESTROYED'] as const;

/** Damaged or missing bytes are a fault with a name, not an internal error without one. */
async function* namedFaults(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    const code = error instanceof StorageError && unreadable.find((fault) => fault === error.fault);
    if (!code) throw error;
    const what = code === 'BLOB_MISSING' ? 'are missing' : 'cannot be read';
    throw new AppError('INTERNAL_ERROR', `the stored bytes of this recording ${what}`, {
      diagnostics: [{ code }],
      cause: error,
    });
  }
}

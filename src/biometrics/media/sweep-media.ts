// Cleans up old media and what crashes left behind: media past its retention is deleted unless it is enrolled or on legal
// hold, and bytes that nothing refers to are removed.
import { systemActor, auditDetail } from '../../audit/model.js';
import type { Log } from '../../platform.js';
import type { GallerySnapshots } from '../galleries/snapshots.js';
import type { MediaDeps } from './deps.js';

interface SweepReport {
  expired: number;
  orphans: number;
  /** Galleries that contained deleted prints. */
  snapshots: number;
}

/** The part of the blob store that finds what crashes left behind. */
interface Leftovers {
  sweep(
    isReferenced: (key: { tenantKey: string; blobId: string }) => Promise<boolean>,
    olderThanMs: number,
  ): Promise<{ orphans: number }>;
}

export interface SweepDeps extends MediaDeps {
  leftOvers: Leftovers;
  retentionMs: number;
  /** Whether the clock is trustworthy; otherwise nothing is deleted because of its age. */
  isTimeProven?: () => Promise<boolean>;
  /** Galleries that are stored beside the recordings. */
  snapshots?: Pick<GallerySnapshots, 'isUsed' | 'sweep'>;
}

/** Does the work unless another node has done it within this period, or is doing it. */
type OnOneNode = <T>(periodMs: number, work: () => Promise<T>) => Promise<T | undefined>;

const BATCH = 100;
/** Far longer than any upload takes: a row is committed after its bytes. */
const ORPHAN_AGE_MS = 24 * 3600_000;

export async function sweepMedia(deps: SweepDeps): Promise<SweepReport> {
  const snapshots = (await deps.snapshots?.sweep()) ?? 0;
  if ((await deps.isTimeProven?.()) === false) return { expired: 0, orphans: 0, snapshots };
  const expired = await deleteExpired(deps);
  const { orphans } = await deps.leftOvers.sweep(
    ({ tenantKey, blobId }) => isReferenced(deps, tenantKey, blobId),
    ORPHAN_AGE_MS,
  );
  return { expired, orphans, snapshots };
}

async function deleteExpired(deps: SweepDeps): Promise<number> {
  const beforeMs = deps.clock.now() - deps.retentionMs;
  let deleted = 0;
  for (;;) {
    const due = await deps.store.read.media.listExpired(beforeMs, BATCH);
    for (const media of due) {
      const { gkScopeId, gkMediaSegmentId } = media;
      const removed = await deps.store.transaction(async (tx) => {
        const current = await tx.media.find(gkScopeId, gkMediaSegmentId);
        // A hold or an enrollment may have been added meanwhile, and another node may have been faster.
        if (!current || current.legalHold || (await tx.enrollment.isMediaEnrolled(gkMediaSegmentId)))
          return false;
        const processedAudios = await tx.processedAudios.deleteByMedia(gkScopeId, gkMediaSegmentId);
        await tx.media.delete(gkScopeId, gkMediaSegmentId);
        await tx.audit.append({
          chain: gkScopeId,
          recordType: 'MEDIA_EVENT',
          operation: 'ExpireMediaSegment',
          actor: systemActor,
          context: { gkScopeId, gkEngagementId: media.gkEngagementId, gkSessionId: media.gkSessionId },
          subjectIds: [gkMediaSegmentId, ...(media.gkPersonId ? [media.gkPersonId] : [])],
          detail: auditDetail({ processedAudios }),
        });
        return true;
      });
      if (!removed) continue;
      if (media.blob) await deps.blobs.delete(gkScopeId, media.blob.blobId);
      deleted += 1;
    }
    if (due.length < BATCH) return deleted;
  }
}

async function isReferenced(deps: SweepDeps, gkScopeId: string, blobId: string): Promise<boolean> {
  const { read } = deps.store;
  const job = /^report-(.+)-\d+$/.exec(blobId)?.[1];
  if (job !== undefined) return (await read.jobs.find(gkScopeId, job)) !== undefined;
  return (await deps.snapshots?.isUsed(gkScopeId, blobId)) ?? read.media.hasBlob(gkScopeId, blobId);
}

const FIRST_SWEEP_MS = 60_000;
const SWEEP_EVERY_MS = 3600_000;

/** Sweeps as long as the program runs; returns how to stop it. */
export function startSweeping(deps: SweepDeps & { onOneNode: OnOneNode }, log: Log): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const sweep = (): void => {
    running = deps
      .onOneNode(SWEEP_EVERY_MS, () => sweepMedia(deps))
      .then(
        (swept) => {
          if (swept && swept.expired + swept.orphans + swept.snapshots > 0) log.info(swept, 'media swept');
        },
        (cause: unknown) => log.warn({ err: cause }, 'sweeping media failed'),
      );
  };
  const first = setTimeout(sweep, FIRST_SWEEP_MS).unref();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await running;
  };
}

// What an erasure has deleted so far, and which bytes must follow: stored with its job, so that whoever resumes the job
// continues from there.
import type { Clock } from '../../platform.js';
import type { Job } from '../model/jobs.js';
import type { BiometricsTransaction } from '../ports/store.js';

export interface ErasureProof {
  gkPersonId: string;
  prints: number;
  /** Deleted recordings, and those of their bytes that existed. */
  media: number;
  blobs: number;
  /** Recordings whose bytes were not in this server's store before the erasure. */
  blobsMissing: number;
  processedAudios: number;
  /** Engagements and sessions with the person: they have ended, and no longer tell anything about them. */
  engagements: number;
  sessions: number;
  /** Checks that no longer say with which score, against which print and on which recording. */
  scores: number;
  /**
   * Calls that were prepared, running, or ended within the last day: they have ended, and their course
   * contains no scores any more.
   */
  liveCalls: number;
  /** Lines of batches that named the person. */
  batchLines: number;
  /** Answers kept for repeated calls that were about them; absent in jobs of earlier versions. */
  answers?: number;
  keptOnLegalHold: number;
  keptAsFraud: number;
  /** A known fraudster was recognized in them, or made from them; absent in jobs of earlier versions. */
  keptWithFraudster?: number;
  keptForOthers: number;
  auditRecords: number;
  /** In words: the trail is evidence, and a reader of the proof must not believe that it is empty. */
  keptInAuditTrail: string;
}

export interface ErasurePlan {
  proof: ErasureProof;
  mediaIds: string[];
  blobIds: string[];
  /** These are absent in jobs of earlier versions. */
  keptIds?: string[];
  printIds?: string[];
  keptEngagements?: string[];
  /**
   * Sessions that only held recordings, some of them the person's; what made them so may be deleted by now.
   */
  uploads?: string[];
}

/** What one step has deleted. */
export interface ErasedPart extends Omit<ErasurePlan, 'proof'> {
  counts: Partial<Record<CountName, number>>;
}

type CountName = Exclude<keyof ErasureProof, 'gkPersonId' | 'keptInAuditTrail'>;

const KEPT_IN_AUDIT_TRAIL = 'decisions with their scores, under IDs, until retention.auditDays';

const nothingYet = (gkPersonId: string): ErasurePlan => ({
  proof: {
    gkPersonId,
    prints: 0,
    media: 0,
    blobs: 0,
    blobsMissing: 0,
    processedAudios: 0,
    engagements: 0,
    sessions: 0,
    scores: 0,
    liveCalls: 0,
    batchLines: 0,
    answers: 0,
    keptOnLegalHold: 0,
    keptAsFraud: 0,
    keptWithFraudster: 0,
    keptForOthers: 0,
    auditRecords: 0,
    keptInAuditTrail: KEPT_IN_AUDIT_TRAIL,
  },
  mediaIds: [],
  blobIds: [],
});

export const isAllZero = (counts: object): boolean =>
  Object.values(counts).every((count) => typeof count !== 'number' || count === 0);

/** Adds what a step has deleted to what was noted before and may not have followed yet; returns all of it. */
export async function notePart(
  { clock }: { clock: Clock },
  tx: BiometricsTransaction,
  job: Job,
  { gkPersonId, ...part }: ErasedPart & { gkPersonId: string },
): Promise<ErasurePlan> {
  const current = (await tx.jobs.find(job.gkScopeId, job.gkJobId)) ?? job;
  const isOver = current.state === 'COMPLETED';
  const noted = current.result && !isOver ? (JSON.parse(current.result) as ErasurePlan) : undefined;
  const plan = joined(noted ?? nothingYet(gkPersonId), part);
  // The current job is updated: it may have been requested again, or taken over, since this node claimed it.
  await tx.jobs.update({
    ...current,
    state: isOver ? 'PENDING' : current.state,
    result: JSON.stringify(plan),
    modifiedAtMs: clock.now(),
  });
  return plan;
}

function joined(plan: ErasurePlan, part: ErasedPart): ErasurePlan {
  const proof = { ...plan.proof };
  for (const [name, count] of Object.entries(part.counts) as [CountName, number][])
    proof[name] = (proof[name] ?? 0) + count;
  const both = (name: Exclude<keyof ErasurePlan, 'proof'>): string[] => [
    ...new Set([...(plan[name] ?? []), ...(part[name] ?? [])]),
  ];
  return {
    proof,
    mediaIds: both('mediaIds'),
    blobIds: both('blobIds'),
    keptIds: both('keptIds'),
    printIds: both('printIds'),
    keptEngagements: both('keptEngagements'),
    uploads: both('uploads'),
  };
}

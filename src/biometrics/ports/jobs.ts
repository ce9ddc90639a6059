// Where background jobs are kept.
import type { Job, JobKind } from '../model/jobs.js';

export interface JobRepository {
  insert(job: Job): Promise<void>;
  /**
   * Requests a job that may already exist: a waiting one is left as it is; one that is over, or in progress
   * and possibly past the point that this is about, is done once more. Called in a transaction, which the job
   * follows.
   */
  ask(job: Job): Promise<void>;
  /** In a transaction, the row is locked until it ends. */
  find(gkScopeId: string, gkJobId: string): Promise<Job | undefined>;
  /** Newest first. */
  list(gkScopeId: string, kind: JobKind, limit: number): Promise<Job[]>;
  /** Neither completed nor failed. */
  listOpen(gkScopeId: string, kind: JobKind): Promise<Job[]>;
  countOpen(gkScopeId: string, kind: JobKind): Promise<number>;
  /** Whether there is a job of these kinds to claim; a plain query that locks nothing. */
  anyWaiting(kinds: readonly JobKind[], nowMs: number): Promise<boolean>;
  /** Takes the oldest job of these kinds that is PENDING or whose lease has run out, and marks it STARTED. */
  claim(kinds: readonly JobKind[], nowMs: number, leaseUntilMs: number): Promise<Job | undefined>;
  update(job: Job): Promise<void>;
  /** Ends the leases of jobs of these kinds that were in progress. */
  release(kinds: readonly JobKind[]): Promise<void>;
  deleteExpired(nowMs: number): Promise<Job[]>;
}

// Where background jobs are kept.
import type { Job, JobKind } from '../model/jobs.js';

export interface JobRepository {
  insert(job: Job): Promise<void>;
  find(gkScopeId: string, gkJobId: string): Promise<Job | undefined>;
  /** Newest first. */
  list(gkScopeId: string, kind: JobKind, limit: number): Promise<Job[]>;
  /** Neither completed nor failed. */
  countOpen(gkScopeId: string, kind: JobKind): Promise<number>;
  /** Whether there is a job of these kinds to claim: a plain look, which locks nothing. */
  anyWaiting(kinds: readonly JobKind[], now: number): Promise<boolean>;
  /** Takes the oldest job of these kinds that is PENDING or whose lease has run out, and marks it STARTED. */
  claim(kinds: readonly JobKind[], now: number, leaseUntilMs: number): Promise<Job | undefined>;
  update(job: Job): Promise<void>;
  /** Ends the leases of jobs of these kinds that were being worked on. */
  release(kinds: readonly JobKind[]): Promise<void>;
  deleteExpired(now: number): Promise<Job[]>;
}

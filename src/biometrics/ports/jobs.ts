// Where background jobs are kept.
import type { Job } from '../model/jobs.js';

export interface JobRepository {
  insert(job: Job): Promise<void>;
  find(gkScopeId: string, gkJobId: string): Promise<Job | undefined>;
  /** Takes the oldest job that is PENDING or whose lease has run out, and marks it STARTED. */
  claim(now: number, leaseUntilMs: number): Promise<Job | undefined>;
  update(job: Job): Promise<void>;
  deleteExpired(now: number): Promise<Job[]>;
}

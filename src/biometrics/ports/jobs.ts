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

/** What the erasure of a person needs beyond the other repositories. */
export interface ErasureRepository {
  /** Whether the recording is enrolled for somebody else too. */
  servesOthers(gkMediaSegmentId: string, gkPersonId: string): Promise<boolean>;
  /** Empties what sessions that claim the person tell about them; answers how many. */
  forgetInSessions(
    gkScopeId: string,
    gkPersonId: string,
    keptEngagements: ReadonlySet<string>,
    atMs: number,
  ): Promise<number>;
  /** The recordings that stay keep their tie, so that it is known whose they are when they may go. */
  untie(gkPersonId: string, keptMedia: ReadonlySet<string>): Promise<void>;
  /** Rows that still hold something of the person or of these recordings. */
  remains(gkPersonId: string, gkMediaSegmentIds: readonly string[]): Promise<number>;
}

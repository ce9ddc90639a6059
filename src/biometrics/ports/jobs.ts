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

/** What the erasure of a person needs beyond the other repositories. */
export interface ErasureRepository {
  /**
   * Whether anything of the person is left: recordings that are tied to them, sessions that claim them, audit records with a
   * personal part. Also of one who was deleted.
   */
  hasTraces(gkScopeId: string, gkPersonId: string): Promise<boolean>;
  /** Remembers, by the bare ID, that the person was erased: what is tied to them later has to go too. */
  noteErased(gkScopeId: string, gkPersonId: string, atMs: number): Promise<void>;
  isErased(gkPersonId: string): Promise<boolean>;
  /** Persons who were erased and have recordings all the same, except those that were kept on purpose. */
  erasedWithRecordings(limit: number): Promise<{ gkScopeId: string; gkPersonId: string }[]>;
  /** Whether the recording is enrolled for somebody else too, or is guessed to be theirs, but may be somebody else's. */
  servesOthers(gkMediaSegmentId: string, gkPersonId: string): Promise<boolean>;
  /** Empties what sessions that claim the person tell about them; answers how many. */
  forgetInSessions(
    gkScopeId: string,
    gkPersonId: string,
    keptEngagements: ReadonlySet<string>,
    atMs: number,
  ): Promise<number>;
  /** The recordings that stay keep their tie, marked as kept, so that it is known whose they are when they may go. */
  untie(gkPersonId: string, keptMedia: ReadonlySet<string>): Promise<void>;
  /** What kept recordings of these from being erased may be no more: they are looked at again. */
  reconsider(
    gkScopeId: string,
    kept: { gkMediaSegmentId: string } | { gkEngagementId: string },
  ): Promise<void>;
  /** Rows that still hold something of the person or of these recordings, and blocks that hold a voice of any that is gone. */
  remains(gkScopeId: string, gkPersonId: string, gkMediaSegmentIds: readonly string[]): Promise<number>;
}

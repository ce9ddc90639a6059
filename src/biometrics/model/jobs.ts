// Work that outlives its request: profile status reports, erasure of personal data, batches, searches for new fraudsters.
/** LOOK_BACK: a voice search, by the name that 0.2.0 stores. */
export type JobKind = 'PROFILES_STATUS' | 'DELETE_PERSONAL_DATA' | 'BATCH' | 'LOOK_BACK';
export type JobState = 'PENDING' | 'STARTED' | 'COMPLETED' | 'FAILED';

export interface Job {
  gkJobId: string;
  gkScopeId: string;
  kind: JobKind;
  state: JobState;
  /** JSON of the job's own input. */
  input: string;
  /** JSON of the job's own result, for example the blob of a report. */
  result: string;
  /** For people; never a stack trace. */
  error: string;
  requestedBy: string;
  attempts: number;
  /**
   * Until when a worker holds it, or until when a failed attempt is not repeated: after that it is resumed.
   */
  leaseUntilMs?: number;
  expiresAtMs?: number;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** The error of a canceled batch, as stored in databases: a batch never fails by itself. */
export const CANCELED = 'cancelled';

export const isCanceled = (job: Pick<Job, 'state' | 'error'> | undefined): boolean =>
  job?.state === 'FAILED' && job.error === CANCELED;

/** A new job that nobody has claimed; `input` becomes its JSON. */
export function newJob(
  job: Pick<Job, 'gkJobId' | 'gkScopeId' | 'kind' | 'requestedBy'>,
  input: object,
  nowMs: number,
): Job {
  return {
    ...job,
    state: 'PENDING',
    input: JSON.stringify(input),
    result: '',
    error: '',
    attempts: 0,
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
}

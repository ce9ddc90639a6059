// Searches that run automatically when a fraudster is added: the work of such a job, and its result. Only identifiers and
// scores are stored; the calls are read when somebody looks, so that nothing is shown that has been erased since.
import { AppError, notFound } from '../../errors.js';
import { DAY_MS, type Call, type Log } from '../../platform.js';
import { fraudstersOf, type DeletedDeps } from '../activity/deleted-fraudsters.js';
import { callOfJob } from '../call/call-of-job.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { SearchJobInput } from '../entities/search-later.js';
import type { JobEnd } from '../jobs/runner.js';
import type { Job, JobState } from '../model/jobs.js';
import type { OperationDeps } from '../operations/deps.js';
import { FOUND_MAX, searchFor, type FoundCall } from './find-calls.js';
import { allowedParameters, searchIn } from './open-search.js';
import type { Heard } from './read-voices.js';
import { callsOf, type StoredCall } from './stored-calls.js';

const RESULTS_KEPT_MS = 30 * DAY_MS;
const SEARCHES_LISTED = 100;

type Hit = Omit<FoundCall, Exclude<keyof StoredCall, 'gkProcessedAudioId'>> & {
  /** Absent in results of earlier versions. */
  gkSessionId?: string;
};

interface KeptSearch {
  lookedAt?: Heard & { fromMs: number };
  hits: Hit[];
  /** Why there was no search: the print was deleted, or the tenant no longer has a legal basis. */
  problem?: string;
}

export async function runSearch(
  deps: OperationDeps,
  job: Job,
  stopping: AbortSignal,
  log: Log,
): Promise<JobEnd | 'again'> {
  const { gkVoiceprintProfileId, issuer } = JSON.parse(job.input) as SearchJobInput;
  const call = callOfJob(job, { issuer, clientId: 'search' }, stopping, log);
  const expiresAtMs = deps.clock.now() + RESULTS_KEPT_MS;
  try {
    const search = await searchIn(deps, job.gkScopeId, 0);
    const print = await deps.store.read.profiles.find(job.gkScopeId, gkVoiceprintProfileId);
    if (!print) throw notFound('voiceprint profile');
    const { found, record } = await searchFor(deps, call, search, print, { gkJobId: job.gkJobId });
    const { calls, ...lookedAt } = found;
    const result: KeptSearch = { lookedAt, hits: calls.map(hitOf) };
    // Stored with the end of the job, so that an interrupted and repeated job leaves one record.
    return { result, expiresAtMs, record };
  } catch (cause) {
    if (stopping.aborted) return 'again';
    if (!(cause instanceof AppError) || !isRefusal(cause)) throw cause;
    const result: KeptSearch = { hits: [], problem: cause.message };
    return { result, expiresAtMs };
  }
}

/** Repeating it would end the same way. */
const isRefusal = ({ code }: AppError): boolean =>
  code === 'PERMISSION_DENIED' || code === 'NOT_FOUND' || code === 'INVALID_REQUEST';

const hitOf = (found: FoundCall): Hit => {
  const { gkProcessedAudioId, gkSessionId, llr, reliability, risk, expectedByChance } = found;
  return { gkProcessedAudioId, gkSessionId, llr, reliability, risk, expectedByChance };
};

export interface SearchView {
  gkJobId: string;
  state: JobState;
  gkVoiceprintProfileId: string;
  gkFraudsterId: string;
  /** The caller's own ID, even of a deleted one as long as it is known. */
  fraudsterId?: string;
  isDeleted?: true;
  createdAtMs: number;
  endedAtMs?: number;
  /** As of the search; calls deleted since are counted until somebody is erased. */
  found: number;
  lookedAt?: Heard & { fromMs: number };
  problem?: string;
}

/** Newest first. */
export async function listSearches(
  deps: DeletedDeps,
  call: Call,
  context: RequestContext,
): Promise<SearchView[]> {
  const gkScopeId = await openTenant(deps, call, context);
  await allowedParameters(deps, gkScopeId);
  const jobs = await deps.store.read.jobs.list(gkScopeId, 'LOOK_BACK', SEARCHES_LISTED);
  return viewsOf(deps, gkScopeId, jobs);
}

export async function getSearch(
  deps: DeletedDeps,
  call: Call,
  { context, gkJobId }: { context: RequestContext; gkJobId: string },
): Promise<{ search: SearchView; calls: FoundCall[] }> {
  const faults = new Faults().required('gk_job_id', gkJobId);
  const gkScopeId = await openTenant(deps, call, context, faults.found);
  await allowedParameters(deps, gkScopeId);
  const job = await deps.store.read.jobs.find(gkScopeId, gkJobId);
  if (job?.kind !== 'LOOK_BACK') throw notFound('search', 'gk_job_id');
  const { hits } = keptOf(job);
  const calls = await callsOf(deps, gkScopeId, hits, FOUND_MAX);
  // Sessions that have heard a recording since were not found.
  const found = new Set(hits.map(({ gkSessionId }) => gkSessionId));
  const shown = calls.filter(({ gkSessionId }) => found.has(undefined) || found.has(gkSessionId));
  const [search] = await viewsOf(deps, gkScopeId, [job]);
  if (!search) throw notFound('search', 'gk_job_id');
  return { search, calls: shown };
}

const keptOf = ({ result }: Job): KeptSearch => (result ? (JSON.parse(result) as KeptSearch) : { hits: [] });

const inputOf = ({ input }: Job): SearchJobInput => JSON.parse(input) as SearchJobInput;

async function viewsOf(
  { audit, store }: DeletedDeps,
  gkScopeId: string,
  jobs: readonly Job[],
): Promise<SearchView[]> {
  const ids = [...new Set(jobs.map((job) => inputOf(job).gkFraudsterId))];
  const there = await store.read.parties.findMany(gkScopeId, ids);
  const named = new Map<string, Pick<SearchView, 'fraudsterId' | 'isDeleted'>>(
    there.map(({ gkId, externalId }) => [gkId, { fraudsterId: externalId }]),
  );
  const missing = ids.filter((id) => !named.has(id));
  for (const [id, { fraudsterId }] of await fraudstersOf(audit, gkScopeId, missing))
    named.set(id, { fraudsterId, isDeleted: true });
  return jobs.map((job) => viewOf(job, named.get(inputOf(job).gkFraudsterId) ?? { isDeleted: true }));
}

function viewOf(job: Job, named: Pick<SearchView, 'fraudsterId' | 'isDeleted'>): SearchView {
  const { gkJobId, createdAtMs, modifiedAtMs } = job;
  const { gkVoiceprintProfileId, gkFraudsterId } = inputOf(job);
  const { lookedAt, hits, problem = job.error } = keptOf(job);
  const state = job.state === 'COMPLETED' && problem ? 'FAILED' : job.state;
  const isOver = state === 'COMPLETED' || state === 'FAILED';
  return {
    gkJobId,
    state,
    gkVoiceprintProfileId,
    gkFraudsterId,
    createdAtMs,
    found: hits.length,
    ...named,
    ...(isOver && { endedAtMs: modifiedAtMs }),
    ...(lookedAt && { lookedAt }),
    ...(problem && { problem }),
  };
}

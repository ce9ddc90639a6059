// Starting, reading and ending batches.
import { AppError, notFound, type FieldFault } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import { seesSearches } from '../activity/sees-searches.js';
import { assessSessions } from '../assessment/gather.js';
import { withNames, type NamedAssessment, type NamingDeps } from '../assessment/names.js';
import { audit, auditFirst } from '../call/audit.js';
import { openContext, openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { SoughtLines } from '../ports/batches.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { CANCELED, isCanceled, newJob, type Job } from '../model/jobs.js';
import { joinLines } from '../../manifest/join-lines.js';
import { readManifest, silentLine } from '../../manifest/read-manifest.js';
import type { BatchLine } from '../../manifest/lines.js';
import {
  type LineOutcome,
  isStored,
  type BatchSettings,
  type EndedLine,
  type KeptBatch,
  type LineCounts,
} from '../model/batches.js';
import { say } from '../../words/server/say.js';

export interface BatchView {
  job: Job;
  settings: BatchSettings;
  counts: LineCounts;
  isCanceled: boolean;
}

const BATCHES_MAX = 20;
const BATCHES_LISTED = 1000;
/** Lines per transaction: while it is open, other requests to SQLite wait. */
const LINES_STORED_AT_ONCE = 500;
/** Far longer than it takes to store the largest manifest. */
const STORING_MS_MAX = 10 * 60_000;
const DESCRIPTION_LENGTH_MAX = 256;
const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1000;
export const RESULTS_KEPT_MS = 30 * DAY_MS;

export async function startBatch(
  deps: BiometricsDeps,
  call: Call,
  input: Omit<BatchSettings, 'configsetId'> & { context: RequestContext; manifest: string },
): Promise<{ gkJobId: string; lines: number }> {
  const { context, manifest, ...settings } = input;
  const { lines, faults } = await checked(call, manifest, settings);
  const { gkScopeId, configset } = await openContext(deps, call, context, {
    engagement: 'unused',
    session: 'unused',
    configset: 'mandatory',
    faults,
  });
  if (settings.gkWatchlistId !== '') await requireWatchlist(deps, gkScopeId, settings.gkWatchlistId);
  const kept: KeptBatch = {
    ...settings,
    configsetId: configset?.configsetId ?? '',
    issuer: call.caller.issuer,
  };
  const gkJobId = deps.ids.uuid();
  const job = { gkJobId, gkScopeId, kind: 'BATCH', requestedBy: call.caller.subject } as const;
  await storeLines(deps, job, kept, settings.operation === 'CHECK' ? lines : joinLines(lines));
  try {
    await deps.store.transaction(async (tx) => {
      // First, because it makes others wait who start a batch at the same time.
      await auditFirst(tx, call, {
        type: 'JOBS_EVENT',
        operation: 'StartBatch',
        gkScopeId,
        subjects: [gkJobId],
        detail: { operation: settings.operation, lines: lines.length, dryRun: settings.dryRun },
      });
      if ((await tx.jobs.countOpen(gkScopeId, 'BATCH')) > BATCHES_MAX) throw tooManyBatches();
      await tx.jobs.update(newJob(job, kept, deps.clock.now()));
      tx.afterCommit(() => deps.jobs.wake());
    });
  } catch (cause) {
    await discard(deps, gkScopeId, gkJobId);
    throw cause;
  }
  return { gkJobId, lines: lines.length };
}

/** Before the batch begins, in many transactions: a single one would block others for seconds. */
async function storeLines(
  deps: BiometricsDeps,
  job: Parameters<typeof newJob>[0],
  kept: KeptBatch,
  lines: readonly BatchLine[],
): Promise<void> {
  const { gkScopeId, gkJobId } = job;
  const nowMs = deps.clock.now();
  const incomplete = newJob(job, { ...kept, isIncomplete: true } satisfies KeptBatch, nowMs);
  await deps.store.transaction(async (tx) => {
    if ((await tx.jobs.countOpen(gkScopeId, 'BATCH')) >= BATCHES_MAX) throw tooManyBatches();
    await tx.jobs.insert({ ...incomplete, leaseUntilMs: nowMs + STORING_MS_MAX });
  });
  try {
    for (let at = 0; at < lines.length; at += LINES_STORED_AT_ONCE) {
      const some = lines.slice(at, at + LINES_STORED_AT_ONCE);
      await deps.store.transaction((tx) => tx.batches.insert(gkScopeId, gkJobId, some));
    }
  } catch (cause) {
    await discard(deps, gkScopeId, gkJobId);
    throw cause;
  }
}

/** If that fails too, its runner does it once the time for storing has passed. */
async function discard({ store, clock }: BiometricsDeps, gkScopeId: string, gkJobId: string): Promise<void> {
  const nowMs = clock.now();
  await store
    .transaction(async (tx) => {
      const job = await tx.jobs.find(gkScopeId, gkJobId);
      // It may have begun, although that could not be reported.
      if (!job || isStored(job)) return;
      const { leaseUntilMs: _lease, ...rest } = job;
      await tx.jobs.update({ ...rest, state: 'FAILED', expiresAtMs: nowMs, modifiedAtMs: nowMs });
      await tx.batches.delete(gkJobId);
    })
    .catch(() => undefined);
}

const tooManyBatches = (): AppError =>
  new AppError('QUOTA_EXCEEDED', say('TOO_MANY_BATCHES', { max: BATCHES_MAX }));

async function checked(
  call: Call,
  manifest: string,
  settings: Omit<BatchSettings, 'configsetId'>,
): Promise<{ lines: BatchLine[]; faults: readonly FieldFault[] }> {
  const faults = new Faults()
    .required('manifest', manifest)
    .text('description', settings.description, DESCRIPTION_LENGTH_MAX);
  if (settings.tag !== '' || settings.operation !== 'CHECK') faults.id('tag', settings.tag);
  if (settings.fraudCheck !== 'NONE') faults.required('gk_watchlist_id', settings.gkWatchlistId);
  if (manifest === '') return { lines: [], faults: faults.found };
  const read = await readManifest(manifest, settings.operation, pauseBetweenSlices(call));
  for (const fault of read.faults) faults.add(fault);
  const later = read.lines.find(({ recordings }) => recordings.some(({ upload }) => upload !== undefined));
  if (!settings.dryRun && later)
    faults.add({
      field: 'manifest',
      violation: 'INVALID_FORMAT',
      ...say('ON_LINE', { line: later.line, fault: say('NOT_YET_UPLOADED') }),
    });
  const { withoutAttackChecks, gkWatchlistId } = settings;
  const unasked = read.lines.find(({ ownerId }) => ownerId === '');
  if (withoutAttackChecks && gkWatchlistId === '' && unasked)
    faults.add({
      field: 'manifest',
      violation: 'INVALID_FORMAT',
      ...say('ON_LINE', { line: unasked.line, fault: say('NOTHING_TO_CHECK') }),
    });
  const silent = silentLine(read.lines);
  if (settings.operation === 'ENROLL' && !settings.allHaveConsented && silent)
    faults.add({
      field: 'manifest',
      violation: 'INVALID_FORMAT',
      ...say('ON_LINE', { line: silent.line, fault: say('CONSENT_NOT_SAID') }),
    });
  return { lines: read.lines, faults: faults.found };
}

async function requireWatchlist(deps: BiometricsDeps, gkScopeId: string, gkId: string): Promise<void> {
  if (!(await deps.store.read.collections.find(gkScopeId, 'WATCHLIST', gkId)))
    throw notFound('watchlist', 'gk_watchlist_id');
}

interface BatchPlace {
  context: RequestContext;
  gkJobId: string;
}

export async function getBatch(deps: BiometricsDeps, call: Call, input: BatchPlace): Promise<BatchView> {
  const job = await findBatch(deps, call, input);
  const [view] = await viewsOf(deps, [job]);
  return view as BatchView;
}

export async function listBatches(
  deps: BiometricsDeps,
  call: Call,
  context: RequestContext,
): Promise<BatchView[]> {
  const gkScopeId = await openTenant(deps, call, context);
  const jobs = await deps.store.read.jobs.list(gkScopeId, 'BATCH', BATCHES_LISTED);
  return viewsOf(deps, jobs.filter(isStored));
}

/** With what its session means now. */
export type AssessedLine = EndedLine & { assessment?: NamedAssessment };

export async function listBatchResults(
  deps: NamingDeps,
  call: Call,
  input: BatchPlace & Omit<SoughtLines, 'limit'> & { pageSize: number },
): Promise<{ results: AssessedLine[]; hasMore: boolean }> {
  const { afterLine, pageSize, outcome, reason } = input;
  const job = await findBatch(deps, call, input, [
    pageSize < 0 || pageSize > PAGE_SIZE_MAX
      ? {
          field: 'page_size',
          violation: 'OUT_OF_RANGE',
          ...say('OUT_OF_RANGE', { min: 1, max: PAGE_SIZE_MAX }),
        }
      : undefined,
    afterLine < 0 ? { field: 'after_line', violation: 'OUT_OF_RANGE', ...say('NEGATIVE') } : undefined,
  ]);
  const limit = pageSize || PAGE_SIZE_DEFAULT;
  const found = await deps.store.read.batches.results(job.gkScopeId, job.gkJobId, {
    afterLine,
    limit: limit + 1,
    ...(outcome && { outcome }),
    ...(reason && { reason }),
  });
  const lines = await withFraudsters(deps, job.gkScopeId, found.slice(0, limit));
  const { operation } = JSON.parse(job.input) as KeptBatch;
  return {
    results: operation === 'CHECK' ? await withMeaning(deps, call, job.gkScopeId, lines) : lines,
    hasMore: found.length > limit,
  };
}

async function withMeaning(
  deps: NamingDeps,
  call: Call,
  gkScopeId: string,
  lines: readonly EndedLine[],
): Promise<AssessedLine[]> {
  const ids = [...new Set(lines.flatMap(({ gkSessionId }) => gkSessionId ?? []))];
  const sessions = await deps.store.read.sessions.findMany(gkScopeId, ids);
  const bySearches = await seesSearches(deps, call, gkScopeId);
  const assessed = await assessSessions(deps, gkScopeId, sessions);
  const named = await withNames(deps, gkScopeId, sessions, assessed, { bySearches });
  return lines.map((line) => {
    const assessment = named.get(line.gkSessionId ?? '');
    return assessment ? { ...line, assessment } : line;
  });
}

/** By their current names, which are not stored with the result. */
async function withFraudsters(
  { store }: BiometricsDeps,
  gkScopeId: string,
  lines: readonly EndedLine[],
): Promise<EndedLine[]> {
  const ids = [...new Set(lines.flatMap(({ gkFraudsterId }) => gkFraudsterId ?? []))];
  const parties = ids.length > 0 ? await store.read.parties.findMany(gkScopeId, ids) : [];
  const names = new Map(parties.map(({ gkId, externalId }) => [gkId, externalId]));
  return lines.map((line) => {
    const fraudsterId = names.get(line.gkFraudsterId ?? '');
    return fraudsterId === undefined ? line : { ...line, fraudsterId };
  });
}

export async function cancelBatch(deps: BiometricsDeps, call: Call, input: BatchPlace): Promise<BatchView> {
  const { gkScopeId, gkJobId } = await findBatch(deps, call, input);
  await deps.store.transaction(async (tx) => {
    const job = await tx.jobs.find(gkScopeId, gkJobId);
    if (job?.state !== 'PENDING' && job?.state !== 'STARTED') return;
    const nowMs = deps.clock.now();
    const { leaseUntilMs: _lease, ...rest } = job;
    await tx.jobs.update({
      ...rest,
      state: 'FAILED',
      error: CANCELED,
      expiresAtMs: nowMs + RESULTS_KEPT_MS,
      modifiedAtMs: nowMs,
    });
    // Together with the job: a line in progress finds that it has ended, and rolls back what it did.
    await tx.batches.cancel(gkJobId);
    await audit(tx, call, { type: 'JOBS_EVENT', operation: 'CancelBatch', gkScopeId, subjects: [gkJobId] });
    await recordEnd(tx, call, job, (await tx.batches.counts([gkJobId])).get(gkJobId));
  });
  return getBatch(deps, call, input);
}

/** Records that a batch is over, and the outcomes of its lines. */
export function recordEnd(
  tx: BiometricsTransaction,
  call: Call,
  { gkScopeId, gkJobId }: Job,
  counts: LineCounts | undefined,
): Promise<void> {
  const detail: { lines: number } & Partial<Record<LineOutcome, number>> = { lines: counts?.lines ?? 0 };
  for (const { outcome, lines } of counts?.ended ?? []) detail[outcome] = (detail[outcome] ?? 0) + lines;
  return audit(tx, call, {
    type: 'JOBS_EVENT',
    operation: 'EndBatch',
    gkScopeId,
    subjects: [gkJobId],
    detail,
  });
}

async function findBatch(
  deps: BiometricsDeps,
  call: Call,
  { context, gkJobId }: BatchPlace,
  faults: readonly (FieldFault | undefined)[] = [],
): Promise<Job> {
  const missing = new Faults().required('gk_job_id', gkJobId).found;
  const gkScopeId = await openTenant(deps, call, context, [...missing, ...faults]);
  const job = await deps.store.read.jobs.find(gkScopeId, gkJobId);
  if (job?.kind !== 'BATCH' || !isStored(job)) throw notFound('batch', 'gk_job_id');
  return job;
}

/** Completed batches have stored their counts; the lines of all others are counted together. */
async function viewsOf({ store }: BiometricsDeps, jobs: readonly Job[]): Promise<BatchView[]> {
  const uncounted = jobs.filter((job) => countsKept(job) === undefined);
  const counted = await store.read.batches.counts(uncounted.map(({ gkJobId }) => gkJobId));
  return jobs.map((job) => ({
    job,
    settings: JSON.parse(job.input) as KeptBatch,
    isCanceled: isCanceled(job),
    counts: countsKept(job) ?? counted.get(job.gkJobId) ?? { lines: 0, ended: [] },
  }));
}

function countsKept({ state, result }: Job): LineCounts | undefined {
  if (state !== 'COMPLETED' || result === '') return undefined;
  const counts = JSON.parse(result) as Partial<LineCounts>;
  return counts.lines !== undefined && counts.ended ? (counts as LineCounts) : undefined;
}

// The work of a batch: one line after another, several at the same time, behind all calls. What a line changes and its result are
// durable together, so a batch that was cut off goes on with the lines that have no result, and does none twice.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isOutage } from '../../errors.js';
import type { Log } from '../../platform.js';
import { audit } from '../call/audit.js';
import { callOfJob } from '../call/call-of-job.js';
import type { JobEnd } from '../jobs/runner.js';
import { forgottenResult } from '../model/batches.js';
import type { Job } from '../model/jobs.js';
import type { BatchDeps } from './deps.js';
import { checkLine } from './check-line.js';
import { enrollLine } from './enroll-line.js';
import { commit, failed, isOfErased, withOwner, type LineRun, type LineWork } from './line.js';
import { RESULTS_KEPT_MS, type KeptBatch } from './start-batch.js';

const LINES_READ_AT_ONCE = 200;
const BUSY_ATTEMPTS_MAX = 60;
const BUSY_PAUSE_MS = 1000;

/** `again`: the server stops, or the batch is somebody else's or cancelled. */
export async function runBatch(
  deps: BatchDeps,
  job: Job,
  signal: AbortSignal,
  log: Log,
): Promise<JobEnd | 'again'> {
  const settings = JSON.parse(job.input) as KeptBatch;
  const call = callOfJob(job, { issuer: settings.issuer, clientId: 'batch' }, signal, log);
  for (let afterLine = 0; ;) {
    const lines = await deps.store.read.batches.open(
      job.gkScopeId,
      job.gkJobId,
      afterLine,
      LINES_READ_AT_ONCE,
    );
    if (lines.length === 0) break;
    afterLine = lines.at(-1)?.line ?? afterLine;
    await inParallel(lines, deps.batchLinesAtOnce, async (line) => {
      if (signal.aborted || !(await isOurs(deps, job))) return false;
      try {
        await workOn({ deps, job, settings, call, line, done: { recordings: new Map() } });
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
      return true;
    });
    if (signal.aborted || !(await isOurs(deps, job))) return 'again';
  }
  const counts = (await deps.store.read.batches.counts([job.gkJobId])).get(job.gkJobId);
  const detail: Record<string, number> = { lines: counts?.lines ?? 0 };
  for (const { outcome, lines } of counts?.ended ?? []) detail[outcome] = (detail[outcome] ?? 0) + lines;
  return {
    result: counts ?? {},
    expiresAtMs: deps.clock.now() + RESULTS_KEPT_MS,
    record: (tx) =>
      audit(tx, call, {
        type: 'JOBS_EVENT',
        operation: 'EndBatch',
        gkScopeId: job.gkScopeId,
        subjects: [job.gkJobId],
        detail,
      }),
  };
}

/** Cancelled, or taken over by another node. */
async function isOurs({ store }: BatchDeps, job: Job): Promise<boolean> {
  const now = await store.read.jobs.find(job.gkScopeId, job.gkJobId);
  return now?.state === 'STARTED' && now.attempts === job.attempts;
}

/** Until there are no more, or one says that it is over. */
async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<boolean>,
): Promise<void> {
  const rest = items.values();
  let isOver = false;
  const take = async (): Promise<void> => {
    for (const item of rest) {
      if (isOver) return;
      if (!(await work(item))) isOver = true;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, take));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function workOn(begun: LineRun): Promise<void> {
  const { call, line, settings } = begun;
  const work: LineWork = settings.operation === 'CHECK' ? checkLine : enrollLine;
  for (let attempt = 1; ; attempt++) {
    const run = await withOwner(begun);
    try {
      if (await isOfErased(run)) return await commit(run, forgottenResult(undefined));
      return await commit(run, await work(run));
    } catch (cause) {
      // Nothing was decided: the server stops, or the database is away.
      if (call.signal.aborted || isOutage(cause)) throw cause;
      if (isBusy(cause) && attempt < BUSY_ATTEMPTS_MAX) {
        await pause(BUSY_PAUSE_MS, undefined, { signal: call.signal });
        continue;
      }
      if (!(cause instanceof AppError))
        call.log.error({ err: cause, gkJobId: run.job.gkJobId, line: line.line }, 'a line of a batch failed');
      return commit(run, failed(cause));
    }
  }
}

const isBusy = (cause: unknown): boolean => cause instanceof AppError && cause.code === 'BUSY';

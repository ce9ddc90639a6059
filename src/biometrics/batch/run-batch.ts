// Runs a batch: its lines in order, several at the same time, with lower priority than all calls. What a line changes is
// committed together with its result, so an interrupted batch continues with the lines that have no result, and does none
// twice.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isBusy, isOutage } from '../../errors.js';
import type { Call, Log } from '../../platform.js';
import { callOfJob } from '../call/call-of-job.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { JobEnd } from '../jobs/runner.js';
import { forgottenResult, type KeptBatch, type OpenLine } from '../model/batches.js';
import type { Job } from '../model/jobs.js';
import { heardFromMemory } from './fetch-recording.js';
import type { BatchDeps } from './deps.js';
import { checkLine } from './check-line.js';
import { enrollLine } from './enroll-line.js';
import { commit, commitAll } from './end-line.js';
import {
  failed,
  isOfErased,
  withOwner,
  type DecidedLine,
  type LineEnd,
  type LineRun,
  type LineWork,
} from './line.js';
import { hasSessions } from './line-session.js';
import { recordEnd, RESULTS_KEPT_MS } from './start-batch.js';

const LINES_READ_AT_ONCE = 200;
/**
 * Lines that changed nothing are ended together: one transaction each would keep the disk, and so everybody,
 * busy.
 */
const LINES_ENDED_AT_ONCE = 100;
/**
 * How long a canceled batch may continue in vain: asking before each line would cost as much as a refused
 * line.
 */
const ASK_EVERY_MS = 250;
const BUSY_ATTEMPTS_MAX = 60;
const BUSY_PAUSE_MS = 1000;

/** `again`: the server stops, or the batch was taken over or canceled. */
export async function runBatch(
  deps: BatchDeps,
  job: Job,
  signal: AbortSignal,
  log: Log,
): Promise<JobEnd | 'again'> {
  const settings = JSON.parse(job.input) as KeptBatch;
  if (settings.isIncomplete) return removed(deps, job);
  const call = callOfJob(job, { issuer: settings.issuer, clientId: 'batch' }, signal, log);
  // Lines that end without processing would otherwise follow each other without a pause.
  const pauseIfDue = pauseBetweenSlices(call);
  const mayGoOn = atIntervals(() => isOurs(deps, job));
  const begun = (line: OpenLine): LineRun => {
    const done = { recordings: new Map(), readAhead: new Map(), stored: new Map() };
    return { deps: heardFromMemory(deps, done.stored), job, settings, call, line, done };
  };
  for (let afterLine = 0; ;) {
    const lines = await deps.store.read.batches.open(
      job.gkScopeId,
      job.gkJobId,
      afterLine,
      LINES_READ_AT_ONCE,
    );
    if (lines.length === 0) break;
    afterLine = lines.at(-1)?.line ?? afterLine;
    const decided: DecidedLine[] = [];
    const endDecided = (): Promise<void> => {
      const some = decided.splice(0);
      return retryWhileBusy(call, () => commitAll(deps, some));
    };
    const own = lines.filter(({ partOf }) => partOf === undefined);
    await inParallel(own, deps.batchLinesAtOnce, async (line) => {
      if (signal.aborted || !(await mayGoOn())) return false;
      try {
        await pauseIfDue();
        const end = await workOn(begun(line));
        if (end) decided.push(end);
        if (decided.length >= LINES_ENDED_AT_ONCE) await endDecided();
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
      return true;
    });
    if (signal.aborted || !(await isOurs(deps, job))) return 'again';
    await endDecided();
  }
  await endLeftOver(deps, job, begun);
  const counts = (await deps.store.read.batches.counts([job.gkJobId])).get(job.gkJobId);
  return {
    result: counts ?? {},
    expiresAtMs: deps.clock.now() + RESULTS_KEPT_MS,
    record: (tx) => recordEnd(tx, call, job, counts),
  };
}

/** A server was interrupted while it stored the lines: the client was not told that there is a batch. */
async function removed({ store, clock }: BatchDeps, { gkJobId }: Job): Promise<JobEnd> {
  await store.transaction((tx) => tx.batches.delete(gkJobId));
  return { result: {}, expiresAtMs: clock.now() };
}

/** Canceled, or taken over by another node. */
async function isOurs({ store }: BatchDeps, job: Job): Promise<boolean> {
  const now = await store.read.jobs.find(job.gkScopeId, job.gkJobId);
  return now?.state === 'STARTED' && now.attempts === job.attempts;
}

/** Returns a recent answer if there is one. */
function atIntervals(ask: () => Promise<boolean>): () => Promise<boolean> {
  let askedAtMs = -Infinity;
  let answer = Promise.resolve(true);
  return () => {
    const nowMs = performance.now();
    if (nowMs - askedAtMs < ASK_EVERY_MS) return answer;
    askedAtMs = nowMs;
    return (answer = ask());
  };
}

/** Ends lines whose first line was forgotten with its person, before they said whose they were. */
async function endLeftOver(deps: BatchDeps, job: Job, begun: (line: OpenLine) => LineRun): Promise<void> {
  for (let afterLine = 0; ;) {
    const { batches } = deps.store.read;
    const lines = await batches.open(job.gkScopeId, job.gkJobId, afterLine, LINES_READ_AT_ONCE);
    if (lines.length === 0) return;
    afterLine = lines.at(-1)?.line ?? afterLine;
    const parts = lines.filter(({ partOf }) => partOf !== undefined);
    await commitAll(
      deps,
      parts.map((line) => ({ run: begun(line), result: forgottenResult(undefined) })),
    );
  }
}

/** Until there are no more, or one reports that it is over. */
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

/** Returns the line's result if it still has to be stored, possibly with others: nothing was begun for it. */
async function workOn(begun: LineRun): Promise<DecidedLine | undefined> {
  const { call, line, settings } = begun;
  const work: LineWork = settings.operation === 'CHECK' ? checkLine : enrollLine;
  let run = begun;
  const attempt = async (): Promise<DecidedLine | undefined> => {
    run = await withOwner(begun);
    return ending(run, (await isOfErased(run)) ? forgottenResult(undefined) : await work(run));
  };
  try {
    return await retryWhileBusy(call, attempt);
  } catch (cause) {
    // Nothing was decided: the server stops, or the database is unavailable.
    if (call.signal.aborted || isOutage(cause)) throw cause;
    if (!(cause instanceof AppError))
      call.log.error({ err: cause, gkJobId: run.job.gkJobId, line: line.line }, 'a line of a batch failed');
    return retryWhileBusy(call, () => ending(run, failed(cause)));
  }
}

async function ending(run: LineRun, end: LineEnd): Promise<DecidedLine | undefined> {
  if (!('change' in end) && !hasSessions(run)) return { run, result: end };
  await commit(run, end);
  return undefined;
}

/** Retries for a while if the server is too busy at the moment. */
async function retryWhileBusy<T>({ signal }: Call, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (cause) {
      if (signal.aborted || !isBusy(cause) || attempt >= BUSY_ATTEMPTS_MAX) throw cause;
      await pause(BUSY_PAUSE_MS, undefined, { signal });
    }
  }
}

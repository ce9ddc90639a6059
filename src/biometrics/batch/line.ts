// One line of a batch: what works on it, how it may end, and how its end is made durable.
import { AppError } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Job } from '../model/jobs.js';
import { startSession } from '../sessions/start-session.js';
import type { BatchDeps } from './deps.js';
import type { BatchLine, BatchSettings, LineResult } from '../model/batches.js';

export interface LineRun {
  deps: BatchDeps;
  job: Job;
  settings: BatchSettings;
  call: Call;
  line: BatchLine;
}

/**
 * A result, or the changes that lead to one: they are made together with it. Where `isKept` is false they are all taken back, and
 * only the result stays.
 */
export type LineEnd = LineResult | { change(): Promise<Changed> };

export interface Changed {
  result: LineResult;
  isKept: boolean;
}

/** Listens and decides; must change nothing that may not be left over. */
export type LineWork = (run: LineRun) => Promise<LineEnd>;

export const refused = (reason: string, message: string): LineResult => ({
  outcome: 'REFUSED',
  reason,
  message,
});

/** Whose voice it is, where somebody of a watchlist was found. */
export function fraudsterOf({
  decision,
  scores: [best],
}: ComparisonOutcome): Pick<LineResult, 'gkFraudsterId'> {
  return decision === 'FRAUD' && best ? { gkFraudsterId: best.candidate.gkOwnerId } : {};
}

export function failed(cause: unknown): LineResult {
  if (!(cause instanceof AppError))
    return { outcome: 'FAILED', reason: 'INTERNAL_ERROR', message: 'see the log of the server' };
  const [diagnostic] = cause.diagnostics;
  const isRefusal = cause.code === 'PERMISSION_DENIED';
  return {
    outcome: isRefusal ? 'REFUSED' : 'FAILED',
    reason: diagnostic?.code ?? cause.code,
    message: cause.message,
  };
}

/** Carries out of a transaction that nothing in it is to stay. */
class TakenBack extends Error {
  readonly result: LineResult | undefined;

  constructor(result: LineResult | undefined, cause?: unknown) {
    super('taken back', { cause });
    this.result = result;
  }
}

export async function commit({ deps, job, line }: LineRun, end: LineEnd): Promise<void> {
  const { store } = deps;
  const { gkScopeId, gkJobId } = job;
  if (!('change' in end))
    return void (await store.transaction((tx) => tx.batches.end(gkScopeId, gkJobId, line.line, end)));
  // A failure may not reach `asOne`, which keeps what was done before it.
  const change = async (): Promise<Changed | { cause: unknown }> =>
    end.change().catch((cause: unknown) => ({ cause }));
  try {
    await store.asOne(change, async (tx, changed) => {
      if ('cause' in changed) throw new TakenBack(undefined, changed.cause);
      if (!changed.isKept) throw new TakenBack(changed.result);
      // Another node has done the line meanwhile.
      if (!(await tx.batches.end(gkScopeId, gkJobId, line.line, changed.result)))
        throw new TakenBack(changed.result);
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    const { result } = error;
    if (!result) throw error.cause;
    await store.transaction((tx) => tx.batches.end(gkScopeId, gkJobId, line.line, result));
  }
}

/** Each line has a session of its own, which holds its recordings. */
export async function sessionOf({ deps, call, job, settings }: LineRun): Promise<RequestContext> {
  const { gkScopeId } = job;
  const { configsetId } = settings;
  const session = await startSession(deps, call, {
    context: { gkScopeId, configsetId },
    sessionType: 'OFFLINE_MEDIA_PROCESSING',
    isTest: false,
    details: {},
  });
  return { gkScopeId, configsetId, ...session };
}

// One line of a batch: how it is processed, how it can end, and how its result is made durable.
import { AppError } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import { audit } from '../call/audit.js';
import { eraseIfErased } from '../call/late-erasure.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Party } from '../model/entities.js';
import { isCancelled, type Job } from '../model/jobs.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { startSession } from '../sessions/start-session.js';
import { stopEngagement } from '../sessions/stop-engagement.js';
import type { BatchDeps } from './deps.js';
import type { BatchSettings, LineResult, OpenLine } from '../model/batches.js';

export interface LineRun {
  deps: BatchDeps;
  job: Job;
  settings: BatchSettings;
  call: Call;
  line: OpenLine;
  /** Whom the line names, where there is somebody of that name. */
  owner?: Party;
  /** A person who was there when the line was begun, also if they are gone now. */
  gkPersonId?: string;
  /** What was done for the line before it was told to come again: it is not done twice. */
  done: LineProgress;
}

export interface LineProgress {
  context?: RequestContext;
  /** Media segments, by where the recording was. */
  recordings: Map<string, string>;
  /** Bytes that were read and are still to be stored, by where they were. */
  readAhead: Map<string, Uint8Array>;
  /** Bytes that were stored and are still to be heard, by media segment. */
  stored: Map<string, Uint8Array>;
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

/** How a line ends that changes nothing else. */
export interface DecidedLine {
  run: LineRun;
  result: LineResult;
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
    return { outcome: 'FAILED', reason: 'INTERNAL_ERROR', message: 'see the server log' };
  const absent = cause.fields.find(({ field }) => field === 'channel_selector.channel');
  if (absent)
    return {
      outcome: 'FAILED',
      reason: 'NO_SUCH_CHANNEL',
      message: `the recording has no channel ${absent.value ?? ''}`,
    };
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

export async function commit(run: LineRun, end: LineEnd): Promise<void> {
  const { store } = run.deps;
  if (!('change' in end)) return endWithoutChange(run, end);
  // A failure may not reach `asOne`, which keeps what was done before it.
  const change = async (): Promise<Changed | { cause: unknown }> => {
    try {
      const changed = await end.change();
      if (changed.isKept) await closeSessions(run);
      return changed;
    } catch (cause) {
      return { cause };
    }
  };
  try {
    await store.asOne(change, async (tx, changed) => {
      if ('cause' in changed) throw new TakenBack(undefined, changed.cause);
      if (!changed.isKept) throw new TakenBack(changed.result);
      // Another node has done the line meanwhile, the batch was cancelled, or the person is erased. Who was made for it is no more.
      const { gkOwnerId: _owner, ...result } = changed.result;
      if (!(await endLine(tx, run, changed.result))) throw new TakenBack(result);
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    const { result } = error;
    if (!result) throw error.cause;
    await endWithoutChange(run, result);
  }
}

/** Nothing is open any more that was begun for it; what it holds can be found by it. */
async function endWithoutChange(run: LineRun, result: LineResult): Promise<void> {
  const gkSessionId = run.done.context?.gkSessionId;
  await run.deps.store.asOne(
    () => closeSessions(run),
    async (tx) => {
      if (!(await endLine(tx, run, { ...(gkSessionId && { gkSessionId }), ...result })))
        await giveUp(tx, run);
    },
  );
}

/** The batch was cancelled while the line was worked on: what was begun for it is no call that waits for an answer. */
async function giveUp(tx: BiometricsTransaction, run: LineRun): Promise<void> {
  const { deps, call, job } = run;
  const { gkScopeId, gkJobId } = job;
  if (!isCancelled(await tx.jobs.find(gkScopeId, gkJobId))) return;
  for (const gkSessionId of sessionsOf(run)) {
    const session = await tx.sessions.find(gkScopeId, gkSessionId);
    if (!session || session.isErased || session.details.wasAbandon) continue;
    const { gkEngagementId, details } = session;
    if ((await tx.factors.listBySession(gkScopeId, gkSessionId)).length > 0) continue;
    await tx.sessions.update({
      ...session,
      details: { ...details, wasAbandon: true },
      modifiedAtMs: deps.clock.now(),
    });
    await audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: 'UpdateSession',
      gkScopeId,
      gkEngagementId,
      gkSessionId,
      detail: { changed: ['wasAbandon'], gkJobId },
    });
  }
}

/** Lines that changed nothing, together. All ties come before all lines, as in erasure, which would otherwise wait for us and we for it. */
export async function commitAll({ store }: BatchDeps, lines: readonly DecidedLine[]): Promise<void> {
  if (lines.length === 0) return;
  await store.transaction(async (tx) => {
    await holdPersons(tx, lines);
    for (const { run, result } of lines) await tieToPerson(tx, run, result);
    for (const { run, result } of lines) await noteEnd(tx, run, result);
  });
}

async function endLine(tx: BiometricsTransaction, run: LineRun, result: LineResult): Promise<boolean> {
  await holdPersons(tx, [{ run, result }]);
  await tieToPerson(tx, run, result);
  return noteEnd(tx, run, result);
}

async function holdPersons(tx: BiometricsTransaction, lines: readonly DecidedLine[]): Promise<void> {
  const persons = lines.flatMap(({ run, result }) => personOf(run, result) ?? []);
  if (persons.length > 0) await tx.erasure.hold(persons);
}

const personOf = (run: LineRun, { gkOwnerId }: LineResult): string | undefined =>
  run.gkPersonId ?? (isOfPerson(run) ? gkOwnerId : undefined);

/** Whose the recordings are is remembered whatever the line ended in. */
async function tieToPerson(tx: BiometricsTransaction, run: LineRun, result: LineResult): Promise<void> {
  const gkPersonId = personOf(run, result);
  if (gkPersonId !== undefined) await tieRecordings(tx, run, gkPersonId);
}

/**
 * False where the line has ended otherwise: it was done by another node, or its person was erased. Of an erased person it keeps
 * nothing, and the recordings that it names for them go too.
 */
async function noteEnd(tx: BiometricsTransaction, run: LineRun, result: LineResult): Promise<boolean> {
  const { deps, job, line } = run;
  const { gkScopeId, gkJobId } = job;
  const gkPersonId = personOf(run, result);
  if (gkPersonId === undefined) return endWithOthers(tx, run, result);
  // With whom it was about, also where it failed: their own ID may be forgotten before them.
  if (!(await tx.erasure.isErased(gkPersonId)))
    return endWithOthers(tx, run, { gkOwnerId: gkPersonId, ...result });
  await eraseIfErased(deps, tx, { gkScopeId, gkPersonId });
  for (const each of [line.line, ...(line.others ?? [])])
    await tx.batches.forgetLine(gkScopeId, gkJobId, each);
  return false;
}

/** Lines that are done with this one end with it, and as it does. */
async function endWithOthers(
  tx: BiometricsTransaction,
  { job: { gkScopeId, gkJobId }, line }: LineRun,
  result: LineResult,
): Promise<boolean> {
  if (!(await tx.batches.end(gkScopeId, gkJobId, line.line, result))) return false;
  const message = [result.message, `together with line ${line.line}`]
    .filter((part) => part !== '')
    .join('; ');
  for (const other of line.others ?? [])
    await tx.batches.end(gkScopeId, gkJobId, other, { ...result, message });
  return true;
}

/** Those that were uploaded before, and those that an attempt which was cut off has left. */
async function tieRecordings(tx: BiometricsTransaction, run: LineRun, gkPersonId: string): Promise<void> {
  const { job, line, settings } = run;
  const { gkScopeId } = job;
  if (settings.dryRun) return;
  const person = { gkScopeId, gkPersonId };
  for (const { gkMediaSegmentId } of line.recordings)
    if (gkMediaSegmentId !== undefined) await tx.erasure.tieSaid(person, { gkMediaSegmentId });
  for (const gkSessionId of sessionsOf(run)) await tx.erasure.tieSaid(person, { gkSessionId });
}

const isOfPerson = ({ settings }: LineRun): boolean => settings.operation !== 'REGISTER';

/** Begun for a person who was erased since: it is not done for anybody of the same name. */
export const isOfErased = async ({ deps, gkPersonId }: LineRun): Promise<boolean> =>
  gkPersonId !== undefined && (await deps.store.read.erasure.isErased(gkPersonId));

/** The line, with whom it is about. */
export async function withOwner(run: LineRun): Promise<LineRun> {
  const { deps, job, line } = run;
  const { owner: _before, gkPersonId: _person, ...rest } = run;
  if (line.ownerId === '') return rest;
  const kind = isOfPerson(run) ? 'PERSON' : 'FRAUDSTER';
  const owner = await deps.store.read.parties.findByExternalId(job.gkScopeId, kind, line.ownerId);
  const gkPersonId = line.gkPersonId ?? (kind === 'PERSON' ? owner?.gkId : undefined);
  return { ...rest, ...(owner && { owner }), ...(gkPersonId !== undefined && { gkPersonId }) };
}

/**
 * Each line has a session of its own, which holds its recordings and claims the person that the line names. It is noted with the
 * line: should the server be cut off, or the person be erased, it is known whose recordings these are.
 */
export async function sessionOf(run: LineRun): Promise<RequestContext> {
  const { deps, call, job, settings, line, owner, gkPersonId, done } = run;
  if (done.context) return done.context;
  const { gkScopeId } = job;
  const { configsetId } = settings;
  const session = await deps.store.asOne(
    () =>
      startSession(deps, call, {
        context: { gkScopeId, configsetId },
        sessionType: 'OFFLINE_MEDIA_PROCESSING',
        isTest: false,
        details: {
          // Who has no entry cannot be claimed.
          ...(line.ownerId !== '' &&
            !owner &&
            isOfPerson(run) && { batchLine: { gkJobId: job.gkJobId, line: line.line } }),
        },
        gkJobId: job.gkJobId,
        ...(owner?.kind === 'PERSON' && { claimedGkPersonId: owner.gkId }),
      }),
    async (tx, { gkSessionId }) => {
      if (gkPersonId !== undefined) await tieRecordings(tx, run, gkPersonId);
      const begun: OpenLine = {
        ...line,
        gkSessionIds: [...(line.gkSessionIds ?? []), gkSessionId],
        ...(gkPersonId !== undefined && { gkPersonId }),
      };
      if (!(await tx.batches.begin(gkScopeId, job.gkJobId, begun)))
        throw new AppError('INVALID_REQUEST', 'the line has finished in the meantime');
    },
  );
  done.context = { gkScopeId, configsetId, ...session };
  return done.context;
}

/** What was begun for a line: now, and by attempts that were cut off. */
const sessionsOf = ({ line, done: { context } }: LineRun): string[] => [
  ...(line.gkSessionIds ?? []),
  ...(context?.gkSessionId ? [context.gkSessionId] : []),
];

export const hasSessions = (run: LineRun): boolean => sessionsOf(run).length > 0;

/** Nobody comes back to them. Each has an engagement of its own, which is over with it. */
export async function closeSessions(run: LineRun): Promise<void> {
  const { deps, call, job, done } = run;
  for (const session of await deps.store.read.sessions.findMany(job.gkScopeId, sessionsOf(run))) {
    const { gkScopeId, gkSessionId, gkEngagementId, isActive } = session;
    if (!isActive) continue;
    // One that was cut off has decided nothing, and its config set may be gone.
    const isOwn = gkSessionId === done.context?.gkSessionId;
    const configsetId = isOwn ? done.context?.configsetId : undefined;
    await stopEngagement(deps, call, { gkScopeId, gkEngagementId, ...(configsetId && { configsetId }) });
  }
}

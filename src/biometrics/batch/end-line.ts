// Makes the result of a line durable: with all changes that lead to it, or with none of them.
import { audit } from '../call/audit.js';
import { eraseIfErased } from '../call/data-subjects.js';
import type { LineResult } from '../model/batches.js';
import { isCanceled } from '../model/jobs.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { BatchDeps } from './deps.js';
import { isOfPerson, type Changed, type DecidedLine, type LineEnd, type LineRun } from './line.js';
import { closeSessions, sessionsOf, tieRecordings } from './line-session.js';
import { say } from '../../words/server/say.js';

/** Aborts a transaction of which nothing may stay. */
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
  // A failure must not reach `asOne`, which would keep everything done before it.
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
      // Another node has processed the line meanwhile, the batch was canceled, or the person was erased. The
      // owner created for it no longer exists.
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

/** Closes everything that was begun for the line; its contents can be found by it. */
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

/**
 * The batch was canceled while the line was processed: what was begun for it is not a call waiting for an
 * answer.
 */
async function giveUp(tx: BiometricsTransaction, run: LineRun): Promise<void> {
  const { deps, call, job } = run;
  const { gkScopeId, gkJobId } = job;
  if (!isCanceled(await tx.jobs.find(gkScopeId, gkJobId))) return;
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

/**
 * Lines that changed nothing, together. All links come before all lines, as in erasure; otherwise the two
 * would wait for each other.
 */
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

/** Whose recordings these are is remembered whatever the outcome of the line. */
async function tieToPerson(tx: BiometricsTransaction, run: LineRun, result: LineResult): Promise<void> {
  const gkPersonId = personOf(run, result);
  if (gkPersonId !== undefined) await tieRecordings(tx, run, gkPersonId);
}

/**
 * False if the line has ended differently: another node processed it, or its person was erased. Nothing is
 * kept of an erased person, and the recordings that the line names for them are deleted too.
 */
async function noteEnd(tx: BiometricsTransaction, run: LineRun, result: LineResult): Promise<boolean> {
  const { deps, job, line } = run;
  const { gkScopeId, gkJobId } = job;
  const gkPersonId = personOf(run, result);
  if (gkPersonId === undefined) return endWithOthers(tx, run, result);
  // Stored with its person even if it failed: their own ID may be forgotten before they are.
  if (!(await tx.erasure.isErased(gkPersonId)))
    return endWithOthers(tx, run, { gkOwnerId: gkPersonId, ...result });
  await eraseIfErased(deps, tx, { gkScopeId, gkPersonId });
  for (const each of [line.line, ...(line.others ?? [])])
    await tx.batches.forgetLine(gkScopeId, gkJobId, each);
  return false;
}

/** Lines that are processed together with this one end with the same result. */
async function endWithOthers(
  tx: BiometricsTransaction,
  { job: { gkScopeId, gkJobId }, line }: LineRun,
  result: LineResult,
): Promise<boolean> {
  if (!(await tx.batches.end(gkScopeId, gkJobId, line.line, result))) return false;
  const said = [...result.said, say('TOGETHER_WITH_LINE', { line: line.line })];
  for (const other of line.others ?? []) await tx.batches.end(gkScopeId, gkJobId, other, { ...result, said });
  return true;
}

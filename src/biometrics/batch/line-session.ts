// The session of a line: it holds the recordings, and says whose they are.
import { AppError } from '../../errors.js';
import type { RequestContext } from '../call/context.js';
import type { OpenLine } from '../model/batches.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { startSession } from '../sessions/start-session.js';
import { stopEngagement } from '../sessions/stop-engagement.js';
import { isOfPerson, type LineRun } from './line.js';
import { say } from '../../words/server/say.js';

/**
 * Each line has its own session, which holds its recordings and claims the person that the line names. It is
 * stored with the line: if the server is interrupted, or the person is erased, it is known whose recordings
 * these are.
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
          // Somebody without an entry cannot be claimed.
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
        throw new AppError('INVALID_REQUEST', say('LINE_FINISHED'));
    },
  );
  done.context = { gkScopeId, configsetId, ...session };
  return done.context;
}

/** Sessions begun for a line: now, and by interrupted attempts. */
export const sessionsOf = ({ line, done: { context } }: LineRun): string[] => [
  ...(line.gkSessionIds ?? []),
  ...(context?.gkSessionId ? [context.gkSessionId] : []),
];

export const hasSessions = (run: LineRun): boolean => sessionsOf(run).length > 0;

/** Nobody will use them again. Each has its own engagement, which ends with it. */
export async function closeSessions(run: LineRun): Promise<void> {
  const { deps, call, job, done } = run;
  for (const session of await deps.store.read.sessions.findMany(job.gkScopeId, sessionsOf(run))) {
    const { gkScopeId, gkSessionId, gkEngagementId, isActive } = session;
    if (!isActive) continue;
    // An interrupted one has decided nothing, and its config set may have been deleted.
    const isOwn = gkSessionId === done.context?.gkSessionId;
    const configsetId = isOwn ? done.context?.configsetId : undefined;
    await stopEngagement(deps, call, { gkScopeId, gkEngagementId, ...(configsetId && { configsetId }) });
  }
}

/** Recordings that were uploaded before, and those left by an interrupted attempt. */
export async function tieRecordings(
  tx: BiometricsTransaction,
  run: LineRun,
  gkPersonId: string,
): Promise<void> {
  const { job, line, settings } = run;
  const { gkScopeId } = job;
  if (settings.dryRun) return;
  const person = { gkScopeId, gkPersonId };
  for (const { gkMediaSegmentId } of line.recordings)
    if (gkMediaSegmentId !== undefined) await tx.erasure.linkSaid(person, { gkMediaSegmentId });
  for (const gkSessionId of sessionsOf(run)) await tx.erasure.linkSaid(person, { gkSessionId });
}

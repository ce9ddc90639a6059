// Stores a factor of a session: the result of one call on audio. What all factors have in common is added here, so that no
// operation forgets it: whose it is, when, under which config set, and whether it was only a test.
import type { FullContext } from '../call/context.js';
import type { MediaSegment } from '../model/media.js';
import type { Factor, Session } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { rememberConfigsetIfNone } from '../sessions/remembered-parameters.js';
import type { OperationDeps } from './deps.js';

type Common =
  | 'factorId'
  | 'gkScopeId'
  | 'gkEngagementId'
  | 'gkSessionId'
  // These belong to the call, not to its findings.
  | 'configsetRevisionId'
  | 'createdAtMs';

interface Within {
  deps: Pick<OperationDeps, 'ids' | 'clock'>;
  context: FullContext;
}

/** Inside the caller's transaction. Whatever is done in a test session is a test, whatever the caller says. */
export async function storeFactor(
  tx: BiometricsTransaction,
  { deps, context }: Within,
  { isTest, ...factor }: Omit<Factor, Common | 'isTest'> & { isTest?: boolean },
): Promise<void> {
  const { gkScopeId, engagement, session, configset } = context;
  await tx.factors.insert({
    factorId: deps.ids.uuid(),
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    configsetRevisionId: configset.gkConfigsetRevisionId,
    createdAtMs: deps.clock.now(),
    ...factor,
    ...((session.isTest || isTest === true) && { isTest: true }),
  });
  await rememberConfigsetIfNone(tx, session, configset.configsetId, deps.clock.now());
}

/** Whether a recording used in this session comes from a trial session: then it stays a trial. */
export async function isOfTrial(
  tx: Pick<BiometricsTransaction, 'sessions'>,
  { gkScopeId, gkSessionId }: Pick<Session, 'gkScopeId' | 'gkSessionId'>,
  media: Pick<MediaSegment, 'gkSessionId'>,
): Promise<boolean> {
  if (media.gkSessionId === gkSessionId) return false;
  return (await tx.sessions.find(gkScopeId, media.gkSessionId))?.isTest === true;
}

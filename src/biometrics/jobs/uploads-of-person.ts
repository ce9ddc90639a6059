// Sessions that only contain recordings for batches, some of them a person's (ADR 0083). Only a batch line or a comparison can
// say whose the others are: what is known about one recording says nothing about the next.
import type { Repositories } from '../ports/store.js';
import { uploadsAmong } from '../sessions/uploads.js';

/**
 * Called before anything of the person is deleted, because that may include what makes a session an upload.
 * Uploads known from an earlier step of the same erasure are passed in.
 */
export async function uploadsWith(
  tx: Pick<Repositories, 'media' | 'sessions'>,
  { gkScopeId, gkPersonId }: { gkScopeId: string; gkPersonId: string },
  known: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const theirs = await tx.media.listByPerson(gkScopeId, gkPersonId);
  const ids = new Set(theirs.map(({ gkSessionId }) => gkSessionId));
  const sessions = await tx.sessions.findMany(gkScopeId, [...ids]);
  // A session that claims somebody is about them, even if it was given up.
  const unclaimed = sessions.filter(({ isErased, claimedGkPersonId }) => !isErased && !claimedGkPersonId);
  return new Set([...known, ...(await uploadsAmong(tx, gkScopeId, unclaimed))]);
}

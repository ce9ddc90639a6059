// Which recordings of an erased person stay, why, and what becomes of the tie between the two.
import type { MediaSegment } from '../model/media.js';
import type { TiesLookedAt } from '../ports/erasure.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import type { SaidOfOthers } from './lines-of-person.js';

export type ReasonToKeep = 'keptOnLegalHold' | 'keptAsFraud' | 'keptForOthers';

interface Stay {
  reason: ReasonToKeep;
  tie: keyof TiesLookedAt;
}

export async function reasonToStay(
  tx: Pick<Repositories, 'engagements' | 'erasure'>,
  segment: MediaSegment,
  gkPersonId: string,
  saidOfOthers: SaidOfOthers,
): Promise<Stay | 'not known yet' | undefined> {
  if (segment.legalHold) return { reason: 'keptOnLegalHold', tie: 'kept' };
  const engagement = await tx.engagements.find(segment.gkScopeId, segment.gkEngagementId);
  if (engagement?.verdict?.verdict === 'FRAUD') return { reason: 'keptAsFraud', tie: 'kept' };
  const { isGuess, servesOthers } = await tx.erasure.tieOf(segment.gkMediaSegmentId, gkPersonId);
  // What is enrolled for, or known of, somebody else is theirs from now on.
  if (servesOthers) return { reason: 'keptForOthers', tie: isGuess ? 'guessed' : 'shared' };
  const said = isGuess ? saidOfOthers(segment.gkMediaSegmentId) : 'no';
  if (said === 'yes') return { reason: 'keptForOthers', tie: 'awaited' };
  return said === 'no' ? undefined : said;
}

/** What is computed from a recording, and the recording itself, are no longer called the person's. */
export async function detachFromPerson(
  tx: BiometricsTransaction,
  segment: MediaSegment,
  gkPersonId: string,
): Promise<void> {
  const { gkScopeId, gkMediaSegmentId } = segment;
  for (const audio of await tx.processedAudios.listByMedia(gkScopeId, gkMediaSegmentId)) {
    const { gkPersonId: owner, ...others } = audio;
    if (owner === gkPersonId) await tx.processedAudios.update(others);
  }
  if (segment.gkPersonId !== gkPersonId) return;
  const { gkPersonId: _gone, ...rest } = segment;
  await tx.media.update(rest);
}

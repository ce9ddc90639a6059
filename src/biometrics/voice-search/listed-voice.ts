// Whether a voice that is to be put on a watchlist is already on it under another name: two entries for one voice split what
// is known about it, and nobody notices unless told.
import type { ProcessedAudio } from '../model/media.js';
import { findPrints, scorable } from '../operations/candidates.js';
import type { OpenedCall } from '../operations/opened-call.js';
import { decideScore } from '../rules/decide-score.js';

export interface ListedVoice {
  gkFraudsterId: string;
  fraudsterId: string;
  gkVoiceprintProfileId: string;
  llr: number;
}

/** By the rule of DetectKnownFraudsters, over all recordings; prints of `exceptOwner` are the voice's own. */
export async function listedVoice(
  opened: OpenedCall,
  gkWatchlistId: string,
  audios: readonly ProcessedAudio[],
  exceptOwner?: string,
): Promise<ListedVoice | undefined> {
  const { deps, context, calibration } = opened;
  const { gkScopeId, parameters } = context;
  const samples = audios.flatMap(({ model }) =>
    model?.voice.modelRevision === calibration.model.revision ? model.voice : [],
  );
  // A missing list is refused where it is named.
  const isThere = await deps.store.read.collections.find(gkScopeId, 'WATCHLIST', gkWatchlistId);
  if (!isThere || samples.length === 0) return undefined;
  const prints = await findPrints(opened, 'FRAUDSTER', { collection: { gkId: gkWatchlistId } });
  const candidates = scorable(opened, prints);
  if (candidates.count === 0) return undefined;
  const [best] = (await candidates.nearest(calibration.model, samples))
    .flat()
    .filter(({ candidate }) => candidate.gkOwnerId !== exceptOwner)
    .sort((a, b) => b.llr - a.llr);
  if (!best) return undefined;
  const scale = { side: 'FRAUD_DETECTION', model: calibration.model, parameters } as const;
  if (decideScore(scale, best, candidates.count * samples.length).decision !== 'FRAUD') return undefined;
  const { gkOwnerId, gkVoiceprintProfileId } = best.candidate;
  const fraudster = await deps.store.read.parties.find(gkScopeId, 'FRAUDSTER', gkOwnerId);
  if (!fraudster) return undefined;
  return {
    gkFraudsterId: gkOwnerId,
    fraudsterId: fraudster.externalId,
    gkVoiceprintProfileId,
    llr: best.llr,
  };
}

// A verification that is refused because its print is locked. No audio is processed, but somebody tried: the attempt is stored
// as a factor of the session without a score, and recorded in the audit trail with the lock that refused it.
import type { NamedInCall } from '../call/tie-speaker.js';
import { audit } from '../call/audit.js';
import type { Profile } from '../model/profiles.js';
import { REFUSED_FOR_LOCK, type FactorKind } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { isRefusedForLock } from '../rules/usable-print.js';
import type { OpenedCall } from './opened-call.js';
import { isOfTrial, storeFactor } from './store-factor.js';

interface Asked {
  operation: string;
  /** What the call named; it is refused because of the first. */
  prints?: readonly string[] | undefined;
  /** The recording that was sent, as far as it is known here. */
  of: NamedInCall['of'];
}

const KIND: FactorKind = 'AUTHENTICATION';

/** Called before the caller is told. */
export async function recordIfRefused(
  opened: OpenedCall,
  error: unknown,
  { operation, prints: [print] = [], of }: Asked,
): Promise<void> {
  if (print === undefined || !isRefusedForLock(error)) return;
  const { deps, call, context, calibration } = opened;
  const { gkScopeId, engagement, session, configset } = context;
  const owner = (await deps.store.read.profiles.find(gkScopeId, print))?.gkOwnerId;
  await deps.store.transaction(async (tx) => {
    // As in every transaction about somebody's voice: their erasure begins there too.
    if (owner !== undefined) await tx.erasure.hold([owner]);
    const profile = await tx.profiles.find(gkScopeId, print);
    // Deleted meanwhile: there is nobody it would be about.
    if (!profile) return;
    const heard = await knownAudio(tx, gkScopeId, of);
    const media = heard.gkMediaSegmentId && (await tx.media.find(gkScopeId, heard.gkMediaSegmentId));
    const outcome = { decision: 'UNCERTAIN', reason: REFUSED_FOR_LOCK } as const;
    await storeFactor(tx, opened, {
      kind: KIND,
      operation,
      ...outcome,
      netSpeechMs: 0,
      prints: 0,
      gkVoiceprintProfileId: print,
      ...(heard.gkProcessedAudioId && { gkProcessedAudioId: heard.gkProcessedAudioId }),
      calibrationRevisionId: calibration.revisionId,
      isTest: media ? await isOfTrial(tx, session, media) : false,
    });
    await audit(tx, call, {
      type: 'FACTORS_AUDIT_INFO_EVENT',
      operation,
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      configsetId: configset.configsetId,
      subjects: [print, profile.gkOwnerId],
      detail: {
        factor: KIND,
        ...outcome,
        gkVoiceprintProfileId: print,
        ...lockDetail(profile),
        ...heard,
        configsetRevisionId: configset.gkConfigsetRevisionId,
      },
    });
  });
}

/** By whom and why, in words, is stored with the print and in the record of the lock. */
function lockDetail({ lock }: Profile): Record<string, string> {
  const { reason, lockedAtMs, autoUnlockAtMs } = lock;
  return {
    ...(reason && { lockReason: reason }),
    ...(lockedAtMs !== undefined && { lockedAt: new Date(lockedAtMs).toISOString() }),
    ...(autoUnlockAtMs !== undefined && { autoUnlockAt: new Date(autoUnlockAtMs).toISOString() }),
  };
}

/** What the caller names is stored only if it exists: an analyst may listen to it. */
async function knownAudio(
  tx: BiometricsTransaction,
  gkScopeId: string,
  { gkProcessedAudioId, gkMediaSegmentId }: NamedInCall['of'],
): Promise<{ gkProcessedAudioId?: string; gkMediaSegmentId?: string }> {
  if (gkProcessedAudioId) {
    const audio = await tx.processedAudios.find(gkScopeId, gkProcessedAudioId);
    return audio ? { gkProcessedAudioId, gkMediaSegmentId: audio.gkMediaSegmentId } : {};
  }
  if (!gkMediaSegmentId) return {};
  return (await tx.media.find(gkScopeId, gkMediaSegmentId)) ? { gkMediaSegmentId } : {};
}

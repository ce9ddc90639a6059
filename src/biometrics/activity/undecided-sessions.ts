// Which sessions of a list read as a yes while an attack check in them could not tell whether a live person spoke.
import type { Factor, FactorKind, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { readsAsYes, undecidedIn } from '../rules/open-check.js';

/** By session, where there is such a check. The sessions come with their decisions as of now. */
export async function undecidedSessions(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, FactorKind[]>> {
  const yes = sessions.filter(({ decision }) => readsAsYes(decision?.decision));
  const ids = yes.map(({ gkSessionId }) => gkSessionId);
  const bySession = await read.factors.listBySessions(gkScopeId, ids);
  const found = new Map<string, FactorKind[]>();
  for (const { gkSessionId, decision } of yes) {
    const factors = bySession.get(gkSessionId) ?? [];
    const undecided = (recordingOf: (factor: Factor) => string): FactorKind[] =>
      undecidedIn(decision?.decision, factors, recordingOf);
    // What each check has heard matters only where one could not tell.
    if (undecided(() => '').length === 0) continue;
    const checks = undecided(await recordings({ read }, gkScopeId, factors));
    if (checks.length > 0) found.set(gkSessionId, checks);
  }
  return found;
}

/** Which recording a check has heard; the same may have been processed more than once. A live call is none. */
async function recordings(
  { read }: Pick<BiometricsDeps['store'], 'read'>,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<(factor: Factor) => string> {
  const ids = [...new Set(factors.flatMap(({ gkProcessedAudioId }) => gkProcessedAudioId || []))];
  const audios = ids.length > 1 ? await read.processedAudios.findMany(gkScopeId, ids) : [];
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  return ({ gkProcessedAudioId = '' }) => mediaOf.get(gkProcessedAudioId) ?? gkProcessedAudioId;
}

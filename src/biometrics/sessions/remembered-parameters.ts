// Which config set controls a call on a session that names none: the one the session last used
// (docs/reference/voiceprint-management.md#config-set-of-a-session), otherwise the defaults.
import { defaultParameters, type Parameters } from '../model/parameters.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { Session } from '../model/sessions.js';

export async function rememberedParameters(deps: BiometricsDeps, session: Session): Promise<Parameters> {
  if (!session.configsetId) return defaultParameters;
  const revision = await deps.store.read.configsets.findActive(
    session.gkScopeId,
    'CONFIGSET',
    session.configsetId,
  );
  return revision ? deps.configsetCache.parametersOf(revision) : defaultParameters;
}

/**
 * The config set of a call that asks for the decision replaces the remembered one: stopping the session then
 * uses it too.
 */
export async function rememberNamedConfigset(
  deps: BiometricsDeps,
  session: Session,
  configsetId: string | undefined,
): Promise<void> {
  if (!configsetId || session.configsetId.toLowerCase() === configsetId.toLowerCase()) return;
  await deps.store.transaction(async (tx) => {
    const current = await tx.sessions.find(session.gkScopeId, session.gkSessionId);
    if (current) await tx.sessions.update({ ...current, configsetId });
  });
}

/** The config set of a call on audio is remembered if the session has none yet. */
export async function rememberConfigsetIfNone(
  tx: Pick<BiometricsTransaction, 'sessions'>,
  session: Session,
  configsetId: string,
  nowMs: number,
): Promise<void> {
  if (session.configsetId) return;
  const current = await tx.sessions.find(session.gkScopeId, session.gkSessionId);
  if (current && !current.configsetId)
    await tx.sessions.update({ ...current, configsetId, modifiedAtMs: nowMs });
}

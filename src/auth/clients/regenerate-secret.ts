// Gives a client a new secret, shown this once. The old one stops at once, or at the end of an overlap window so
// that a fleet can be moved over. Owners only (docs/reference/token-contract.md#client-credentials).
import { AppError, invalidFields, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { requireClientRight } from '../permissions.js';
import { generateSecret } from '../secrets.js';
import { say } from '../../words/server/say.js';

interface RegenerateSecretInput {
  clientId: string;
  /** How long the replaced secret keeps working; 0 or absent ends it now. */
  overlapMs?: number;
}

export async function regenerateSecret(
  deps: AuthDeps,
  call: Call,
  input: RegenerateSecretInput,
): Promise<{ clientId: string; secret: string; previousExpiresAtMs: number }> {
  const { clientId, overlapMs = 0 } = input;
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, found, 'hold-secret');
  if (found.authMethod !== 'secret') throw new AppError('PERMISSION_DENIED', say('NO_SECRET'));
  if (found.kind === 'engagement' && found.locked)
    throw new AppError('PERMISSION_DENIED', say('CLIENT_LOCKED'));
  const { secretOverlapMaxMs } = deps.settings;
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > secretOverlapMaxMs) {
    throw invalidFields([
      { field: 'overlap', violation: 'OUT_OF_RANGE', ...say('OUT_OF_RANGE_MS', { max: secretOverlapMaxMs }) },
    ]);
  }
  const secret = generateSecret(deps.ids);
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    if (!(await tx.clients.lock(clientId))) throw notFound('client', 'client_id');
    const previousExpiresAtMs = nowMs + overlapMs;
    for (const old of await tx.clients.secrets(clientId)) {
      // Only the current secret may stay valid for a while; those already expiring end here, so that there
      // are never more than two.
      if (overlapMs > 0 && old.expiresAtMs === undefined)
        await tx.clients.setSecretExpiry(old.secretId, previousExpiresAtMs);
      else await tx.clients.deleteSecret(old.secretId);
    }
    const hash = deps.secrets.hash(clientId, secret);
    await tx.clients.insertSecret({
      secretId: deps.ids.uuid(),
      clientId,
      hash,
      createdAtMs: nowMs,
      expiresAtMs: undefined,
    });
    await announce('client', clientId, 'refresh');
    await audit('client.regenerate-secret', { type: 'client', id: clientId }, { overlapMs });
    return { clientId, secret, previousExpiresAtMs };
  });
}

// Removes the public keys or the certificate of a client. It cannot get tokens until an owner creates a secret or registers
// keys.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { requireClientRight } from '../permissions.js';

export async function deleteClientKeys(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string },
): Promise<Client> {
  const { clientId } = input;
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, found, 'hold-secret');
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.clients.lock(clientId);
    if (!before) throw notFound('client', 'client_id');
    if (before.keys.length === 0 && !before.certificate) throw notFound('key', 'client_id');
    const client: Client = {
      ...before,
      keys: [],
      certificate: undefined,
      authMethod: 'secret',
      updatedAtMs: nowMs,
    };
    await tx.clients.update(client);
    // Keys are removed because others may have them, and so may tokens that were obtained with them.
    await announce('client', clientId, before.locked ? 'refresh' : 'void-earlier');
    await audit('client.delete-keys', { type: 'client', id: clientId }, { keys: before.keys.length });
    return client;
  });
}

// Removes a client; its tokens stop working within seconds. The last client of an application ID stays
// (docs/reference/token-contract.md#client-credentials).
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { requireClientRight } from '../permissions.js';
import { endGrantsOfClient } from './end-grants.js';
import { say } from '../../words/server/say.js';

export async function deleteClient(deps: AuthDeps, call: Call, input: { clientId: string }): Promise<void> {
  const { clientId } = input;
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, found, 'manage');
  await commit(deps, call, async ({ tx, audit, announce }) => {
    const client = await tx.clients.get(clientId);
    if (!client) throw notFound('client', 'client_id');
    if (client.appId !== undefined) {
      // Touching the environment's row makes two simultaneous deletions wait for each other.
      const environment = await tx.environments.get(client.appId);
      if (environment) await tx.environments.update(environment);
      if ((await tx.clients.list({ appId: client.appId })).length <= 1) {
        throw new AppError('PERMISSION_DENIED', say('LAST_CLIENT'), {
          diagnostics: [{ code: 'LAST_CLIENT' }],
        });
      }
    }
    await tx.clients.delete(clientId);
    await endGrantsOfClient(tx, clientId);
    await announce('client', clientId, 'gone');
    await audit('client.delete', { type: 'client', id: clientId }, { kind: client.kind });
  });
}

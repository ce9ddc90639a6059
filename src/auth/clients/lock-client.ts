// Locks and unlocks a client. A lock refuses its secret, voids its tokens (at once here, within seconds
// elsewhere) and ends everything that people had allowed it.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { requireClientRight } from '../permissions.js';
import { endGrantsOfClient } from './end-grants.js';

/** The reason goes into the audit trail. */
export async function lockClient(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string; reason?: string },
): Promise<Client> {
  return setLocked(deps, call, input.clientId, true, input.reason);
}

/** Tokens issued before the lock stay void. */
export async function unlockClient(deps: AuthDeps, call: Call, input: { clientId: string }): Promise<Client> {
  return setLocked(deps, call, input.clientId, false);
}

const REASON_LENGTH_MAX = 1000;

async function setLocked(
  deps: AuthDeps,
  call: Call,
  clientId: string,
  locked: boolean,
  reason = '',
): Promise<Client> {
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, found, 'manage');
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.clients.lock(clientId);
    if (!before) throw notFound('client', 'client_id');
    if (before.locked === locked) return before;
    const client = { ...before, locked, updatedAtMs: nowMs };
    await tx.clients.update(client);
    if (locked) await endGrantsOfClient(tx, clientId);
    await announce('client', clientId, locked ? 'void-all' : 'reopen');
    const detail = reason === '' ? {} : { reason: reason.slice(0, REASON_LENGTH_MAX) };
    await audit(locked ? 'client.lock' : 'client.unlock', { type: 'client', id: clientId }, detail);
    return client;
  });
}

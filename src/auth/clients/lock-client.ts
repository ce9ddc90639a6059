// Locks and unlocks a client. A lock refuses its secret, voids its tokens (at once here, within seconds
// elsewhere) and ends everything that people had allowed it. The secret of an engagement client is gone with it:
// such a client is locked because its secret is known to others, and gets another one when it is unlocked.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { requireClientRight } from '../permissions.js';
import { generateSecret } from '../secrets.js';
import { endGrantsOfClient } from './end-grants.js';

/** The reason goes into the audit trail. */
export async function lockClient(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string; reason?: string },
): Promise<Client> {
  return (await setLocked(deps, call, input.clientId, true, input.reason)).client;
}

interface Unlocked {
  client: Client;
  /** The new one of an engagement client. */
  secret?: string;
}

/** Tokens issued before the lock stay void. */
export async function unlockClient(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string },
): Promise<Unlocked> {
  return setLocked(deps, call, input.clientId, false);
}

const REASON_LENGTH_MAX = 1000;

async function setLocked(
  deps: AuthDeps,
  call: Call,
  clientId: string,
  locked: boolean,
  reason = '',
): Promise<Unlocked> {
  const found = await deps.store.direct.clients.get(clientId);
  if (!found) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, found, 'manage');
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.clients.lock(clientId);
    if (!before) throw notFound('client', 'client_id');
    if (before.locked === locked) return { client: before };
    const client = { ...before, locked, updatedAtMs: nowMs };
    await tx.clients.update(client);
    if (locked) await endGrantsOfClient(tx, clientId);
    const endsSecret = before.kind === 'engagement';
    if (endsSecret)
      for (const { secretId } of await tx.clients.secrets(clientId)) await tx.clients.deleteSecret(secretId);
    const secret = endsSecret && !locked ? generateSecret(deps.ids) : undefined;
    if (secret !== undefined) {
      const hash = deps.secrets.hash(clientId, secret);
      const secretId = deps.ids.uuid();
      await tx.clients.insertSecret({ secretId, clientId, hash, createdAtMs: nowMs, expiresAtMs: undefined });
    }
    await announce('client', clientId, locked ? 'void-all' : 'reopen');
    const detail = reason === '' ? {} : { reason: reason.slice(0, REASON_LENGTH_MAX) };
    await audit(locked ? 'client.lock' : 'client.unlock', { type: 'client', id: clientId }, detail);
    return { client, ...(secret !== undefined && { secret }) };
  });
}

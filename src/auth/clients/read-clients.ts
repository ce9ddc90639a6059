// Reads clients; secrets show only as dates.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { getEnvironment } from '../get-environment.js';
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { requireClientRight, requireOverview, requireReader, requireSelf } from '../permissions.js';

interface ClientDetails {
  client: Client;
  /** Newest first. */
  secrets: Array<{ createdAtMs: number; expiresAtMs: number | undefined }>;
}

/** Clients of one application ID. */
export async function listClients(deps: AuthDeps, call: Call, input: { appId: string }): Promise<Client[]> {
  const { applicationId } = await getEnvironment(deps, call, input);
  await requireReader(deps, call, applicationId);
  return deps.store.direct.clients.list({ appId: input.appId });
}

/** Tooling clients on a profile, newest first: one's own, or anybody's for administrators and auditors. */
export async function listToolingClients(
  deps: AuthDeps,
  call: Call,
  input: { userId?: string } = {},
): Promise<Client[]> {
  const { userId = requireSelf(call) } = input;
  if (userId === call.caller.userId) requireSelf(call);
  else requireOverview(call);
  return (await deps.store.direct.clients.list({ kind: 'tooling', userId })).toReversed();
}

export async function listEngagementClients(deps: AuthDeps, call: Call): Promise<Client[]> {
  requireOverview(call);
  return deps.store.direct.clients.list({ kind: 'engagement' });
}

export async function getClient(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string },
): Promise<ClientDetails> {
  const client = await deps.store.direct.clients.get(input.clientId);
  if (!client) throw notFound('client', 'client_id');
  await requireClientRight(deps, call, client, 'see');
  const nowMs = deps.clock.now();
  const secrets = (await deps.store.direct.clients.secrets(input.clientId))
    .filter(({ expiresAtMs }) => expiresAtMs === undefined || expiresAtMs > nowMs)
    .sort((a, b) => b.createdAtMs - a.createdAtMs)
    .map(({ createdAtMs, expiresAtMs }) => ({ createdAtMs, expiresAtMs }));
  return { client, secrets };
}

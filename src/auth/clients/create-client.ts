// Adds a client ID to an application ID. It has a secret, or public keys for private_key_jwt, never both.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { listFaults } from '../fields.js';
import type { Client, PublicJwk } from '../model.js';
import { requireOwner } from '../permissions.js';
import { requireGrantable, scopesOfNewClient } from '../grantable-scopes.js';
import { isRuntimeScope } from '../scopes.js';
import { generateSecret } from '../secrets.js';
import { buildRuntimeClientId, clientNameFault } from './client-id.js';
import { newRuntimeClient } from './new-client.js';
import { publicKeyFaults } from './public-keys.js';
import { say } from '../../words/server/say.js';

interface CreateClientInput {
  appId: string;
  geography: string;
  name: string;
  /** Runtime scopes it may request; the usual ones that the caller may give if left out. */
  scopes?: readonly string[];
  /** Public keys: the client then signs its requests and has no secret. */
  keys?: readonly PublicJwk[];
  /** Issue tokens only against a DPoP proof. */
  dpopRequired?: boolean;
}

const CLIENTS_PER_APP_MAX = 100;
const SCOPES_MAX = 16;

export async function createClient(
  deps: AuthDeps,
  call: Call,
  input: CreateClientInput,
): Promise<{ client: Client; secret: string | undefined }> {
  const { appId, geography, name, keys = [], dpopRequired = false } = input;
  const environment = await deps.store.direct.environments.get(appId);
  if (!environment) throw notFound('environment', 'app_id');
  await requireOwner(deps, call, environment.applicationId);
  refuseFaults([
    clientNameFault('name', name),
    ...(input.scopes === undefined ? [] : runtimeScopeFaults('scopes', input.scopes)),
    ...publicKeyFaults('keys', keys),
  ]);
  if (input.scopes) await requireGrantable(deps, call, input.scopes);
  const scopes = input.scopes ?? (await scopesOfNewClient(deps, call));
  if (!environment.geographies.includes(geography)) throw notFound('geography', 'geography');
  const clientId = buildRuntimeClientId({ appId, geography, clientName: name });
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const present = await tx.clients.list({ appId });
    if (present.some((client) => client.clientId === clientId)) {
      throw new AppError('ALREADY_EXISTS', say('CLIENT_EXISTS'));
    }
    if (present.length >= CLIENTS_PER_APP_MAX) {
      throw new AppError('QUOTA_EXCEEDED', say('TOO_MANY_CLIENTS', { max: CLIENTS_PER_APP_MAX }));
    }
    const fresh = newRuntimeClient({
      clientId,
      appId,
      geography,
      name,
      scopes,
      keys,
      nowMs,
    });
    const client = { ...fresh, dpopRequired };
    await tx.clients.insert(client);
    let secret: string | undefined;
    if (client.authMethod === 'secret') {
      secret = generateSecret(deps.ids);
      const hash = deps.secrets.hash(clientId, secret);
      const secretId = deps.ids.uuid();
      await tx.clients.insertSecret({ secretId, clientId, hash, createdAtMs: nowMs, expiresAtMs: undefined });
    }
    // A deleted client of the same name left a mark that voids its tokens; this one starts afresh.
    await announce('client', clientId, 'reopen');
    await audit(
      'client.create',
      { type: 'client', id: clientId },
      { appId, scopes: client.scopes, authMethod: client.authMethod },
    );
    return { client, secret };
  });
}

export function runtimeScopeFaults(field: string, scopes: readonly string[]): Array<FieldFault | undefined> {
  if (scopes.length === 0) return [{ field, violation: 'MANDATORY_FIELD_MISSING', ...say('EMPTY_LIST') }];
  return listFaults(field, scopes, SCOPES_MAX, (at, scope) =>
    isRuntimeScope(scope)
      ? undefined
      : { field: at, violation: 'INVALID_FORMAT', ...say('NOT_A_SCOPE'), value: scope },
  );
}

// Credentials on a user's profile page (docs/reference/token-contract.md#who-gets-tokens): a user account
// (authorization code) or a service account (client credentials). Their tokens hold only platform-api and carry
// the permissions of that user.
import { AppError, refuseFaults, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { newToolingClient } from '../clients/new-client.js';
import { publicKeyFaults } from '../clients/public-keys.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { applicationNameFault, listFaults } from '../fields.js';
import type { Client, PublicJwk } from '../model.js';
import { requireSelf } from '../permissions.js';
import { TOOLING_SCOPE } from '../scopes.js';
import { generateSecret } from '../secrets.js';
import { redirectUriFault } from './redirect-uri.js';
import { say } from '../../words/server/say.js';

export interface CreateToolingClientInput {
  name: string;
  type: 'user-account' | 'service-account';
  /** User accounts only, exact strings; at least one. */
  redirectUris?: readonly string[];
  /** User accounts only: an app that cannot keep a secret. */
  isPublic?: boolean;
  keys?: readonly PublicJwk[];
}

const CLIENTS_PER_USER_MAX = 50;
const REDIRECT_URIS_MAX = 16;

export async function createToolingClient(
  deps: AuthDeps,
  call: Call,
  input: CreateToolingClientInput,
): Promise<{ client: Client; secret: string | undefined }> {
  const userId = requireSelf(call);
  refuseFaults(toolingFaults(input));
  const { name, type, redirectUris = [], isPublic = false, keys = [] } = input;
  const interactive = type === 'user-account';
  const authMethod = keys.length > 0 ? 'private_key_jwt' : isPublic ? 'none' : 'secret';
  return commit(deps, call, async ({ tx, nowMs, audit }) => {
    if ((await tx.clients.list({ userId, kind: 'tooling' })).length >= CLIENTS_PER_USER_MAX) {
      throw new AppError('QUOTA_EXCEEDED', say('TOO_MANY_CREDENTIALS', { max: CLIENTS_PER_USER_MAX }));
    }
    const client = newToolingClient({
      clientId: `tooling-${deps.ids.uuid()}`,
      name,
      userId,
      scopes: [TOOLING_SCOPE],
      grantTypes: interactive ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
      redirectUris: [...redirectUris],
      authMethod,
      keys: [...keys],
      nowMs,
    });
    await tx.clients.insert(client);
    let secret: string | undefined;
    if (authMethod === 'secret') {
      secret = generateSecret(deps.ids);
      const { clientId } = client;
      const hash = deps.secrets.hash(clientId, secret);
      await tx.clients.insertSecret({
        secretId: deps.ids.uuid(),
        clientId,
        hash,
        createdAtMs: nowMs,
        expiresAtMs: undefined,
      });
    }
    await audit('client.create', { type: 'client', id: client.clientId }, { type, userId, authMethod });
    return { client, secret };
  });
}

export function toolingFaults({
  name,
  type,
  redirectUris = [],
  isPublic = false,
  keys = [],
}: CreateToolingClientInput): Array<FieldFault | undefined> {
  const interactive = type === 'user-account';
  return [
    applicationNameFault('name', name),
    ...listFaults('redirect_uris', redirectUris, REDIRECT_URIS_MAX, redirectUriFault),
    ...publicKeyFaults('keys', keys),
    interactive && redirectUris.length === 0
      ? {
          field: 'redirect_uris',
          violation: 'MANDATORY_FIELD_MISSING',
          ...say('EMPTY_LIST'),
        }
      : undefined,
    !interactive && (redirectUris.length > 0 || isPublic)
      ? {
          field: 'type',
          violation: 'FIELD_CONFLICT',
          ...say('SERVICE_ACCOUNT_REDIRECT'),
        }
      : undefined,
  ];
}

// Decides whether a client is who it claims to be. Every refusal is the same invalid_client: an unknown
// client, a wrong secret and a locked client cannot be distinguished, neither by the response nor by the work
// done for it.
import type { X509Certificate } from 'node:crypto';
import type { AuthDeps } from '../deps.js';
import type { KnownClient } from '../directory.js';
import type { CertificateRule, Client, ClientKind } from '../model.js';
import { OAuthError } from '../oauth-error.js';
import { secretMatches } from '../secrets.js';
import { certificateFits } from './certificates.js';
import { claimedIdOf, type ClientCredentials } from './presented-credentials.js';
import { verifyClientAssertion } from './verify-client-assertion.js';

export async function authenticateClient(
  deps: AuthDeps,
  credentials: ClientCredentials,
  accept: {
    kinds: readonly ClientKind[];
    audiences: readonly string[];
    /** The certificate that the caller presented by TLS. */
    certificate?: X509Certificate | undefined;
  },
): Promise<Client> {
  // A server that is cut off from the others does not know whom they have locked.
  if (deps.changes.isStale) await deps.changes.poll();
  const client =
    credentials.method === 'private_key_jwt'
      ? await verifyClientAssertion(deps, credentials, accept.audiences)
      : check(deps, credentials, await deps.directory.client(credentials.clientId), accept.certificate);
  if (!client || client.locked || !accept.kinds.includes(client.kind)) {
    const reason = await reasonOf(deps, credentials, accept.kinds);
    throw new OAuthError('invalid_client', 'client authentication failed', { reason });
  }
  return client;
}

/** Only for the log; the answer is the same for all of them. */
async function reasonOf(
  deps: AuthDeps,
  credentials: ClientCredentials,
  kinds: readonly ClientKind[],
): Promise<string> {
  const clientId = claimedIdOf(credentials);
  const known = clientId === undefined ? undefined : await deps.directory.client(clientId);
  if (!known) return 'unknown_client';
  if (known.client.locked) return 'locked';
  return kinds.includes(known.client.kind) ? 'wrong_credentials' : 'wrong_endpoint';
}

function check(
  deps: AuthDeps,
  credentials: Exclude<ClientCredentials, { method: 'private_key_jwt' }>,
  known: KnownClient | undefined,
  certificate: X509Certificate | undefined,
): Client | undefined {
  if (credentials.method !== 'none') return withSecret(deps, known, credentials);
  const { client } = known ?? {};
  if (client?.certificate)
    return certificate && proves(deps, client.certificate, certificate) ? client : undefined;
  return client?.authMethod === 'none' ? client : undefined;
}

function proves(deps: AuthDeps, rule: CertificateRule, certificate: X509Certificate): boolean {
  return certificateFits(rule, certificate, deps.settings.mutualTls.authorities, deps.clock.now());
}

function withSecret(
  deps: AuthDeps,
  known: KnownClient | undefined,
  { clientId, secret }: { clientId: string; secret: string },
): Client | undefined {
  const usable = known?.client.authMethod === 'secret' ? known.secrets : [];
  // Also runs for unknown clients, against a secret that nothing matches.
  const right = secretMatches(deps.secrets, clientId, secret, usable, deps.clock.now());
  return right ? known?.client : undefined;
}

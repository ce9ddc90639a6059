// The client credentials grant (RFC 6749 section 4.4), for runtime clients, service accounts and engagement clients.
import type { AuthDeps } from '../../deps.js';
import type { Client } from '../../model.js';
import { OAuthError } from '../../oauth-error.js';
import { isGranted } from '../../scopes.js';
import { personBehind } from '../delegation.js';
import { issueAccessToken } from '../issue-access-token.js';
import type { GrantResult, TokenHolder } from '../token-request.js';

export async function clientCredentialsGrant(
  deps: AuthDeps,
  { client, dpopJkt, thumbprint }: TokenHolder,
  requested: string[] | undefined,
): Promise<GrantResult> {
  const scopes = grantedScopes(client, requested);
  if (client.kind === 'runtime') {
    const environment =
      client.appId === undefined ? undefined : await deps.directory.environment(client.appId);
    if (!environment) throw new OAuthError('invalid_client', 'client authentication failed');
    return {
      issued: issueAccessToken(deps, { client, scopes, tenants: environment.tenants, dpopJkt, thumbprint }),
    };
  }
  if (client.kind === 'tooling') {
    const user =
      client.userId === undefined ? undefined : await personBehind(deps, client.clientId, client.userId);
    if (!user) throw new OAuthError('invalid_client', 'client authentication failed');
    return { issued: issueAccessToken(deps, { client, scopes, user, dpopJkt }) };
  }
  return { issued: issueAccessToken(deps, { client, scopes, dpopJkt }) };
}

function grantedScopes(client: Client, requested: string[] | undefined): string[] {
  if (requested === undefined) {
    // The engagement API's form has no scope
    // (docs/reference/engagement-api.md#token-request-of-the-engagement-api): its clients get what they were
    // registered for.
    if (client.kind === 'engagement') return [...client.scopes];
    throw new OAuthError('invalid_request', 'scope is missing');
  }
  if (!requested.every((scope) => isGranted(client.scopes, scope)))
    throw new OAuthError('invalid_scope', 'a requested scope is unknown or not granted to this client');
  return requested;
}

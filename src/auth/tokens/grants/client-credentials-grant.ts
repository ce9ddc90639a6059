// The client credentials grant (RFC 6749 section 4.4), for runtime clients, service accounts and engagement clients.
import type { AuthDeps } from '../../deps.js';
import type { Client } from '../../model.js';
import { OAuthError } from '../../oauth-error.js';
import { isGranted, parseScope } from '../../scopes.js';
import { personBehind } from '../delegation.js';
import { issueAccessToken } from '../issue-access-token.js';
import type { GrantInput, GrantResult } from '../grant.js';

export async function clientCredentialsGrant(deps: AuthDeps, input: GrantInput): Promise<GrantResult> {
  const { client, form, dpopJkt, thumbprint } = input;
  const scopes = readScopes(client, form.get('scope'));
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

function readScopes(client: Client, value: string | undefined): string[] {
  if (value === undefined || value.trim() === '') {
    // The engagement API's form has no scope
    // (docs/reference/engagement-api.md#token-request-of-the-engagement-api): its clients get what they were
    // registered for.
    if (client.kind === 'engagement') return [...client.scopes];
    throw new OAuthError('invalid_request', 'scope is missing');
  }
  const scopes = parseScope(value);
  if (!scopes) throw new OAuthError('invalid_scope', 'scope is malformed');
  if (!scopes.every((scope) => isGranted(client.scopes, scope)))
    throw new OAuthError('invalid_scope', 'a requested scope is unknown or not granted to this client');
  return scopes;
}

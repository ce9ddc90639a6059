// Writes an access token: a JWT by RFC 9068. What it may say has been decided by the grant.
import type { AuthDeps } from '../deps.js';
import type { AccessTokenClaims, Client, UserRole } from '../model.js';
import type { Person } from './delegation.js';

export interface AccessTokenInput {
  client: Client;
  scopes: readonly string[];
  /** The person the token acts for. */
  user?: Person;
  tenants?: readonly string[];
  grantId?: string;
  dpopJkt?: string | undefined;
}

export interface IssuedAccessToken {
  token: string;
  expiresInSeconds: number;
  claims: AccessTokenClaims;
}

export function issueAccessToken(deps: AuthDeps, input: AccessTokenInput): IssuedAccessToken {
  const { client, scopes, user, tenants, grantId, dpopJkt } = input;
  const { settings } = deps;
  const engagement = client.kind === 'engagement';
  const expiresInSeconds = engagement ? settings.engagementTokenSeconds : settings.accessTokenSeconds;
  const nowMs = deps.clock.now();
  const iat = Math.floor(nowMs / 1000);
  const reach = user ? (user.tenants === 'all' ? '*' : user.tenants) : tenants;
  const claims: AccessTokenClaims = {
    iss: settings.issuer,
    sub: user ? user.userId : client.clientId,
    aud: engagement ? settings.engagementAudience : settings.audience,
    client_id: client.clientId,
    scope: scopes.join(' '),
    jti: deps.ids.uuid(),
    iat,
    iat_ms: nowMs % 1000,
    exp: iat + expiresInSeconds,
    ...(client.appId === undefined ? {} : { app_id: client.appId }),
    ...(reach === undefined ? {} : { tenants: reach }),
    ...(user ? { user_id: user.userId, role: roleOf(user) } : {}),
    ...(grantId === undefined ? {} : { grant_id: grantId }),
    ...(engagement ? { sites: client.sites } : {}),
    ...(dpopJkt === undefined ? {} : { cnf: { jkt: dpopJkt } }),
  };
  return { token: deps.keys.current().sign(JSON.stringify(claims)), expiresInSeconds, claims };
}

/** As the token's holder stands, which may be less than the person behind it. */
function roleOf({ tenants, readOnly }: Person): UserRole {
  if (readOnly === true) return 'auditor';
  return tenants === 'all' ? 'administrator' : 'member';
}

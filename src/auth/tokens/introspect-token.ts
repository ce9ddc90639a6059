// Token introspection (RFC 7662). A client sees tokens of its own application; a gateway that an administrator has allowed
// sees all. Everybody else gets the same answer as for an expired token: not active.
import type { AuthDeps } from '../deps.js';
import type { AccessTokenClaims, Client } from '../model.js';
import { hashHandle } from '../secrets.js';
import { verifyAccessToken } from './verify-access-token.js';

type Introspection =
  | { active: false }
  | ({ active: true; token_type?: 'bearer' | 'DPoP'; username?: string } & Partial<AccessTokenClaims>);

export async function introspectToken(deps: AuthDeps, client: Client, token: string): Promise<Introspection> {
  const { audience, engagementAudience } = deps.settings;
  const runtime = await verifyAccessToken(deps, token, audience);
  const verdict = runtime.valid ? runtime : await verifyAccessToken(deps, token, engagementAudience);
  if (verdict.valid) {
    const { claims } = verdict;
    if (!maySee(client, claims.client_id, claims.app_id)) return { active: false };
    const user = claims.user_id === undefined ? undefined : await deps.directory.userRights(claims.user_id);
    return {
      active: true,
      token_type: claims.cnf && 'jkt' in claims.cnf ? 'DPoP' : 'bearer',
      ...claims,
      ...(user ? { username: user.userName } : {}),
    };
  }
  return introspectRefreshToken(deps, client, token);
}

async function introspectRefreshToken(deps: AuthDeps, client: Client, token: string): Promise<Introspection> {
  const found = await deps.store.direct.grants.getRefreshToken(hashHandle(deps.secrets, 'refresh', token));
  const alive = found && found.usedAtMs === undefined && found.expiresAtMs > deps.clock.now();
  if (!alive || found.clientId !== client.clientId) return { active: false };
  return {
    active: true,
    client_id: found.clientId,
    sub: found.userId,
    scope: found.scope,
    iat: Math.floor(found.createdAtMs / 1000),
    exp: Math.floor(found.expiresAtMs / 1000),
  };
}

function maySee(client: Client, owner: string, appId: string | undefined): boolean {
  if (client.introspectAny || client.clientId === owner) return true;
  return client.appId !== undefined && client.appId === appId;
}

// Token revocation (RFC 7009), for JWTs too: a revoked token's ID goes into the change feed until the token would have
// expired anyway, so every node refuses it within seconds.
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { OAuthError } from '../oauth-error.js';
import { systemCall } from '../permissions.js';
import { hashHandle } from '../secrets.js';
import { verifyAccessToken } from './verify-access-token.js';
import { voidGrant } from './void-grant.js';

/** Unknown and expired tokens are no error (RFC 7009, section 2.2): what the client wants is already so. */
export async function revokeToken(deps: AuthDeps, client: Client, token: string): Promise<void> {
  const audience = client.kind === 'engagement' ? deps.settings.engagementAudience : deps.settings.audience;
  const verdict = await verifyAccessToken(deps, token, audience);
  if (verdict.valid) {
    const { jti, client_id: owner, scope, app_id: appId } = verdict.claims;
    refuseStranger(client, owner);
    await commit(deps, systemCall(deps), async ({ audit, announce }) => {
      await announce('token', jti, 'gone');
      await audit('token.revoke', { type: 'token', id: jti }, { clientId: owner });
    });
    deps.events.record({ type: 'token.revoked', appId, clientId: owner, scope, jti }, deps.clock.now());
    return;
  }
  const refresh = await deps.store.direct.grants.getRefreshToken(hashHandle(deps.secrets, 'refresh', token));
  if (!refresh) return;
  refuseStranger(client, refresh.clientId);
  await voidGrant(deps, systemCall(deps), refresh.grantId, 'revoked');
}

/** RFC 7009, section 2.1: a client may revoke only what was issued to it. */
function refuseStranger(client: Client, owner: string): void {
  if (client.clientId !== owner)
    throw new OAuthError('unauthorized_client', 'the token belongs to another client');
}

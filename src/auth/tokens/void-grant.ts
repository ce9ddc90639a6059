// Ends one authorization of a user: deletes its refresh tokens and voids its access tokens.
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';

export async function voidGrant(
  deps: AuthDeps,
  call: Call,
  grantId: string,
  reason: 'code-replay' | 'refresh-reuse' | 'revoked' | 'logout',
): Promise<void> {
  await commit(deps, call, async ({ tx, audit, announce }) => {
    await tx.grants.deleteRefreshTokens({ grantId });
    await announce('grant', grantId, 'gone');
    await audit('grant.void', { type: 'token', id: grantId }, { reason });
  });
}

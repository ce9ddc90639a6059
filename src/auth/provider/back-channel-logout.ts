// The company's identity provider says that somebody is gone (OpenID Connect Back-Channel Logout): whatever they have open here
// ends at once, on every node.
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { systemCall } from '../permissions.js';
import { endAccessOfUser } from '../users/end-access.js';
import type { IdentityProvider } from './identity-provider.js';

/** False when the token is not the provider's, or was used before. Somebody whom we do not know is gone already. */
export async function endAtWordOfProvider(
  deps: AuthDeps,
  provider: IdentityProvider,
  logoutToken: string,
): Promise<boolean> {
  const notice = await provider.readLogoutToken(logoutToken).catch((cause: unknown) => {
    deps.log.warn({ err: cause }, 'a logout token of the identity provider does not hold');
    return undefined;
  });
  if (!notice) return false;
  const { issuer, subject, jti, endsAtMs } = notice;
  if (!(await deps.store.direct.oneTime.remember(`logout ${issuer} ${jti}`, endsAtMs))) return false;
  const userId = await deps.store.direct.identities.find(issuer, subject);
  if (userId === undefined) return true;
  await commit(deps, systemCall(deps), async (unit) => {
    const user = await unit.tx.users.get(userId);
    if (!user) return;
    await endAccessOfUser(unit, userId, user.locked ? 'refresh' : 'void-earlier');
    await unit.audit('user.sign-out-everywhere', { type: 'user', id: userId }, { by: 'provider' });
  });
  return true;
}

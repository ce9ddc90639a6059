// The company's identity provider reports that somebody has signed out (OpenID Connect Back-Channel Logout): everything they
// have open here ends at once, on every node.
import { endLoginSession } from '../authorization/end-login-session.js';
import { commit, type UnitOfWork } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { systemCall } from '../permissions.js';
import { endAccessOfUser } from '../users/end-access.js';
import type { IdentityProvider, LogoutNotice } from '../identity-provider.js';

/**
 * False if the token is not the provider's, or was used before. For an unknown person there is nothing to
 * end.
 */
export async function endSessionsOnProviderLogout(
  deps: AuthDeps,
  provider: IdentityProvider,
  logoutToken: string,
): Promise<boolean> {
  const notice = await provider.readLogoutToken(logoutToken).catch((cause: unknown) => {
    deps.log.warn({ err: cause }, 'the identity provider sent a logout token that is not valid');
    return undefined;
  });
  if (!notice) return false;
  const { issuer, jti, endsAtMs } = notice;
  if (!(await deps.store.direct.oneTime.remember(`logout ${issuer} ${jti}`, endsAtMs))) return false;
  await commit(deps, systemCall(deps), (unit) => endWhatIsNamed(unit, notice));
  return true;
}

/**
 * Ends the named session, or else everything of the person. If the provider never named the person's
 * sessions, all of them end.
 */
async function endWhatIsNamed(
  unit: UnitOfWork,
  { issuer, subject, providerSession }: LogoutNotice,
): Promise<void> {
  const { tx } = unit;
  const userId = subject === undefined ? undefined : await tx.identities.find(issuer, subject);
  if (subject !== undefined && userId === undefined) return;
  if (providerSession !== undefined) {
    const found = await tx.grants.listSessionsOfProvider(providerSession);
    const meant = found.filter((session) => userId === undefined || session.userId === userId);
    for (const session of meant) {
      await endLoginSession(unit, session);
      await unit.audit('user.sign-out', { type: 'user', id: session.userId }, { by: 'provider' });
    }
    if (meant.length > 0 || userId === undefined) return;
    const open = await tx.grants.listSessions(userId);
    if (open.length > 0 && open.every((session) => session.providerSession !== undefined)) return;
  }
  const user = userId === undefined ? undefined : await tx.users.get(userId);
  if (!user) return;
  await endAccessOfUser(unit, user.userId, user.locked ? 'refresh' : 'void-earlier');
  await unit.audit('user.sign-out-everywhere', { type: 'user', id: user.userId }, { by: 'provider' });
}

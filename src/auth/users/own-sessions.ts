// Where the caller is signed in, and signing out of one such place. The console's tokens end with it, at
// once: browsers that are still signed in get new ones automatically, the one that was signed out does not.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { signInOfSession } from '../grant-id.js';
import type { LoginSession } from '../model.js';
import { requireSelf } from '../permissions.js';
import { endLoginSession } from '../authorization/end-login-session.js';

interface OwnSession extends LoginSession {
  /** The token of the call came from it. */
  isCurrent: boolean;
}

export async function listOwnSessions(deps: AuthDeps, call: Call): Promise<OwnSession[]> {
  const sessions = await deps.store.direct.grants.listSessions(requireSelf(call));
  return sessions
    .filter((session) => session.expiresAtMs > deps.clock.now())
    .map((session) => ({
      ...session,
      isCurrent: signInOfSession(session.sessionHash) === call.caller.signIn,
    }));
}

export async function revokeOwnSession(
  deps: AuthDeps,
  call: Call,
  input: { sessionHash: string },
): Promise<void> {
  const userId = requireSelf(call);
  await commit(deps, call, async (unit) => {
    const session = await unit.tx.grants.getSession(input.sessionHash);
    // Somebody else's session counts as none.
    if (session?.userId !== userId) throw notFound('session', 'login_session_id');
    await endLoginSession(unit, session);
    await unit.audit('user.sign-out', { type: 'user', id: userId }, {});
  });
}

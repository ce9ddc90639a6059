// Signs somebody out everywhere: oneself, or somebody else if an administrator does it.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { isAdministrator, requireSelf } from '../permissions.js';
import { endAccessOfUser } from './end-access.js';

export async function signOutEverywhere(
  deps: AuthDeps,
  call: Call,
  input: { userId?: string },
): Promise<void> {
  const { userId = requireSelf(call) } = input;
  if (userId === call.caller.userId) requireSelf(call);
  else if (!isAdministrator(call)) throw notFound('user', 'user_id');
  await commit(deps, call, async (unit) => {
    const user = await unit.tx.users.get(userId);
    if (!user) throw notFound('user', 'user_id');
    // A locked user's tokens are void already, and stay so.
    await endAccessOfUser(unit, userId, user.locked ? 'refresh' : 'void-earlier');
    await unit.audit('user.sign-out-everywhere', { type: 'user', id: userId });
  });
}

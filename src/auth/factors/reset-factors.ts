// Removes all factors of a person other than the password, in case phone and recovery codes are lost. An administrator does
// it, never for themselves: that would be a way around the second factor.
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { requireAdministrator } from '../permissions.js';
import { endAccessOfUser } from '../users/end-access.js';
import { say } from '../../words/server/say.js';

export async function resetFactors(deps: AuthDeps, call: Call, input: { userId: string }): Promise<void> {
  requireAdministrator(call);
  const { userId } = input;
  if (call.caller.userId === userId)
    throw new AppError('PERMISSION_DENIED', say('OTHER_ADMINISTRATOR_NEEDED'));
  await commit(deps, call, async (unit) => {
    const user = await unit.tx.users.get(userId);
    if (!user) throw notFound('user', 'user_id');
    await unit.tx.factors.holdUser(userId);
    await unit.tx.factors.deleteOfUser(userId);
    await endAccessOfUser(unit, userId, user.locked ? 'refresh' : 'void-earlier');
    await unit.audit('user.reset-factors', { type: 'user', id: userId });
  });
}

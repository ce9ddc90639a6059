// What people may change about themselves: the name that others see.
import { notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { changesOf } from '../changes.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault } from '../fields.js';
import type { UserView } from '../model.js';
import { requireSelf } from '../permissions.js';
import { viewUser } from './user-view.js';

export async function updateOwnProfile(
  deps: AuthDeps,
  call: Call,
  input: { displayName: string },
): Promise<UserView> {
  const userId = requireSelf(call);
  const { displayName } = input;
  refuseFaults([displayNameFault('display_name', displayName)]);
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.users.lock(userId);
    if (!before) throw notFound('user', 'user_id');
    const user = { ...before, displayName, updatedAtMs: nowMs };
    await tx.users.update(user);
    await announce('user', userId, 'refresh');
    const isRenamed = displayName !== before.displayName;
    const changes = changesOf({ isRenamed: false }, { isRenamed });
    await audit('user.update-profile', { type: 'user', id: userId }, changes);
    return viewUser(tx, user);
  });
}

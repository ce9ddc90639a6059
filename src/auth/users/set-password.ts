// Sets a password: by the person, who must show the old one, or by an administrator for somebody else. Every
// session, refresh token and consent of the user ends with it, and tokens issued so far are void.
import { AppError, invalidFields, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';

import { passwordFault } from '../passwords.js';
import { isAdministrator, requireSelf } from '../permissions.js';
import { endAccessOfUser } from './end-access.js';

export interface SetPasswordInput {
  userId: string;
  newPassword: string;
  /** Mandatory when the caller changes their own password. */
  currentPassword?: string;
}

export async function setPassword(deps: AuthDeps, call: Call, input: SetPasswordInput): Promise<void> {
  const own = call.caller.userId === input.userId;
  if (own) requireSelf(call);
  if (!own && !isAdministrator(call)) throw notFound('user', 'user_id');
  const user = await deps.store.direct.users.get(input.userId);
  if (!user) throw notFound('user', 'user_id');
  refuseFaults([passwordFault('new_password', input.newPassword, user.userName)]);
  if (own) {
    if (deps.limits.loginPerUser.take(user.userName) > 0) {
      throw new AppError('RATE_EXCEEDED', 'too many attempts; please wait', { retryAfterMs: 60_000 });
    }
    if (!(await deps.passwords.verify(input.currentPassword ?? '', user.passwordHash))) {
      throw invalidFields([{ field: 'current_password', violation: 'OTHER', message: 'is incorrect' }]);
    }
  }
  const passwordHash = await deps.passwords.hash(input.newPassword);
  await commit(deps, call, async (unit) => {
    const { tx, nowMs, audit } = unit;
    const current = await tx.users.get(input.userId);
    if (!current) throw notFound('user', 'user_id');
    await tx.users.update({
      ...current,
      passwordHash,
      failedLogins: 0,
      lockedUntilMs: 0,
      updatedAtMs: nowMs,
    });
    await endAccessOfUser(unit, input.userId, current.locked ? 'refresh' : 'void-earlier');
    await audit('user.set-password', { type: 'user', id: input.userId }, { own });
  });
}

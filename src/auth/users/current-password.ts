// The password of the person themselves, asked for again before something changes that they sign in with: a token that
// somebody else got hold of must not be enough for it.
import { AppError, invalidFields } from '../../errors.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';

export async function requireCurrentPassword(
  deps: AuthDeps,
  user: User,
  password: string | undefined,
): Promise<void> {
  const waitMs = await deps.limits.loginPerUser.takeAnywhere(user.userName);
  if (waitMs > 0)
    throw new AppError('RATE_EXCEEDED', 'too many attempts; please wait', { retryAfterMs: waitMs });
  if (!(await deps.passwords.verify(password ?? '', user.passwordHash)))
    throw invalidFields([{ field: 'current_password', violation: 'OTHER', message: 'is incorrect' }]);
  deps.limits.loginPerUser.giveBack(user.userName);
}

// Checks a user name and password at the login page. Every refusal looks the same from outside, costs one scrypt
// run, and is counted; too many in a row lock the account for a while.
import { AppError } from '../../errors.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { PasswordQueueFull } from '../passwords.js';

export type LoginOutcome =
  | { ok: true; user: User }
  | { ok: false; reason: 'wrong' | 'busy' }
  | { ok: false; reason: 'rate-limited'; retryAfterMs: number };

export async function authenticateUser(
  deps: AuthDeps,
  input: { userName: string; password: string; address: string },
): Promise<LoginOutcome> {
  const userName = input.userName.trim().toLowerCase().slice(0, 128);
  const waitMs = Math.max(
    deps.limits.loginPerAddress.take(input.address),
    deps.limits.loginPerUser.take(userName),
  );
  if (waitMs > 0) return { ok: false, reason: 'rate-limited', retryAfterMs: waitMs };

  const user = await deps.store.direct.users.findByName(userName);
  const right = await checkPassword(deps, input.password.slice(0, 1024), user?.passwordHash);
  if (right === 'busy') return { ok: false, reason: 'busy' };
  if (!user || user.locked) return { ok: false, reason: 'wrong' };
  const nowMs = deps.clock.now();
  // While locked out even the right password is refused, or the lock-out would be no obstacle to guessing.
  if (user.lockedUntilMs > nowMs) return { ok: false, reason: 'wrong' };
  if (!right) {
    await countFailure(deps, user, nowMs);
    return { ok: false, reason: 'wrong' };
  }
  if (user.failedLogins > 0 || user.lockedUntilMs > 0) {
    await deps.store.direct.users.update({ ...user, failedLogins: 0, lockedUntilMs: 0 });
  }
  return { ok: true, user };
}

async function checkPassword(
  deps: AuthDeps,
  password: string,
  stored: string | undefined,
): Promise<boolean | 'busy'> {
  try {
    return await deps.passwords.verify(password, stored);
  } catch (cause) {
    if (cause instanceof PasswordQueueFull) return 'busy';
    throw new AppError('INTERNAL_ERROR', 'password check failed', { cause });
  }
}

async function countFailure(deps: AuthDeps, user: User, nowMs: number): Promise<void> {
  const failures = await deps.store.direct.users.countFailedLogin(user.userId);
  deps.log.info({ userId: user.userId, failures }, 'wrong password');
  if (failures < deps.settings.loginFailuresMax) return;
  const { userId, userName } = user;
  await deps.store.transaction(async (tx) => {
    const current = await tx.users.get(userId);
    if (!current) return;
    await tx.users.update({ ...current, failedLogins: 0, lockedUntilMs: nowMs + deps.settings.loginLockMs });
    await tx.audit.append({
      action: 'user.lock-out',
      actor: { subject: userId, clientId: 'login', userId },
      target: { type: 'user', id: userId },
      tenants: [],
      requestId: deps.ids.uuid(),
      atMs: nowMs,
      detail: { userName, failures },
    });
  });
}

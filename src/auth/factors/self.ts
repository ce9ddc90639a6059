// What every change of one's own factors needs: the person, their password, and that what their role needs stays.
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { Unit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { requireSelf } from '../permissions.js';
import { requireCurrentPassword } from '../users/current-password.js';
import { makeRecoveryCodes } from './recovery-codes.js';

export function needsSecondFactor(deps: AuthDeps, user: User): boolean {
  return deps.settings.secondFactorRoles.includes(user.role);
}

export async function selfOf(deps: AuthDeps, call: Call): Promise<User> {
  const user = await deps.store.direct.users.get(requireSelf(call));
  if (!user) throw notFound('user', 'user_id');
  return user;
}

/** Who signs in with a password of this server, and has just said it again. */
export async function provenSelf(deps: AuthDeps, call: Call, password: string): Promise<User> {
  const user = await selfOf(deps, call);
  if (user.passwordHash === undefined)
    throw new AppError('PERMISSION_DENIED', 'your identity provider takes care of how you sign in');
  await requireCurrentPassword(deps, user, password);
  return user;
}

/** After a factor was taken away: one is left, or none is needed; codes without a factor are worth nothing. */
export async function keepRequired(deps: AuthDeps, { tx }: Unit, user: User): Promise<void> {
  if ((await tx.factors.holders(user.userId)).size > 0) return;
  if (needsSecondFactor(deps, user))
    throw new AppError('PERMISSION_DENIED', 'people with your role need a second factor');
  await tx.factors.deleteOfUser(user.userId);
}

/** Those from before are void. */
export async function newRecoveryCodes(
  deps: AuthDeps,
  { tx, nowMs, audit }: Unit,
  userId: string,
): Promise<string[]> {
  const { codes, hashes } = makeRecoveryCodes(deps, userId);
  await tx.factors.setRecoveryCodes(userId, hashes, nowMs);
  await audit('user.create-recovery-codes', { type: 'user', id: userId }, { count: codes.length });
  return codes;
}

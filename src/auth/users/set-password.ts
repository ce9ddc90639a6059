// Sets a password: by the person, who must show the old one, or by an administrator for somebody else, who
// then has to choose their own at the next sign-in. Every session, refresh token and consent of the user ends
// with it, and tokens issued so far are void; the browser in which people change their own stays signed in.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { passwordFault } from '../passwords.js';
import { isAdministrator, requireSelf } from '../permissions.js';
import { keyOfName } from './attempts.js';
import { requireCurrentPassword } from './current-password.js';
import { endAccessOfUser } from './end-access.js';
import { say } from '../../words/server/say.js';

interface SetPasswordInput {
  userId: string;
  newPassword: string;
  /** Mandatory when the caller changes their own password. */
  currentPassword?: string;
  /** For somebody else's password. False: they have chosen it and keep it. */
  temporary?: boolean;
}

export async function setPassword(deps: AuthDeps, call: Call, input: SetPasswordInput): Promise<void> {
  const own = call.caller.userId === input.userId;
  if (own) requireSelf(call);
  if (!own && !isAdministrator(call)) throw notFound('user', 'user_id');
  const user = await deps.store.direct.users.get(input.userId);
  if (!user) throw notFound('user', 'user_id');
  refuseFaults([passwordFault('new_password', input.newPassword, user.userName)]);
  if (own) await requireCurrentPassword(deps, call, user, input.currentPassword);
  const temporary = !own && (input.temporary ?? true);
  await storePassword(deps, call, user, { password: input.newPassword, temporary, own });
}

/** The person's own choice, replacing a password that they were given; `call` is theirs. */
export async function replaceTemporaryPassword(
  deps: AuthDeps,
  call: Pick<Call, 'caller' | 'requestId'>,
  user: User,
  password: string,
): Promise<void> {
  refuseFaults([passwordFault('new_password', password, user.userName)]);
  const same: FieldFault = {
    field: 'new_password',
    violation: 'FIELD_CONFLICT',
    ...say('GIVEN_PASSWORD'),
  };
  if (await deps.passwords.verify(password, user.passwordHash)) refuseFaults([same]);
  await storePassword(deps, call, user, { password, temporary: false, own: true });
}

interface NewPassword {
  password: string;
  temporary: boolean;
  own: boolean;
  /** Uses up the invitation with this mark. */
  invitation?: string;
}

/** The name of the setting with the mark of the newest invitation of a user. */
export const invitationOf = (userId: string): string => `invitation ${userId}`;

export async function storePassword(
  deps: AuthDeps,
  call: Pick<Call, 'caller' | 'requestId'>,
  { userId, userName }: User,
  { password, temporary, own, invitation }: NewPassword,
): Promise<void> {
  // Hashed before the transaction: scrypt must not block the database.
  const passwordHash = await deps.passwords.hash(password);
  await commit(deps, call, async (unit) => {
    const { tx, nowMs, audit } = unit;
    const current = await tx.users.lock(userId);
    if (!current) throw notFound('user', 'user_id');
    // Two browsers at once: only one of them may win.
    if (invitation !== undefined && (await tx.settings.get(invitationOf(userId))) !== invitation)
      throw new AppError('NOT_AUTHORIZED', say('LINK_NOT_VALID'));
    await tx.settings.delete(invitationOf(userId));
    await tx.users.update({
      ...current,
      passwordHash,
      mustChangePassword: temporary,
      lockedUntilMs: 0,
      updatedAtMs: nowMs,
    });
    await tx.failures.clear(keyOfName(deps, userName));
    const kept = own ? call.caller.signIn : undefined;
    await endAccessOfUser(unit, userId, current.locked ? 'refresh' : 'void-earlier', kept);
    await audit('user.set-password', { type: 'user', id: userId }, { own, temporary });
  });
}

// A link by which somebody chooses their password, so that nobody else ever knows it. It works once, and only until the password
// changes in another way.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { say } from '../../words/server/say.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { passwordFault } from '../passwords.js';
import { requireAdministrator } from '../permissions.js';
import { readNote, signNote, type Note } from '../signed-note.js';
import { storePassword } from '../users/set-password.js';
import { callOfPerson, stampOf } from './progress.js';

const PURPOSE = 'invitation';
const VALID_MS = 7 * 24 * 3_600_000;
export const INVITATION_PATH = '/invitation';

interface InvitationNote extends Note {
  userId: string;
  stamp: string;
}

/** The link; whoever has it may choose the password of this user. */
export async function inviteUser(deps: AuthDeps, call: Call, userId: string): Promise<string> {
  requireAdministrator(call);
  const user = await deps.store.direct.users.get(userId);
  if (!user) throw notFound('user', 'user_id');
  const note = { userId, stamp: stampOf(deps, user), endsAtMs: deps.clock.now() + VALID_MS };
  await commit(deps, call, ({ audit }) => audit('user.invite', { type: 'user', id: userId }));
  const token = signNote<InvitationNote>(deps, PURPOSE, note);
  return `${deps.settings.publicUrl}${INVITATION_PATH}?${new URLSearchParams({ token }).toString()}`;
}

/** Undefined if the link is too old or not ours, or if the password was chosen since. */
export async function invitedBy(deps: AuthDeps, token: string): Promise<User | undefined> {
  const note = readNote<InvitationNote>(deps, PURPOSE, token);
  const user = note && (await deps.store.direct.users.get(note.userId));
  if (!user || user.locked || !deps.settings.localAccounts) return undefined;
  return note.stamp === stampOf(deps, user) ? user : undefined;
}

/** Sets the password and uses up the link. */
export async function acceptInvitation(
  deps: AuthDeps,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<User> {
  const retryAfterMs = await deps.limits.loginPerAddress.takeAnywhere(address);
  if (retryAfterMs > 0) throw new AppError('RATE_EXCEEDED', say('TOO_MANY_ATTEMPTS'), { retryAfterMs });
  const user = await invitedBy(deps, token);
  if (!user) throw new AppError('NOT_AUTHORIZED', say('LINK_NOT_VALID'));
  refuseFaults([passwordFault('new_password', password, user.userName)]);
  // Two browsers at once: only one of them may win.
  if (!(await deps.store.direct.oneTime.remember(`invitation ${token}`, deps.clock.now() + VALID_MS)))
    throw new AppError('NOT_AUTHORIZED', say('LINK_NOT_VALID'));
  await storePassword(deps, callOfPerson(deps, user), user, { password, temporary: false, own: true });
  return user;
}

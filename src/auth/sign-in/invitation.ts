// A link by which somebody chooses their password, so that nobody else ever knows it. It works once, and only until the password
// changes in another way or another link is made.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { say } from '../../words/server/say.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { passwordFault } from '../passwords.js';
import { requireAdministrator } from '../permissions.js';
import { readNote, signNote, type Note } from '../signed-note.js';
import { invitationOf, storePassword } from '../users/set-password.js';
import { callOfPerson, stampOf } from './progress.js';

const PURPOSE = 'invitation';
const VALID_MS = 7 * 24 * 3_600_000;
export const INVITATION_PATH = '/invitation';

interface InvitationNote extends Note {
  userId: string;
  stamp: string;
  mark: string;
}

interface Invited {
  user: User;
  mark: string;
}

/** The link; whoever has it may choose the password of this user. */
export async function inviteUser(deps: AuthDeps, call: Call, userId: string): Promise<string> {
  requireAdministrator(call);
  const user = await deps.store.direct.users.get(userId);
  if (!user) throw notFound('user', 'user_id');
  const mark = await commit(deps, call, async ({ tx, newMark, audit }) => {
    const made = newMark();
    await tx.settings.set(invitationOf(userId), made);
    await audit('user.invite', { type: 'user', id: userId });
    return made;
  });
  const note = { userId, stamp: stampOf(deps, user), mark, endsAtMs: deps.clock.now() + VALID_MS };
  const token = signNote<InvitationNote>(deps, PURPOSE, note);
  return `${deps.settings.publicUrl}${INVITATION_PATH}?${new URLSearchParams({ token }).toString()}`;
}

/** Undefined if the link is too old, not ours or replaced by another, or if the password was chosen since. */
export async function invitedBy(deps: AuthDeps, token: string): Promise<Invited | undefined> {
  const note = readNote<InvitationNote>(deps, PURPOSE, token);
  if (!note || !deps.settings.localAccounts) return undefined;
  const { users, settings } = deps.store.direct;
  const { userId, mark } = note;
  const user = await users.get(userId);
  if (!user || user.locked || note.stamp !== stampOf(deps, user)) return undefined;
  return (await settings.get(invitationOf(userId))) === mark ? { user, mark } : undefined;
}

/** Sets the password and uses up the link. */
export async function acceptInvitation(
  deps: AuthDeps,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<User> {
  const retryAfterMs = await deps.limits.loginPerAddress.takeAnywhere(address);
  if (retryAfterMs > 0) throw new AppError('RATE_EXCEEDED', say('TOO_MANY_ATTEMPTS'), { retryAfterMs });
  const invited = await invitedBy(deps, token);
  if (!invited) throw new AppError('NOT_AUTHORIZED', say('LINK_NOT_VALID'));
  const { user, mark: invitation } = invited;
  refuseFaults([passwordFault('new_password', password, user.userName)]);
  const chosen = { password, temporary: false, own: true, invitation };
  await storePassword(deps, callOfPerson(deps, user), user, chosen);
  return user;
}

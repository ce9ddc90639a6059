// The first password of a new installation. Until setup is closed, the holder of the setup token (printed when the server
// starts, and by `voxgate setup-link`) sets the administrator's password. See docs/adr/0012-first-run.md.
import { timingSafeEqual } from 'node:crypto';
import { AppError, notFound, refuseFaults } from '../../errors.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { createUser } from './create-user.js';
import { passwordFault } from '../passwords.js';
import { systemCall } from '../permissions.js';
import { hashHandle } from '../secrets.js';
import { say } from '../../words/server/say.js';
import { closeSetup, isSetupClosed } from './setup-closed.js';

const SETTING = 'setup-token';
const TOKEN_BYTES = 24;

/** Makes a new setup token, which replaces an earlier one; none once setup is closed. */
export async function createSetupToken(deps: AuthDeps): Promise<string | undefined> {
  const token = deps.ids.token(TOKEN_BYTES);
  return deps.store.transaction(async (tx) => {
    if (await isSetupClosed(deps, tx)) {
      // Also where only accounts say so, which may be deleted.
      if (deps.settings.localAccounts) await closeSetup(tx);
      return undefined;
    }
    await tx.settings.set(SETTING, hashHandle(deps.secrets, SETTING, token));
    return token;
  });
}

export async function isSetupOpen(deps: AuthDeps): Promise<boolean> {
  return !(await isSetupClosed(deps, deps.store.direct));
}

/** Every start, and `voxgate setup-link`, make a new one. */
export async function isSetupToken(deps: AuthDeps, token: string): Promise<boolean> {
  const stored = await deps.store.direct.settings.get(SETTING);
  const presented = Buffer.from(hashHandle(deps.secrets, SETTING, token));
  const expected = Buffer.from(stored ?? hashHandle(deps.secrets, SETTING, deps.ids.token(TOKEN_BYTES)));
  return timingSafeEqual(presented, expected);
}

/** Of an installation that nobody has prepared. */
export const firstAdministrator = {
  userName: 'admin',
  displayName: 'Administrator',
  role: 'administrator',
} as const;

async function makeAdministrator(deps: AuthDeps): Promise<User> {
  const { userId } = await createUser(deps, systemCall(deps), firstAdministrator);
  const made = await deps.store.direct.users.get(userId);
  if (!made) throw notFound('administrator');
  return made;
}

interface SetupInput {
  token: string;
  password: string;
  address: string;
}

/**
 * Sets the password of the first administrator and uses up the token. Returns the user name to sign in with.
 */
export async function completeSetup(deps: AuthDeps, input: SetupInput): Promise<{ userName: string }> {
  const waitMs = await deps.limits.loginPerAddress.takeAnywhere(input.address);
  if (waitMs > 0) throw new AppError('RATE_EXCEEDED', say('TOO_MANY_ATTEMPTS'), { retryAfterMs: waitMs });
  if (!(await isSetupOpen(deps))) throw notFound('setup');
  if (!(await isSetupToken(deps, input.token))) {
    throw new AppError('NOT_AUTHORIZED', say('SETUP_TOKEN_INCORRECT'), {
      fields: [{ field: 'token', violation: 'OTHER', ...say('INCORRECT') }],
    });
  }
  const there = (await deps.store.direct.users.list()).find((user) => user.role === 'administrator');
  refuseFaults([passwordFault('password', input.password, there?.userName ?? firstAdministrator.userName)]);
  const administrator = there ?? (await makeAdministrator(deps));
  const passwordHash = await deps.passwords.hash(input.password);
  await commit(deps, systemCall(deps), async ({ tx, nowMs, audit }) => {
    // Two browsers at once: only one of them may win.
    if (await isSetupClosed(deps, tx)) throw notFound('setup');
    await closeSetup(tx);
    await tx.users.update({
      ...administrator,
      passwordHash,
      mustChangePassword: false,
      updatedAtMs: nowMs,
    });
    await tx.settings.delete(SETTING);
    await audit('user.setup', { type: 'user', id: administrator.userId });
  });
  return { userName: administrator.userName };
}

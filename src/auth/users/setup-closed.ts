// Whether the first password of the installation can still be chosen. It is closed for good once somebody has chosen it, or an
// administrator has signed in in any way, whoever is deleted or gets a new password later.
import type { AuthDeps } from '../deps.js';
import type { AuthRepositories } from '../ports.js';

const CLOSED = 'setup-closed';

export async function isSetupClosed(
  { settings }: Pick<AuthDeps, 'settings'>,
  stored: Pick<AuthRepositories, 'settings' | 'users' | 'identities'>,
): Promise<boolean> {
  if (!settings.localAccounts || (await stored.settings.get(CLOSED)) !== undefined) return true;
  // 0.2.0 did not note it.
  if ((await stored.users.countWithOwnPassword()) > 0) return true;
  for (const { role, userId } of await stored.users.list())
    if (role === 'administrator' && (await stored.identities.holders(userId)).size > 0) return true;
  return false;
}

export async function closeSetup({ settings }: Pick<AuthRepositories, 'settings'>): Promise<void> {
  if ((await settings.get(CLOSED)) === undefined) await settings.set(CLOSED, 'yes');
}

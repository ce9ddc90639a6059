// Which scopes somebody may give to a client. A client of a program passes for whoever guards a service by its scopes, so nobody
// hands out a scope that an administrator has not given to an application of theirs.
import { AppError } from '../errors.js';
import type { Call } from '../platform.js';
import type { AuthDeps } from './deps.js';
import { isAdministrator } from './permissions.js';
import { defaultRuntimeScopes, isGranted, runtimeScopes } from './scopes.js';
import { say } from '../words/server/say.js';

/** All for administrators; for others those of the clients of the applications they own. */
export async function grantableScopes(deps: AuthDeps, call: Call): Promise<readonly string[]> {
  if (isAdministrator(call)) return runtimeScopes;
  const { userId, clientOwnerId } = call.caller;
  let grantable: readonly string[] = userId === undefined ? [] : runtimeScopes;
  for (const person of [userId, clientOwnerId]) {
    if (person === undefined) continue;
    const held = await scopesHeldBy(deps, person);
    grantable = grantable.filter((scope) => isGranted(held, scope));
  }
  return grantable;
}

async function scopesHeldBy({ store, directory }: AuthDeps, userId: string): Promise<readonly string[]> {
  if ((await directory.userRights(userId))?.role === 'administrator') return runtimeScopes;
  return store.direct.clients.scopesOwnedBy(userId);
}

/** What a new client gets unless somebody says otherwise. */
export async function scopesOfNewClient(deps: AuthDeps, call: Call): Promise<readonly string[]> {
  const grantable = await grantableScopes(deps, call);
  const usual = defaultRuntimeScopes.filter((scope) => grantable.includes(scope));
  if (grantable.length === 0) throw notGrantable('any scope');
  return usual.length > 0 ? usual : grantable;
}

/** Scopes that the client has already may stay, whoever gave them. */
export async function requireGrantable(
  deps: AuthDeps,
  call: Call,
  scopes: readonly string[],
  present: readonly string[] = [],
): Promise<void> {
  const grantable = await grantableScopes(deps, call);
  const beyond = scopes.filter((scope) => !grantable.includes(scope) && !isGranted(present, scope));
  if (beyond.length > 0) throw notGrantable(beyond.join(', '));
}

function notGrantable(what: string): AppError {
  return new AppError('PERMISSION_DENIED', say('SCOPE_NOT_GRANTABLE', { scopes: what }));
}

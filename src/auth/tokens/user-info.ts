// What a client may learn about the person who signed in (OpenID Connect Core section 5.3), with an access token for `openid`.
import type { AuthDeps } from '../deps.js';
import { authenticateRequest, type GuardedRequest } from './authenticator.js';
import { bearerChallenge, scopeChallenge } from './forward-auth.js';

export const identityClaims: readonly string[] = ['sub', 'name', 'preferred_username'];

type UserInfoAnswer =
  | { allowed: true; claims: Readonly<Record<string, string>> }
  | { allowed: false; status: 401 | 403; challenge: string };

export async function userInfo(deps: AuthDeps, request: GuardedRequest): Promise<UserInfoAnswer> {
  const result = await authenticateRequest(deps, request);
  if (!result.ok)
    return { allowed: false, status: 401, challenge: bearerChallenge(result.reason, result.message) };
  const { userId, scopes } = result.caller;
  if (userId === undefined || !scopes.includes('openid'))
    return { allowed: false, status: 403, challenge: scopeChallenge(['openid']) };
  return { allowed: true, claims: { ...(await claimsAbout(deps, userId, scopes)), sub: userId } };
}

/** The names of a person, if `profile` was requested. */
export async function claimsAbout(
  deps: AuthDeps,
  userId: string,
  scopes: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const user = scopes.includes('profile') ? await deps.directory.userRights(userId) : undefined;
  if (!user) return {};
  return { name: user.displayName || user.userName, preferred_username: user.userName };
}

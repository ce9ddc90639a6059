// The authorization code grant (RFC 6749 section 4.1.3 with RFC 7636, S256 only). A code works once; showing it a
// second time voids everything that came from it (RFC 6749 section 10.5).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthDeps } from '../../deps.js';
import type { AuthorizationCode } from '../../model.js';
import { OAuthError } from '../../oauth-error.js';
import { systemCall } from '../../permissions.js';
import { hashHandle } from '../../secrets.js';
import { personBehind } from '../delegation.js';
import { issueAccessToken } from '../issue-access-token.js';
import { issueIdToken } from '../issue-id-token.js';
import type { CodeRequest, GrantResult, TokenHolder } from '../token-request.js';
import { voidGrant } from '../void-grant.js';
import { newRefreshToken } from './refresh-token-grant.js';

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

export async function authorizationCodeGrant(
  deps: AuthDeps,
  { client, dpopJkt }: TokenHolder,
  request: CodeRequest,
): Promise<GrantResult> {
  const nowMs = deps.clock.now();
  const codeHash = hashHandle(deps.secrets, 'code', request.code);
  const used = await deps.store.direct.grants.useCode(codeHash, nowMs);
  if (!used) throw refused();
  const { code, first } = used;
  if (!first) {
    await voidGrant(deps, systemCall(deps), code.grantId, 'code-replay');
    throw refused();
  }
  const good =
    code.clientId === client.clientId &&
    code.redirectUri === request.redirectUri &&
    code.expiresAtMs > nowMs &&
    (code.dpopJkt === undefined || code.dpopJkt === dpopJkt) &&
    provesPossession(code, request.codeVerifier);
  // The code is used up even so: whoever failed here may have stolen it.
  if (!good) throw refused();
  const user = await personBehind(deps, client.clientId, code.userId);
  if (!user) throw refused();
  const { grantId } = code;
  const scopes = code.scope.split(' ');
  // A public client's refresh token is bound to the DPoP key, if there is one (RFC 9449 section 5).
  const refresh = newRefreshToken(deps, { grantId, client, userId: code.userId, scope: code.scope, dpopJkt });
  const lifeSeconds = await providerLimit(deps, code.userId);
  if (lifeSeconds !== undefined)
    refresh.row.expiresAtMs = Math.min(refresh.row.expiresAtMs, nowMs + lifeSeconds * 1000);
  await deps.store.direct.grants.insertRefreshToken(refresh.row);
  const issued = issueAccessToken(deps, { client, scopes, user, grantId, dpopJkt });
  const idToken = scopes.includes('openid') ? await issueIdToken(deps, code, issued) : undefined;
  return { issued, refreshToken: refresh.value, ...(idToken === undefined ? {} : { idToken }) };
}

/**
 * People of the identity provider have to return to it sooner: this server does not learn that somebody has
 * left the company.
 */
async function providerLimit(deps: AuthDeps, userId: string): Promise<number | undefined> {
  const { provider } = deps.settings;
  return provider && (await deps.store.direct.identities.holders(userId)).size > 0
    ? provider.refreshTokenSeconds
    : undefined;
}

function provesPossession(code: AuthorizationCode, verifier: string): boolean {
  if (!verifierPattern.test(verifier)) return false;
  const challenge = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(code.codeChallenge, 'base64url');
  return expected.byteLength === challenge.byteLength && timingSafeEqual(challenge, expected);
}

function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'the code is not valid for this client, redirect URI and verifier');
}

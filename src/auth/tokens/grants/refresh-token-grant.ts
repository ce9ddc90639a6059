// The refresh grant. Every use hands out a new refresh token; an old one that comes back means that two parties hold
// it, so the whole authorization ends (RFC 9700 section 4.14.2).
import type { AuthDeps } from '../../deps.js';
import type { Client, RefreshToken } from '../../model.js';
import { OAuthError } from '../../oauth-error.js';
import { systemCall } from '../../permissions.js';
import { hashHandle } from '../../secrets.js';
import { personBehind } from '../delegation.js';
import { issueAccessToken } from '../issue-access-token.js';
import type { GrantResult, RefreshRequest, TokenHolder } from '../token-request.js';
import { voidGrant } from '../void-grant.js';

const TOKEN_BYTES = 32;

export async function refreshTokenGrant(
  deps: AuthDeps,
  { client, dpopJkt }: TokenHolder,
  request: RefreshRequest,
): Promise<GrantResult> {
  const tokenHash = hashHandle(deps.secrets, 'refresh', request.refreshToken);
  const nowMs = deps.clock.now();
  const found = await deps.store.direct.grants.getRefreshToken(tokenHash);
  // Checked before it is used up: a stranger who only guesses the client must not end the owner's session.
  if (!found || found.clientId !== client.clientId || found.expiresAtMs <= nowMs) throw refused();
  if (found.dpopJkt !== undefined && found.dpopJkt !== dpopJkt) throw refused();
  const scopes = narrow(found.scope, request.scopes);
  const used = await deps.store.direct.grants.useRefreshToken(tokenHash, nowMs);
  if (!used?.first) {
    await voidGrant(deps, systemCall(deps), found.grantId, 'refresh-reuse');
    throw refused();
  }
  const { grantId, scope } = found;
  // The replay of a code can void the authorization between its exchange and the first refresh token.
  if (await deps.store.direct.changes.get('grant', grantId)) throw refused();
  const user = await personBehind(deps, client.clientId, found.userId);
  if (!user) throw refused();
  const next = newRefreshToken(deps, {
    grantId,
    client,
    userId: found.userId,
    scope,
    dpopJkt: found.dpopJkt,
  });
  // Rotation does not prolong the authorization: it ends when it was going to.
  next.row.expiresAtMs = found.expiresAtMs;
  await deps.store.direct.grants.insertRefreshToken(next.row);
  return {
    issued: issueAccessToken(deps, { client, scopes, user, grantId, dpopJkt }),
    refreshToken: next.value,
  };
}

function narrow(granted: string, requested: string[] | undefined): string[] {
  const all = granted.split(' ');
  if (requested?.some((scope) => !all.includes(scope)))
    throw new OAuthError('invalid_scope', 'a requested scope was not granted');
  return requested ?? all;
}

export function newRefreshToken(
  deps: AuthDeps,
  input: { grantId: string; client: Client; userId: string; scope: string; dpopJkt: string | undefined },
): { value: string; row: RefreshToken } {
  const { grantId, client, userId, scope, dpopJkt } = input;
  const value = deps.ids.token(TOKEN_BYTES);
  const nowMs = deps.clock.now();
  const row: RefreshToken = {
    tokenHash: hashHandle(deps.secrets, 'refresh', value),
    grantId,
    clientId: client.clientId,
    userId,
    scope,
    dpopJkt: client.authMethod === 'none' ? dpopJkt : undefined,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + deps.settings.refreshTokenSeconds * 1000,
    usedAtMs: undefined,
  };
  return { value, row };
}

function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'the refresh token is not valid');
}

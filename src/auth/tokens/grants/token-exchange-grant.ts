// Token exchange (RFC 8693) between services of one application: a service that was called with a token gets
// its own for the next call, with fewer rights, never for longer, and with its own name in it as the actor.
// Impersonation, tokens of people and tokens of other issuers are not offered.
import type { AuthDeps } from '../../deps.js';
import type { AccessTokenClaims, Client } from '../../model.js';
import { OAuthError } from '../../oauth-error.js';
import { isGranted } from '../../scopes.js';
import { issueAccessToken } from '../issue-access-token.js';
import {
  ACCESS_TOKEN_TYPE,
  type ExchangeRequest,
  type GrantResult,
  type TokenHolder,
} from '../token-request.js';
import { verifyAccessToken } from '../verify-access-token.js';

const ACTORS_MAX = 4;

export async function tokenExchangeGrant(
  deps: AuthDeps,
  { client, dpopJkt, thumbprint }: TokenHolder,
  request: ExchangeRequest,
): Promise<GrantResult> {
  const subject = await verifiedSubject(deps, client, request.subjectToken);
  const scopes = scopesOfBoth(client, subject, request.scopes);
  const environment = client.appId === undefined ? undefined : await deps.directory.environment(client.appId);
  const named = Array.isArray(subject.tenants) ? subject.tenants : [];
  const issued = issueAccessToken(deps, {
    client,
    scopes,
    dpopJkt,
    thumbprint,
    tenants: named.filter((tenant) => environment?.tenants.includes(tenant)),
    exchanged: {
      subject: subject.sub,
      actors: actorsOf(client, subject),
      endsAtSeconds: subject.exp,
      origins: [...(subject.origins ?? []), subject.jti],
    },
  });
  return { issued, issuedTokenType: ACCESS_TOKEN_TYPE };
}

async function verifiedSubject(deps: AuthDeps, client: Client, token: string): Promise<AccessTokenClaims> {
  const verdict = await verifyAccessToken(deps, token);
  const usable =
    verdict.valid &&
    // A bound token without its key is a stolen one, and possession of the key cannot be proven here.
    verdict.claims.cnf === undefined &&
    verdict.claims.user_id === undefined &&
    client.appId !== undefined &&
    verdict.claims.app_id === client.appId;
  // One answer for all of these: a client learns nothing about other clients' tokens.
  if (!usable) throw new OAuthError('invalid_grant', 'the subject token cannot be exchanged by this client');
  return verdict.claims;
}

/**
 * The requested scopes, which both the token and the client must have; if none are requested, those that both
 * have.
 */
function scopesOfBoth(client: Client, subject: AccessTokenClaims, requested: string[] | undefined): string[] {
  const held = subject.scope.split(' ');
  const both = (scope: string): boolean => isGranted(held, scope) && isGranted(client.scopes, scope);
  const scopes = requested ?? held.filter(both);
  if (scopes.length === 0 || !scopes.every(both))
    throw new OAuthError(
      'invalid_scope',
      'a requested scope is not granted to both the subject token and the client',
    );
  return scopes;
}

/** Newest first; an endless chain is a loop. */
function actorsOf(client: Client, subject: AccessTokenClaims): string[] {
  const actors = [client.clientId];
  for (let act = subject.act; act; act = act.act) actors.push(act.sub);
  if (actors.length > ACTORS_MAX)
    throw new OAuthError('invalid_grant', 'the token was exchanged too many times');
  return actors;
}

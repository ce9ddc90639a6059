// Token exchange (RFC 8693) between services of one application: a service that was called with a token gets
// its own for the next call, with fewer rights, never for longer, and with its own name in it as the actor.
// Impersonation, tokens of people and tokens of other issuers are not offered.
import type { AuthDeps } from '../../deps.js';
import type { AccessTokenClaims, Client } from '../../model.js';
import { OAuthError } from '../../oauth-error.js';
import { isGranted, parseScope } from '../../scopes.js';
import type { GrantInput, GrantResult } from '../grant.js';
import { issueAccessToken } from '../issue-access-token.js';
import { isResourceOf } from '../resource.js';
import { verifyAccessToken } from '../verify-access-token.js';

const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const ACTORS_MAX = 4;

export async function tokenExchangeGrant(deps: AuthDeps, input: GrantInput): Promise<GrantResult> {
  const { client, form, dpopJkt, thumbprint } = input;
  if (!isResourceOf(deps, client, form.get('audience')))
    throw new OAuthError('invalid_target', 'this server issues no tokens for that audience');
  const subject = await readSubject(deps, client, form);
  const scopes = readScopes(client, subject, form.get('scope'));
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

async function readSubject(
  deps: AuthDeps,
  client: Client,
  form: ReadonlyMap<string, string>,
): Promise<AccessTokenClaims> {
  const token = form.get('subject_token');
  if (token === undefined) throw new OAuthError('invalid_request', 'subject_token is missing');
  if (form.get('subject_token_type') !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN_TYPE}`);
  if ((form.get('requested_token_type') ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`);
  if (form.has('actor_token'))
    throw new OAuthError('invalid_request', 'actor_token is not supported: the client itself is the actor');
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
function readScopes(client: Client, subject: AccessTokenClaims, asked: string | undefined): string[] {
  const held = subject.scope.split(' ');
  const both = (scope: string): boolean => isGranted(held, scope) && isGranted(client.scopes, scope);
  const scopes = asked === undefined ? held.filter(both) : parseScope(asked);
  if (!scopes || scopes.length === 0 || !scopes.every(both))
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

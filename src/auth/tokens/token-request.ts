// What a client asks the token endpoint for: the form is read here, once, into a typed value. A grant gets that value and
// never sees the form. A client that may not use a grant type learns so before its parameters are looked at.
import type { AuthDeps } from '../deps.js';
import type { Client, GrantType } from '../model.js';
import { OAuthError } from '../oauth-error.js';
import { parseScope } from '../scopes.js';
import type { IssuedAccessToken } from './issue-access-token.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

/** Scopes are undefined if the client named none. */
export type TokenRequest =
  | { grantType: 'client_credentials'; scopes: string[] | undefined }
  | CodeRequest
  | RefreshRequest
  | ExchangeRequest;

export interface CodeRequest {
  grantType: 'authorization_code';
  /** Those of the code count. */
  scopes: undefined;
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

export interface RefreshRequest {
  grantType: 'refresh_token';
  scopes: string[] | undefined;
  refreshToken: string;
}

export interface ExchangeRequest {
  grantType: typeof TOKEN_EXCHANGE;
  scopes: string[] | undefined;
  subjectToken: string;
}

/** Who gets the token: an authenticated client that may use the grant, and what the token is bound to. */
export interface TokenHolder {
  client: Client;
  /** Thumbprint of the key of a valid DPoP proof. */
  dpopJkt: string | undefined;
  /** Thumbprint of the certificate with which the client authenticated. */
  thumbprint: string | undefined;
}

export interface GrantResult {
  issued: IssuedAccessToken;
  refreshToken?: string;
  /** Set if `openid` was requested. */
  idToken?: string;
  /** For an exchange (RFC 8693 section 2.2.1). */
  issuedTokenType?: string;
}

type Form = ReadonlyMap<string, string>;

const grantTypes: ReadonlySet<string> = new Set<TokenRequest['grantType']>([
  'client_credentials',
  'authorization_code',
  'refresh_token',
  TOKEN_EXCHANGE,
]);

export function readTokenRequest(deps: AuthDeps, client: Client, form: Form): TokenRequest {
  const grantType = readGrantType(form);
  if (!mayUse(client, grantType))
    throw new OAuthError('unauthorized_client', 'this client may not use this grant type');
  if (!isResourceOf(deps, client, form.get('resource')))
    throw new OAuthError('invalid_target', 'this server has no such resource');
  switch (grantType) {
    case 'client_credentials':
      return { grantType, scopes: readScopes(form) };
    case 'authorization_code':
      return {
        grantType,
        scopes: undefined,
        code: mandatory(form, 'code'),
        redirectUri: mandatory(form, 'redirect_uri'),
        codeVerifier: mandatory(form, 'code_verifier'),
      };
    case 'refresh_token':
      return { grantType, scopes: readScopes(form), refreshToken: mandatory(form, 'refresh_token') };
    case TOKEN_EXCHANGE:
      return readExchange(deps, client, form);
  }
}

function readGrantType(form: Form): TokenRequest['grantType'] {
  const value = mandatory(form, 'grant_type');
  if (!grantTypes.has(value))
    throw new OAuthError('unsupported_grant_type', 'this grant type is not supported');
  return value as TokenRequest['grantType'];
}

/** A client that may request a token in its own name may also exchange one, within its application. */
function mayUse(client: Client, grantType: GrantType | typeof TOKEN_EXCHANGE): boolean {
  if (grantType !== TOKEN_EXCHANGE) return client.grantTypes.includes(grantType);
  return client.kind === 'runtime' && client.grantTypes.includes('client_credentials');
}

/**
 * Resource indicators (RFC 8707): a client may say for which service it wants a token. Here there is one service per kind of
 * client; asking for another is refused instead of ignored, so that nobody mistakes a token for something it is not.
 */
export function isResourceOf({ settings }: AuthDeps, client: Client, resource: string | undefined): boolean {
  if (resource === undefined) return true;
  const { audience, engagementAudience, publicUrl } = settings;
  const own = client.kind === 'engagement' ? [engagementAudience] : [audience, publicUrl];
  return own.includes(resource.replace(/\/$/, ''));
}

/** The parameters of RFC 8693 section 2.1. */
function readExchange(deps: AuthDeps, client: Client, form: Form): ExchangeRequest {
  if (!isResourceOf(deps, client, form.get('audience')))
    throw new OAuthError('invalid_target', 'this server issues no tokens for that audience');
  const subjectToken = mandatory(form, 'subject_token');
  if (form.get('subject_token_type') !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN_TYPE}`);
  if ((form.get('requested_token_type') ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE)
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`);
  if (form.has('actor_token'))
    throw new OAuthError('invalid_request', 'actor_token is not supported: the client itself is the actor');
  return { grantType: TOKEN_EXCHANGE, scopes: readScopes(form), subjectToken };
}

function readScopes(form: Form): string[] | undefined {
  const value = form.get('scope');
  if (value === undefined || value.trim() === '') return undefined;
  const scopes = parseScope(value);
  if (!scopes) throw new OAuthError('invalid_scope', 'scope is malformed');
  return scopes;
}

function mandatory(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`);
  return value;
}

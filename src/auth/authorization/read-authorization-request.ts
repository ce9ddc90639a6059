// Reads a request to the authorization endpoint (RFC 6749 section 4.1.1, RFC 7636, RFC 9700). Until the client and its
// redirect URI are known to belong together, nothing is sent anywhere: such errors are shown on a page of our own.
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import type { OAuthErrorCode } from '../oauth-error.js';
import { identityScopes, isGranted, parseScope } from '../scopes.js';
import { hasActiveOwner } from '../tokens/delegation.js';
import { isResourceOf } from '../tokens/token-request.js';
import { redirectUriMatches } from '../tooling/redirect-uri.js';
import { consoleHome } from './console-client.js';

export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  scope: string;
  state: string | undefined;
  codeChallenge: string;
  dpopJkt: string | undefined;
  /** `none`: answer without showing a page. `login`: ask for the password even if signed in. */
  prompt: 'none' | 'login' | undefined;
  /** Asks for consent even if it was given before. */
  asksConsent: boolean;
  /** A sign-in older than this does not count. */
  maxAgeSeconds: number | undefined;
  /** Comes back in the ID token, so that the client can tie it to its own request. */
  nonce: string | undefined;
}

/** What the client is told, and where it wants to be told. */
export interface RefusedRequest {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  error: OAuthErrorCode;
  description?: string;
}

type AuthorizationReading =
  | { ok: true; request: AuthorizationRequest }
  /** `home`: where to open the application instead, if it is one of ours. */
  | { ok: false; where: 'page'; message: string; home?: string }
  | { ok: false; where: 'client'; refused: RefusedRequest };

/** Of OpenID Connect Core section 3.1.2.1; another account is chosen by signing in with it. */
export const promptValues: readonly string[] = ['none', 'login', 'consent', 'select_account'];
const asksSignIn: ReadonlySet<string> = new Set(['login', 'select_account']);
const challengePattern = /^[A-Za-z0-9_-]{43}$/;
const STATE_LENGTH_MAX = 2048;
const NONCE_LENGTH_MAX = 512;
const agePattern = /^\d{1,10}$/;

export async function readAuthorizationRequest(
  deps: AuthDeps,
  params: ReadonlyMap<string, string>,
): Promise<AuthorizationReading> {
  const asker = await readAsker(deps, params);
  return 'message' in asker ? { ok: false, where: 'page', ...asker } : readFor(deps, asker, params);
}

interface Asker {
  client: Client;
  redirectUri: string;
}

/** The client and where it wants the answer, or the message of the page that is shown instead. */
async function readAsker(
  deps: AuthDeps,
  params: ReadonlyMap<string, string>,
): Promise<Asker | { message: string; home?: string }> {
  const clientId = params.get('client_id');
  const known = clientId === undefined ? undefined : await deps.directory.client(clientId);
  const client = known?.client;
  const usable =
    client && !client.locked && client.grantTypes.includes('authorization_code')
      ? await hasActiveOwner(deps, client)
      : false;
  if (!client || !usable) return { message: 'This server does not know the application that sent you here.' };
  const redirectUri = params.get('redirect_uri');
  if (redirectUri !== undefined && redirectUriMatches(client, redirectUri)) return { client, redirectUri };
  if (client.firstParty) {
    const home = consoleHome(deps.settings.issuer);
    return { message: `The console can sign you in only at ${home}`, home };
  }
  return { message: 'The application asked to return to an address that it has not registered.' };
}

/** From here on, errors are for the client. */
function readFor(
  deps: AuthDeps,
  { client, redirectUri }: Asker,
  params: ReadonlyMap<string, string>,
): AuthorizationReading {
  const state = params.get('state');
  const refuse = (error: OAuthErrorCode, description: string): AuthorizationReading => ({
    ok: false,
    where: 'client',
    refused: {
      client,
      redirectUri,
      state: state !== undefined && state.length <= STATE_LENGTH_MAX ? state : undefined,
      error,
      description,
    },
  });
  if (state !== undefined && state.length > STATE_LENGTH_MAX)
    return refuse('invalid_request', 'state is too long');
  // Ignoring a signed request object would mean acting on something else than was signed (RFC 9101).
  if (params.has('request')) return refuse('request_not_supported', 'request objects are not supported');
  if (params.get('response_type') !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code');
  const mode = params.get('response_mode');
  if (mode !== undefined && mode !== 'query') return refuse('invalid_request', 'response_mode must be query');
  // Without a method, RFC 7636 means `plain`; accepting that would allow a downgrade.
  const codeChallenge = params.get('code_challenge');
  if (
    codeChallenge === undefined ||
    params.get('code_challenge_method') !== 'S256' ||
    !challengePattern.test(codeChallenge)
  ) {
    return refuse('invalid_request', 'PKCE with code_challenge_method S256 is required');
  }
  const scopes = parseScope(params.get('scope') ?? client.scopes.join(' '));
  const mayAsk = (scope: string): boolean =>
    identityScopes.includes(scope) || isGranted(client.scopes, scope);
  if (!scopes?.every(mayAsk)) {
    return refuse('invalid_scope', 'a requested scope is unknown or not granted to this client');
  }
  if (!isResourceOf(deps, client, params.get('resource')))
    return refuse('invalid_target', 'this server has no such resource');
  const dpopJkt = params.get('dpop_jkt');
  if (dpopJkt !== undefined && !challengePattern.test(dpopJkt))
    return refuse('invalid_request', 'dpop_jkt is malformed');
  const openId = readOpenIdParameters(params);
  if (typeof openId === 'string') return refuse('invalid_request', openId);
  return {
    ok: true,
    request: { client, redirectUri, scope: scopes.join(' '), state, codeChallenge, dpopJkt, ...openId },
  };
}

/**
 * OpenID Connect's additions (Core section 3.1.2.1): how recent the sign-in has to be, and the nonce. A text
 * says what is wrong.
 */
function readOpenIdParameters(
  params: ReadonlyMap<string, string>,
): Pick<AuthorizationRequest, 'prompt' | 'asksConsent' | 'maxAgeSeconds' | 'nonce'> | string {
  const prompts = (params.get('prompt') ?? '').split(' ').filter((each) => each !== '');
  if (!prompts.every((each) => promptValues.includes(each)))
    return `prompt must be of ${promptValues.join(', ')}`;
  const silent = prompts.includes('none');
  if (silent && prompts.length > 1) return 'prompt=none cannot be combined with another value';
  const age = params.get('max_age');
  if (age !== undefined && !agePattern.test(age)) return 'max_age must be a whole number of seconds';
  const nonce = params.get('nonce');
  if (nonce !== undefined && nonce.length > NONCE_LENGTH_MAX) return 'nonce is too long';
  return {
    nonce,
    prompt: silent ? 'none' : prompts.some((each) => asksSignIn.has(each)) ? 'login' : undefined,
    asksConsent: prompts.includes('consent'),
    maxAgeSeconds: age === undefined ? undefined : Number(age),
  };
}

/** The redirect back to the client; `iss` lets it notice a mix-up of servers (RFC 9207). */
export function redirectBack(
  deps: { settings: { issuer: string } },
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  url.searchParams.set('iss', deps.settings.issuer);
  return url.toString();
}

// The next step at the authorization endpoint: show the login page, ask for consent, or send the browser back
// with a code.
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { OAuthErrorCode } from '../oauth-error.js';
import { recordEvent } from '../record-event.js';
import type { Client } from '../model.js';
import { hashHandle } from '../secrets.js';
import { isOnDevice } from '../tooling/redirect-uri.js';
import { newGrantId } from '../grant-id.js';
import type { SignedIn } from './login-sessions.js';
import { redirectBack } from './read-authorization-request.js';
import type { AuthorizationRequest, RefusedRequest } from './read-authorization-request.js';

type NextStep =
  | { step: 'login' }
  | { step: 'consent' }
  | { step: 'redirect'; location: string }
  | { step: 'refused'; refused: RefusedRequest };

const CODE_BYTES = 32;

/** `justSignedIn`: the browser returns from the sign-in that this very request caused. */
export async function nextAuthorizationStep(
  deps: AuthDeps,
  request: AuthorizationRequest,
  signedIn: SignedIn | undefined,
  justSignedIn: boolean,
): Promise<NextStep> {
  const { client, redirectUri, state, prompt } = request;
  const back = (error: OAuthErrorCode): NextStep => ({
    step: 'refused',
    refused: { client, redirectUri, state, error },
  });
  if (!signedIn || !isGoodSignIn(deps, request, signedIn, justSignedIn))
    return prompt === 'none' ? back('login_required') : { step: 'login' };
  if (!(await hasConsent(deps, request, signedIn)))
    return prompt === 'none' ? back('consent_required') : { step: 'consent' };
  return { step: 'redirect', location: await issueCode(deps, request, signedIn) };
}

/**
 * Whether an error may take the browser to the client's address without asking. Any member can register an address, and a link to
 * this server that ends there is good for phishing (RFC 9700 section 4.11.2): only people who have allowed the client go there.
 */
export async function returnsErrors(
  deps: AuthDeps,
  client: Client,
  signedIn: SignedIn | undefined,
): Promise<boolean> {
  if (client.firstParty) return true;
  if (!signedIn) return false;
  return (await deps.store.direct.grants.getConsent(signedIn.user.userId, client.clientId)) !== undefined;
}

/** Made for this request, or recent enough for it; a `max_age` of 0 asks for a new one, like prompt=login. */
export function isGoodSignIn(
  deps: AuthDeps,
  { prompt, maxAgeSeconds = Infinity }: AuthorizationRequest,
  { signedInAtMs }: SignedIn,
  justSignedIn: boolean,
): boolean {
  if (justSignedIn) return true;
  if (prompt === 'login' || maxAgeSeconds === 0) return false;
  return deps.clock.now() - signedInAtMs <= maxAgeSeconds * 1000;
}

async function hasConsent(
  deps: AuthDeps,
  { client, scope, redirectUri, asksConsent }: AuthorizationRequest,
  { user }: SignedIn,
): Promise<boolean> {
  if (client.firstParty) return true;
  // prompt=consent: ask regardless of earlier answers (OpenID Connect Core section 3.1.2.1).
  if (asksConsent) return false;
  // Any program on the device can claim such an address, so an earlier answer proves nothing (RFC 8252
  // section 8.6).
  if (client.authMethod === 'none' && isOnDevice(redirectUri)) return false;
  const granted = (await deps.store.direct.grants.getConsent(user.userId, client.clientId))?.split(' ') ?? [];
  return scope.split(' ').every((each) => granted.includes(each));
}

/** The answer of the consent page. */
export async function answerConsent(
  deps: AuthDeps,
  request: AuthorizationRequest,
  signedIn: SignedIn,
  { allowed, address }: { allowed: boolean; address: string },
): Promise<string> {
  const { client, redirectUri, state, scope } = request;
  const { userId } = signedIn.user;
  const { appId, clientId } = client;
  const about = { appId, clientId, userId, scope, address };
  if (!allowed) {
    const error = 'access_denied';
    recordEvent(deps, { type: 'consent.denied', ...about, error });
    return redirectBack(deps, redirectUri, { error, state });
  }
  const { issuer } = deps.settings;
  const caller = { subject: userId, issuer, clientId: 'login', userId, scopes: [], tenants: [] };
  await commit(deps, { caller, requestId: deps.ids.uuid() }, async ({ tx, audit, nowMs }) => {
    await tx.grants.setConsent(userId, clientId, scope, nowMs);
    await audit('user.grant-consent', { type: 'user', id: userId }, { clientId, scope });
  });
  recordEvent(deps, { type: 'consent.granted', ...about });
  return issueCode(deps, request, signedIn);
}

async function issueCode(
  deps: AuthDeps,
  request: AuthorizationRequest,
  { user, signedInAtMs, sessionHash }: SignedIn,
): Promise<string> {
  const { client, redirectUri, scope, state, codeChallenge, dpopJkt, nonce } = request;
  const code = deps.ids.token(CODE_BYTES);
  await deps.store.direct.grants.insertCode({
    codeHash: hashHandle(deps.secrets, 'code', code),
    clientId: client.clientId,
    userId: user.userId,
    redirectUri,
    scope,
    codeChallenge,
    dpopJkt,
    nonce,
    signedInAtMs,
    grantId: newGrantId(deps.ids, sessionHash),
    expiresAtMs: deps.clock.now() + deps.settings.authorizationCodeSeconds * 1000,
    usedAtMs: undefined,
  });
  return redirectBack(deps, redirectUri, { code, state });
}

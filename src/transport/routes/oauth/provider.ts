// Signing in with the company's identity provider: to the provider and back. What has to be remembered meanwhile travels in
// a cookie of this browser, signed, so that any node can take the browser back and nobody can send it somebody else's answer.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { endSessionsOnProviderLogout } from '../../../auth/provider/back-channel-logout.js';
import { openLoginSession } from '../../../auth/authorization/login-sessions.js';
import type { IdentityProvider, ProviderTicket } from '../../../auth/identity-provider.js';
import { signInWithProvider, type ProviderOutcome } from '../../../auth/provider/sign-in-with-provider.js';
import { readNote, signNote, type Note } from '../../../auth/signed-note.js';
import { OAuthError } from '../../../auth/oauth-error.js';
import { recordSignIn } from '../../../auth/users/record-sign-in.js';
import {
  clientAddress,
  noStore,
  queryOf,
  readCookie,
  readForm,
  refuseOtherMethods,
  registerOAuthScope,
} from './http.js';
import { AUTHORIZATION_PATH } from './metadata.js';
import { registerPageScope } from './page-scope.js';
import { sendMessagePage } from './pages.js';
import { TOO_MANY, redirect, type SignInFlow, type Visit } from './sign-in-flow.js';
import type { PageText } from './page-words.js';

/** Where the provider says that somebody has left. */
const LOGOUT_PATH = '/oauth2/login/backchannel-logout';
const PROVIDER_COOKIE = 'voxgate_provider';
const PURPOSE = 'provider-errand';
const TICKET_SECONDS = 600;
/** Browsers keep 4 KiB for a cookie. */
const COOKIE_LENGTH_MAX = 3500;

interface Errand extends ProviderTicket, Note {
  /** The authorization request to go on with. */
  request: string;
}

export function registerOAuthProviderRoutes(http: FastifyInstance, flow: SignInFlow): void {
  const { provider } = flow.deps;
  if (!provider) return;
  registerPageScope(http, flow.deps.log, (scope) => {
    scope.get('/oauth2/login/provider', (request, reply) =>
      redirectToProvider(flow, provider, { request, reply }),
    );
    scope.get('/oauth2/login/callback', (request, reply) =>
      handleCallback(flow, provider, { request, reply }),
    );
  });
  registerOAuthScope(http, flow.deps.log, (scope) => {
    scope.post(LOGOUT_PATH, async (request, reply) => {
      const retryAfterMs = flow.deps.limits.tokenPerAddress.take(clientAddress(request));
      if (retryAfterMs > 0) throw new OAuthError('slow_down', 'too many requests', { retryAfterMs });
      const token = readForm(request).get('logout_token') ?? '';
      if (!(await endSessionsOnProviderLogout(flow.deps, provider, token)))
        throw new OAuthError('invalid_request', 'the logout token is not valid');
      return noStore(reply).code(200).send();
    });
    refuseOtherMethods(scope, LOGOUT_PATH, ['POST']);
  });
}

async function redirectToProvider(
  flow: SignInFlow,
  provider: IdentityProvider,
  visit: Visit,
): Promise<FastifyReply> {
  const { request, reply } = visit;
  const text = queryOf(request);
  const asked = await flow.readAsked(visit, text);
  if (!asked) return reply;
  const { deps, cookies } = flow;
  const busy = tooMany(flow, visit);
  if (busy) return busy;
  let out: Awaited<ReturnType<IdentityProvider['begin']>>;
  try {
    const { prompt, maxAgeSeconds } = asked.authorization;
    // Whoever asks for a fresh sign-in gets one there too, however long the provider would remember the person.
    out = await provider.begin(prompt === 'login' || maxAgeSeconds !== undefined ? 'login' : undefined);
  } catch (cause) {
    deps.log.warn({ err: cause }, 'the identity provider cannot be reached');
    return refuse(
      reply,
      'Your identity provider cannot be reached at the moment. Please try again later.',
      502,
    );
  }
  const endsAtMs = deps.clock.now() + TICKET_SECONDS * 1000;
  const errand: Errand = { ...out.ticket, request: asked.text, endsAtMs };
  const cookie = signNote(deps, PURPOSE, errand);
  if (cookie.length > COOKIE_LENGTH_MAX) return refuse(reply, "The application's request is too long.", 400);
  cookies.set(reply, PROVIDER_COOKIE, cookie, TICKET_SECONDS);
  return redirect(reply, out.location);
}

async function handleCallback(
  flow: SignInFlow,
  provider: IdentityProvider,
  visit: Visit,
): Promise<FastifyReply> {
  const { request, reply } = visit;
  const { deps, cookies } = flow;
  const busy = tooMany(flow, visit);
  if (busy) return busy;
  const errand = readNote<Errand>(deps, PURPOSE, readCookie(request, cookies.name(PROVIDER_COOKIE)));
  cookies.clear(reply, PROVIDER_COOKIE);
  const failed = (reason: string, clientId?: string): Promise<void> =>
    recordSignIn(deps, {
      method: 'provider',
      address: clientAddress(request),
      clientId,
      userId: undefined,
      reason,
    });
  if (!errand) {
    await failed('expired');
    return refuse(reply, 'This sign-in has expired. Please go back to the application and start again.', 403);
  }
  const asked = await flow.readAsked(visit, errand.request);
  if (!asked) return reply;
  let identity: Awaited<ReturnType<IdentityProvider['finish']>>;
  try {
    identity = await provider.finish(queryOf(request), errand);
  } catch (cause) {
    deps.log.warn({ err: cause }, "the identity provider's answer is not valid");
    await failed('provider_refused', asked.authorization.client.clientId);
    return refuse(reply, 'Your identity provider did not confirm the sign-in. Please try again.', 403);
  }
  const { clientId } = asked.authorization.client;
  const address = clientAddress(request);
  const outcome = await signInWithProvider(deps, identity, { address, clientId });
  if (!outcome.ok) return refuse(reply, messages[outcome.reason], 403);
  const session = await openLoginSession(deps, outcome.user, {
    method: 'provider',
    address,
    providerSession: identity.providerSession,
  });
  flow.keepSession(reply, asked, session);
  return redirect(reply, `${AUTHORIZATION_PATH}?${new URLSearchParams(asked.text).toString()}`);
}

const messages: Readonly<Record<Exclude<ProviderOutcome, { ok: true }>['reason'], PageText>> = {
  'no-group': 'Your account is not in a group that may use this server. Please ask your administrator.',
  'last-administrator': 'Your groups would leave this server without an administrator.',
  locked: 'Your account has been disabled on this server. Please ask your administrator.',
  'name-taken': 'There is already another account with your user name. Please ask your administrator.',
  'unknown-user': 'You have no account on this server yet. Please ask your administrator.',
  'unusable-name': 'Your identity provider sent no user name that this server can use.',
};

/** Each visit costs requests to the provider: one address gets as many as at the sign-in form. */
function tooMany({ deps }: SignInFlow, { request, reply }: Visit): FastifyReply | undefined {
  const waitMs = deps.limits.loginPerAddress.take(clientAddress(request));
  if (waitMs === 0) return undefined;
  void reply.header('retry-after', String(Math.ceil(waitMs / 1000)));
  return refuse(reply, TOO_MANY, 429);
}

function refuse(reply: FastifyReply, message: PageText, status: number): FastifyReply {
  return sendMessagePage(reply, { title: 'Not signed in', message }, { status });
}

// The browser side of the authorization code flow: /oauth2/authorize, the login and consent forms, and sign-out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerConsent, nextAuthorizationStep } from '../../../auth/authorization/authorize.js';
import {
  closeLoginSession,
  findLoginSession,
  formToken,
  formTokenMatches,
  openLoginSession,
} from '../../../auth/authorization/login-sessions.js';
import {
  readAuthorizationRequest,
  redirectBack,
} from '../../../auth/authorization/read-authorization-request.js';
import type { AuthorizationRequest } from '../../../auth/authorization/read-authorization-request.js';
import { consoleClient } from '../../../auth/authorization/console-client.js';
import type { AuthDeps } from '../../../auth/deps.js';
import { OAuthError } from '../../../auth/oauth-error.js';
import { authenticateUser } from '../../../auth/users/authenticate-user.js';
import {
  cookieJar,
  header,
  readCookie,
  readForm,
  readParameters,
  readQuery,
  refuseOtherMethods,
  registerOAuthScope,
} from './http.js';
import { AUTHORIZATION_PATH, LOGOUT_PATH } from './metadata.js';
import { sendConsentPage, sendLoginPage, sendLogoutPage, sendMessagePage } from './pages.js';

export const SESSION_COOKIE = 'voxgate_session';
const FORM_COOKIE = 'voxgate_form';
const REQUEST_LENGTH_MAX = 8 * 1024;
const FORM_COOKIE_BYTES = 24;

export function registerOAuthAuthorizeRoutes(http: FastifyInstance, deps: AuthDeps): void {
  const cookies = cookieJar(deps.settings.issuer);
  const signedInFrom = (request: FastifyRequest) =>
    findLoginSession(deps, readCookie(request, cookies.name(SESSION_COOKIE)));

  const readRequest = async (
    reply: FastifyReply,
    params: ReadonlyMap<string, string>,
  ): Promise<AuthorizationRequest | undefined> => {
    const reading = await readAuthorizationRequest(deps, params);
    if (reading.ok) return reading.request;
    if (reading.where === 'page') {
      sendMessagePage(
        reply,
        { title: 'This request cannot be served', message: reading.message },
        { status: 400 },
      );
    } else {
      const { redirectUri, state, error, description } = reading;
      redirect(reply, redirectBack(deps, redirectUri, { error, error_description: description, state }));
    }
    return undefined;
  };

  const showLogin = (
    http: { request: FastifyRequest; reply: FastifyReply },
    asked: AuthorizationRequest,
    query: string,
    again: { userName?: string; problem?: string; status?: number; retryAfterMs?: number } = {},
  ): FastifyReply => {
    let cookie = readCookie(http.request, cookies.name(FORM_COOKIE));
    if (cookie === undefined) {
      cookie = deps.ids.token(FORM_COOKIE_BYTES);
      cookies.set(http.reply, FORM_COOKIE, cookie);
    }
    const { status = 200, retryAfterMs, ...rest } = again;
    if (retryAfterMs !== undefined)
      void http.reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
    const view = {
      applicationName: asked.client.name,
      request: query,
      formToken: formToken(cookie),
      ...rest,
    };
    return sendLoginPage(http.reply, view, { status, formTargets: [asked.redirectUri] });
  };

  registerOAuthScope(http, deps.log, (scope) => {
    scope.get(AUTHORIZATION_PATH, async (request, reply) => {
      const { text, params } = readQuery(request);
      if (text.length > REQUEST_LENGTH_MAX)
        throw new OAuthError('invalid_request', 'the request is too long');
      const asked = await readRequest(reply, params);
      if (!asked) return reply;
      const signedIn = await signedInFrom(request);
      const next = await nextAuthorizationStep(deps, asked, signedIn);
      if (next.step === 'redirect') return redirect(reply, next.location);
      if (next.step === 'login' || !signedIn) return showLogin({ request, reply }, asked, text);
      const view = {
        applicationName: asked.client.name,
        userName: signedIn.user.userName,
        request: text,
        formToken: formToken(signedIn.cookie),
        redirectHost: new URL(asked.redirectUri).host || asked.redirectUri,
      };
      return sendConsentPage(reply, view, { formTargets: [asked.redirectUri] });
    });
    refuseOtherMethods(scope, AUTHORIZATION_PATH, ['GET']);

    scope.post('/oauth2/login', async (request, reply) => {
      const form = readForm(request);
      const query = form.get('request') ?? '';
      const asked = await readRequest(reply, readParameters(query.slice(0, REQUEST_LENGTH_MAX)));
      if (!asked) return reply;
      const formCookie = readCookie(request, cookies.name(FORM_COOKIE));
      const userName = form.get('user_name') ?? '';
      if (formCookie === undefined || !formTokenMatches(formCookie, form.get('form_token'))) {
        return showLogin({ request, reply }, asked, query, {
          userName,
          problem: 'The form had expired. Please try again.',
          status: 403,
        });
      }
      const outcome = await authenticateUser(deps, {
        userName,
        password: form.get('password') ?? '',
        address: request.ip,
      });
      if (!outcome.ok) {
        const tooMany = outcome.reason === 'rate-limited';
        return showLogin({ request, reply }, asked, query, {
          userName,
          problem:
            outcome.reason === 'wrong'
              ? 'User name or password is not right.'
              : 'Too many attempts. Please wait a moment and try again.',
          status: tooMany ? 429 : outcome.reason === 'busy' ? 503 : 401,
          ...(tooMany ? { retryAfterMs: outcome.retryAfterMs } : {}),
        });
      }
      const { cookie, maxAgeSeconds } = await openLoginSession(deps, outcome.user);
      cookies.set(reply, SESSION_COOKIE, cookie, maxAgeSeconds);
      // Written anew: what came in a form may hold characters that a header must not.
      return redirect(reply, `${AUTHORIZATION_PATH}?${new URLSearchParams(query).toString()}`);
    });

    scope.post('/oauth2/consent', async (request, reply) => {
      const form = readForm(request);
      const asked = await readRequest(
        reply,
        readParameters((form.get('request') ?? '').slice(0, REQUEST_LENGTH_MAX)),
      );
      if (!asked) return reply;
      const signedIn = await signedInFrom(request);
      if (!signedIn || !formTokenMatches(signedIn.cookie, form.get('form_token'))) {
        const message = 'The form had expired. Please go back to the application and start again.';
        return sendMessagePage(reply, { title: 'This request cannot be served', message }, { status: 403 });
      }
      return redirect(reply, await answerConsent(deps, asked, signedIn, form.get('decision') === 'allow'));
    });

    const signOut = async (
      reply: FastifyReply,
      cookie: string | undefined,
      returnTo: string | undefined,
    ): Promise<FastifyReply> => {
      if (cookie !== undefined) await closeLoginSession(deps, cookie);
      cookies.clear(reply, SESSION_COOKIE);
      if (returnTo !== undefined) return redirect(reply, returnTo);
      return sendMessagePage(reply, { title: 'Signed out', message: 'You are signed out of this server.' });
    };
    /** Only back to the console: an open redirect is worth more to an attacker than to anybody else. */
    const allowedReturn = (value: string | undefined): string | undefined =>
      consoleClient(deps.settings.issuer).redirectUris.find((uri) => uri === value);

    scope.get(LOGOUT_PATH, async (request, reply) => {
      const cookie = readCookie(request, cookies.name(SESSION_COOKIE));
      const returnTo = allowedReturn(readQuery(request).params.get('post_logout_redirect_uri'));
      // A foreign page could send somebody here; only our own pages sign out without asking.
      if (cookie === undefined || header(request, 'sec-fetch-site') === 'same-origin')
        return signOut(reply, cookie, returnTo);
      return sendLogoutPage(reply, { formToken: formToken(cookie), returnTo });
    });
    scope.post(LOGOUT_PATH, async (request, reply) => {
      const form = readForm(request);
      const cookie = readCookie(request, cookies.name(SESSION_COOKIE));
      if (cookie !== undefined && !formTokenMatches(cookie, form.get('form_token'))) {
        return sendMessagePage(
          reply,
          { title: 'Not signed out', message: 'The form had expired. Please try again.' },
          { status: 403 },
        );
      }
      return signOut(reply, cookie, allowedReturn(form.get('post_logout_redirect_uri')));
    });
  });
}

/** 303: whatever the method was, the browser goes on with GET. */
function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(location, 303);
}

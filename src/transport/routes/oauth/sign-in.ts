// The sign-in form: user name and password in, a session cookie out.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { formTokenMatches, openLoginSession } from '../../../auth/authorization/login-sessions.js';
import { authenticateUser, type LoginOutcome } from '../../../auth/users/authenticate-user.js';
import { knownDeviceCookie } from '../../../auth/users/known-device.js';
import { clientAddress, readCookie, readForm, registerOAuthScope } from './http.js';
import { AUTHORIZATION_PATH } from './metadata.js';
import {
  FORM_COOKIE,
  SESSION_COOKIE,
  redirect,
  type SignInFlow,
  type SignInProblem,
  type Visit,
} from './sign-in-flow.js';

const DEVICE_COOKIE = 'voxgate_device';
const DEVICE_COOKIE_SECONDS = 365 * 24 * 3600;

export function registerOAuthSignInRoutes(http: FastifyInstance, flow: SignInFlow): void {
  registerOAuthScope(http, flow.deps.log, (scope) => {
    scope.post('/oauth2/login', (request, reply) => signIn(flow, { request, reply }));
  });
}

async function signIn(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { request, reply } = visit;
  const form = readForm(request);
  const asked = await flow.readAsked(reply, form.get('request') ?? '');
  if (!asked) return reply;
  if (!flow.deps.settings.localAccounts) {
    const problem = 'Please sign in with your identity provider.';
    return flow.showSignIn(visit, asked, { problem, status: 403 });
  }
  const formCookie = readCookie(request, flow.cookies.name(FORM_COOKIE));
  const userName = form.get('user_name') ?? '';
  if (formCookie === undefined || !formTokenMatches(formCookie, form.get('form_token'))) {
    const problem = 'This form has expired. Please try again.';
    return flow.showSignIn(visit, asked, { userName, problem, status: 403 });
  }
  const password = form.get('password') ?? '';
  const device = readCookie(request, flow.cookies.name(DEVICE_COOKIE));
  const outcome = await authenticateUser(flow.deps, {
    userName,
    password,
    address: clientAddress(request),
    clientId: asked.authorization.client.clientId,
    device,
  });
  if (!outcome.ok) return flow.showSignIn(visit, asked, { userName, ...problemOf(outcome) });
  const { cookie, maxAgeSeconds } = await openLoginSession(flow.deps, outcome.user, 'password');
  flow.cookies.set(reply, SESSION_COOKIE, cookie, maxAgeSeconds);
  flow.cookies.set(reply, DEVICE_COOKIE, knownDeviceCookie(flow.deps, outcome.user), DEVICE_COOKIE_SECONDS);
  // Written anew: what came in a form may hold characters that a header must not.
  return redirect(reply, `${AUTHORIZATION_PATH}?${new URLSearchParams(asked.text).toString()}`);
}

function problemOf(outcome: Exclude<LoginOutcome, { ok: true }>): SignInProblem {
  switch (outcome.reason) {
    case 'wrong':
      return { problem: 'Incorrect user name or password.', status: 401 };
    case 'busy':
      return { problem: 'Too many attempts. Please wait a moment and try again.', status: 503 };
    case 'rate-limited':
      return {
        problem: 'Too many attempts. Please wait a moment and try again.',
        status: 429,
        retryAfterMs: outcome.retryAfterMs,
      };
  }
}

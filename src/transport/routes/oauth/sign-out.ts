// Signing out in this browser. Our own pages sign out at once; a visit from elsewhere is asked first.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { consoleHome } from '../../../auth/authorization/console-client.js';
import {
  closeLoginSession,
  formToken,
  formTokenMatches,
} from '../../../auth/authorization/login-sessions.js';
import { header, readForm, readQuery } from './http.js';
import { registerPageScope } from './page-scope.js';
import { LOGOUT_PATH } from './metadata.js';
import { sendLogoutPage, sendMessagePage } from './pages.js';
import { SESSION_COOKIE, redirect, type SignInFlow, type Visit } from './sign-in-flow.js';

export function registerOAuthSignOutRoutes(http: FastifyInstance, flow: SignInFlow): void {
  registerPageScope(http, flow.deps.log, (scope) => {
    scope.get(LOGOUT_PATH, (request, reply) => askToSignOut(flow, { request, reply }));
    scope.post(LOGOUT_PATH, (request, reply) => confirmSignOut(flow, { request, reply }));
  });
}

async function askToSignOut(flow: SignInFlow, { request, reply }: Visit): Promise<FastifyReply> {
  const cookie = flow.sessionCookie(request);
  const returnTo = allowedReturn(flow, readQuery(request).params.get('post_logout_redirect_uri'));
  // A foreign page could send somebody here; only our own pages sign out without asking.
  if (cookie === undefined || header(request, 'sec-fetch-site') === 'same-origin')
    return signOut(flow, reply, cookie, returnTo);
  return sendLogoutPage(reply, { formToken: formToken(cookie), returnTo });
}

async function confirmSignOut(flow: SignInFlow, { request, reply }: Visit): Promise<FastifyReply> {
  const form = readForm(request);
  const cookie = flow.sessionCookie(request);
  if (cookie !== undefined && !formTokenMatches(cookie, form.get('form_token'))) {
    const message = 'This form has expired. Please try again.';
    return sendMessagePage(reply, { title: 'Not signed out', message }, { status: 403 });
  }
  return signOut(flow, reply, cookie, allowedReturn(flow, form.get('post_logout_redirect_uri')));
}

async function signOut(
  flow: SignInFlow,
  reply: FastifyReply,
  cookie: string | undefined,
  returnTo: string | undefined,
): Promise<FastifyReply> {
  if (cookie !== undefined) await closeLoginSession(flow.deps, cookie);
  flow.cookies.clear(reply, SESSION_COOKIE);
  if (returnTo !== undefined) return redirect(reply, returnTo);
  return sendMessagePage(reply, { title: 'Signed out', message: 'You have signed out.' });
}

/** Only back to the console: an open redirect is worth more to an attacker than to anybody else. */
function allowedReturn(flow: SignInFlow, value: string | undefined): string | undefined {
  const uri = consoleHome(flow.deps.settings.issuer);
  return value === uri ? uri : undefined;
}

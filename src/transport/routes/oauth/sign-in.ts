// The sign-in form: user name and password in, and on to whatever else the sign-in needs.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { formTokenMatches } from '../../../auth/authorization/login-sessions.js';
import { authenticateUser, type LoginOutcome } from '../../../auth/users/authenticate-user.js';
import { clientAddress, readCookie, readForm } from './http.js';
import { registerPageScope } from './page-scope.js';
import { FORM_COOKIE, TOO_MANY, type SignInFlow, type SignInProblem, type Visit } from './sign-in-flow.js';
import { continueSignIn } from './sign-in-steps.js';

export function registerOAuthSignInRoutes(http: FastifyInstance, flow: SignInFlow): void {
  registerPageScope(http, flow.deps.log, (scope) => {
    scope.post('/oauth2/login', (request, reply) => signIn(flow, { request, reply }));
  });
}

async function signIn(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { request, reply } = visit;
  const form = readForm(request);
  const asked = await flow.readAsked(visit, form.get('request') ?? '');
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
  const outcome = await authenticateUser(flow.deps, {
    userName,
    password: form.get('password') ?? '',
    address: clientAddress(request),
    clientId: asked.authorization.client.clientId,
    device: flow.deviceCookie(request),
  });
  if (!outcome.ok) return flow.showSignIn(visit, asked, { userName, ...problemOf(outcome) });
  return continueSignIn(flow, visit, asked, { userId: outcome.user.userId, methods: ['password'] });
}

function problemOf(outcome: Exclude<LoginOutcome, { ok: true }>): SignInProblem {
  switch (outcome.reason) {
    case 'wrong':
      return { problem: 'Incorrect user name or password.', status: 401 };
    case 'busy':
      return { problem: TOO_MANY, status: 503 };
    case 'rate-limited':
      return { problem: TOO_MANY, status: 429, retryAfterMs: outcome.retryAfterMs };
  }
}

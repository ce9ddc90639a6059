// /setup: the first password of a new installation, as a page and as JSON. Gone once setup is closed.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { formToken, formTokenMatches } from '../../../auth/authorization/login-sessions.js';
import { needsSecondFactor } from '../../../auth/factors/current-user.js';
import { PASSWORD_LENGTH_MIN } from '../../../auth/passwords.js';
import { finishSignIn } from '../../../auth/sign-in/progress.js';
import { authenticateUser } from '../../../auth/users/authenticate-user.js';
import { completeSetup, isSetupOpen, isSetupToken } from '../../../auth/users/first-run-setup.js';
import { AppError } from '../../../errors.js';
import { errorMap } from '../../error-map.js';
import { FORM_TYPE, clientAddress, noStore, queryOf, readCookie, readForm } from './http.js';
import { sendMessagePage, sendSetupPage } from './pages.js';
import { SESSION_COOKIE, type SignInFlow, type Visit } from './sign-in-flow.js';
import { inEnglish } from '../../../words/server/say.js';
import type { PageSentence } from './page-words.js';
import { passwordProblem } from './step-pages.js';

const SETUP_PATH = '/setup';
const CONSOLE_PATH = '/console/';
const SETUP_COOKIE = 'voxgate_setup';
const COOKIE_BYTES = 24;
const BODY_BYTES_MAX = 4096;
const alreadySetUp = {
  title: 'Already set up',
  message: 'The first password of this server can no longer be chosen here.',
  link: { href: CONSOLE_PATH, text: 'Sign in' },
} as const;
const STALE_LINK =
  'This setup token is no longer valid: the server prints a new link each time it starts. Use the newest one.';

export function registerOAuthSetupRoutes(http: FastifyInstance, flow: SignInFlow): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.get(SETUP_PATH, async (request, reply) => {
      if (!(await isSetupOpen(flow.deps))) return sendMessagePage(reply, alreadySetUp, { status: 404 });
      const token = new URLSearchParams(queryOf(request)).get('token') ?? '';
      const visit = { request, reply };
      // Nobody thinks of a password for a link that opens nothing.
      if (token !== '' && !(await isSetupToken(flow.deps, token)))
        return showForm(flow, visit, '', { status: 403, problem: STALE_LINK });
      return showForm(flow, visit, token);
    });
    scope.post(SETUP_PATH, async (request, reply) => {
      const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
      return type === FORM_TYPE ? postForm(flow, { request, reply }) : postJson(flow, { request, reply });
    });
  });
}

function showForm(
  { deps, cookies }: SignInFlow,
  { request, reply }: Visit,
  token: string,
  again: { status?: number; problem?: PageSentence } = {},
): FastifyReply {
  let cookie = readCookie(request, cookies.name(SETUP_COOKIE));
  if (cookie === undefined) {
    cookie = deps.ids.token(COOKIE_BYTES);
    cookies.set(reply, SETUP_COOKIE, cookie);
  }
  const { status = 200, problem } = again;
  const view = { token, formToken: formToken(cookie), passwordLengthMin: PASSWORD_LENGTH_MIN };
  return sendSetupPage(reply, problem === undefined ? view : { ...view, problem }, { status });
}

async function postForm(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { deps, cookies } = flow;
  const { request, reply } = visit;
  const form = readForm(request);
  const token = form.get('token') ?? '';
  const cookie = readCookie(request, cookies.name(SETUP_COOKIE));
  if (cookie === undefined || !formTokenMatches(cookie, form.get('form_token'))) {
    const problem = 'This form has expired. Please try again.';
    return showForm(flow, visit, token, { status: 403, problem });
  }
  const password = form.get('password') ?? '';
  if (password !== form.get('password_again'))
    return showForm(flow, visit, token, { status: 400, problem: 'The two passwords are different.' });
  try {
    const { userName } = await completeSetup(deps, { token, password, address: clientAddress(request) });
    cookies.clear(reply, SETUP_COOKIE);
    // Who has just chosen the password need not type it again.
    const visitor = { address: clientAddress(request) };
    const outcome = await authenticateUser(deps, { userName, password, ...visitor });
    // Where administrators need a second factor, the sign-in page asks for it.
    if (outcome.ok && !needsSecondFactor(deps, outcome.user)) {
      const shown = { user: outcome.user, methods: ['password'] as const };
      const visitWith = { ...visitor, device: flow.deviceCookie(request) };
      const { cookie: session, maxAgeSeconds, device } = await finishSignIn(deps, shown, visitWith);
      cookies.set(reply, SESSION_COOKIE, session, maxAgeSeconds);
      flow.keepDevice(reply, device);
    }
    return noStore(reply).redirect(CONSOLE_PATH, 303);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'NOT_FOUND' || error.code === 'INTERNAL_ERROR')
      throw error;
    const status = errorMap[error.code].http;
    if (error.code === 'NOT_AUTHORIZED') return showForm(flow, visit, '', { status, problem: STALE_LINK });
    return showForm(flow, visit, token, {
      status,
      problem: passwordProblem(error),
    });
  }
}

async function postJson({ deps }: SignInFlow, { request, reply }: Visit): Promise<FastifyReply> {
  let body: unknown;
  try {
    body = JSON.parse(String(request.body));
  } catch {
    throw new AppError('INVALID_REQUEST', inEnglish('the body is not JSON'));
  }
  const { token, password } = (body ?? {}) as Record<string, unknown>;
  if (typeof token !== 'string' || typeof password !== 'string') {
    throw new AppError('INVALID_REQUEST', inEnglish('token and password are required'));
  }
  const { userName } = await completeSetup(deps, { token, password, address: clientAddress(request) });
  return noStore(reply).send({ user_name: userName });
}

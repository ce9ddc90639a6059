// /setup: the first password of a new installation, as a page and as JSON. Gone as soon as somebody can sign in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formToken, formTokenMatches, openLoginSession } from '../../../auth/authorization/login-sessions.js';
import type { AuthDeps } from '../../../auth/deps.js';
import { PASSWORD_LENGTH_MIN } from '../../../auth/passwords.js';
import { authenticateUser } from '../../../auth/users/authenticate-user.js';
import { completeSetup, isSetupOpen } from '../../../auth/users/first-run-setup.js';
import { AppError } from '../../../errors.js';
import { errorMap } from '../../error-map.js';
import { flatError } from '../../refusal.js';
import { FORM_TYPE, cookieJar, noStore, queryOf, readCookie, readForm } from './http.js';
import { SESSION_COOKIE } from './authorize.js';
import { sendSetupPage } from './pages.js';

const SETUP_PATH = '/setup';
const CONSOLE_PATH = '/console/';
const SETUP_COOKIE = 'voxgate_setup';
const COOKIE_BYTES = 24;
const BODY_BYTES_MAX = 4096;

export function registerOAuthSetupRoutes(http: FastifyInstance, deps: AuthDeps): void {
  const cookies = cookieJar(deps.settings.issuer);

  const showForm = (
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    status = 200,
    problem?: string,
  ): FastifyReply => {
    let cookie = readCookie(request, cookies.name(SETUP_COOKIE));
    if (cookie === undefined) {
      cookie = deps.ids.token(COOKIE_BYTES);
      cookies.set(reply, SETUP_COOKIE, cookie);
    }
    const view = { token, formToken: formToken(cookie), passwordLengthMin: PASSWORD_LENGTH_MIN };
    return sendSetupPage(reply, problem === undefined ? view : { ...view, problem }, { status });
  };

  const postForm = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = readForm(request);
    const token = form.get('token') ?? '';
    const cookie = readCookie(request, cookies.name(SETUP_COOKIE));
    if (cookie === undefined || !formTokenMatches(cookie, form.get('form_token'))) {
      return showForm(request, reply, token, 403, 'The form had expired. Please try again.');
    }
    const password = form.get('password') ?? '';
    if (password !== form.get('password_again'))
      return showForm(request, reply, token, 400, 'The two passwords differ.');
    try {
      const { userName } = await completeSetup(deps, { token, password, address: request.ip });
      cookies.clear(reply, SETUP_COOKIE);
      // Who has just chosen the password need not type it again.
      const outcome = await authenticateUser(deps, { userName, password, address: request.ip });
      if (outcome.ok) {
        const { cookie: session, maxAgeSeconds } = await openLoginSession(deps, outcome.user);
        cookies.set(reply, SESSION_COOKIE, session, maxAgeSeconds);
      }
      return noStore(reply).redirect(CONSOLE_PATH, 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'NOT_FOUND' || error.code === 'INTERNAL_ERROR')
        throw error;
      return showForm(request, reply, token, errorMap[error.code].http, `${error.message}.`);
    }
  };

  const postJson = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let body: unknown;
    try {
      body = JSON.parse(String(request.body));
    } catch {
      throw new AppError('INVALID_REQUEST', 'the body is not JSON');
    }
    const { token, password } = (body ?? {}) as Record<string, unknown>;
    if (typeof token !== 'string' || typeof password !== 'string') {
      throw new AppError('INVALID_REQUEST', 'token and password are mandatory');
    }
    const { userName } = await completeSetup(deps, { token, password, address: request.ip });
    return noStore(reply).send({ user_name: userName });
  };

  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.get(SETUP_PATH, async (request, reply) => {
      if (!(await isSetupOpen(deps)))
        return reply.code(404).send(flatError(404, 'this server is set up already'));
      return showForm(request, reply, new URLSearchParams(queryOf(request)).get('token') ?? '');
    });
    scope.post(SETUP_PATH, async (request, reply) => {
      const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
      return type === FORM_TYPE ? postForm(request, reply) : postJson(request, reply);
    });
  });
}

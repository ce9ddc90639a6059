// /invitation: the page of a link by which somebody chooses their password.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { formToken, formTokenMatches } from '../../../auth/authorization/login-sessions.js';
import { PASSWORD_LENGTH_MIN } from '../../../auth/passwords.js';
import { finishSignIn, progressWith } from '../../../auth/sign-in/progress.js';
import { acceptInvitation, invitedBy, INVITATION_PATH } from '../../../auth/sign-in/invitation.js';
import { AppError } from '../../../errors.js';
import { errorMap } from '../../error-map.js';
import { clientAddress, noStore, queryOf, readCookie, readForm } from './http.js';
import { registerPageScope } from './page-scope.js';
import { sendInvitationPage, sendMessagePage } from './pages.js';
import { SESSION_COOKIE, type SignInFlow, type Visit } from './sign-in-flow.js';
import type { PageSentence } from './page-words.js';
import { passwordProblem } from './step-pages.js';

const CONSOLE_PATH = '/console/';
const INVITATION_COOKIE = 'voxgate_invitation';
const COOKIE_BYTES = 24;
const used = {
  title: 'This link is no longer valid',
  message: 'It has been used or replaced, or is too old. Ask an administrator for a new one.',
  link: { href: CONSOLE_PATH, text: 'Sign in' },
} as const;

export function registerInvitationRoutes(http: FastifyInstance, flow: SignInFlow): void {
  registerPageScope(http, flow.deps.log, (scope) => {
    scope.get(INVITATION_PATH, (request, reply) => {
      const token = new URLSearchParams(queryOf(request)).get('token') ?? '';
      return showForm(flow, { request, reply }, token);
    });
    scope.post(INVITATION_PATH, (request, reply) => takePassword(flow, { request, reply }));
  });
}

async function showForm(
  { deps, cookies }: SignInFlow,
  { request, reply }: Visit,
  token: string,
  { status = 200, problem }: { status?: number; problem?: PageSentence } = {},
): Promise<FastifyReply> {
  const invited = await invitedBy(deps, token);
  if (!invited) return sendMessagePage(reply, used, { status: 403 });
  let cookie = readCookie(request, cookies.name(INVITATION_COOKIE));
  if (cookie === undefined) {
    cookie = deps.ids.token(COOKIE_BYTES);
    cookies.set(reply, INVITATION_COOKIE, cookie);
  }
  const { userName } = invited.user;
  const view = { token, userName, formToken: formToken(cookie), passwordLengthMin: PASSWORD_LENGTH_MIN };
  return sendInvitationPage(reply, { ...view, problem }, { status });
}

async function takePassword(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { deps, cookies } = flow;
  const { request, reply } = visit;
  const form = readForm(request);
  const token = form.get('token') ?? '';
  const again = (status: number, problem: PageSentence) => showForm(flow, visit, token, { status, problem });
  const cookie = readCookie(request, cookies.name(INVITATION_COOKIE));
  if (cookie === undefined || !formTokenMatches(cookie, form.get('form_token')))
    return again(403, 'This form has expired. Please try again.');
  const password = form.get('password') ?? '';
  if (password !== form.get('password_again')) return again(400, 'The two passwords are different.');
  const address = clientAddress(request);
  try {
    const { userId } = await acceptInvitation(deps, { token, password, address });
    cookies.clear(reply, INVITATION_COOKIE);
    const progress = await progressWith(deps, userId, ['password']);
    // Where a second factor is needed, the sign-in page asks for it.
    if (progress?.step === 'done') {
      const visitWith = { address, device: flow.deviceCookie(request) };
      const { cookie: session, maxAgeSeconds, device } = await finishSignIn(deps, progress, visitWith);
      cookies.set(reply, SESSION_COOKIE, session, maxAgeSeconds);
      flow.keepDevice(reply, device);
    }
    return noStore(reply).redirect(CONSOLE_PATH, 303);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') throw error;
    return again(errorMap[error.code].http, passwordProblem(error));
  }
}

// What comes between the password and the way on: a code of the second factor, a password of one's own in the place of one
// that was given, and a second factor where the role needs one.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formToken, formTokenMatches } from '../../../auth/authorization/login-sessions.js';
import { checkCode, type CodeOutcome } from '../../../auth/factors/check-code.js';
import { askForPasskey, checkPasskey } from '../../../auth/factors/check-passkey.js';
import { beginTotp, confirmTotp } from '../../../auth/factors/own-factors.js';
import { PASSWORD_LENGTH_MIN } from '../../../auth/passwords.js';
import type { SignInMethod } from '../../../auth/sign-in/next-step.js';
import {
  SIGN_IN_SECONDS,
  callOfPerson,
  finishSignIn,
  progressWith,
  readProgress,
  signProgress,
  type SignInProgress,
} from '../../../auth/sign-in/progress.js';
import { replaceTemporaryPassword } from '../../../auth/users/set-password.js';
import { AppError } from '../../../errors.js';
import { errorMap } from '../../error-map.js';
import { qrCode } from '../../qr-code.js';
import { clientAddress, queryOf, readCookie, readForm } from './http.js';
import { registerPageScope } from './page-scope.js';
import { AUTHORIZATION_PATH } from './metadata.js';
import {
  FORM_COOKIE,
  TOO_MANY,
  addressWith,
  redirect,
  type Asked,
  type SignInFlow,
  type SignInProblem,
  type Visit,
} from './sign-in-flow.js';
import { sendCodePage, sendFactorPage, sendNewPasswordPage, sendRecoveryCodesPage } from './step-pages.js';
import type { PageText } from './page-words.js';

const STEP_PATH = '/oauth2/login/next';
const PROGRESS_COOKIE = 'voxgate_sign_in';

export function registerOAuthSignInStepRoutes(http: FastifyInstance, flow: SignInFlow): void {
  registerPageScope(http, flow.deps.log, (scope) => {
    scope.get(STEP_PATH, async (request, reply) => {
      const visit = { request, reply };
      const asked = await flow.readAsked(visit, queryOf(request));
      if (!asked) return reply;
      const progress = await readProgress(flow.deps, progressCookie(flow, request));
      return progress ? showOrFinish(flow, visit, asked, progress) : startOver(flow, visit, asked);
    });
    scope.post('/oauth2/login/code', (request, reply) =>
      atStep(flow, { request, reply }, 'second-factor', takeCode),
    );
    scope.post('/oauth2/login/passkey', (request, reply) => takePasskey(flow, { request, reply }));
    scope.post('/oauth2/login/new-password', (request, reply) =>
      atStep(flow, { request, reply }, 'new-password', takePassword),
    );
    scope.post('/oauth2/login/factor', (request, reply) =>
      atStep(flow, { request, reply }, 'set-up-factor', takeFactor),
    );
  });
}

function progressCookie(flow: SignInFlow, request: FastifyRequest): string | undefined {
  return readCookie(request, flow.cookies.name(PROGRESS_COOKIE));
}

/** After the person has shown `methods`: on to the next step, or signed in. */
export async function continueSignIn(
  flow: SignInFlow,
  visit: Visit,
  asked: Asked,
  shown: { userId: string; methods: readonly SignInMethod[] },
): Promise<FastifyReply> {
  const progress = await progressWith(flow.deps, shown.userId, shown.methods);
  if (!progress) return startOver(flow, visit, asked);
  if (progress.step === 'done') return finish(flow, visit, asked, progress);
  remember(flow, visit.reply, progress);
  return redirect(visit.reply, addressWith(STEP_PATH, asked));
}

function remember(flow: SignInFlow, reply: FastifyReply, progress: SignInProgress): void {
  flow.cookies.set(reply, PROGRESS_COOKIE, signProgress(flow.deps, progress), SIGN_IN_SECONDS);
}

async function finish(
  flow: SignInFlow,
  { request, reply }: Visit,
  asked: Asked,
  progress: SignInProgress,
): Promise<FastifyReply> {
  const { device, ...session } = await finishSignIn(flow.deps, progress, {
    address: clientAddress(request),
    clientId: asked.authorization.client.clientId,
    device: flow.deviceCookie(request),
  });
  if (progressCookie(flow, request) !== undefined) flow.cookies.clear(reply, PROGRESS_COOKIE);
  flow.keepSession(reply, asked, session);
  flow.keepDevice(reply, device);
  return redirect(reply, addressWith(AUTHORIZATION_PATH, asked));
}

function startOver(flow: SignInFlow, visit: Visit, asked: Asked): Promise<FastifyReply> {
  flow.cookies.clear(visit.reply, PROGRESS_COOKIE);
  const problem = 'This sign-in has expired. Please try again.';
  return flow.showSignIn(visit, asked, { problem, status: 403 });
}

/** Whether the form came from a page that this browser was shown. */
function isOwnForm(flow: SignInFlow, request: FastifyRequest, form: ReadonlyMap<string, string>): boolean {
  const cookie = readCookie(request, flow.cookies.name(FORM_COOKIE));
  return cookie !== undefined && formTokenMatches(cookie, form.get('form_token'));
}

/** One form of a step: its sender, what they have shown, and what they send now. */
interface Sent {
  flow: SignInFlow;
  visit: Visit;
  asked: Asked;
  progress: SignInProgress;
  form: ReadonlyMap<string, string>;
}

/** Reads the form of one step; whoever is at another one is taken there. */
async function atStep(
  flow: SignInFlow,
  visit: Visit,
  step: SignInProgress['step'],
  take: (sent: Sent) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { request, reply } = visit;
  const form = readForm(request);
  const asked = await flow.readAsked(visit, form.get('request') ?? '');
  if (!asked) return reply;
  const progress = await readProgress(flow.deps, progressCookie(flow, request));
  if (!progress || !isOwnForm(flow, request, form)) return startOver(flow, visit, asked);
  if (progress.step !== step) return redirect(reply, addressWith(STEP_PATH, asked));
  return take({ flow, visit, asked, progress, form });
}

function showOrFinish(
  flow: SignInFlow,
  visit: Visit,
  asked: Asked,
  progress: SignInProgress,
): Promise<FastifyReply> {
  return progress.step === 'done' ? finish(flow, visit, asked, progress) : show(flow, visit, asked, progress);
}

async function show(
  flow: SignInFlow,
  { request, reply }: Visit,
  asked: Asked,
  { step, user }: SignInProgress,
  { problem, status = 200, retryAfterMs }: SignInProblem = {},
): Promise<FastifyReply> {
  if (retryAfterMs !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  const view = { request: asked.text, formToken: formToken(flow.formCookie(request, reply)), problem };
  const options = { status, formTargets: [asked.authorization.redirectUri] };
  if (step === 'second-factor') {
    const { userId } = user;
    const hasApp = (await flow.deps.store.direct.factors.getTotp(userId)) !== undefined;
    return sendCodePage(reply, { ...view, hasApp, passkey: await askForPasskey(flow.deps, userId) }, options);
  }
  if (step === 'new-password') {
    const { userName } = user;
    return sendNewPasswordPage(reply, { ...view, userName, passwordLengthMin: PASSWORD_LENGTH_MIN }, options);
  }
  const { setupToken, secret, uri } = await beginTotp(flow.deps, user);
  return sendFactorPage(reply, { ...view, setupToken, secret, qr: qrCode(uri) }, options);
}

async function takeCode({ flow, visit, asked, progress, form }: Sent): Promise<FastifyReply> {
  const { user, methods } = progress;
  const outcome = await checkCode(flow.deps, user, {
    code: form.get('code') ?? '',
    address: clientAddress(visit.request),
    clientId: asked.authorization.client.clientId,
    device: flow.deviceCookie(visit.request),
  });
  if (!outcome.ok) return show(flow, visit, asked, progress, problemOf(outcome));
  return continueSignIn(flow, visit, asked, { userId: user.userId, methods: [...methods, outcome.method] });
}

/** Instead of a password, or as the second step after it. */
async function takePasskey(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { request, reply } = visit;
  const form = readForm(request);
  const asked = await flow.readAsked(visit, form.get('request') ?? '');
  if (!asked) return reply;
  if (!isOwnForm(flow, request, form)) return startOver(flow, visit, asked);
  const outcome = await checkPasskey(flow.deps, {
    ticket: form.get('ticket') ?? '',
    credentialJson: form.get('credential') ?? '',
    address: clientAddress(request),
    clientId: asked.authorization.client.clientId,
  });
  const progress = await readProgress(flow.deps, progressCookie(flow, request));
  if (!outcome.ok) {
    const problem = problemOf(outcome, 'This passkey was not accepted. Please try again.');
    return progress?.step === 'second-factor'
      ? show(flow, visit, asked, progress, problem)
      : flow.showSignIn(visit, asked, problem);
  }
  const { userId, second } = outcome;
  const before = second && progress?.user.userId === userId ? progress.methods : [];
  return continueSignIn(flow, visit, asked, { userId, methods: [...before, 'passkey'] });
}

function problemOf(
  outcome: Exclude<CodeOutcome, { ok: true }>,
  wrong: PageText = 'This code is not valid. Please wait for the next one and try again.',
): SignInProblem {
  return outcome.reason === 'wrong'
    ? { problem: wrong, status: 401 }
    : { problem: TOO_MANY, status: 429, retryAfterMs: outcome.retryAfterMs };
}

async function takePassword({ flow, visit, asked, progress, form }: Sent): Promise<FastifyReply> {
  const { user, methods } = progress;
  const password = form.get('password') ?? '';
  if (password !== form.get('password_again'))
    return show(flow, visit, asked, progress, { problem: 'The two passwords are different.', status: 400 });
  try {
    await replaceTemporaryPassword(flow.deps, callOfPerson(flow.deps, user), user, password);
  } catch (thrown) {
    return show(flow, visit, asked, progress, refusalOf(thrown));
  }
  return continueSignIn(flow, visit, asked, { userId: user.userId, methods });
}

async function takeFactor({ flow, visit, asked, progress, form }: Sent): Promise<FastifyReply> {
  const { user, methods } = progress;
  const input = { setupToken: form.get('setup_token') ?? '', code: form.get('code') ?? '' };
  let codes: string[];
  try {
    codes = await confirmTotp(flow.deps, callOfPerson(flow.deps, user), user, input);
  } catch (thrown) {
    return show(flow, visit, asked, progress, refusalOf(thrown));
  }
  remember(flow, visit.reply, { ...progress, methods: [...methods, 'totp'] });
  return sendRecoveryCodesPage(visit.reply, {
    request: asked.text,
    codes,
    next: addressWith(STEP_PATH, asked),
  });
}

/** What was wrong with what somebody sent; anything else goes the way of all failures. */
function refusalOf(thrown: unknown): SignInProblem {
  if (!(thrown instanceof AppError) || thrown.code === 'INTERNAL_ERROR') throw thrown;
  const { retryAfterMs } = thrown;
  const [fault] = thrown.fields;
  return {
    problem: fault
      ? { text: labels[fault.field] ?? 'This {fault}.', fault }
      : { text: '{fault}.', fault: thrown.said },
    status: errorMap[thrown.code].http,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const labels: Readonly<Record<string, PageText>> = {
  new_password: 'The new password {fault}.',
  code: 'The code {fault}.',
  setup_token: 'This page {fault}.',
};

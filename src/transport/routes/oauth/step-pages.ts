// The pages between the password and the way on: a code, a password of one's own, an authenticator app to set up.
import type { FastifyReply } from 'fastify';
import type { PasskeyQuestion } from '../../../auth/factors/check-passkey.js';
import type { AppError } from '../../../errors.js';
import type { QrCode } from '../../qr-code.js';
import { Markup, alert, markup, sendPage, type PageOptions } from './page-frame.js';
import { wordsFor, type PageSentence, type Say } from './page-words.js';
import { passkeyForm, passkeyScript } from './passkey-script.js';

/** What every form of these pages carries. */
interface StepView {
  request: string;
  formToken: string;
  problem?: PageSentence | undefined;
}

const hidden = ({ request, formToken }: StepView): Markup =>
  markup`<input type="hidden" name="request" value="${request}"><input type="hidden" name="form_token" value="${formToken}">`;

const codeField = (label: Markup, attributes: Markup): Markup =>
  markup`<label for="code">${label}</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus ${attributes}>`;

export function sendCodePage(
  reply: FastifyReply,
  view: StepView & { hasApp: boolean; passkey: PasskeyQuestion | undefined },
  options: PageOptions,
): FastifyReply {
  const { passkey } = view;
  const say = wordsFor(reply, view.request);
  const about = view.hasApp
    ? 'Enter the code that your authenticator app shows. Without it, use one of your recovery codes.'
    : 'Use your passkey. Without it, enter one of your recovery codes.';
  const body = markup`<p class="soft">${say(about)}</p>${alert(view.problem && say(view.problem))}
<form method="post" action="/oauth2/login/code">${hidden(view)}
${codeField(say('Code'), markup`maxlength="64"`)}
<button type="submit">${say('Continue')}</button></form>${passkey && passkeyForm(passkey, hidden(view), say)}`;
  return sendPage(reply, say('One more step'), body, {
    ...options,
    language: say.language,
    script: passkey && passkeyScript,
  });
}

export function sendNewPasswordPage(
  reply: FastifyReply,
  view: StepView & { userName: string; passwordLengthMin: number },
  options: PageOptions,
): FastifyReply {
  const say = wordsFor(reply, view.request);
  const body = markup`<p class="soft">${say('Choose a password of your own.')}</p>${alert(view.problem && say(view.problem))}
<form method="post" action="/oauth2/login/new-password">${hidden(view)}<input type="text" name="username" value="${view.userName}" autocomplete="username" hidden>
${newPasswordFields(view.passwordLengthMin, say)}
<button type="submit">${say('Set the password and continue')}</button></form>`;
  return sendPage(reply, say('Choose a new password'), body, { ...options, language: say.language });
}

/** What is wrong with a new password. */
export const passwordProblem = ({ said, fields: [fault] }: AppError): PageSentence =>
  fault ? { text: 'The new password {fault}.', fault } : { text: '{fault}.', fault: said };

export function newPasswordFields(lengthMin: number, say: Say): Markup {
  return markup`<label for="password">${say('New password')}</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="${String(lengthMin)}" maxlength="256" required aria-describedby="password-hint">
<p id="password-hint" class="soft">${say('At least {min} characters.', { min: String(lengthMin) })}</p>
<label for="password_again">${say('New password again')}</label><input id="password_again" name="password_again" type="password" autocomplete="new-password" maxlength="256" required>`;
}

export function sendFactorPage(
  reply: FastifyReply,
  view: StepView & { setupToken: string; secret: string; qr: QrCode },
  options: PageOptions,
): FastifyReply {
  const { size, path } = view.qr;
  const picture = new Markup(
    `<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code"><path d="${path}" fill="#000"/></svg>`,
  );
  const say = wordsFor(reply, view.request);
  const key = markup`<code>${view.secret}</code>`;
  const about =
    'Your account needs a second factor. Scan this with an authenticator app and enter the code that it shows.';
  const body = markup`<p class="soft">${say(about)}</p>${alert(view.problem && say(view.problem))}
${picture}<p>${say('Or type this key into the app: {key}', { key })}</p>
<form method="post" action="/oauth2/login/factor">${hidden(view)}<input type="hidden" name="setup_token" value="${view.setupToken}">
${codeField(say('Code'), markup`inputmode="numeric" maxlength="10"`)}
<button type="submit">${say('Continue')}</button></form>`;
  return sendPage(reply, say('Set up a second factor'), body, { ...options, language: say.language });
}

export function sendRecoveryCodesPage(
  reply: FastifyReply,
  view: { request: string; codes: readonly string[]; next: string },
): FastifyReply {
  const say = wordsFor(reply, view.request);
  const about =
    'Your authenticator app is set up. Keep these recovery codes in a safe place: each gets you in once if you lose the app. They are not shown again.';
  const body = markup`<p>${say(about)}</p>
<pre>${view.codes.join('\n')}</pre>
<p><a class="button" href="${view.next}">${say('I have stored them')}</a></p>`;
  return sendPage(reply, say('Recovery codes'), body, { language: say.language });
}

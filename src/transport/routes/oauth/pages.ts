// The few pages this server draws itself: sign in, consent, sign out, first-run setup, errors.
import type { FastifyReply } from 'fastify';
import type { PasskeyQuestion } from '../../../auth/factors/check-passkey.js';
import { alert, markup, sendPage, type PageOptions } from './page-frame.js';
import { wordsFor, type PageSentence, type PageText } from './page-words.js';
import { passkeyForm, passkeyScript } from './passkey-script.js';
import { newPasswordFields } from './step-pages.js';

interface LoginView {
  applicationName: string;
  request: string;
  formToken: string;
  userName?: string;
  problem?: PageSentence;
  /** Whether there is a password to ask for. */
  localAccounts: boolean;
  /** Name of the company's identity provider, where there is one. */
  providerName: string | undefined;
  /** Where there can be passkeys. */
  passkey: PasskeyQuestion | undefined;
}

export function sendLoginPage(reply: FastifyReply, view: LoginView, options: PageOptions): FastifyReply {
  const say = wordsFor(reply, view.request);
  // A link, not a form: the policy below would not let a form be sent on to another site.
  const provider =
    view.providerName === undefined
      ? markup``
      : markup`<p><a class="button" href="/oauth2/login/provider?${new URLSearchParams(view.request).toString()}">${say('Sign in with {provider}', { provider: view.providerName })}</a></p>`;
  const hidden = markup`<input type="hidden" name="request" value="${view.request}"><input type="hidden" name="form_token" value="${view.formToken}">`;
  const form = markup`<form method="post" action="/oauth2/login">${hidden}
<label for="user_name">${say('User name')}</label><input id="user_name" name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required value="${view.userName}" ${view.userName ? markup`` : markup`autofocus`}>
<label for="password">${say('Password')}</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required ${view.userName ? markup`autofocus` : markup``}>
<button type="submit">${say('Sign in')}</button></form>`;
  const body = markup`<p class="soft">${say('to continue to {application}', { application: view.applicationName })}</p>${alert(view.problem && say(view.problem))}
${provider}${view.localAccounts ? form : markup``}${view.passkey && passkeyForm(view.passkey, hidden, say)}`;
  const { language } = say;
  return sendPage(reply, say('Sign in'), body, {
    ...options,
    language,
    script: view.passkey && passkeyScript,
  });
}

export function sendConsentPage(
  reply: FastifyReply,
  view: {
    applicationName: string;
    userName: string;
    /** Who registered the application; absent where it is the person themselves. */
    ownerName: string | undefined;
    request: string;
    formToken: string;
    /** That the sign-in was made for this request; empty where it is an earlier one. */
    freshProof: string;
    redirectHost: string;
    /** It asks who signs in, and for nothing else. */
    identityOnly: boolean;
  },
  options: PageOptions,
): FastifyReply {
  const say = wordsFor(reply, view.request);
  const application = markup`<strong>${view.applicationName}</strong>`;
  const user = markup`<strong>${view.userName}</strong>`;
  const owner = view.ownerName === undefined ? undefined : markup`<strong>${view.ownerName}</strong>`;
  const asks = view.identityOnly
    ? markup`<p>${say('{application} asks who you are. It learns your user name, {user}, and your display name.', { application, user })}</p>
<p>${say('It cannot do anything in your name.')}</p>`
    : markup`<p>${say('{application} asks to use the management interface in your name, {user}.', { application, user })}</p>
<p>${
        owner === undefined
          ? say('You registered it yourself; it may do whatever your account may.')
          : say(
              'It was registered by {owner} and may do only what both that account and yours may. It cannot change how you sign in.',
              { owner },
            )
      }</p>`;
  const body = markup`${asks}
<p class="soft">${say('You will return to {host}. Allow this only if you started it yourself.', { host: view.redirectHost })}</p>
<form method="post" action="/oauth2/consent" class="row">
<input type="hidden" name="request" value="${view.request}"><input type="hidden" name="form_token" value="${view.formToken}"><input type="hidden" name="fresh_proof" value="${view.freshProof}">
<button type="submit" name="decision" value="allow">${say('Allow')}</button><button type="submit" name="decision" value="deny" class="quiet">${say('Deny')}</button></form>`;
  return sendPage(reply, say('Allow access?'), body, { ...options, language: say.language });
}

export function sendLogoutPage(
  reply: FastifyReply,
  view: { formToken: string; returnTo: string | undefined },
): FastifyReply {
  const say = wordsFor(reply);
  const body = markup`<p>${say('You will be signed out of this server in this browser.')}</p>
<form method="post" action="/oauth2/logout"><input type="hidden" name="form_token" value="${view.formToken}"><input type="hidden" name="post_logout_redirect_uri" value="${view.returnTo}">
<button type="submit">${say('Sign out')}</button></form>`;
  return sendPage(reply, say('Sign out?'), body, {
    language: say.language,
    formTargets: view.returnTo === undefined ? [] : [view.returnTo],
  });
}

export function sendSetupPage(
  reply: FastifyReply,
  view: { token: string; formToken: string; passwordLengthMin: number; problem?: PageSentence },
  options: PageOptions = {},
): FastifyReply {
  const say = wordsFor(reply);
  const command = markup`<code>voxgate setup-link</code>`;
  // Who came by the printed link has the token already; it is not theirs to look at.
  const tokenField =
    view.token === ''
      ? markup`<label for="token">${say('Setup token')}</label><input id="token" name="token" autocomplete="off" spellcheck="false" required aria-describedby="token-hint">
<p id="token-hint" class="soft">${say('The end of the link that was printed at the first start. Lost? {command} prints a new one.', { command })}</p>`
      : markup`<input type="hidden" name="token" value="${view.token}">`;
  const body = markup`<p>${say('Welcome. Choose a password for the administrator of this server; its user name is {user}.', { user: markup`<strong>admin</strong>` })}</p>${alert(view.problem && say(view.problem))}
<form method="post" action="/setup"><input type="hidden" name="form_token" value="${view.formToken}"><input type="text" name="username" value="admin" autocomplete="username" hidden>
${tokenField}
${newPasswordFields(view.passwordLengthMin, say)}
<button type="submit">${say('Set the password and begin')}</button></form>`;
  return sendPage(reply, say('Set up Voxgate'), body, { ...options, language: say.language });
}

/** Where somebody who was invited chooses a password. */
export function sendInvitationPage(
  reply: FastifyReply,
  view: {
    token: string;
    userName: string;
    formToken: string;
    passwordLengthMin: number;
    problem: PageSentence | undefined;
  },
  options: PageOptions = {},
): FastifyReply {
  const say = wordsFor(reply);
  const user = markup`<strong>${view.userName}</strong>`;
  const body = markup`<p>${say('Welcome. Your user name is {user}.', { user })}</p>${alert(view.problem && say(view.problem))}
<form method="post" action="/invitation"><input type="hidden" name="form_token" value="${view.formToken}"><input type="hidden" name="token" value="${view.token}"><input type="text" name="username" value="${view.userName}" autocomplete="username" hidden>
${newPasswordFields(view.passwordLengthMin, say)}
<button type="submit">${say('Set the password and continue')}</button></form>`;
  return sendPage(reply, say('Choose a password'), body, { ...options, language: say.language });
}

/** A page with a message and, where there is one, a way on. */
export function sendMessagePage(
  reply: FastifyReply,
  view: {
    title: PageText;
    message: PageSentence;
    link?: { href: string; text: PageText };
    /** What stands in the message and the link. */
    parts?: Readonly<Record<string, string>>;
  },
  options: PageOptions = {},
): FastifyReply {
  const say = wordsFor(reply);
  const link = view.link
    ? markup`<p><a href="${view.link.href}">${say(view.link.text, view.parts)}</a></p>`
    : markup``;
  const body = markup`<p>${say(view.message, view.parts)}</p>${link}`;
  return sendPage(reply, say(view.title), body, { ...options, language: say.language });
}

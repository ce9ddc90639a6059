// The few pages this server draws itself: sign in, consent, sign out, first-run setup, errors. Plain HTML, no script,
// one inline style that the content security policy names by its hash.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../escape-html.js';

/** The colors of the console (src/console/style/tokens.css): one house, one look. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1c2420;--soft:#4d5a54;--paper:#fffdf8;--field:#fff;--back:#f6f4ee;--line:#ddd8ca;--edge:#8d958f;--act:#12544a;--act-ink:#fff;--focus:#c4641f;--bad:#a3221c;--bad-back:#fbe4e0}
@media (prefers-color-scheme:dark){:root{--ink:#ecefe9;--soft:#b6c0ba;--paper:#191f1c;--field:#202824;--back:#121714;--line:#2e3833;--edge:#6f7d76;--act:#7fd1bb;--act-ink:#07231d;--focus:#f0a35c;--bad:#ff9a8f;--bad-back:#411e1b}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:27rem;background:var(--paper);border:1px solid var(--line);border-top:4px solid var(--act);border-radius:.625rem;padding:2rem;box-shadow:0 12px 32px -12px rgb(40 46 42/.25)}
h1{font:600 1.625rem/1.2 'Iowan Old Style','Palatino Linotype',Palatino,'Source Serif 4',Georgia,serif;margin:0 0 .5rem}p{margin:0 0 1rem;overflow-wrap:anywhere}.soft{color:var(--soft)}a{color:var(--act)}
label{display:block;font-weight:600;margin:0 0 .25rem}input{width:100%;font:inherit;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:.4375rem;padding:.5rem .75rem;margin:0 0 1rem}
button{font:inherit;font-weight:600;border:1px solid var(--act);border-radius:.4375rem;padding:.5rem 1.25rem;background:var(--act);color:var(--act-ink);cursor:pointer}
a.button{display:inline-block;font-weight:600;text-decoration:none;border-radius:.4375rem;padding:.5rem 1.25rem;background:var(--act);color:var(--act-ink)}
button.quiet{background:transparent;color:var(--act)}:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.alert{border-left:4px solid var(--bad);border-radius:.25rem;padding:.5rem .75rem;background:var(--bad-back);color:var(--bad)}.row{display:flex;gap:.75rem;flex-wrap:wrap}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Text that has been escaped, so that nothing unescaped can be put into a page by accident. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function markup(parts: TemplateStringsArray, ...values: ReadonlyArray<string | Markup | undefined>): Markup {
  const text = parts.map((part, index) => {
    const value = index === 0 ? '' : values[index - 1];
    return (value instanceof Markup ? value.text : escapeHtml(value ?? '')) + part;
  });
  return new Markup(text.join(''));
}

export interface PageOptions {
  status?: number;
  /** Where a form on the page may end up: browsers check the whole chain of redirects against this. */
  formTargets?: readonly string[];
}

function sendPage(
  reply: FastifyReply,
  title: string,
  body: Markup,
  { status = 200, formTargets = [] }: PageOptions = {},
): FastifyReply {
  const targets = ["'self'", ...formTargets.map(originOf)].join(' ');
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} - Voxgate</title><style>${new Markup(STYLE)}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`;
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('x-frame-options', 'DENY')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(page.text);
}

function originOf(uri: string): string {
  const url = new URL(uri);
  return url.origin === 'null' ? url.protocol : url.origin;
}

function alert(message: string | undefined): Markup {
  return message === undefined ? markup`` : markup`<p class="alert" role="alert">${message}</p>`;
}

export interface LoginView {
  applicationName: string;
  request: string;
  formToken: string;
  userName?: string;
  problem?: string;
  /** Whether there is a password to ask for. */
  localAccounts: boolean;
  /** Name of the company's identity provider, where there is one. */
  providerName: string | undefined;
}

export function sendLoginPage(reply: FastifyReply, view: LoginView, options: PageOptions): FastifyReply {
  // A link, not a form: the policy below would not let a form be sent on to another site.
  const provider =
    view.providerName === undefined
      ? markup``
      : markup`<p><a class="button" href="/oauth2/login/provider?${new URLSearchParams(view.request).toString()}">Sign in with ${view.providerName}</a></p>`;
  const form = markup`<form method="post" action="/oauth2/login">
<input type="hidden" name="request" value="${view.request}"><input type="hidden" name="form_token" value="${view.formToken}">
<label for="user_name">User name</label><input id="user_name" name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required value="${view.userName}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required>
<button type="submit">Sign in</button></form>`;
  const body = markup`<p class="soft">to continue to ${view.applicationName}</p>${alert(view.problem)}
${provider}${view.localAccounts ? form : markup``}`;
  return sendPage(reply, 'Sign in', body, options);
}

export function sendConsentPage(
  reply: FastifyReply,
  view: {
    applicationName: string;
    userName: string;
    request: string;
    formToken: string;
    redirectHost: string;
  },
  options: PageOptions,
): FastifyReply {
  const body = markup`<p><strong>${view.applicationName}</strong> asks to use the management interface with the permissions of your account, <strong>${view.userName}</strong>.</p>
<p class="soft">You will return to ${view.redirectHost}. Allow this only if you started it yourself.</p>
<form method="post" action="/oauth2/consent" class="row">
<input type="hidden" name="request" value="${view.request}"><input type="hidden" name="form_token" value="${view.formToken}">
<button type="submit" name="decision" value="allow">Allow</button><button type="submit" name="decision" value="deny" class="quiet">Deny</button></form>`;
  return sendPage(reply, 'Allow access?', body, options);
}

export function sendLogoutPage(
  reply: FastifyReply,
  view: { formToken: string; returnTo: string | undefined },
): FastifyReply {
  const body = markup`<p>You will be signed out of this server in this browser.</p>
<form method="post" action="/oauth2/logout"><input type="hidden" name="form_token" value="${view.formToken}"><input type="hidden" name="post_logout_redirect_uri" value="${view.returnTo}">
<button type="submit">Sign out</button></form>`;
  return sendPage(reply, 'Sign out?', body, {
    formTargets: view.returnTo === undefined ? [] : [view.returnTo],
  });
}

export function sendSetupPage(
  reply: FastifyReply,
  view: { token: string; formToken: string; passwordLengthMin: number; problem?: string },
  options: PageOptions = {},
): FastifyReply {
  // Who came by the printed link has the token already; it is not theirs to look at.
  const tokenField =
    view.token === ''
      ? markup`<label for="token">Setup token</label><input id="token" name="token" autocomplete="off" spellcheck="false" required aria-describedby="token-hint">
<p id="token-hint" class="soft">The end of the link that was printed at the first start. Lost? <code>bin/voxgate setup-link</code> prints a new one.</p>`
      : markup`<input type="hidden" name="token" value="${view.token}">`;
  const body = markup`<p>Welcome. Choose a password for the administrator of this server; its user name is <strong>admin</strong>.</p>${alert(view.problem)}
<form method="post" action="/setup"><input type="hidden" name="form_token" value="${view.formToken}"><input type="text" name="username" value="admin" autocomplete="username" hidden>
${tokenField}
<label for="password">New password</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="${String(view.passwordLengthMin)}" maxlength="256" required aria-describedby="password-hint">
<p id="password-hint" class="soft">At least ${String(view.passwordLengthMin)} characters.</p>
<label for="password_again">New password again</label><input id="password_again" name="password_again" type="password" autocomplete="new-password" maxlength="256" required>
<button type="submit">Set the password and begin</button></form>`;
  return sendPage(reply, 'Set up Voxgate', body, options);
}

/** A page with a message and, where there is one, a way on. */
export function sendMessagePage(
  reply: FastifyReply,
  view: { title: string; message: string; link?: { href: string; text: string } },
  options: PageOptions = {},
): FastifyReply {
  const link = view.link ? markup`<p><a href="${view.link.href}">${view.link.text}</a></p>` : markup``;
  return sendPage(reply, view.title, markup`<p>${view.message}</p>${link}`, options);
}

// The few pages this server draws itself: sign in, consent, sign out, first-run setup, errors. Plain HTML, no script,
// one inline style that the content security policy names by its hash.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root{color-scheme:light dark;--ink:#16202c;--soft:#4a5866;--paper:#fff;--back:#f2f5f8;--line:#8593a1;--act:#0b57b0;--act-ink:#fff;--bad:#a4161a}
@media (prefers-color-scheme:dark){:root{--ink:#eef2f6;--soft:#b4c0cc;--paper:#1b242e;--back:#11171e;--line:#6b7a89;--act:#7db7ff;--act-ink:#06121f;--bad:#ff9b93}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:2rem}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 1rem}p{margin:0 0 1rem;overflow-wrap:anywhere}.soft{color:var(--soft)}
label{display:block;font-weight:600;margin:0 0 .25rem}input{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.25rem;padding:.5rem .75rem;margin:0 0 1rem}
button{font:inherit;font-weight:600;border:1px solid var(--act);border-radius:.25rem;padding:.5rem 1.25rem;background:var(--act);color:var(--act-ink);cursor:pointer}
button.quiet{background:transparent;color:var(--act)}:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.alert{border-left:4px solid var(--bad);padding:.25rem .75rem;color:var(--bad)}.row{display:flex;gap:.75rem;flex-wrap:wrap}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Text that has been escaped, so that nothing unescaped can be put into a page by accident. */
class Markup {
  constructor(readonly text: string) {}
}

function markup(parts: TemplateStringsArray, ...values: ReadonlyArray<string | Markup | undefined>): Markup {
  const text = parts.map((part, index) => {
    const value = index === 0 ? '' : values[index - 1];
    return (value instanceof Markup ? value.text : escape(value ?? '')) + part;
  });
  return new Markup(text.join(''));
}

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
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

export function sendLoginPage(
  reply: FastifyReply,
  view: { applicationName: string; request: string; formToken: string; userName?: string; problem?: string },
  options: PageOptions,
): FastifyReply {
  const body = markup`<p class="soft">to continue to ${view.applicationName}</p>${alert(view.problem)}
<form method="post" action="/oauth2/login">
<input type="hidden" name="request" value="${view.request}"><input type="hidden" name="form_token" value="${view.formToken}">
<label for="user_name">User name</label><input id="user_name" name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required value="${view.userName}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required>
<button type="submit">Sign in</button></form>`;
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
  const body = markup`<p>Choose the administrator's password. The setup token was printed when this server was installed.</p>${alert(view.problem)}
<form method="post" action="/setup"><input type="hidden" name="form_token" value="${view.formToken}">
<label for="token">Setup token</label><input id="token" name="token" autocomplete="off" spellcheck="false" required value="${view.token}">
<label for="password">New password</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="${String(view.passwordLengthMin)}" maxlength="256" required aria-describedby="password-hint">
<p id="password-hint" class="soft">At least ${String(view.passwordLengthMin)} characters.</p>
<label for="password_again">New password again</label><input id="password_again" name="password_again" type="password" autocomplete="new-password" maxlength="256" required>
<button type="submit">Set password</button></form>`;
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

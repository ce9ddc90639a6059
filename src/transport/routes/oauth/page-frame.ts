// The frame of the pages this server draws itself. Plain HTML, one inline style and at most one script, which the content
// security policy names by their hashes.
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../escape-html.js';

/** The colors of the console (src/console/style/tokens.css): one house, one look. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1c2420;--soft:#4d5a54;--paper:#fffdf8;--field:#fff;--back:#f6f4ee;--line:#ddd8ca;--edge:#8d958f;--act:#12544a;--act-ink:#fff;--focus:#c4641f;--bad:#a3221c;--bad-back:#fbe4e0}
@media (prefers-color-scheme:dark){:root{--ink:#ecefe9;--soft:#b6c0ba;--paper:#191f1c;--field:#202824;--back:#121714;--line:#2e3833;--edge:#6f7d76;--act:#7fd1bb;--act-ink:#07231d;--focus:#f0a35c;--bad:#ff9a8f;--bad-back:#411e1b}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:27rem;background:var(--paper);border:1px solid var(--line);border-top:4px solid var(--act);border-radius:.625rem;padding:2rem;box-shadow:0 12px 32px -12px rgb(40 46 42/.25)}
form+form{margin-top:.75rem}form>:last-child{margin-bottom:0}
h1{font:600 1.625rem/1.2 'Iowan Old Style','Palatino Linotype',Palatino,'Source Serif 4',Georgia,serif;margin:0 0 .5rem}p{margin:0 0 1rem;overflow-wrap:anywhere}.soft{color:var(--soft)}a{color:var(--act)}
label{display:block;font-weight:600;margin:0 0 .25rem}input{width:100%;font:inherit;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:.4375rem;padding:.5rem .75rem;margin:0 0 1rem}
button{font:inherit;font-weight:600;border:1px solid var(--act);border-radius:.4375rem;padding:.5rem 1.25rem;background:var(--act);color:var(--act-ink);cursor:pointer}
a.button{display:inline-block;font-weight:600;text-decoration:none;border-radius:.4375rem;padding:.5rem 1.25rem;background:var(--act);color:var(--act-ink)}
pre{overflow-x:auto;margin:0 0 1rem;padding:.75rem;background:var(--back);border-radius:.4375rem;font-size:1.0625rem;line-height:1.7}svg.code{display:block;width:13rem;max-width:100%;margin:0 0 1rem;background:#fff;border-radius:.4375rem}
button.quiet{background:transparent;color:var(--act)}:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.alert{border-left:4px solid var(--bad);border-radius:.25rem;padding:.5rem .75rem;background:var(--bad-back);color:var(--bad)}.row{display:flex;gap:.75rem;flex-wrap:wrap}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Text that has been escaped, so that nothing unescaped can be put into a page by accident. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function markup(
  parts: TemplateStringsArray,
  ...values: ReadonlyArray<string | Markup | undefined>
): Markup {
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
  script?: { text: string; hash: string } | undefined;
  /** Of the words on it; English if absent. */
  language?: string;
}

export function sendPage(
  reply: FastifyReply,
  title: string | Markup,
  body: Markup,
  { status = 200, formTargets = [], script, language = 'en' }: PageOptions = {},
): FastifyReply {
  const targets = ["'self'", ...formTargets.map(originOf)].join(' ');
  const page = markup`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} - Voxgate</title><style>${new Markup(STYLE)}</style></head>
<body><main><h1>${title}</h1>${body}</main>${script ? markup`<script>${new Markup(script.text)}</script>` : undefined}</body></html>`;
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language)
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}';${script ? ` script-src 'sha256-${script.hash}';` : ''} form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
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

export function alert(message: string | Markup | undefined): Markup {
  return message === undefined ? markup`` : markup`<p class="alert" role="alert">${message}</p>`;
}

// The OpenAPI document as one HTML page for people: no third-party host, one inline style sheet whose hash is in the content
// security policy, and one script of our own for search and trying, without which everything can still be read.
import { createHash } from 'node:crypto';
import { TOOLING_SCOPE } from '../../auth/scopes.js';
import { escapeHtml } from '../escape-html.js';
import type { OpenApiDocument, OpenApiOperation } from './document.js';
import { preparations, type CodeSample } from './code-samples.js';
import { headerNotes, type HeaderNote } from './headers.js';
import { CALL_SAMPLE } from './sample.js';
import type { JsonSchema } from './schema.js';
import { tutorials, type Tutorial } from './tutorials.js';

/** Built with the console, whose files it shares. */
const SCRIPT_PATH = '/console/docs/docs.js';

/** The colors and type of the console (src/console/style/tokens.css): one house, one look. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1c2420; --soft: #4d5a54; --paper: #f6f4ee; --surface: #fffdf8; --sunken: #eeebe1; --line: #ddd8ca; --edge: #8d958f; --act: #12544a; --act-ink: #fff; --focus: #c4641f; }
@media (prefers-color-scheme: dark) { :root { --ink: #ecefe9; --soft: #b6c0ba; --paper: #121714; --surface: #191f1c; --sunken: #0d110f; --line: #2e3833; --edge: #6f7d76; --act: #7fd1bb; --act-ink: #07231d; --focus: #f0a35c; } }
* { box-sizing: border-box; } :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
body { font: 15px/1.55 'Inter', ui-sans-serif, system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word; }
header, nav, main, #tools > * { margin-inline: auto; max-width: 72rem; } header, nav, main { padding: 0 1.25rem; } main { padding-bottom: 4rem; }
header { padding-top: 1.5rem; } h1, h2 { font-family: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', Georgia, serif; font-weight: 600; line-height: 1.2; }
h1 { margin: 0 0 .5rem; } h1 small { color: var(--soft); font: 15px ui-sans-serif, system-ui, sans-serif; } h2 { margin-top: 2.5rem; } h3 { margin: 0; font-size: 1rem; display: inline; }
a { color: var(--act); } code, pre { font: 13px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.code { position: relative; } pre { margin: .5rem 0; background: var(--sunken); border: 1px solid var(--line); padding: .7rem .9rem; overflow-x: auto; border-radius: 7px; }
.code > button { position: absolute; top: .4rem; right: .4rem; } button { font: 600 13px ui-sans-serif, system-ui, sans-serif; padding: .25rem .7rem; border: 1px solid var(--act); border-radius: 7px; background: var(--surface); color: var(--act); cursor: pointer; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); } td:not(:last-child) { overflow-wrap: normal; }
details { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; margin: .5rem 0; padding: .45rem .9rem; } summary { cursor: pointer; } summary code { overflow-wrap: anywhere; }
.verb { display: inline-block; min-width: 4.5rem; font-weight: 700; color: var(--act); } .note { color: var(--soft); }
.sample, .older { background: none; border: 0; margin: 0; padding: 0; } .sample > summary { font-weight: 600; } .older > summary { color: var(--soft); padding: .45rem 0; }
#tools { position: sticky; top: 0; background: var(--paper); padding: .5rem 0; z-index: 1; } #tools > * { display: block; padding-inline: 1.25rem; } #search { font: inherit; width: min(30rem, 100%); padding: .4rem .6rem; } input, textarea { color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: 7px; }
.try input, .try textarea { font: 13px/1.45 ui-monospace, monospace; width: 100%; padding: .4rem; margin: .25rem 0; } .try > button { background: var(--act); color: var(--act-ink); padding: .4rem 1.1rem; } h4 { margin: 1rem 0 0; }
.part { background: none; border: 0; padding: 0; } .part > summary h2 { display: inline; margin: 0; font-size: 1.15rem; }
[hidden] { display: none !important; }
nav ul { columns: 3 14rem; padding-left: 1.1rem; }
@media (max-width: 40rem) { thead { display: none; } tr, td { display: block; } td { border: 0; padding: 0; } tr { border-bottom: 1px solid var(--line); padding: .35rem 0; } .code > button { position: static; } }
`;

export const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Entry {
  httpMethod: string;
  path: string;
  operation: OpenApiOperation;
}

export function renderPage(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([httpMethod, operation]): Entry => ({ httpMethod, path, operation })),
  );
  const sections = document.tags.map((tag) => {
    const own = entries.filter((entry) => entry.operation.tags.includes(tag.name));
    const older = own.filter(({ operation }) => operation.deprecated);
    const current = own.filter(({ operation }) => !operation.deprecated);
    const folded = `<details class="older"><summary>Older paths (${older.length})</summary>${older.map(renderOperation).join('')}</details>`;
    return renderPart(
      tag.name,
      tag.name,
      `<p>${escapeHtml(tag.description ?? '')}</p>${current.map(renderOperation).join('')}${older.length === 0 ? '' : folded}`,
    );
  });
  const schemas = Object.entries(document.components.schemas)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) => renderSchema(name, schema));
  const index = document.tags
    .map((tag) => `<li><a href="#${escapeHtml(tag.name)}">${escapeHtml(tag.name)}</a></li>`)
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title><style>${STYLE}</style></head><body>
<header><h1>${escapeHtml(document.info.title)} API <small>${escapeHtml(document.info.version)}</small></h1>
<p>${escapeHtml(document.info.description)} The machine-readable form is <a href="/openapi.json">openapi.json</a>; gRPC clients can ask the server itself through reflection.</p></header>
<div id="tools" role="search" hidden><label>Search <input type="search" id="search" placeholder="an operation, a path, a header, a word (press /)"></label> <span id="found" role="status"></span></div>
<nav aria-label="Contents"><ul>${tutorials.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')}<li><a href="#begin">Before the samples run</a></li><li><a href="#headers">Headers</a></li>${index}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main><section id="tutorials"><h2>Five minutes each</h2>${tutorials.map(renderTutorial).join('')}</section>
<section id="begin"><h2>Before the samples run</h2>
<p>Every operation has samples for the shell, TypeScript and Python. Words in capitals are variables: the server, a token, and identifiers from earlier responses. These lines make a client, where they run in the folder that the server was started in, and set the first variables; elsewhere, export its ID and secret before. If you are signed in to the console, you can also send each request from this page.</p>
<details id="platform-token"><summary>A token for <code>platform-api</code></summary><p>Operations with the token scope <code>platform-api</code> administer applications, clients, users and tenants. Clients of an application have no such token; credentials of a person do. Create one in the console (your name, Profile, Tooling credentials, New credential, type Service account), and run the same lines with its ID and secret and <code>scope=platform-api</code>: the token may do what you may do. <a href="/openapi.json">openapi.json</a> names the scope of every operation.</p></details>
${renderSamples(preparations(document.servers[0]?.url ?? '/'))}
<p>Requests about a call need a session, too. These lines also enroll a new person with three recordings and process a fourth, all of one voice:</p>
${renderCode(CALL_SAMPLE)}</section>
${renderPart('headers', 'Headers', `<p>These apply to every operation.</p>${headerNotes.map(renderHeader).join('')}`)}
${sections.join('\n')}
${renderPart('schemas', 'Schemas', schemas.join('\n'))}</main><script type="module" src="${SCRIPT_PATH}"></script></body></html>
`;
}

/** Reference, to be unfolded. */
const renderPart = (id: string, title: string, content: string): string =>
  `<section id="${escapeHtml(id)}"><details class="part"><summary><h2>${escapeHtml(title)}</h2></summary>${content}</details></section>`;

function renderOperation({ httpMethod, path, operation }: Entry): string {
  const parameters = operation.parameters
    .map(
      (parameter) =>
        `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${parameter.in}</td><td>${typeText(parameter.schema)}</td><td>${escapeHtml(parameter.description ?? '')}</td></tr>`,
    )
    .join('');
  const request = operation.requestBody?.content['application/json']?.schema;
  const answer = (operation.responses['200'] as { content: Record<string, { schema: JsonSchema }> }).content[
    'application/json'
  ]?.schema;
  const scopes = operation.security.flatMap((entry) => entry['bearer'] ?? []);
  return `<details id="${escapeHtml(operation.operationId)}" class="operation"><summary><h3><span class="verb">${httpMethod.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3> ${escapeHtml(operation.summary)}</summary>
<p>${escapeHtml(operation.description ?? '')}</p><p class="note">Token scope: ${scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(' or ')}${scopes.every((scope) => scope === TOOLING_SCOPE) ? ' (<a href="#platform-token">how to get one</a>)' : ''}</p>
${parameters === '' ? '' : `<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${parameters}</tbody></table>`}
<p>${request ? `Body: ${typeText(request)}. ` : ''}${answer ? `Answer: ${typeText(answer)}.` : ''}</p>
${renderSamples(operation['x-codeSamples'])}</details>`;
}

/** With room for a button that copies it; the page's script adds that. */
const renderCode = (source: string, kind = ''): string =>
  `<div class="code"><pre${kind && ` class="${kind}"`} tabindex="0">${escapeHtml(source)}</pre></div>`;

/** The shell is open, other languages a click away. */
function renderSamples([shell, ...others]: readonly CodeSample[]): string {
  return `${renderCode(shell?.source ?? '', 'curl')}${others
    .map(
      ({ label, source }) =>
        `<details class="sample"><summary>${escapeHtml(label)}</summary>${renderCode(source)}</details>`,
    )
    .join('')}`;
}

const renderHeader = ({ name, in: place, text }: HeaderNote): string =>
  `<details id="header-${name.toLowerCase()}" class="header"><summary><h3><code>${name}</code></h3> of the ${place}</summary><p>${escapeHtml(text)}</p></details>`;

function renderTutorial({ id, title, about, steps }: Tutorial): string {
  const list = steps.map(({ text, code }) => `<li>${escapeHtml(text)}${renderCode(code)}</li>`).join('');
  return `<details id="${id}"><summary><h3>${escapeHtml(title)}</h3></summary><p>${escapeHtml(about)}</p><ol>${list}</ol></details>`;
}

function renderSchema(name: string, schema: JsonSchema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const rows = properties
    .map(
      ([member, inner]) =>
        `<tr><td><code>${escapeHtml(member)}</code></td><td>${typeText(inner)}</td><td>${escapeHtml(textOf(inner['description']))}</td></tr>`,
    )
    .join('');
  const table =
    rows === ''
      ? ''
      : `<table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
  const description = textOf(schema['description'])
    .split('\n')
    .map((line) => escapeHtml(line))
    .join('<br>');
  return `<details id="schema-${escapeHtml(name)}"><summary><h3><code>${escapeHtml(name)}</code></h3></summary><p>${description}</p>${table}</details>`;
}

function typeText(schema: JsonSchema): string {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice('#/components/schemas/'.length);
    return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name.split('.').at(-1) ?? name)}</a>`;
  }
  if (schema['type'] === 'array') return `list of ${typeText(schema['items'] as JsonSchema)}`;
  if (schema['type'] === 'object' && schema['additionalProperties'])
    return `map to ${typeText(schema['additionalProperties'] as JsonSchema)}`;
  const kinds = schema['oneOf'];
  if (Array.isArray(kinds)) return kinds.map((kind) => typeText(kind as JsonSchema)).join(' or ');
  return escapeHtml([textOf(schema['type']) || 'any', textOf(schema['format'])].filter(Boolean).join(', '));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

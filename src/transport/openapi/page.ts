// The OpenAPI document as one HTML page for people: no third-party host, one inline style sheet whose hash is in the content
// security policy, and one script of our own for search and trying, without which everything can still be read.
import { createHash } from 'node:crypto';
import { TOOLING_SCOPE } from '../../auth/scopes.js';
import { escapeHtml } from '../escape-html.js';
import type { OpenApiDocument, OpenApiOperation } from './document.js';
import { preparations, type CodeSample } from './code-samples.js';
import { headerNotes, type HeaderNote } from './headers.js';
import type { JsonSchema } from './schema.js';
import { tutorials, type Tutorial } from './tutorials.js';

/** Built with the console, whose files it shares. */
const SCRIPT_PATH = '/console/docs/docs.js';

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --link: #2563eb; }
@media (prefers-color-scheme: dark) { :root { --link: #8ab4ff; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { margin: .5rem 0; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { margin: 0; font-size: 1rem; display: inline; }
a { color: var(--link); } code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .6rem .8rem; overflow-x: auto; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--soft); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .35rem .75rem; } summary { cursor: pointer; }
.verb { display: inline-block; min-width: 4.5rem; font-weight: 700; } .old { opacity: .65; } .note { opacity: .8; }
.sample { border: 0; margin: 0; padding: 0; } .sample > summary { font-weight: 600; }
#tools { position: sticky; top: 0; background: Canvas; padding: .5rem 0; z-index: 1; } #search { font: inherit; width: min(30rem, 100%); padding: .35rem .5rem; }
.try input, .try textarea { font: 13px/1.45 ui-monospace, monospace; width: 100%; padding: .4rem; margin: .25rem 0; } .try button { font: inherit; padding: .3rem 1rem; } h4 { margin: 1rem 0 0; }
[hidden] { display: none; }
nav ul { columns: 3 14rem; padding-left: 1.1rem; }
@media (max-width: 40rem) { thead { display: none; } tr, td { display: block; } td { border: 0; padding: 0; } tr { border-bottom: 1px solid var(--soft); padding: .35rem 0; } }
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
    return `<section id="${escapeHtml(tag.name)}"><h2>${escapeHtml(tag.name)}</h2><p>${escapeHtml(tag.description ?? '')}</p>${own
      .map((entry) => renderOperation(entry))
      .join('')}</section>`;
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
<p>Every operation has samples for the shell, TypeScript and Python. Words in capitals are variables: the server, a token, and identifiers from earlier responses. These lines set the first ones from the ID and the secret of a client. If you are signed in to the console, you can also send each request from this page.</p>
<p id="platform-token">Operations with the token scope <code>platform-api</code> administer applications, clients, users and tenants. Clients of an application have no such token; credentials of a person do. Create one in the console (your name, Profile, Tooling credentials, New credential, type Service account), and run the same lines with its ID and secret and <code>scope=platform-api</code>: the token may do what you may do. <a href="/openapi.json">openapi.json</a> names the scope of every operation.</p>
${renderSamples(preparations(document.servers[0]?.url ?? '/'))}</section>
<section id="headers"><h2>Headers</h2><p>These apply to every operation.</p>${headerNotes.map(renderHeader).join('')}</section>
${sections.join('\n')}
<section id="schemas"><h2>Schemas</h2>${schemas.join('\n')}</section></main><script type="module" src="${SCRIPT_PATH}"></script></body></html>
`;
}

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
  return `<details id="${escapeHtml(operation.operationId)}" class="operation${operation.deprecated ? ' old' : ''}"><summary><h3><span class="verb">${httpMethod.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3> ${escapeHtml(operation.summary)}${operation.deprecated ? ' (older path)' : ''}</summary>
<p>${escapeHtml(operation.description ?? '')}</p><p class="note">Token scope: ${scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(' or ')}${scopes.every((scope) => scope === TOOLING_SCOPE) ? ' (<a href="#platform-token">how to get one</a>)' : ''}</p>
${parameters === '' ? '' : `<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${parameters}</tbody></table>`}
<p>${request ? `Body: ${typeText(request)}. ` : ''}${answer ? `Answer: ${typeText(answer)}.` : ''}</p>
${renderSamples(operation['x-codeSamples'])}</details>`;
}

/** The shell is open, other languages a click away. */
function renderSamples([shell, ...others]: readonly CodeSample[]): string {
  return `<pre class="curl">${escapeHtml(shell?.source ?? '')}</pre>${others
    .map(
      ({ label, source }) =>
        `<details class="sample"><summary>${escapeHtml(label)}</summary><pre>${escapeHtml(source)}</pre></details>`,
    )
    .join('')}`;
}

const renderHeader = ({ name, in: place, text }: HeaderNote): string =>
  `<details id="header-${name.toLowerCase()}" class="header"><summary><h3><code>${name}</code></h3> of the ${place}</summary><p>${escapeHtml(text)}</p></details>`;

function renderTutorial({ id, title, about, steps }: Tutorial): string {
  const list = steps
    .map(({ text, code }) => `<li>${escapeHtml(text)}<pre>${escapeHtml(code)}</pre></li>`)
    .join('');
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

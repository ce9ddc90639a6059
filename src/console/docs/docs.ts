// Brings the API page to life: a search over its operations, and requests that can be sent with the signed-in
// user's token. Without this script the page is a plain reference.
import { bind } from '../../client/bind.js';
import { paths } from '../../gen/calls.js';
import { signInSilently } from '../api/authorize.js';
import { fillIn, learn, requestOf, type Known, type SampleRequest } from './try-it.js';

const DEFAULT_SERVER = 'http://127.0.0.1:8080';

const known: Known = new Map();
let token: string | undefined;

/** From this browser's login session, in memory only; requested when it is first needed. */
async function accessToken(): Promise<string | undefined> {
  token ??= (await signInSilently())?.accessToken;
  return token;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  members: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), members);
}

/**
 * Replaces the placeholder server in samples if the operator has not configured this server's public name.
 */
function nameThisServer(): void {
  for (const sample of document.querySelectorAll('pre'))
    if (sample.textContent.includes(DEFAULT_SERVER))
      sample.textContent = sample.textContent.replaceAll(DEFAULT_SERVER, location.origin);
}

function offerCopies(): void {
  for (const place of document.querySelectorAll('.code')) {
    const copy = element('button', { type: 'button', textContent: 'Copy' });
    copy.addEventListener('click', () => {
      const source = place.querySelector('pre')?.textContent ?? '';
      void navigator.clipboard.writeText(source).then(() => {
        copy.textContent = 'Copied';
        setTimeout(() => (copy.textContent = 'Copy'), 2000);
      });
    });
    place.append(copy);
  }
}

const operations = [...document.querySelectorAll<HTMLDetailsElement>('details.operation')];

/** The text that finds an operation or a header: its name, its description, and its parameters. */
function searchText(entry: HTMLElement): string {
  const parts = entry.querySelectorAll(':scope > summary, :scope > p:first-of-type, :scope > table td:not(:nth-child(3))');
  return [entry.id, ...[...parts].map((part) => part.textContent)].join(' ').toLowerCase();
}

/** What a link leads to is unfolded, with all that it lies in. */
function unfoldTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const inside = target.matches('section') ? target.querySelector('details.part') : target;
  for (let each = inside; each; each = each.parentElement)
    if (each instanceof HTMLDetailsElement) each.open = true;
  target.scrollIntoView();
}

function startSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const found = document.querySelector<HTMLElement>('#found');
  const tools = document.querySelector<HTMLElement>('#tools');
  if (!field || !found || !tools) return;
  tools.hidden = false;
  const entries = [...document.querySelectorAll<HTMLElement>('details.operation, details.header')];
  const texts = entries.map(searchText);
  const search = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    entries.forEach((each, index) => {
      each.hidden = !words.every((word) => texts[index]?.includes(word));
      if (!each.hidden && each.classList.contains('operation')) count++;
    });
    for (const older of document.querySelectorAll<HTMLDetailsElement>('details.older')) {
      const isFound = older.querySelector('details.operation:not([hidden])') !== null;
      older.hidden = !isFound;
      older.open = isFound && words.length > 0;
    }
    for (const section of document.querySelectorAll<HTMLElement>('main > section')) {
      const own = [...section.querySelectorAll<HTMLElement>('details.operation, details.header')];
      const isFound = own.some((each) => !each.hidden);
      section.hidden = words.length > 0 && !isFound;
      const part = section.querySelector<HTMLDetailsElement>('details.part');
      if (part) part.open = words.length > 0 && isFound;
    }
    found.textContent = words.length === 0 ? '' : `${count} of ${operations.length} operations`;
  };
  field.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    field.focus();
  });
}

/** Adds a form to each operation that is opened, once. */
function offerTrying(operation: HTMLDetailsElement): void {
  const source = operation.querySelector('pre.curl')?.textContent;
  if (!source || operation.querySelector('form')) return;
  const sample = requestOf(source);
  const form = element('form', { className: 'try' });
  const address = element('input', { name: 'address', required: true, autocomplete: 'off', spellcheck: false });
  const body = element('textarea', { name: 'body', rows: 8, spellcheck: false });
  const send = element('button', { textContent: `Send ${sample.method}` });
  const answer = element('pre', { hidden: true });
  answer.setAttribute('role', 'status');
  address.setAttribute('aria-label', 'Path and query');
  body.setAttribute('aria-label', 'Body');
  const heading = element('h4', { textContent: 'Try it' });
  const warning = element('p', { className: 'note', textContent: 'Runs on this server, in your name.' });
  form.append(heading, warning, address, ...(sample.body === undefined ? [] : [body]), send, answer);
  const fields = [
    [address, sample.address],
    [body, sample.body ?? ''],
  ] as const;
  const filled = new Map<HTMLElement, string>();
  // Keeps what the reader has changed.
  const fill = (): void => {
    for (const [field, text] of fields) {
      if (field.value !== (filled.get(field) ?? '')) continue;
      field.value = fillIn(text, known);
      filled.set(field, field.value);
    }
  };
  fill();
  void firstTenant().then(fill);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    void submit({ ...sample, address: address.value, ...(sample.body !== undefined && { body: body.value }) })
      .then((told) => show(answer, told))
      .finally(() => (send.disabled = false));
  });
  operation.append(form);
}

let asked: Promise<void> | undefined;

/** Most requests need a tenant: uses the first that the reader may see. */
function firstTenant(): Promise<void> {
  asked ??= (async () => {
    const bearer = await accessToken();
    if (bearer === undefined) return;
    const { path } = bind(paths.ListScopes, {});
    const answer = await fetch(path, { headers: { authorization: `Bearer ${bearer}` } });
    if (answer.ok) learn(await answer.json(), known);
  })().catch(() => undefined);
  return asked;
}

interface Told {
  text: string;
  signIn?: boolean;
}

async function submit({ method, address, body }: SampleRequest): Promise<Told> {
  if (!address.startsWith('/') || address.startsWith('//')) return { text: 'The address begins with a slash.' };
  const bearer = await accessToken().catch(() => undefined);
  if (bearer === undefined) return { text: 'You are not signed in.', signIn: true };
  const headers: Record<string, string> = { authorization: `Bearer ${bearer}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const answer = await fetch(address, { method, headers, ...(body !== undefined && { body }) });
    if (answer.status === 401) token = undefined;
    const text = await answer.text();
    return { text: `${answer.status} ${answer.statusText}\n${pretty(text)}` };
  } catch {
    return { text: 'The server cannot be reached.' };
  }
}

function pretty(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    learn(parsed, known);
    return JSON.stringify(parsed, null, 2);
  } catch {
    return text;
  }
}

function show(answer: HTMLElement, { text, signIn = false }: Told): void {
  answer.hidden = false;
  answer.replaceChildren(text);
  if (signIn) answer.append(' ', element('a', { href: '/console/', textContent: 'Sign in, then send again.' }));
}

nameThisServer();
offerCopies();
startSearch();
for (const operation of operations)
  operation.addEventListener('toggle', () => {
    if (operation.open) offerTrying(operation);
  });
unfoldTarget();
addEventListener('hashchange', unfoldTarget);

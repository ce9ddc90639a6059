// Renders a Helm chart as far as ours needs it: values, conditions, named templates and the few functions that we use.
// Whatever else a template says is an error here, so that the chart stays within what the tests can see.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [more: string]: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

type Piece = { text: string } | { action: string };
type Scope = Record<string, unknown>;

/** Every document of the chart, with these values over its own. */
export function renderChart(
  folder: string,
  values: Record<string, unknown> = {},
  release = 'calls',
): Manifest[] {
  return new Chart(folder, values, release).manifests();
}

/** What the chart says after an installation. */
export function renderNotes(folder: string, values: Record<string, unknown> = {}): string {
  return new Chart(folder, values).notes();
}

class Chart {
  readonly #folder: string;
  readonly #scope: Scope;
  readonly #named = new Map<string, Piece[]>();

  constructor(folder: string, values: Record<string, unknown>, release = 'calls') {
    this.#folder = folder;
    for (const file of readdirSync(join(folder, 'templates')).filter((each) => each.endsWith('.tpl')))
      this.#define(piecesOf(this.#read('templates', file)));
    const { name, version, appVersion } = parse(this.#read('Chart.yaml')) as Record<string, string>;
    this.#scope = {
      Values: merged(parse(this.#read('values.yaml')), values),
      Release: { Name: release, Namespace: 'voice', Service: 'Helm' },
      Chart: { Name: name, Version: version, AppVersion: appVersion },
    };
  }

  manifests(): Manifest[] {
    return readdirSync(join(this.#folder, 'templates'))
      .sort()
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => this.#render(piecesOf(this.#read('templates', name))))
      .filter((text) => text.trim() !== '')
      .map((text) => parse(text, { uniqueKeys: true }) as Manifest);
  }

  notes(): string {
    return this.#render(piecesOf(this.#read('templates', 'NOTES.txt')));
  }

  #read(...path: string[]): string {
    return readFileSync(join(this.#folder, ...path), 'utf8');
  }

  #define(pieces: readonly Piece[]): void {
    for (let at = 0; at < pieces.length; at++) {
      const name = /^define "([^"]+)"$/.exec(actionOf(pieces[at]) ?? '')?.[1];
      if (name === undefined) continue;
      const end = endOf(pieces, at);
      this.#named.set(name, pieces.slice(at + 1, end.at));
      at = end.at;
    }
  }

  #render(pieces: readonly Piece[]): string {
    let out = '';
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at];
      if (!piece) break;
      if ('text' in piece) {
        out += piece.text;
        continue;
      }
      const condition = /^if (.+)$/.exec(piece.action)?.[1];
      if (condition === undefined) {
        out += String(this.#evaluate(piece.action));
        continue;
      }
      const { at: end, otherwise = end } = endOf(pieces, at);
      out += isTrue(this.#evaluate(condition))
        ? this.#render(pieces.slice(at + 1, otherwise))
        : this.#render(pieces.slice(otherwise + 1, end));
      at = end;
    }
    return out;
  }

  #evaluate(expression: string): unknown {
    const [first = '', ...rest] = splitOutside(expression, '|');
    return rest.reduce((value, call) => this.#call(call, [value]), this.#call(first, []));
  }

  #call(text: string, piped: readonly unknown[]): unknown {
    const [head = '', ...terms] = splitOutside(text, ' ').filter((term) => term !== '');
    if (head === '.Files.Get') return this.#read(unquoted(terms[0] ?? ''));
    if (terms.length === 0 && piped.length === 0 && !(head in functions)) return this.#term(head);
    const args = [...terms.map((term) => this.#term(term)), ...piped];
    if (head === 'include') return this.#render(this.#named.get(String(args[0])) ?? unknown(text));
    const known = functions[head] ?? unknown(text);
    return known(...args);
  }

  #term(term: string): unknown {
    if (term === '.') return this.#scope;
    if (term.startsWith('"')) return unquoted(term);
    if (/^\d+$/.test(term)) return Number(term);
    if (term.startsWith('(')) return this.#evaluate(term.slice(1, -1));
    if (!/^(\.\w+)+$/.test(term)) return unknown(term);
    return term
      .slice(1)
      .split('.')
      .reduce<unknown>((value, name) => {
        if (typeof value !== 'object' || value === null || !(name in value))
          throw new Error(`${term}: the chart has no such value`);
        return (value as Scope)[name];
      }, this.#scope);
  }
}

const functions: Record<string, (...args: unknown[]) => unknown> = {
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  has: (item, list) => Array.isArray(list) && list.includes(item),
  hasSuffix: (suffix, text) => String(text).endsWith(String(suffix)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  not: (value) => !isTrue(value),
  replace: (from, to, text) => String(text).replaceAll(String(from), String(to)),
  int: (value) => Math.trunc(Number(value)),
  quote: (value) => JSON.stringify(String(value)),
  nindent: (spaces, value) => `\n${indented(Number(spaces), String(value))}`,
  toYaml: (value) => stringify(value).trimEnd(),
  toPrettyJson: (value) => JSON.stringify(value, null, 2),
  sha256sum: (value) => createHash('sha256').update(String(value)).digest('hex'),
};

function unknown(text: string): never {
  throw new Error(`not understood in a template: ${text}`);
}

const unquoted = (text: string): string => text.replace(/^"|"$/g, '');

/** Text and actions; a dash takes the white space beside it away. */
function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let at = 0;
  for (const match of source.matchAll(/\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs)) {
    text += source.slice(at, match.index);
    if (match[1] === '-') text = text.trimEnd();
    pieces.push({ text }, { action: match[2] ?? '' });
    at = match.index + match[0].length;
    text = '';
    if (match[3] === '-') while (/\s/.test(source[at] ?? '')) at++;
  }
  pieces.push({ text: text + source.slice(at) });
  return pieces;
}

const actionOf = (piece: Piece | undefined): string | undefined =>
  piece && 'action' in piece ? piece.action : undefined;

/** Where the block that begins here ends, and where its `else` is. */
function endOf(pieces: readonly Piece[], begin: number): { at: number; otherwise?: number } {
  let depth = 0;
  let otherwise: number | undefined;
  for (let at = begin; at < pieces.length; at++) {
    const action = actionOf(pieces[at]) ?? '';
    if (/^(if|define) /.test(action)) depth++;
    if (action === 'else' && depth === 1) otherwise = at;
    if (action === 'end' && --depth === 0) return { at, ...(otherwise !== undefined && { otherwise }) };
  }
  throw new Error('a block of a template does not end');
}

/** Not inside quotes or parentheses. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    if (!isQuoted && sign === '(') depth++;
    if (!isQuoted && sign === ')') depth--;
    if (sign === separator && depth === 0 && !isQuoted) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function indented(spaces: number, text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(spaces) + line))
    .join('\n');
}

function merged(base: unknown, over: unknown): unknown {
  if (!isPlain(base) || !isPlain(over)) return over ?? base;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(base[key], over[key])]));
}

function isPlain(value: unknown): value is Scope {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

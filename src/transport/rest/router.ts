// Finds the binding for a method and a path. A tree of segments: literals are tried before variables with a
// verb, and those before plain variables, with backtracking, so that `/v1/audios/process` and
// `/v1/audios/{id}/process` live together. Verbs are compared before percent-decoding: an id that contains
// a colon can always be sent as `%3A`.
import type { PathTemplate } from './path-template.js';

export interface Captured {
  fieldPath: readonly string[];
  value: string;
}

type RouteMatch<T> =
  | { found: true; target: T; captured: readonly Captured[] }
  | { found: false; reason: 'no-path' | 'bad-encoding' }
  | { found: false; reason: 'wrong-method'; allowed: readonly string[] };

interface Leaf<T> {
  target: T;
  fieldPaths: readonly (readonly string[])[];
}

interface Node<T> {
  literals: Map<string, Node<T>>;
  verbs: Map<string, Node<T>>;
  variable: Node<T> | undefined;
  leaves: Map<string, Leaf<T>>;
}

/** The segments of a path, as they came and percent-decoded. */
interface Segments {
  raw: readonly string[];
  decoded: readonly string[];
}

export class Router<T> {
  readonly #root: Node<T> = emptyNode();
  /** Paths without variables, by method and path: most calls, found at once. */
  readonly #fixed = new Map<string, Map<string, RouteMatch<T>>>();

  /** First literal segments of all routes: what the HTTP server must hand over to this router. */
  readonly prefixes = new Set<string>();

  add(httpMethod: string, template: PathTemplate, target: T): void {
    let node = this.#root;
    const fieldPaths: (readonly string[])[] = [];
    const first = template.segments[0];
    if (first?.kind !== 'literal')
      throw new Error(`path template ${template.text} must start with a literal segment`);
    this.prefixes.add(first.text);
    for (const segment of template.segments) {
      if (segment.kind === 'literal') {
        node = child(node.literals, segment.text);
      } else {
        fieldPaths.push(segment.fieldPath);
        node = segment.verb === '' ? (node.variable ??= emptyNode()) : child(node.verbs, segment.verb);
      }
    }
    if (node.leaves.has(httpMethod)) throw new Error(`two operations claim ${httpMethod} ${template.text}`);
    node.leaves.set(httpMethod, { target, fieldPaths });
    if (fieldPaths.length > 0) return;
    const paths = this.#fixed.get(httpMethod) ?? new Map<string, RouteMatch<T>>();
    this.#fixed.set(httpMethod, paths.set(template.text, { found: true, target, captured: nothing }));
  }

  /** `path` as it came over the wire: still percent-encoded, without the query. */
  match(httpMethod: string, path: string): RouteMatch<T> {
    const fixed = this.#fixed.get(httpMethod)?.get(path);
    if (fixed) return fixed;
    if (this.#isElsewhere(path)) return elsewhere;
    const raw = path.slice(1).split('/');
    let decoded = raw;
    if (path.includes('%')) {
      decoded = [];
      for (const segment of raw) {
        const text = decodeSegment(segment);
        if (text === undefined) return { found: false, reason: 'bad-encoding' };
        decoded.push(text);
      }
    }
    const values: string[] = [];
    const leaf = this.#walk(this.#root, httpMethod, { raw, decoded }, 0, values);
    if (!leaf) return this.#explain({ raw, decoded });
    if (values.length === 0) return { found: true, target: leaf.target, captured: nothing };
    const captured = leaf.fieldPaths.map((fieldPath, index) => ({
      fieldPath,
      value: values[index] as string,
    }));
    return { found: true, target: leaf.target, captured };
  }

  /** Tokens, pages and files are asked for as often as operations, and need no walk. */
  #isElsewhere(path: string): boolean {
    if (path.includes('%')) return false;
    const end = path.indexOf('/', 1);
    return !this.prefixes.has(end < 0 ? path.slice(1) : path.slice(1, end));
  }

  #walk(
    node: Node<T>,
    httpMethod: string,
    path: Segments,
    at: number,
    values: string[],
  ): Leaf<T> | undefined {
    const { raw, decoded } = path;
    if (at === raw.length) return node.leaves.get(httpMethod);
    const text = decoded[at] as string;
    const literal = node.literals.get(text);
    const viaLiteral = literal && this.#walk(literal, httpMethod, path, at + 1, values);
    if (viaLiteral) return viaLiteral;
    for (const [verb, next] of node.verbs) {
      const rawText = raw[at] as string;
      if (rawText.length <= verb.length || !rawText.endsWith(verb)) continue;
      values.push(decodeSegment(rawText.slice(0, -verb.length)) as string);
      const viaVerb = this.#walk(next, httpMethod, path, at + 1, values);
      if (viaVerb) return viaVerb;
      values.pop();
    }
    if (!node.variable || text === '') return undefined;
    values.push(text);
    const viaVariable = this.#walk(node.variable, httpMethod, path, at + 1, values);
    if (!viaVariable) values.pop();
    return viaVariable;
  }

  /** Why nothing was found; walks again, which only failing requests pay for. */
  #explain(path: Segments): RouteMatch<T> {
    const allowed = methods.filter((method) => this.#walk(this.#root, method, path, 0, []) !== undefined);
    return allowed.length > 0
      ? { found: false, reason: 'wrong-method', allowed }
      : { found: false, reason: 'no-path' };
  }
}

const nothing: readonly Captured[] = [];
const elsewhere = { found: false, reason: 'no-path' } as const;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function emptyNode<T>(): Node<T> {
  return { literals: new Map(), verbs: new Map(), variable: undefined, leaves: new Map() };
}

function child<T>(children: Map<string, Node<T>>, key: string): Node<T> {
  const existing = children.get(key);
  if (existing) return existing;
  const made = emptyNode<T>();
  children.set(key, made);
  return made;
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

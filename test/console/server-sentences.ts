// Every sentence with which the server can refuse what a form of the console sends, read from its sources: what it says of
// fields, and of whole requests. Where something is put in stands a sample, or each of the words that can stand there.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { SourceFiles } from '../tidy/source-files.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** What no page of the console calls: sockets of telephone systems, gRPC, what nodes ask each other, JSON that is none or has unknown members. */
const unreached =
  /^src\/(?:gen|client|console|cli|config|compose|voice|inference|nodes|live)\/|^src\/transport\/(?:sockets|grpc|rest|openapi|services\/live|routes\/(?:engagement|live-events|oauth))|-live\.ts$|live-decision\.ts$|without-agent\.ts$|transport\/(?:refusal|status|unknown-fields)\.ts$/;

/** Of these the console says something itself, or nobody is there to read it. */
const saidOtherwise = new Set([
  'INTERNAL_ERROR',
  'NOT_FOUND',
  'BUSY',
  'RATE_EXCEEDED',
  'TOO_LARGE',
  'DEADLINE_EXCEEDED',
  'UNAUTHENTICATED',
  'BAD_REQUEST',
  'CANCELLED_CLIENT',
  'CANCELLED_SERVER',
  'UNKNOWN',
]);

/** In the place of a number, a name or a list. */
export const SAMPLE = '7';

export interface Sentence {
  said: string;
  file: string;
}

/** `unread`: expressions of which it cannot be told what they say. */
export function serverSentences(): { sentences: Sentence[]; unread: string[] } {
  const files = new SourceFiles(ROOT);
  const sentences: Sentence[] = [];
  const unread: string[] = [];
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !unreached.test(name));
  for (const file of names) {
    const { text, tree } = files.get(file);
    if (!/violation|AppError|pattern: \//.test(text)) continue;
    const reader = new Reader(tree);
    for (const node of messagesIn(tree))
      for (const said of reader.textsOf(node))
        if (said === undefined) unread.push(`${file}: ${node.getText()}`);
        else sentences.push({ said, file });
  }
  files.forget();
  return { sentences, unread };
}

/** The expressions that become messages of faults, of rules for identifiers, and of whole refusals. */
function messagesIn(tree: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const member = (name: string) => node.properties.find((each) => each.name?.getText() === name);
      const message = member('message');
      if (message && (member('violation') || (member('pattern') && member('lengthMax'))))
        if (ts.isPropertyAssignment(message)) found.push(message.initializer);
        else if (ts.isShorthandPropertyAssignment(message)) found.push(message.name);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError') {
      const [code, message, detail] = node.arguments ?? [];
      const isShown = code && ts.isStringLiteral(code) && !saidOtherwise.has(code.text);
      if (isShown && message && !/\bfields\b/.test(detail?.getText() ?? '')) found.push(message);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

class Reader {
  readonly #tree: ts.SourceFile;

  constructor(tree: ts.SourceFile) {
    this.#tree = tree;
  }

  /** All that the expression can say; undefined among them for what cannot be told. */
  textsOf(node: ts.Expression, seen: ReadonlySet<ts.Node> = new Set()): (string | undefined)[] {
    if (seen.has(node)) return [];
    const within = new Set([...seen, node]);
    const read = (each: ts.Expression) => this.textsOf(each, within);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) return this.#filled(node, within);
    if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isAsExpression(node))
      return read(node.expression);
    if (ts.isConditionalExpression(node)) return [...read(node.whenTrue), ...read(node.whenFalse)];
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
      // Only a line number stands before a sentence of a manifest.
      return read(node.right);
    if (ts.isCallExpression(node)) return this.#returned(node.expression.getText(), within);
    if (ts.isIdentifier(node)) return this.#named(node, within);
    if (
      ts.isPropertyAccessExpression(node) &&
      node.name.text === 'message' &&
      ts.isIdentifier(node.expression)
    )
      return this.#messageOf(node.expression, within);
    return [undefined];
  }

  #filled(node: ts.TemplateExpression, seen: ReadonlySet<ts.Node>): string[] {
    let made = [node.head.text];
    for (const span of node.templateSpans) {
      const isChoice = ts.isIdentifier(span.expression) || ts.isConditionalExpression(span.expression);
      const words = isChoice ? this.textsOf(span.expression, seen) : [undefined];
      const choices = words.length === 0 || words.includes(undefined) ? [SAMPLE] : words;
      made = made.flatMap((text) => choices.map((word) => `${text}${word ?? ''}${span.literal.text}`));
    }
    return made;
  }

  /** What a function of the same file returns. */
  #returned(name: string, seen: ReadonlySet<ts.Node>): (string | undefined)[] {
    const texts: (string | undefined)[] = [];
    let isFound = false;
    const returns = (node: ts.Node): void => {
      if (ts.isReturnStatement(node) && node.expression)
        texts.push(...this.textsOf(node.expression, seen).filter((text) => text !== undefined));
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, returns);
    };
    this.#each((node) => {
      if (!ts.isFunctionDeclaration(node) || node.name?.text !== name || !node.body) return;
      isFound = true;
      ts.forEachChild(node.body, returns);
    });
    return isFound ? texts : [undefined];
  }

  /** A constant of the file, or a parameter: then what its callers in the file give. */
  #named(node: ts.Identifier, seen: ReadonlySet<ts.Node>): (string | undefined)[] {
    for (let at: ts.Node | undefined = node.parent; at; at = at.parent) {
      if (!ts.isFunctionLike(at)) continue;
      const place = at.parameters.findIndex(({ name }) => name.getText() === node.text);
      if (place >= 0) return this.#given(at, place, seen);
    }
    const texts: (string | undefined)[] = [];
    this.#each((each) => {
      if (ts.isVariableDeclaration(each) && each.name.getText() === node.text && each.initializer)
        texts.push(...this.textsOf(each.initializer, seen));
    });
    return texts.length > 0 ? texts : [undefined];
  }

  #given(called: ts.SignatureDeclaration, place: number, seen: ReadonlySet<ts.Node>): (string | undefined)[] {
    const holder = called.parent;
    const name = called.name?.getText() ?? (ts.isVariableDeclaration(holder) ? holder.name.getText() : '');
    const texts: (string | undefined)[] = [];
    this.#each((node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== name) return;
      const argument = node.arguments[place];
      if (argument) texts.push(...this.textsOf(argument, seen));
    });
    return texts.length > 0 ? texts : [undefined];
  }

  /** Of an object that a function of the same file returns; what rules say is found where they are. */
  #messageOf(node: ts.Identifier, seen: ReadonlySet<ts.Node>): (string | undefined)[] {
    if (node.text === 'rule') return [];
    const texts: (string | undefined)[] = [];
    this.#each((each) => {
      if (
        ts.isPropertyAssignment(each) &&
        each.name.getText() === 'message' &&
        ts.isObjectLiteralExpression(each.parent) &&
        ts.isReturnStatement(each.parent.parent)
      )
        texts.push(...this.textsOf(each.initializer, seen));
    });
    return texts.length > 0 ? texts : [undefined];
  }

  #each(visit: (node: ts.Node) => void): void {
    const walk = (node: ts.Node): void => {
      visit(node);
      ts.forEachChild(node, walk);
    };
    walk(this.#tree);
  }
}

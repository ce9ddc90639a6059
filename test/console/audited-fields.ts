// Every name that can stand in an audit record, read from the sources: the members of what is recorded, as far as they are written
// there, and the members of models where a record has those that were changed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { SourceFiles } from '../tidy/source-files.js';

const ROOT = join(import.meta.dirname, '..', '..');
const rooms = ['auth', 'engagement-api', 'biometrics', 'tenants', 'events', 'live', 'compose'];
/** Functions that record something, and which of their arguments says what. */
const recorders = new Map<string, readonly number[]>([
  ['audit', [1, 2]],
  ['auditTenant', [4]],
  ['auditMedia', [4]],
  ['auditCalibration', [4]],
]);

export interface AuditedFields {
  names: Map<string, string>;
  /** Expressions of which it cannot be told what they hold. */
  unread: string[];
}

export function auditedFields(models: readonly (readonly [file: string, model: string])[]): AuditedFields {
  const files = new SourceFiles(ROOT);
  const found: AuditedFields = { names: new Map(), unread: [] };
  const names = rooms.flatMap((room) =>
    readdirSync(join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/${room}/${name.replaceAll('\\', '/')}`),
  );
  for (const file of names) {
    const { text, tree } = files.get(file);
    if (/\baudit|\bdetail\b/i.test(text)) new Reader(file, tree, found).read();
  }
  for (const [file, model] of models)
    for (const name of membersOf(files.get(file).tree, model)) found.names.set(name, `${file} ${model}`);
  files.forget();
  return found;
}

/** Of an interface, or of a type that is written as one. */
function membersOf(tree: ts.SourceFile, model: string): string[] {
  for (const node of tree.statements) {
    if (ts.isInterfaceDeclaration(node) && node.name.text === model)
      return node.members.map((member) => member.name?.getText() ?? '');
    if (ts.isTypeAliasDeclaration(node) && node.name.text === model && ts.isTypeLiteralNode(node.type))
      return node.type.members.map((member) => member.name?.getText() ?? '');
  }
  throw new Error(`no ${model} in ${tree.fileName}`);
}

class Reader {
  readonly #file: string;
  readonly #tree: ts.SourceFile;
  readonly #found: AuditedFields;
  readonly #seen = new Set<ts.Node>();

  constructor(file: string, tree: ts.SourceFile, found: AuditedFields) {
    this.#file = file;
    this.#tree = tree;
    this.#found = found;
  }

  read(): void {
    this.#each((node) => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'detail' && isOfRecord(node.parent))
        this.#take(node.initializer);
      if (
        ts.isShorthandPropertyAssignment(node) &&
        node.name.getText() === 'detail' &&
        isOfRecord(node.parent)
      )
        this.#take(node.name);
      if (!ts.isCallExpression(node)) return;
      const name = ts.isPropertyAccessExpression(node.expression)
        ? node.expression.name.text
        : node.expression.getText();
      for (const place of recorders.get(name) ?? []) {
        const argument = node.arguments[place];
        // Beside it stands what it was done to.
        if (argument && !/^\{ type: /.test(argument.getText()) && !isFact(argument)) this.#take(argument);
      }
    });
  }

  #take(node: ts.Expression): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    if (ts.isObjectLiteralExpression(node)) return node.properties.forEach((each) => this.#member(each));
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.#take(node.expression);
    if (ts.isConditionalExpression(node))
      return [node.whenTrue, node.whenFalse].forEach((each) => this.#take(each));
    if (ts.isBinaryExpression(node)) {
      const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
      return (isAnd ? [node.right] : [node.left, node.right]).forEach((each) => this.#take(each));
    }
    if (ts.isCallExpression(node)) {
      if (node.expression.getText() === 'changesOf')
        return node.arguments.forEach((each) => this.#take(each));
      if (this.#returned(node.expression.getText())) return;
    }
    if (ts.isIdentifier(node) && (node.text === 'undefined' || this.#named(node))) return;
    this.#found.unread.push(`${this.#file}: ${node.getText().replace(/\s+/g, ' ')}`);
  }

  #member(member: ts.ObjectLiteralElementLike): void {
    if (ts.isSpreadAssignment(member)) return this.#take(member.expression);
    const name = member.name;
    if (!name || ts.isComputedPropertyName(name)) {
      this.#found.unread.push(`${this.#file}: ${member.getText()}`);
      return;
    }
    this.#found.names.set(name.getText().replace(/^'|'$/g, ''), this.#file);
    if (ts.isPropertyAssignment(member) && ts.isObjectLiteralExpression(member.initializer))
      this.#take(member.initializer);
  }

  /** What a function of the same file gives. */
  #returned(name: string): boolean {
    let isFound = false;
    this.#each((node) => {
      const body =
        ts.isFunctionDeclaration(node) && node.name?.text === name
          ? node.body
          : ts.isVariableDeclaration(node) &&
              node.name.getText() === name &&
              node.initializer &&
              ts.isArrowFunction(node.initializer)
            ? node.initializer.body
            : undefined;
      if (!body) return;
      isFound = true;
      if (!ts.isBlock(body)) return this.#take(body);
      const visit = (inner: ts.Node): void => {
        if (ts.isReturnStatement(inner) && inner.expression) this.#take(inner.expression);
        if (!ts.isFunctionLike(inner)) ts.forEachChild(inner, visit);
      };
      ts.forEachChild(body, visit);
    });
    return isFound;
  }

  /** A constant around it; a parameter has what callers give, and they are looked at themselves. */
  #named(node: ts.Identifier): boolean {
    for (let at: ts.Node | undefined = node.parent; at; at = at.parent) {
      if (ts.isFunctionLike(at) && at.parameters.some(({ name }) => bindsName(name, node.text)))
        return node.text === 'detail';
      if (!ts.isBlock(at) && !ts.isSourceFile(at)) continue;
      for (const statement of at.statements) {
        if (!ts.isVariableStatement(statement)) continue;
        for (const { name, initializer } of statement.declarationList.declarations)
          if (name.getText() === node.text && initializer) {
            this.#take(initializer);
            return true;
          }
      }
    }
    return false;
  }

  #each(visit: (node: ts.Node) => void): void {
    const walk = (node: ts.Node): void => {
      visit(node);
      ts.forEachChild(node, walk);
    };
    walk(this.#tree);
  }
}

function bindsName(name: ts.BindingName, text: string): boolean {
  return ts.isIdentifier(name)
    ? name.text === text
    : name.elements.some((each) => ts.isBindingElement(each) && bindsName(each.name, text));
}

/** Not the detail of a refusal, nor that of an answer. */
function isOfRecord(node: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    !node.properties.some((each) => ['ok', 'fields', 'data'].includes(each.name?.getText() ?? ''))
  );
}

/** A whole fact, whose `detail` is found by itself. */
const isFact = (node: ts.Expression): boolean =>
  (ts.isObjectLiteralExpression(node) &&
    node.properties.some((each) => ['operation', 'detail'].includes(each.name?.getText() ?? ''))) ||
  (ts.isIdentifier(node) && ['call', 'tx'].includes(node.text));

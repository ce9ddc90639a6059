// Nobody is answered unasked: every handler of every service leads to a gate, a function that refuses callers who have no right
// to it. What a handler leads to are the functions that it names, and the methods that it hands the call to, and so on.
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/**
 * No list of exceptions: these are the functions that ask, by name, and everything else has to lead to one of them. They refuse the
 * caller, or answer with what is theirs alone. A function belongs here only if it looks at the caller itself.
 */
const gates: ReadonlySet<string> = new Set([
  'src/errors.ts requireTenant',
  'src/platform.ts mayReach',
  'src/tenants/access.ts requireAdministrator',
  'src/tenants/read-tenants.ts listTenants',
  'src/events/reading.ts visibleAppId',
  'src/engagement-api/deps.ts requireOperator',
  'src/auth/users/list-users.ts getUser',
  'src/auth/permissions.ts requireAdministrator',
  'src/auth/permissions.ts requireOverview',
  'src/auth/permissions.ts requireUserId',
  'src/auth/permissions.ts membersOnly',
]);

/** A function, or the method of a class, and where it leads. */
interface Place {
  name: string;
  leadsTo: readonly string[];
}

/** `file handler` of those that answer whoever asks. */
export function ungated(sources: readonly SourceFile[], generated: readonly SourceFile[]): string[] {
  const methods = new Set(generated.flatMap(methodsOf));
  const server = sources.filter(({ file }) => !file.startsWith('src/console/'));
  const isGated = gatedAmong(server.flatMap(placesOf));
  return server
    .filter(({ file }) => file.startsWith('src/transport/services/'))
    .flatMap((source) => handlersOf(source, methods))
    .filter(({ leadsTo }) => !leadsTo.some(isGated))
    .map(({ name }) => name);
}

/** Goes back from the gates until nobody else is found who leads to one. */
function gatedAmong(places: readonly Place[]): (name: string) => boolean {
  const gated = new Set(gates);
  const methods = new Map<string, Place[]>();
  for (const place of places.filter(isMethod))
    methods.set(methodName(place.name), [...(methods.get(methodName(place.name)) ?? []), place]);
  // A method goes by its name: each one that is called so has to ask.
  const isGated = (name: string): boolean =>
    gated.has(name) || (methods.get(name)?.every((method) => gated.has(method.name)) ?? false);
  for (let before = -1; before !== gated.size;) {
    before = gated.size;
    for (const { name, leadsTo } of places) if (leadsTo.some(isGated)) gated.add(name);
  }
  return isGated;
}

const isMethod = ({ name }: Place): boolean => methodName(name).startsWith('.');
const methodName = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** Names of the operations of the services that a generated file has. */
function methodsOf({ tree }: SourceFile): string[] {
  return tree.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ type }) => {
      if (!type || !ts.isTypeReferenceNode(type) || type.typeName.getText(tree) !== 'GenService') return [];
      const [members] = type.typeArguments ?? [];
      if (!members || !ts.isTypeLiteralNode(members)) return [];
      return members.members.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
    }),
  );
}

function handlersOf(source: SourceFile, methods: ReadonlySet<string>): Place[] {
  const resolve = resolverOf(source);
  const found: Place[] = [];
  const visit = (node: ts.Node): void => {
    const isMember =
      ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node) || ts.isShorthandPropertyAssignment(node);
    if (isMember && ts.isIdentifier(node.name) && methods.has(node.name.text) && isHandler(node))
      found.push({ name: `${source.file} ${node.name.text}`, leadsTo: namesIn(node, resolve) });
    node.forEachChild(visit);
  };
  visit(source.tree);
  return found;
}

/** And no member of a message that has the name of an operation. */
function isHandler(
  node: ts.PropertyAssignment | ts.MethodDeclaration | ts.ShorthandPropertyAssignment,
): boolean {
  if (!ts.isPropertyAssignment(node)) return true;
  return (
    ts.isFunctionLike(node.initializer) ||
    ts.isCallExpression(node.initializer) ||
    ts.isIdentifier(node.initializer)
  );
}

/** Functions however deep, by their names, and the methods that are told of the call. */
function placesOf(source: SourceFile): Place[] {
  const resolve = resolverOf(source);
  const found: Place[] = [];
  const add = (name: string, node: ts.Node): void => {
    found.push({ name: `${source.file} ${name}`, leadsTo: namesIn(node, resolve) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name) add(node.name.text, node);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isFunction(node.initializer))
      add(node.name.text, node);
    if (ts.isMethodDeclaration(node) && ts.isClassDeclaration(node.parent) && takesCall(node))
      add(`.${node.name.getText(source.tree)}`, node);
    node.forEachChild(visit);
  };
  visit(source.tree);
  return found;
}

const isFunction = (node: ts.Node | undefined): boolean => node !== undefined && ts.isFunctionLike(node);

/** Static ones are not called on what somebody was handed. */
const takesCall = ({ parameters, modifiers }: ts.MethodDeclaration): boolean =>
  !modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) &&
  parameters.some(({ type }) => type?.getText() === 'Call');

/** What the names in a file stand for: things of this file, and what it imports. */
function resolverOf({ file, tree }: SourceFile): (name: string) => string {
  const imported = new Map<string, string>();
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const target = normalize(join(dirname(file), statement.moduleSpecifier.text)).replace(/\.js$/, '.ts');
    for (const { name, propertyName } of bindings.elements)
      imported.set(name.text, `${target} ${(propertyName ?? name).text}`);
  }
  return (name) => imported.get(name) ?? `${file} ${name}`;
}

function namesIn(node: ts.Node, resolve: (name: string) => string): string[] {
  const found = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (ts.isPropertyAccessExpression(each)) {
      const isOwn = each.expression.kind === ts.SyntaxKind.ThisKeyword;
      const { parent } = each;
      const isHandedCall =
        ts.isCallExpression(parent) &&
        parent.expression === each &&
        parent.arguments.some((argument) => ts.isIdentifier(argument) && argument.text === 'call');
      if (isOwn || isHandedCall) found.add(`.${each.name.text}`);
      visit(each.expression);
      return;
    }
    if (ts.isTypeNode(each)) return;
    if (ts.isIdentifier(each) && !isNew(each)) found.add(resolve(each.text));
    each.forEachChild(visit);
  };
  visit(node);
  return [...found];
}

/** The name of a member, a parameter or a constant leads nowhere by itself. */
function isNew(node: ts.Identifier): boolean {
  const { parent } = node;
  const isNaming =
    ts.isPropertyAssignment(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isVariableDeclaration(parent);
  return isNaming && parent.name === node;
}

/** Where an operation asks what the caller may do in the tenant. */
const openings =
  /\b(openTenant|openContext|openFullContext|openSessionContext|openSpeakerContext|requireTenant|runDecision)\(/;

/** `file function` of operations that look something up before they ask. */
export function readsBeforeGate(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ file }) => /^src\/(audit|biometrics|events|tenants)\//.test(file))
    .flatMap(({ file, tree }) =>
      tree.statements.filter(ts.isFunctionDeclaration).flatMap(({ name, body }) => {
        const text = body?.getText(tree) ?? '';
        const before = text.slice(0, openings.exec(text)?.index ?? 0);
        return /\.(store|transaction)\b/.test(before) ? [`${file} ${name?.text ?? ''}`] : [];
      }),
    );
}

// The walk of one call from the transport to the storage, as docs/ARCHITECTURE.md lists its files: it only goes down, so
// that a reader opens each of them once. What would lead back up is an import of a file above, or a function that a file
// hands down to be called from below. An entry of the parts of an operation (`find: comparisonWithPrint`) is no step back: it is
// read where it stands.
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/** `file: what leads back` of every step against the direction. */
export function stepsBack(walk: readonly SourceFile[]): string[] {
  const places = new Map(walk.map(({ file }, index) => [file, index]));
  return walk.flatMap((source, place) => {
    const below = new Set<string>();
    const found: string[] = [];
    for (const { target, names } of valueImports(source)) {
      const to = places.get(target);
      if (to === undefined) continue;
      if (to < place) found.push(`${source.file}: imports ${target}, which is above`);
      for (const name of names) below.add(name);
    }
    return [...found, ...handedDown(source, below)];
  });
}

/** Looked up on the way, in any order; what is for streams is on the way of no single call. */
const lookedUp = /^src\/(biometrics\/(model|rules)\/|transport\/dispatch\/(exchange|stream-watch)\.ts)/;

/** Files of the domain, and of the way to it, that a step calls and the walk does not name. */
export function leftOut(walk: readonly SourceFile[]): string[] {
  const named = new Set(walk.map(({ file }) => file));
  const isOfDomain = (file: string): boolean => /^src\/(biometrics|transport\/dispatch)\//.test(file);
  return walk
    .filter(({ file }) => isOfDomain(file))
    .flatMap((source) =>
      valueImports(source)
        .filter(({ target }) => isOfDomain(target) && !lookedUp.test(target) && !named.has(target))
        .map(({ target }) => `${source.file}: calls ${target}, which is not named`),
    );
}

function valueImports({ file, tree }: SourceFile): { target: string; names: string[] }[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || !bindings || !ts.isNamedImports(bindings))
      return [];
    const names = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text);
    const from = statement.moduleSpecifier.text;
    const target = join(dirname(file), from).replace(/\.js$/, '.ts');
    return names.length > 0 && from.startsWith('.') ? [{ target, names }] : [];
  });
}

/** Functions of this file among the arguments of a call into a file below. */
function handedDown({ file, tree }: SourceFile, below: ReadonlySet<string>): string[] {
  const own = new Set(
    tree.statements.flatMap((statement) =>
      ts.isFunctionDeclaration(statement) && statement.name ? [statement.name.text] : [],
    ),
  );
  const found: string[] = [];
  const isOwnFunction = (node: ts.Node): boolean =>
    ts.isFunctionLike(node) ||
    (ts.isIdentifier(node) &&
      own.has(node.text) &&
      !(ts.isCallExpression(node.parent) && node.parent.expression === node));
  const isPart = (node: ts.Node): boolean => ts.isPropertyAssignment(node) && isEntry(node.initializer);
  const isEntry = (node: ts.Node): boolean =>
    ts.isIdentifier(node) || (ts.isArrowFunction(node) && ts.isIdentifier(node.body));
  const hasOwnFunction = (node: ts.Node): boolean =>
    isOwnFunction(node) ||
    (node.forEachChild((child) => (!isPart(child) && hasOwnFunction(child)) || undefined) ?? false);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const callee = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
      if (ts.isIdentifier(callee) && below.has(callee.text) && node.arguments.some(hasOwnFunction))
        found.push(`${file}: hands a function of its own to ${expression.getText(tree)}`);
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

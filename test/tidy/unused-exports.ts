// Exports that nothing needs: code that only a test uses is dead, and an `export` that nobody imports, not even a
// test, promises something to nobody. A rule that its own file uses may be exported for its test.
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

interface Export {
  file: string;
  name: string;
  usedInside: boolean;
}

/** `product` is what ships or measures it (src, bench, scripts, examples); `tests` only look at it. */
export function unusedExports(product: readonly SourceFile[], tests: readonly SourceFile[]): string[] {
  const known = new Set(product.map(({ file }) => file));
  const byProduct = importsOf(product, known);
  const byTests = importsOf(tests, known);
  return product
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap(exportsOf)
    .filter(({ file, name, usedInside }) => {
      const isImported = (imports: Set<string>) => imports.has(`${file}#${name}`) || imports.has(`${file}#*`);
      if (isImported(byProduct)) return false;
      return !usedInside || !isImported(byTests);
    })
    .map(({ file, name }) => `${file} ${name}`);
}

function importsOf(files: readonly SourceFile[], known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const source of files) {
    const { file, text } = source;
    const resolve = (specifier: string): string | undefined => {
      if (!specifier.startsWith('.')) return undefined;
      const path = normalize(join(dirname(file), specifier));
      return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((one) =>
        known.has(one),
      );
    };
    // Only what is imported by a call or in a type can be further inside.
    const isDeep = /\bimport\s*\(/.test(text);
    const tree = isDeep || !file.startsWith('test/') ? source.tree : headOf(source);
    const visit = (node: ts.Node): void => {
      for (const [specifier, names] of namesImportedBy(node)) {
        const target = resolve(specifier);
        if (target) for (const name of names) found.add(`${target}#${name}`);
      }
      if (isDeep) node.forEachChild(visit);
    };
    tree.statements.forEach(visit);
  }
  return found;
}

/** As far as anything is imported: nobody else asks for the rest of a test, and parsing it takes most of the time of this rule. */
function headOf({ file, text }: SourceFile): ts.SourceFile {
  const lines = [...text.matchAll(/^.*\bfrom\s*['"].*$|^import\b.*$/gm)];
  const last = lines.at(-1);
  return ts.createSourceFile(
    file,
    text.slice(0, last ? last.index + last[0].length : 0),
    ts.ScriptTarget.ES2022,
  );
}

function namesImportedBy(node: ts.Node): (readonly [string, readonly string[]])[] {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const bindings = node.importClause?.namedBindings;
    const names = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(importedName) : ['*'];
    return [[node.moduleSpecifier.text, names]];
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    const clause = node.exportClause;
    return [
      [
        node.moduleSpecifier.text,
        clause && ts.isNamedExports(clause) ? clause.elements.map(importedName) : ['*'],
      ],
    ];
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    return specifier && ts.isStringLiteral(specifier) ? [[specifier.text, ['*']]] : [];
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return ts.isStringLiteral(node.argument.literal) ? [[node.argument.literal.text, ['*']]] : [];
  return [];
}

function importedName(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text;
}

function exportsOf({ file, tree: source }: SourceFile): Export[] {
  const counts = new Map<string, number>();
  const count = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMemberName(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    node.forEachChild(count);
  };
  count(source);
  const named = (name: string): Export => ({
    file,
    name,
    usedInside: (counts.get(name) ?? 0) > 1,
  });
  return source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [named(name.text)] : [],
      );
    const isNamed =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    return isNamed && statement.name ? [named(statement.name.text)] : [];
  });
}

/** `find` of `list.find`, or of `{ find: 1 }`, is another thing than the function `find`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  const hasMemberName =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isClassElement(parent) ||
    ts.isTypeElement(parent);
  return hasMemberName && parent.name === node;
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

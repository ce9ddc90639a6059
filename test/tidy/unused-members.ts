// Members of classes that nothing but a test uses. By name: a member is in use where its name is read anywhere in the product.
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/** `file Class.member` of each. Classes that extend or implement what a library declares are called by that library. */
export function unusedMembers(product: readonly SourceFile[]): string[] {
  const read = new Set<string>();
  for (const { tree } of product) readNames(tree, read);
  return product
    .filter(({ file }) => file.startsWith('src/') && !file.startsWith('src/client/'))
    .flatMap(({ file, tree }) => {
      const own = new Set(tree.statements.flatMap(ownNames));
      return tree.statements
        .filter(ts.isClassDeclaration)
        .filter((declared) => heritageOf(declared).every((name) => own.has(name)))
        .flatMap((declared) =>
          memberNames(declared)
            .filter((name) => !read.has(name))
            .map((name) => `${file} ${declared.name?.text ?? '(anonymous)'}.${name}`),
        );
    });
}

/** What a file declares, or has from another file and not from a library. */
function ownNames(statement: ts.Statement): string[] {
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    const isOwn =
      ts.isStringLiteral(statement.moduleSpecifier) && statement.moduleSpecifier.text.startsWith('.');
    return isOwn && bindings && ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name }) => name.text)
      : [];
  }
  const isType =
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isType && statement.name ? [statement.name.text] : [];
}

/** `Readable` of `extends Readable<Row>`. */
const heritageOf = ({ heritageClauses }: ts.ClassDeclaration): string[] =>
  (heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression.getText()));

const memberNames = ({ members }: ts.ClassDeclaration): string[] =>
  members.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));

/** Every name but those that only declare a member. */
function readNames(node: ts.Node, read: Set<string>): void {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isDeclaration = (ts.isClassElement(parent) || ts.isTypeElement(parent)) && parent.name === node;
    if (!isDeclaration) read.add(node.text);
  }
  node.forEachChild((child) => readNames(child, read));
}

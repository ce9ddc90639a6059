// The JSON types of the contract as one module of declarations, without the library that the generated modules need: what the
// operations and the client's own files speak of, and nothing else.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** The JSON of google.protobuf's own messages. */
const wellKnown = {
  TimestampJson: 'string',
  DurationJson: 'string',
  FieldMaskJson: 'string',
  BoolValueJson: 'boolean',
  Int32ValueJson: 'number',
  Int64ValueJson: 'string',
  FloatValueJson: "number | 'NaN' | 'Infinity' | '-Infinity'",
  DoubleValueJson: "number | 'NaN' | 'Infinity' | '-Infinity'",
};

export class ContractTypes {
  /** By unique name: the text of a type, and the types that it names. */
  #types = new Map();
  #modules = new Map();
  #declaredIn = new Map();

  constructor(folder, files) {
    for (const file of files) this.#modules.set(file, parsed(file, readFileSync(join(folder, file), 'utf8')));
    for (const [file, { declared }] of this.#modules)
      for (const name of declared.keys())
        this.#declaredIn.set(name, [...(this.#declaredIn.get(name) ?? []), file]);
    for (const [file, { declared }] of this.#modules)
      for (const [name, { text, names }] of declared) {
        const unique = new Map(names.map((each) => [each, this.nameOf(file, each)]));
        const renamed = text.replace(/\b\w+Json\b/g, (each) => unique.get(each) ?? each);
        this.#types.set(this.nameOf(file, name), { text: renamed, names: [...unique.values()] });
      }
    for (const [name, type] of Object.entries(wellKnown))
      this.#types.set(name, { text: `export type ${name} = ${type};`, names: [] });
  }

  /** What a name in a module is called here: names of several modules begin with the package of theirs. */
  nameOf(file, name) {
    const module = this.#modules.get(file);
    const source = module?.declared.has(name) ? file : module?.imported.get(name);
    if ((this.#declaredIn.get(name)?.length ?? 0) < 2 || !source?.endsWith('_pb.ts')) return name;
    const owner = dirname(source).split('/').at(-1) ?? '';
    return `${owner.charAt(0).toUpperCase()}${owner.slice(1)}${name}`;
  }

  /** These types and all that they name. */
  declarations(wanted) {
    const found = new Set();
    const visit = (name) => {
      const type = this.#types.get(name);
      if (!type || found.has(name)) return;
      found.add(name);
      type.names.forEach(visit);
    };
    wanted.forEach(visit);
    return `${[...this.#types].flatMap(([name, { text }]) => (found.has(name) ? [text] : [])).join('\n')}\n`;
  }
}

/** The types that a module declares, and where those that it imports come from. */
function parsed(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const imported = new Map();
  const declared = new Map();
  for (const statement of tree.statements) {
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      const from = statement.moduleSpecifier.text.replace(/\.js$/, '.ts');
      for (const { name } of bindings && ts.isNamedImports(bindings) ? bindings.elements : [])
        imported.set(name.text, from.startsWith('.') ? normalize(join(dirname(file), from)) : from);
    } else if (ts.isTypeAliasDeclaration(statement) && statement.name.text.endsWith('Json'))
      declared.set(statement.name.text, typeOf(statement, tree));
    else if (ts.isInterfaceDeclaration(statement)) declared.set(statement.name.text, typeOf(statement, tree));
  }
  return { imported, declared };
}

function typeOf(statement, tree) {
  const names = new Set();
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) names.add(node.typeName.text);
    node.forEachChild(visit);
  };
  statement.forEachChild(visit);
  // What a request or an answer is follows from its name.
  const isPlain = /(Request|Response)Json$/.test(statement.name.text);
  const text = withoutMarks(isPlain ? statement.getText(tree) : statement.getFullText(tree));
  // Few programs administer a server, read its history, start batches, measure its errors, or list and look into things as the console does, and all would carry
  // the words for it: the API page has them.
  const isAdministration =
    /^(voxgate\/(management\/|batch\/|biosec\/v1\/(accuracy|directory|lab|voice_search)_pb)|vendor\/biosec\/v1\/(scopes|configmanager|tuning|history)\/)/.test(
      tree.fileName,
    );
  return {
    text: isAdministration ? text.replace(/\s*\/\*\*[^]*?\*\/\n?/g, '\n').trim() : text,
    names: [...names, statement.name.text],
  };
}

/** Comments in one line each, without what the generator notes for itself. */
function withoutMarks(text) {
  return text
    .replace(/\n *\*\n *\* @generated[^\n]*/g, '')
    .replace(/\n *\* @generated[^\n]*/g, '')
    .replace(/ *\/\*\*\n *\*\/\n/g, '')
    .replace(
      /\/\*\*\n((?: *\* [^\n]*\n)+) *\*\//g,
      (_comment, lines) =>
        `/** ${lines
          .replace(/^ *\* /gm, '')
          .trim()
          .replaceAll('\n', ' ')} */`,
    )
    .replace(/\n{2,}/g, '\n')
    .replace(/^ +/gm, '')
    .trim();
}
